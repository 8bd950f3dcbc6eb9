"""Chinchón in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.game import Game
from domain.games.chinchon.scores import WRONG as PENALTY
from service.text import Texts, cards
from service.text import marked as _
from service.text.words import Kind, Prompt, Words


def _opened(texts: Texts, rules: Game, event: Any, names: Sequence[str]) -> str:
    """Every hand by its melds, a line each: `Ann: 4♥ 5♥ 6♥ | 9♠ 9♦ 9♣ | loose K♦`."""
    laid, off = dict(event.melds), dict(event.laid_off)
    return "\n".join(
        f"{names[seat]}: {_hand(texts, rules, hand, laid[seat], off.get(seat, ()))}" for seat, hand in event.hands
    )


WRONG: dict[str, str] = {
    "not_a_meld": _("that is not all melds, which costs {points} points"),
    "card_in_two_melds": _("a card stands there twice, which costs {points} points"),
    "complete": _("but nothing in that hand is loose, and so it counts"),
    "no_cut": _("but a cut needs more, and so the best of the hand counts"),
}
"""What is wrong with melds as somebody shows them (CH-62)."""


def _shown(texts: Texts, rules: Game, event: Any, names: Sequence[str]) -> str:
    """Every hand as it was opened, a line each: `Ann: 4♥ 5♥ 6♥ 9♠ 9♦ 9♣ K♦`."""
    return "\n".join(f"{names[seat]}: {cards.row(texts, map(rules.card_name, hand))}" for seat, hand in event.hands)


def _melds(texts: Texts, rules: Game, event: Any, names: Sequence[str]) -> str:
    """The melds that somebody shows, and what is wrong with them."""
    if event.groups:
        laid = " | ".join(cards.row(texts, map(rules.card_name, group)) for group in event.groups)
        said = texts.gettext("{seat} showed {cards}").format(seat=names[event.seat], cards=laid)
    else:
        said = texts.gettext("{seat} showed no meld").format(seat=names[event.seat])
    if event.auto:
        said = texts.gettext("{what} (by the clock)").format(what=said)
    if event.wrong:
        said += ": " + texts.gettext(WRONG.get(event.wrong, event.wrong)).format(points=PENALTY)
    return said


def _settled(texts: Texts, options: Any, row: Sequence[int | None], totals: Sequence[int], names: Sequence[str]) -> str:
    """Who drops out with this row, in an elimination (CH-52)."""
    out = [
        names[seat]
        for seat, score in enumerate(row)
        if options.end_mode == "elimination" and score is not None and totals[seat] >= options.target
    ]
    said = texts.ngettext("{names} drops out", "{names} drop out", len(out))
    return said.format(names=", ".join(out)) if out else ""


def _hand(texts: Texts, rules: Game, hand: Sequence[int], laid: Sequence[Sequence[int]], off: Sequence[int]) -> str:
    parts = [cards.row(texts, map(rules.card_name, meld)) for meld in laid]
    used = {card for meld in laid for card in meld} | set(off)
    loose = [rules.card_name(card) for card in hand if card not in used]
    if off:
        parts.append(texts.gettext("laid off {cards}").format(cards=cards.row(texts, map(rules.card_name, off))))
    parts.append(
        texts.gettext("loose {cards}").format(cards=cards.row(texts, loose))
        if loose
        else texts.gettext("no loose card")
    )
    return " | ".join(parts)


WORDS = Words(
    name=_("Chinchón"),
    welcome=_(
        "Rummy with a cut. In your turn draw a card (type stock or pile), then shed one\n"
        "(type it: 5H, 10s, queen of spades). With two melds of three or four cards you\n"
        "may cut: cut KD ends the round, and the king is the card you do not keep.\n"
        "Also: help, hand, table, score, log, options, quit. A game you leave is kept."
    ),
    rules=_(
        "A meld is three or four cards of a rank, or in a row of a suit (the ace is low\n"
        "before the two and high after the king). Draw from the stock or take the top of\n"
        "the discard pile, then discard. If the seven cards you keep hold two melds you\n"
        "may cut instead: the one loose card counts against you, none at all is -10. The\n"
        "others count their loose cards (T, J, Q, K and A are 10); who is caught with none\n"
        "gets 20. Seven in a row of a suit is a chinchón: cut with it and you win at once.\n"
        "At 100 points the game is over, and the lowest total wins.\n"
        "(Options change some of this: type options.)"
    ),
    moves=_(
        "  stock, pile         draw; also: draw stock, draw pile\n"
        "  QS, q♠, 10h         shed a card; also: discard QS, queen of spades, or just queen\n"
        "  cut QS              cut: shed the card and end the round\n"
        "  meld 4H5H6H 7S7D7C  with declare=manual: the melds you have; also: meld none"
    ),
    how_to_play=(
        _(
            "Two to four players, seven cards each, everybody for himself. Collect melds: three or four cards of the "
            "same rank, or three or four in a row of the same suit. The ace stands before the two or after the king."
        ),
        _(
            "In your turn you first draw one card: the top one of the stock, or the top one of the discard pile. Then "
            "you discard one card, any you like, and the next player goes on. When the stock runs out the discard "
            "pile is shuffled and becomes the new stock."
        ),
        _(
            "You may cut instead of discarding as soon as the seven cards you keep hold two melds, with at most one "
            "card loose. All hands are opened, and everybody gets the points of his loose cards: 2 to 9 as they are, "
            "ten, jack, queen, king and ace 10 each. Points are bad."
        ),
        _(
            "Who cuts with no loose card gets -10. Who did not cut and has no loose card is fined 20 points, and 50 "
            "for a chinchón: he should have cut."
        ),
        _(
            "Example: you hold 5♠ 5♥ 5♦ 8♠ 8♥ 8♣ K♦ and draw 2♦. Cut with the king: the 2♦ stays loose and you get 2. "
            "Had you drawn 8♦ you could cut with the king and get -10."
        ),
        _(
            "Seven cards in a row of one suit are a chinchón: who cuts with it wins the game at once. Otherwise the "
            "game is over when somebody reaches 100 points. The lowest total wins."
        ),
    ),
    facts={
        "stock": _("stock {value}"),
        "reshuffles": _("reshuffled: {value}"),
        "drawn": _("you drew {card}"),
        "loose": _("loose points {value}"),
    },
    seat_facts={
        "out": _("out"),
        "drew_stock": _("drew from the stock"),
        "took": _("took {card}"),
        "showed": _("melds shown"),
    },
    zones={
        "pile": _("Discard pile"),
        "known": _("{owner} took and keeps"),
        "exposed": _("{owner} with open cards"),
        "closing": _("{owner} cut with"),
        "opened": _("{owner} has"),
        "laid_off": _("{owner} laid off"),
    },
    prompts={
        "draw": Prompt(
            _("Your turn: draw a card, from the stock or from the pile."),
            _("{seats} to draw"),
            _("Draw> "),
            _("To draw: press Play or Play in private, or write /draw stock or /draw pile here."),
        ),
        "discard": Prompt(
            _("Your turn: discard a card."),
            _("{seats} to discard"),
            _("Discard> "),
            _("To discard: press Play or Play in private, or write /discard QS here."),
        ),
        "melds": Prompt(
            _("Which melds do you have? Put them together card by card, then show them."),
            _("{seats} to show the melds"),
            _("Melds> "),
            _("To show your melds: press Play or Play in private, or write /meld 4H5H6H 7S7D7C here."),
        ),
    },
    choices={
        "draw_stock": Kind(button=_("From the stock"), may=_("You may draw {choices}"), each=_("from the stock")),
        "draw_pile": Kind(button=_("Take {cards}"), may=_("You may take {choices} from the pile")),
        "discard": Kind(may=_("You may discard {choices}"), whole=_("You may discard any card.")),
        "cut": Kind(
            button=_("Cut {cards} ({note})"), may=_("You may cut with {choices}"), each=_("{cards} (result {note})")
        ),
        "cut_any": Kind(
            button=_("Cut {cards}"), may=_("You may cut with {choices}"), whole=_("You may cut with any card.")
        ),
        "lay": Kind(button="{cards}", may=_("To your meld: {choices}")),
        "lay_next": Kind(button=_("Next meld"), may=_("You may begin the next meld.")),
        "lay_back": Kind(button=_("Take them back"), may=_("You may take them back.")),
        "meld": Kind(button=_("Show {cards}"), may=_("You may show {choices}")),
        "meld_none": Kind(button=_("I have no meld"), may=_("You may say that you have no meld.")),
    },
    notes={"chinchon": _("chinchón")},
    events={
        "chinchon.turned_up": _("{card} is turned up"),
        "chinchon.drew_stock": _("{seat} drew from the stock"),
        "chinchon.drew_pile": _("{seat} took {card} from the pile"),
        "chinchon.discarded": _("{seat} discarded {card}"),
        "chinchon.reshuffled": _("The stock ran out: {count} cards of the pile are shuffled and become the stock"),
        "chinchon.cut_made": _("{seat} cut with {card}"),
        "chinchon.cut_failed": _(
            "{seat} cut with {card}, but these cards do not allow it: {cards}. They stay open, and the round goes on"
        ),
        "chinchon.hands_shown": _shown,
        "chinchon.card_laid": _("{seat} put {card} to a meld"),
        "chinchon.meld_laid": _("{seat} went on to the next meld"),
        "chinchon.laid_back": _("{seat} took the cards back"),
        "chinchon.melds_shown": _melds,
        "chinchon.hands_opened": _opened,
        "chinchon.seat_gone": _("The clock plays for {seat} until this round ends"),
        "chinchon.seat_back": _("{seat} plays on"),
    },
    results=frozenset({"chinchon.cut_made", "chinchon.hands_opened"}),
    settled=_settled,
    outcomes={
        "cut": "",  # its row says it
        "chinchon": _("Chinchón!"),
        "invalid_cut": _("The cut was not valid: who cut pays for it, nobody else scores"),
        "dead": _("The round went on for too long: nobody scores, the next dealer deals"),
    },
    rows={"rebuy": _("enters again")},
    endings={"chinchon": _("by a chinchón")},
    refusals={
        "draw_first": _("Draw a card first: from the stock or from the pile."),
        "already_drew": _("You have drawn already: discard a card."),
        "pile_empty": _("No card is there to draw."),
        "not_your_card": _("You do not have {card}."),
        "no_return": _("You took {card} from the pile, so you may not give it back."),
        "no_cut_first_lap": _("Nobody may cut before everybody has had a turn."),
        "cannot_cut": _("Without {card} your cards do not allow a cut."),
        "nothing_to_show": _("Melds are shown after a cut, by whoever has yet to show them."),
        "already_laid": _("{card} is in that meld already."),
        "nothing_laid": _("Put a card to a meld first."),
        "not_a_meld": _("That is not all melds: three or more cards of a rank, or in a row of a suit."),
        "card_in_two_melds": _("A card can be in one meld only."),
        "not_melds": _("I cannot read that as melds. Examples: {forms}."),
        "which_melds": _("Where does one meld end? Write them apart: {candidates}."),
        "which_draw": _("From where: {candidates}?"),
        "rebuy_without_elimination": _("rebuy={rebuy} needs end_mode=elimination."),
    },
    findings={
        "draw_first": _("“{text}”: the seat had to draw first"),
        "already_drew": _("“{text}”: the seat had drawn already"),
        "pile_empty": _("“{text}”: no card was there to draw"),
        "not_your_card": _("“{text}”: the seat did not hold {card}"),
        "no_return": _("“{text}”: {card} was taken from the pile and may not be given back"),
        "no_cut_first_lap": _("“{text}”: nobody may cut before everybody has had a turn"),
        "cannot_cut": _("“{text}”: the cards that are left do not allow a cut"),
        "nothing_to_show": _("“{text}”: there was nothing to show for the seat"),
        "already_laid": _("“{text}”: {card} was in that meld already"),
        "nothing_laid": _("“{text}”: nothing had been laid out"),
        "not_a_meld": _("“{text}”: that is not all melds"),
        "card_in_two_melds": _("“{text}”: a card is in two melds"),
    },
    offences={
        "invalid_cut": _("had no cards that allow it"),
        "not_a_meld": _("showed as a meld what is none"),
        "card_in_two_melds": _("showed a card in two melds"),
    },
    answers=frozenset({"chinchon.cut_failed"}),
    presets={
        "source": _("as first written down"),
        "spanish": _("as in Spain"),
    },
    commands={
        "draw": _("Draw a card: /draw stock, /draw pile"),
        "discard": _("Discard a card: /discard QS"),
        "cut": _("Cut with a card: /cut QS"),
        "meld": _("Show your melds: /meld 4H5H6H 7S7D7C"),
        "lay": _("Put a card to a meld: /lay 5H"),
    },
)
