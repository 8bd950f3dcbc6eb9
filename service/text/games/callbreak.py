"""Call Break in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.game import Game
from service.text import Texts, cards
from service.text import marked as _
from service.text.words import Kind, Prompt, Words

REASONS: dict[str, str] = {
    "four_aces": _("all four aces"),
    "no_trump": _("no trump"),
    "no_court": _("no ace, king or queen"),
}


def _voided(texts: Texts, rules: Game, event: Any, names: Sequence[str]) -> str:
    opened = dict(event.hands)
    found: dict[int, list[str]] = {}
    for seat, code in event.reasons:
        found.setdefault(seat, []).append(texts.gettext(REASONS.get(code, code)))
    return "\n".join(
        f"{names[seat]}: {', '.join(reasons)} ({cards.opened(rules, opened.get(seat, ()))})"
        for seat, reasons in found.items()
    )


def _checked(texts: Texts, rules: Game, event: Any, names: Sequence[str]) -> str:
    said = f"{names[event.seat]}: {cards.opened(rules, event.cards)}"
    return texts.gettext("The dealer's cards: {cards}").format(cards=said)


WORDS = Words(
    name=_("Call Break"),
    welcome=_(
        "You and three computer players. Say how many of the 13 tricks you will take\n"
        "(type a number), then take them: follow suit, beat what lies there if you can,\n"
        "trump if you cannot follow. To play a card type it: QS, 10h, queen of spades.\n"
        "Also: help, hand, table, score, log, options, quit. A game you leave is kept."
    ),
    rules=_(
        "Everybody calls how many of the 13 tricks he will take, the dealer last. You\n"
        "must follow the suit led; if you cannot, you must play a trump; and whenever\n"
        "you can beat the card that is winning, you must. The highest trump takes the\n"
        "trick, else the highest card of the suit led. Call 4 and take 4: 40 points;\n"
        "take 6: 42; take fewer: -40. Who has 300 points at the end of a set wins.\n"
        "(Options change some of this: type options.)"
    ),
    moves=_(
        "  4, call 4       call four tricks\n"
        "  QS, q♠, 10h     play a card; also: play QS, queen of spades, or just queen"
    ),
    how_to_play=(
        _(
            "Four players, thirteen cards each, everybody for himself. Spades are trumps: a spade beats every card of "
            "another suit."
        ),
        _(
            "First everybody calls how many of the 13 tricks he will take, beginning at the dealer's right; the dealer "
            "calls last. If the four calls together are less than 9, the cards are dealt anew."
        ),
        _(
            "Then you play. Follow the suit that was led. If you have none of it, play a spade. And whenever one of "
            "the cards you may play beats the card that is winning the trick, you must play such a card. The highest "
            "spade takes the trick, or else the highest card of the suit led; who takes it leads to the next."
        ),
        _(
            "Example: Ann leads 9♥, Bob plays J♥, and you hold K♥, 4♥ and A♠. You must follow hearts and you can beat "
            "the jack: K♥ it is. With no heart at all you would have had to play the ace of spades."
        ),
        _(
            "Take at least as many tricks as you called and you get ten points for each trick called, and one for each "
            "trick more: call 4, take 6, that is 42. Take fewer and you lose ten for each trick called: -40. Who has "
            "300 points or more after a set wins."
        ),
        _(
            "A hand without a spade, with all four aces, or without any ace, king or queen is not played: its owner "
            "shows it, and the next dealer deals."
        ),
    ),
    facts={"trump": _("trump {suit}"), "trick_number": _("trick {value}")},
    seat_facts={"call": _("called {value}"), "won": _("took {value}")},
    zones={
        "trick": _("On the table"),
        "last_trick": _("Last trick"),
        "trump_card": _("Trump card"),
        "opened": _("{owner} showed"),
    },
    prompts={
        "calls": Prompt(
            _("Your turn: call a number of tricks."),
            _("{seats} to call"),
            _("Your call> "),
            _("To call: Play in private has buttons, or write /call 4 here."),
        ),
        "play": Prompt(
            _("Your turn: play a card."),
            _("{seats} to play"),
            _("Your card> "),
            _("To play: Play in private has buttons, or write /play QS here."),
        ),
    },
    choices={
        "number": Kind(button="{value}", may=_("You may call {choices}"), each="{value}"),
        "card": Kind(whole=_("You may play any card.")),
    },
    events={
        "callbreak.called": _("{seat} called {call}"),
        "callbreak.card_played": _("{seat} played {card}"),
        "callbreak.trick_taken": _("{seat} took trick {trick}"),
        "callbreak.trump_shown": _("{seat} showed {card}, which makes trump"),
        "callbreak.deal_voided": _voided,
        "callbreak.dealer_checked": _checked,
    },
    results=frozenset({"callbreak.deal_voided", "callbreak.dealer_checked"}),
    silent=frozenset({"callbreak.card_played"}),
    in_one_line=frozenset({"callbreak.called"}),
    with_zone={"callbreak.trick_taken": ("last_trick", _("Trick {trick}: {row}"))},
    outcomes={
        "redeal": _("The deal is void; the next dealer deals"),
        "low_calls": _("The calls are too low to play; the next dealer deals"),
    },
    refusals={
        "calls_are_over": _("The calls are over: play a card."),
        "calls_first": _("The calls come first: call a number of tricks."),
        "call_out_of_range": _("A call is a number {range}."),
        "must_follow": _("You must follow suit: {cards}."),
        "must_beat": _("You must beat {top}: {cards}."),
        "must_trump": _("You have no {led}, so you must play a trump: {cards}."),
        "not_a_number": _("A call needs a number, such as: call 4."),
        "min_call_over_max_call": _("min_call ({low}) may not be greater than max_call ({high})."),
        "min_total_out_of_reach": _("min_total_calls ({total}) is more than four calls can reach ({most})."),
    },
    findings={
        "calls_are_over": _("“{text}”: the calls were over"),
        "calls_first": _("“{text}”: the calls come first"),
        "call_out_of_range": _("“{text}”: a call is a number {range}"),
        "must_follow": _("“{text}”: the seat had to follow suit: {cards}"),
        "must_beat": _("“{text}”: the seat had to beat {top}: {cards}"),
        "must_trump": _("“{text}”: the seat had to play a trump: {cards}"),
    },
    commands={
        "call": _("Call a number of tricks: /call 4"),
        "play": _("Play a card: /play QS"),
    },
)
