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
        f"{names[seat]}: {', '.join(reasons)} ({cards.opened(texts, rules, opened.get(seat, ()))})"
        for seat, reasons in found.items()
    )


def _checked(texts: Texts, rules: Game, event: Any, names: Sequence[str]) -> str:
    said = f"{names[event.seat]}: {cards.opened(texts, rules, event.cards)}"
    return texts.gettext("The dealer's cards: {cards}").format(cards=said)


BAD: dict[str, str] = {
    "computer": _("a computer player does not cheat"),
    "yourself": _("not yourself"),
    "closed": _("that set is closed"),
    "not_completed": _("that player has not played to such a trick"),
    "already": _("that has been said already"),
    "too_many": _("you have said so twice in this set, and that is all you have"),
    "auto": _("the referee finds cheating by himself"),
}
"""Why there is nothing to accuse (CB-64)."""

OFFENCES: dict[str, str] = {
    "revoke": _("could have followed suit"),
    "fail_to_trump": _("had a trump to play"),
    "fail_to_beat": _("could have played higher"),
}


def _accused(texts: Texts, _rules: Game, event: Any, names: Sequence[str]) -> str:
    said = texts.gettext("{seat} says that {accused} played wrong to trick {trick}")
    return said.format(seat=names[event.seat], accused=names[event.accused], trick=event.trick)


def _found_false(texts: Texts, _rules: Game, event: Any, names: Sequence[str]) -> str:
    said = texts.gettext("What {seat} said is not true: {accused} played trick {trick} by the rules")
    return said.format(seat=names[event.seat], accused=names[event.accused], trick=event.trick)


def _convicted(texts: Texts, rules: Game, event: Any, names: Sequence[str]) -> str:
    """Where somebody played against the rules, and the card that shows it."""
    said = texts.gettext("{seat} played {card} to trick {trick} and {offence} ({proof})")
    return "\n".join(
        said.format(
            seat=names[event.seat],
            card=cards.card(texts, rules.card_name(one.card)),
            trick=one.trick,
            offence=texts.gettext(OFFENCES.get(one.label, one.label)),
            proof=cards.card(texts, rules.card_name(one.proof)),
        )
        for one in event.offences
    )


def _opened(texts: Texts, rules: Game, event: Any, names: Sequence[str]) -> str:
    said = texts.gettext("{seat} still held {cards}")
    held = [(names[seat], cards.opened(texts, rules, hand)) for seat, hand in event.hands if hand]
    return "\n".join(said.format(seat=name, cards=hand) for name, hand in held)


def _vote_opened(texts: Texts, _rules: Game, event: Any, names: Sequence[str]) -> str:
    said = texts.gettext("Did {seat} hide a call? By the usual count these cards are worth {worth}; the others vote")
    return said.format(seat=names[event.seat], worth=event.worth)


def _voted(texts: Texts, _rules: Game, event: Any, names: Sequence[str]) -> str:
    guilty = texts.gettext("{seat} votes: guilty") if event.guilty else texts.gettext("{seat} votes: not guilty")
    return guilty.format(seat=names[event.seat])


def _judged(texts: Texts, rules: Game, event: Any, names: Sequence[str]) -> str:
    """What was counted of a dealer's cards, one by one, and what follows from it."""
    counted = []
    for what, value in event.counted:
        if what == "ruffs":
            counted.append(texts.ngettext("{count} trick by trumping", "{count} tricks by trumping", value))
            counted[-1] = counted[-1].format(count=value)
        else:
            counted.append(cards.card(texts, rules.card_name(value)))
    said = texts.gettext("{seat} called {call}; what could be counted on: {counted}, together {worth}.").format(
        seat=names[event.seat], call=event.call, counted=", ".join(counted) or "-", worth=event.worth
    )
    if event.guilty:
        return f"{said} {texts.gettext('That is a hidden call.')}"
    return f"{said} {texts.gettext('That is no hidden call.')}"


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
            _("To call: press Play or Play in private, or write /call 4 here."),
        ),
        "play": Prompt(
            _("Your turn: play a card."),
            _("{seats} to play"),
            _("Your card> "),
            _("To play: press Play or Play in private, or write /play QS here."),
        ),
        "vote": Prompt(
            _("Did the dealer call less than he could count on?"),
            _("{seats} to vote on the dealer's call"),
            _("guilty or innocent> "),
            _("To vote: press Play, or write /vote guilty or /vote innocent here."),
        ),
        "result": Prompt(
            _("Confirm the result, or say who cheated: accuse, the player's seat and the trick."),
            _("{seats} to confirm the result"),
            _("confirm> "),
            _("To confirm: press Play, or write /confirm here. To object: /accuse name trick."),
        ),
    },
    choices={
        "vote_guilty": Kind(button=_("Guilty"), may=_("You may say: {choices}"), each=_("guilty")),
        "vote_innocent": Kind(button=_("Not guilty"), may=_("You may say: {choices}"), each=_("innocent")),
        "confirm": Kind(button=_("Confirm the result"), may=_("You may confirm the result, or accuse somebody.")),
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
        "callbreak.accused": _accused,
        "callbreak.found_false": _found_false,
        "callbreak.convicted": _convicted,
        "callbreak.hands_opened": _opened,
        "callbreak.vote_opened": _vote_opened,
        "callbreak.voted": _voted,
        "callbreak.call_judged": _judged,
        "callbreak.confirmed": _("{seat} confirmed the result"),
    },
    results=frozenset(
        {
            *("callbreak.deal_voided", "callbreak.dealer_checked", "callbreak.call_judged"),
            *("callbreak.convicted", "callbreak.hands_opened"),
        }
    ),
    offences=OFFENCES,
    announced=frozenset({"callbreak.accused", "callbreak.found_false"}),
    silent=frozenset({"callbreak.card_played"}),
    in_one_line=frozenset({"callbreak.called"}),
    with_zone={"callbreak.trick_taken": ("last_trick", _("Trick {trick}: {row}"))},
    outcomes={
        "redeal": _("The deal is void; the next dealer deals"),
        "low_calls": _("The calls are too low to play; the next dealer deals"),
        "void_cheating": _("The set is void: somebody cheated. The next dealer deals"),
    },
    notes=BAD,
    refusals={
        "calls_are_over": _("The calls are over: play a card."),
        "calls_first": _("The calls come first: call a number of tricks."),
        "call_out_of_range": _("A call is a number {range}."),
        "must_follow": _("You must follow suit: {cards}."),
        "must_beat": _("You must beat {top}: {cards}."),
        "must_trump": _("You have no {led}, so you must play a trump: {cards}."),
        "not_a_number": _("A call needs a number, such as: call 4."),
        "not_an_accusation": _("Say who and which trick: accuse 2 5 is seat 2 (from 0) and trick 5."),
        "bad_accusation": _("You cannot accuse here: {why}."),
        "honour_only": _("At this table the referee lets nobody cheat: there is nothing to accuse."),
        "no_vote": _("There is nothing to vote on."),
        "nothing_to_confirm": _("There is no result to confirm now."),
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
    plans={
        "low": _("the lowest of the suit led"),
        "low_S": _("if ♠ is led, my lowest"),
        "low_H": _("if ♥ is led, my lowest"),
        "low_D": _("if ♦ is led, my lowest"),
        "low_C": _("if ♣ is led, my lowest"),
    },
    presets={
        "source": _("as first written down"),
        "app": _("as in most apps"),
    },
    commands={
        "call": _("Call a number of tricks: /call 4"),
        "accuse": _("At a table of honour: say who cheated, and in which trick: /accuse Bob 5"),
        "vote": _("Vote on the dealer's call: /vote guilty"),
        "confirm": _("Confirm the result: /confirm"),
        "play": _("Play a card: /play QS"),
    },
)
