"""Snitch in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.game import Game
from service.text import Texts, cards
from service.text import marked as _
from service.text.words import Kind, Prompt, Words


def _challenged(texts: Texts, rules: Game, event: Any, names: Sequence[str]) -> str:
    said = texts.gettext("{seat} challenged {target} with {card}")
    card = cards.card(texts, rules.card_name(event.card))
    return said.format(seat=names[event.seat], target=names[event.target], card=card)


def _won(texts: Texts, rules: Game, event: Any, names: Sequence[str]) -> str:
    if event.seat == event.target:
        said = texts.gettext("{seat} kept the set: {cards}")
    else:
        said = texts.gettext("{seat} took the set from {target}: {cards}")
    row = cards.row(texts, map(rules.card_name, event.cards))
    return said.format(seat=names[event.seat], target=names[event.target], cards=row)


WORDS = Words(
    name=_("Snitch"),
    welcome=_(
        "Lay sets of two cards, and steal those of the others. In your turn do one thing:\n"
        "discard 5H, set 5H 5C, take 9H (a set with the top of the pile), or challenge\n"
        "2 KH (the top set of player 2; you are 0). Twos and jokers (X1 to X4) are wild.\n"
        "Also: help, hand, table, score, log, options, quit. A game you leave is kept."
    ),
    rules=_(
        "In your turn do one thing, then draw up to three cards. Discard a card; or lay a\n"
        "set, two cards of a rank or a card and a wild one (2, joker), on top of your\n"
        "sets; or make one of a card of yours and the top discard, as long as there is a\n"
        "stock; or challenge the top set of another with a card of its rank or a wild\n"
        "one. He gives it up or defends it with such a card, you go on or stop, and so\n"
        "forth: the last card that is not answered wins the set and all that was played.\n"
        "3 to 9 count 5, T to K 10, aces 15, twos 20, jokers 50, in sets only. When the\n"
        "stock is gone you play your hands out. (Options change some: type options.)"
    ),
    moves=_(
        "  discard 5H          throw a card away and draw one\n"
        "  set 5H 5C           lay two cards as a set; also: 5H 5C\n"
        "  take 9H             lay 9H and the top of the discard pile as a set\n"
        "  challenge 2 KH      challenge the top set of player 2 (the first one is 0)\n"
        "  defend KC, yield    answer a challenge, or give the set up\n"
        "  press KD, stop      go on with your challenge, or end it"
    ),
    how_to_play=(
        _(
            "Three to eight players, two packs and four jokers, three cards each. Lay sets in front of you and steal "
            "the sets of others: only cards in sets count. Twos and jokers are wild."
        ),
        _(
            "A set is two cards of the same rank, or a card and a wild one; two wild cards are no set. A new set lies "
            "on top of your older ones and covers them."
        ),
        _(
            "In your turn you do one of four things, then you draw up to three cards. Discard a card. Or lay a set of "
            "two cards of your hand. Or lay a set of one card of your hand and the top card of the discard pile, as "
            "long as there are cards in the stock. Or challenge another player's top set."
        ),
        _(
            "To challenge you play a card that joins the set: one of its rank, or a wild one. Its owner gives the set "
            "up, or defends it with such a card; then you stop, or go on with another one, and so forth. The last card "
            "that is not answered wins: the set and all cards played for it lie on top of the winner's sets. A set "
            "that was stolen can be stolen again."
        ),
        _(
            "Example: Ann holds 9♦ K♠ 2♠, Bob's top set is K♣ K♦, and 9♠ lies on the discard pile. Ann may discard a "
            "card, lay 9♦ 2♠ or K♠ 2♠, take the 9♠ with 9♦ or 2♠, or challenge the kings with K♠ or 2♠. She plays K♠, "
            "Bob defends with K♥, Ann goes on with 2♠, and Bob gives up: K♣ K♦ K♠ K♥ 2♠ are hers."
        ),
        _(
            "When the stock is empty nobody draws any more and the discard pile is closed. You still have to play a "
            "card in each turn; who has none is skipped. When all hands are empty the cards in sets are counted: three "
            "to nine 5 points, ten to king 10, an ace 15, a two 20, a joker 50. The most points win."
        ),
    ),
    facts={
        "stock": _("stock {value}"),
        "challenged": _("{seat} is challenged"),
    },
    seat_facts={
        "cards": _("cards {value}"),
        "beneath": _("sets beneath {value}"),
        "points": _("points {value}"),
        "out": _("out"),
    },
    zones={
        "pile": _("Discard pile"),
        "set": _("Top set of {owner}"),
        "challenge": _("Challenge"),
        "sets": _("Sets of {owner}"),
    },
    prompts={
        "turn": Prompt(
            _("Your turn: discard, lay a set, take from the pile, or challenge."),
            _("{seats} to play"),
            _("Your move> "),
            _(
                "To play: press Play or Play in private, or write /discard 5H, /set 5H 5C, /take 9H or /challenge KH "
                "here."
            ),
        ),
        "defend": Prompt(
            _("Your set is challenged: defend it with a card that joins it, or give it up."),
            _("{seats} to defend the set or to give it up"),
            _("Defend> "),
            _("To answer: press Play or Play in private, or write /defend KC or /yield here."),
        ),
        "press": Prompt(
            _("Your challenge was answered: go on with another card, or stop."),
            _("{seats} to go on with the challenge or to stop"),
            _("Go on> "),
            _("To answer: press Play or Play in private, or write /press KD or /stop here."),
        ),
    },
    choices={
        "discard": Kind(
            button=_("Discard {cards}"), may=_("You may discard {choices}"), whole=_("You may discard any card.")
        ),
        "set": Kind(button=_("Set {cards}"), may=_("You may lay {choices}")),
        "take": Kind(button=_("With the pile: {cards}"), may=_("With the top of the pile: {choices}")),
        "challenge": Kind(
            button=_("{cards} → {seat}"), may=_("You may challenge: {choices}"), each=_("{cards} → {seat}")
        ),
        "defend": Kind(button=_("Defend: {cards}"), may=_("You may defend with {choices}")),
        "press": Kind(button=_("Go on: {cards}"), may=_("You may go on with {choices}")),
        "yield": Kind(button=_("Give the set up"), may=_("You may {choices}"), each=_("give the set up")),
        "stop": Kind(button=_("Stop"), may=_("You may {choices}"), each=_("stop")),
    },
    events={
        "snitch.turned_up": _("{card} starts the discard pile"),
        "snitch.discarded": _("{seat} discarded {card}"),
        "snitch.set_laid": _("{seat} laid a set: {cards}"),
        "snitch.top_taken": _("{seat} laid a set with the top of the pile: {cards}"),
        "snitch.challenged": _challenged,
        "snitch.defended": _("{seat} defended with {card}"),
        "snitch.pressed": _("{seat} went on with {card}"),
        "snitch.yielded": _("{seat} gave the set up"),
        "snitch.stopped": _("{seat} stopped"),
        "snitch.challenge_won": _won,
        "snitch.seat_gone": _("The cards and sets of {seat} are out of play"),
    },
    outcomes={
        "abandoned": _("Everybody has left this round: nobody scores, the next dealer deals"),
    },
    endings={"rounds": _("all rounds are played")},
    refusals={
        "not_your_card": _("You do not have {card}."),
        "held_once": _("You have {card} only once."),
        "not_a_pair": _("These two cards are no set: {cards}."),
        "pile_closed": _("The stock is empty, so the discard pile is closed."),
        "pile_empty": _("No card is there to draw."),
        "own_set": _("You cannot challenge your own set."),
        "no_set_there": _("No set lies there to be challenged."),
        "does_not_join": _("{card} does not join that set: {cards}."),
        "joins_no_set": _("{card} joins nobody's top set."),
        "no_challenge": _("No challenge is open."),
        "answer_challenge": _("Your set is challenged: defend it, or give it up."),
        "go_on_or_stop": _("Your challenge was answered: go on, or stop."),
        "which_move": _("What do you mean: {candidates}?"),
    },
    findings={
        "not_your_card": _("“{text}”: the seat did not hold {card}"),
        "held_once": _("“{text}”: the seat held {card} only once"),
        "not_a_pair": _("“{text}”: these two cards are no set: {cards}"),
        "pile_closed": _("“{text}”: the stock was empty, so the discard pile was closed"),
        "pile_empty": _("“{text}”: no card was there to draw"),
        "own_set": _("“{text}”: that was the seat's own set"),
        "no_set_there": _("“{text}”: no set lay there"),
        "does_not_join": _("“{text}”: {card} does not join the set: {cards}"),
        "no_challenge": _("“{text}”: no challenge was open"),
        "answer_challenge": _("“{text}”: the seat's set was challenged"),
        "go_on_or_stop": _("“{text}”: the seat's challenge had been answered"),
    },
    presets={
        "one_round": _("one round"),
        "first_to_1000": _("first to 1000 points"),
    },
    commands={
        "discard": _("Discard a card: /discard 5H"),
        "set": _("Lay a set: /set 5H 5C"),
        "take": _("Lay a set with the top of the pile: /take 9H"),
        "challenge": _("Challenge a set: /challenge KH"),
        "defend": _("Defend your set: /defend KC"),
        "press": _("Go on with a challenge: /press KD"),
        "yield": _("Give your set up: /yield"),
        "stop": _("End your challenge: /stop"),
    },
)
