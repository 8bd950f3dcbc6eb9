"""Tai Chi Chuan in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from domain.game import Game
from service.text import Texts, cards
from service.text import marked as _
from service.text.words import Kind, Prompt, Words

REASONS: dict[str, str] = {
    "not_in_dictionary": _("{word} is not in the dictionary."),
    "plural": _("{word} is a plural, of {of}."),
    "verb_form": _("{word} is a form of the verb {of}."),
    "plural_or_verb_form": _("{word} is a plural or a form of the verb {of}."),
    "comparative": _("{word} is a comparative, of {of}."),
    "feminine": _("{word} is a feminine, of {of}."),
    "proper_noun": _("{word} is only a name."),
    "abbreviation": _("{word} is an abbreviation."),
    "numeral": _("{word} is a numeral."),
    "too_short": _("{word} has one letter only."),
    "same_family": _("{word} is of the same family as {of}, which was said in this turn."),
    "overruled": _("{word} does not count at this table: that was decided."),
}
"""Why a word is refused for its own sake."""


def _row(texts: Texts, rules: Game, row: Iterable[int]) -> str:
    return cards.row(texts, map(rules.card_name, row))


def _word(texts: Texts, _rules: Game, event: Any, names: Sequence[str]) -> str:
    said = texts.gettext("{seat}: {word}")
    return said.format(seat=names[event.seat], word=(event.shown or event.word).upper())


def _refused(texts: Texts, _rules: Game, event: Any, names: Sequence[str]) -> str:
    """A word that does not count, and why; anybody may object."""
    word = (event.shown or event.word).upper()
    why = texts.gettext(REASONS.get(event.reason) or _("{word} does not count."))
    said = texts.gettext("{seat}: {word}. No: {why}")
    return said.format(seat=names[event.seat], word=word, why=why.format(word=word, of=event.of.upper()))


def _began(texts: Texts, rules: Game, event: Any, _names: Sequence[str]) -> str:
    if event.card is None:
        return texts.gettext("The next card lies face down: open it when you like, your own clock runs from then")
    said = texts.gettext("The next card: {card}. The quickest word wins")
    return said.format(card=cards.card(texts, rules.card_name(event.card)))


def _told(texts: Texts, _rules: Game, event: Any, names: Sequence[str]) -> str:
    """An answer of a duel, with the time it took where that counted."""
    seat, word = names[event.seat], (event.shown or event.word).upper()
    if event.auto:
        return texts.gettext("Nobody found a word in time")
    if not event.word:
        return texts.gettext("{seat} found no word").format(seat=seat)
    if event.tenths is None:
        return texts.gettext("{seat}: {word}").format(seat=seat, word=word)
    seconds = f"{event.tenths // 10}.{event.tenths % 10}"
    return texts.gettext("{seat}: {word}, after {seconds} seconds").format(seat=seat, word=word, seconds=seconds)


def _done(texts: Texts, _rules: Game, event: Any, names: Sequence[str]) -> str:
    """The same of an answer that is hidden and of a pass: nobody knows more before the duel's end (TC-35)."""
    return texts.gettext("{seat} is done").format(seat=names[event.seat])


_WHY: dict[str, str] = {
    "stood": _("The challenge was stood."),
    "beaten": _("{winner} won the challenge."),
    "out_of_cards": _("There is no card left."),
}


def _awarded(texts: Texts, rules: Game, event: Any, names: Sequence[str]) -> str:
    """Who takes which cards, and what is discarded."""
    found = []
    why = _WHY.get(event.why)
    if why is not None:
        found.append(texts.gettext(why).format(winner=names[event.winner]))
    for gain in event.gains:
        said = texts.gettext("{seat} took {cards}.")
        found.append(said.format(seat=names[gain.seat], cards=_row(texts, rules, gain.cards)))
    if event.cards:
        found.append(texts.gettext("Discarded: {cards}.").format(cards=_row(texts, rules, event.cards)))
    return " ".join(found)


def _decided(texts: Texts, _rules: Game, event: Any, _names: Sequence[str]) -> str:
    word = event.word.upper()
    if not event.turned_over:
        return texts.gettext("The verdict on {word} stays as it was").format(word=word)
    if event.accepted:
        return texts.gettext("The players decided: {word} counts").format(word=word)
    return texts.gettext("The players decided: {word} does not count").format(word=word)


def _gone(texts: Texts, _rules: Game, event: Any, names: Sequence[str]) -> str:
    if event.why == "left":
        return texts.gettext("The cards of {seat} are out of play").format(seat=names[event.seat])
    return texts.gettext("{seat} fell silent: no turn until coming back").format(seat=names[event.seat])


WORDS = Words(
    name=_("Tai Chi Chuan"),
    welcome=_(
        "Words from cards. In your turn type turn, then a word that begins with the first\n"
        "card's letter and holds the letters of all open cards. After a valid word: turn\n"
        "another card, or stop before it gets too hard. Whoever thinks he can do better\n"
        "may challenge you then, and bets a card: the quickest word with one card more wins.\n"
        "Also: help, table, log, options, quit. A game you leave is kept."
    ),
    rules=_(
        "Every word of a turn begins with the letter of its first card and holds the\n"
        "letters of all open cards, as often as they lie there; of W/X either will do.\n"
        "Main entries of a dictionary only: no plurals, no verb forms, no names, and no\n"
        "two words of one family in a turn. No word? Then each of the others who finds\n"
        "one takes an open card. You stop and nobody challenges: you take the card with\n"
        "the commonest letter. Challenged, the next card is turned for all who bet and\n"
        "you: the quickest takes all cards of one symbol, a challenger leaves you those\n"
        "of another one; lost bets are discarded. The discards are dealt a second time.\n"
        "The last card is played without a challenge. Most cards win. (Also: options.)"
    ),
    moves=_(
        "  turn                turn the next card\n"
        "  word satellite      say a word; just satellite will do\n"
        "  no_word             say that you find none\n"
        "  stop                take your cards, if nobody challenges\n"
        "  challenge, decline  bet your top card against who stopped, or not\n"
        "  ready, open, pass   in a challenge: ready; open the card; no word\n"
        "  object              to the last verdict; then agree, disagree"
    ),
    how_to_play=(
        _(
            "45 cards have a letter, or two, and a symbol: P parasol, Y yin yang, L lotus. Everybody gets a card face "
            "down, which nobody looks at. Whoever has most cards at the end wins; letters and symbols do not matter "
            "then."
        ),
        _(
            "In your turn you turn the top card and say a word that begins with its letter. Then you may stop, or turn "
            "another card: the next word begins with the same first letter and holds the letters of all open cards, in "
            "any order, each as often as it lies there. Of a card with two letters you choose one, for each word anew."
        ),
        _(
            "A wrong word costs nothing: try again. Only main entries of the dictionary count: no plurals, no verb "
            "forms, no names, no abbreviations. Two words of one family do not go in one turn. If you think that the "
            "dictionary is wrong, /object: those who are not concerned decide."
        ),
        _(
            "If you find no word, all the others may say one: each who does takes one of the open cards, in the order "
            "of the table while there are any. You get none."
        ),
        _(
            "If you stop, the others may challenge you; each who does bets the card he won last. If nobody does, you "
            "take one card, that with the commonest letter (an option says: all of the commonest symbol). Otherwise "
            "the next card is turned for you and the challengers, and the quickest valid word wins."
        ),
        _(
            "If you win, or nobody finds a word, you take all open cards of one symbol. If a challenger wins, he keeps "
            "his bet and takes all of one symbol, and you all of another. The other bets are lost. Then it is the next "
            "player's turn."
        ),
        _(
            "When the cards run out the discards are shuffled and played once more. The last card is not challenged: "
            "with a word for it you take all of one symbol, without one the others may rescue the cards. That is the "
            "end."
        ),
        _(
            "Example: Ann turns S and says SOUTH. T: SITE. A: SATELLITE. Another A: now a word needs two of them, and "
            "she says SATISFACTORY. Then she stops. Bob challenges, C is turned, and he says SATISFACTION first: he "
            "takes all cards of one symbol."
        ),
    ),
    facts={
        "pile": _("pile {value}"),
        "deck": _("deck {value} of 2"),
        "said": _("said: {value}"),
        "answers": _("answered: {value}"),
        "own_answer": _("you answered: {value}"),
    },
    seat_facts={
        "cards": _("cards {value}"),
        "bet": _("has bet"),
        "ready": _("ready"),
        "found": _("found {value}"),
        "last_word": _("last turn {value}"),
    },
    zones={
        "taken": _("Last turn, {owner} took"),
        "open": _("Open"),
        "duel_card": _("The next card"),
        "discards": _("Discards"),
    },
    prompts={
        "card": Prompt(
            _("Your turn: turn the first card."),
            _("{seats} to turn a card"),
            _("Turn> "),
            _("Write /turn here, or press Play or Play in private."),
        ),
        "word": Prompt(
            _("Your turn: say a word with all the open letters, first card first."),
            _("{seats} to say a word"),
            _("Word> "),
            _("Answer this message with your word, or write /word satellite; /no_word if you find none."),
        ),
        "last": Prompt(
            _("The last card: a word for it takes all cards of one symbol."),
            _("{seats} to say a word for the last card"),
            _("Word> "),
            _("Answer this message with your word, or write /word satellite; /no_word if you find none."),
        ),
        "choose": Prompt(
            _("Your word counts: turn another card, or stop?"),
            _("{seats} to go on or to stop"),
            _("Turn or stop> "),
            _("Write /turn or /stop. The others may /object to the word."),
        ),
        "rescue": Prompt(
            _("Can you say a word with all the open letters? It wins you a card."),
            _("Words of {seats} may rescue the cards"),
            _("Word> "),
            _("Answer this message with your word, or write /word satellite; /pass if you find none."),
        ),
        "ask": Prompt(
            _("Do you challenge? You bet your top card that you are quicker with one card more."),
            _("{seats} to challenge or not"),
            _("Challenge> "),
            _("Write /challenge or /decline."),
        ),
        "ready": Prompt(
            _("A challenge: say when you are ready for the next card."),
            _("{seats} to be ready"),
            _("Ready> "),
            _("Write /ready when you can answer quickly."),
        ),
        "duel": Prompt(
            _("Quick: a new word with all the open letters!"),
            _("{seats} look for a word"),
            _("Word> "),
            _("Answer with your word, or write /w satellite; /pass if you find none."),
        ),
        "open": Prompt(
            _("Open the next card when you like; then you have three minutes, and your time counts."),
            _("{seats} to open the card and say a word"),
            _("Open> "),
            _("In the private chat: Open, then your word there. Nobody sees it until all are done."),
        ),
        "objection": Prompt(
            _("Somebody objects to the verdict. Do you agree with him?"),
            _("{seats} decide on an objection"),
            _("Agree> "),
            _("Write /agree or /disagree; silence leaves the verdict as it is."),
        ),
    },
    choices={
        "turn": Kind(button=_("🂠 Turn a card"), may=_("You may turn a card.")),
        "no_word": Kind(button=_("No word"), may=_("Or you find no word.")),
        "stop": Kind(button=_("✋ Stop"), may=_("You may stop.")),
        "challenge": Kind(button=_("⚔️ Challenge"), may=_("You may challenge.")),
        "decline": Kind(button=_("Not me"), may=_("You may decline.")),
        "ready": Kind(button=_("🏁 Ready"), may=_("You may say that you are ready.")),
        "open": Kind(button=_("👁 Open the card"), may=_("You may open the card.")),
        "pass": Kind(button=_("Pass"), may=_("You may pass.")),
        "agree": Kind(button=_("👍 Agree"), may=_("You may agree.")),
        "disagree": Kind(button=_("👎 Disagree"), may=_("You may disagree.")),
    },
    answers=frozenset({"taichi.word_refused", "taichi.objection_decided"}),
    events={
        "taichi.card_turned": _("{seat} turned {card}"),
        "taichi.pile_empty": _("{seat} wanted a card: the pile is empty"),
        "taichi.reshuffled": _("The pile ran out: {number} discards are shuffled and become the second deck"),
        "taichi.word_said": _word,
        "taichi.word_refused": _refused,
        "taichi.no_word": _("{seat} found no word: now the others may"),
        "taichi.passed": _("{seat} passed"),
        "taichi.stopped": _("{seat} stopped"),
        "taichi.challenged": _("{seat} challenged, and bet a card"),
        "taichi.declined": _("{seat} did not challenge"),
        "taichi.duel_called": _("A challenge: is everybody ready?"),
        "taichi.readied": _("{seat} said: ready"),
        "taichi.bet_forfeited": _("{seat} dropped out of the challenge and lost the bet: {card}"),
        "taichi.duel_began": _began,
        "taichi.card_opened": _("{seat} opened the card"),
        "taichi.answered": _word,
        "taichi.answer_hidden": _done,
        "taichi.duel_passed": _done,
        "taichi.card_shown": _("The card was {card}"),
        "taichi.answer_told": _told,
        "taichi.awarded": _awarded,
        "taichi.bets_returned": _("There is no challenge: the bets go back"),
        "taichi.turn_skipped": _("The turn passes on"),
        "taichi.objected": _("{seat} objected"),
        "taichi.voted": lambda texts, rules, event, names: texts.gettext(
            _("{seat} agreed with the objection") if event.agrees else _("{seat} did not agree")
        ).format(seat=names[event.seat]),
        "taichi.objection_decided": _decided,
        "taichi.seat_gone": _gone,
        "taichi.seat_back": _("{seat} came back"),
    },
    results=frozenset({"taichi.awarded"}),
    in_one_line=frozenset(
        {"taichi.declined", "taichi.readied", "taichi.passed", "taichi.duel_passed", "taichi.answer_hidden"}
    ),
    outcomes={  # how the game ended says it
        "played_out": "",
        "out_of_cards": "",
        "abandoned": "",
    },
    endings={
        "played_out": _("the last card is played"),
        "out_of_cards": _("there was no card left to turn"),
        "abandoned": _("everybody was away"),
    },
    refusals={
        **REASONS,
        "wrong_initial": _("{word} does not begin with {letters}."),
        "letter_missing": _("{word} has no {letters}."),
        "letter_short": _("{word} needs {letters} {times} times."),
        "own_card_missing": _("{word} does not fit the card that you opened."),
        "not_letters": _("“{word}” is not one word in letters."),
        "already_said": _("{seat} has said {word} already."),
        "turn_first": _("Turn a card first."),
        "word_first": _("Say a valid word first."),
        "turn_or_stop": _("Your word counts: turn another card, or stop."),
        "open_first": _("Open the card first."),
        "not_awaited": _("That is not what is asked for now."),
        "answered_already": _("You have answered already."),
        "nothing_to_bet": _("You have no card to bet."),
        "answer_unknown": _("The hidden answers cannot be opened."),
        "not_quickest_first": _("{word} was slower than an answer after it."),
        "no_objections": _("At this table nobody objects to the dictionary."),
        "objection_open": _("There is an objection to be decided first."),
        "nothing_to_object": _("There is no verdict to object to now."),
        "nobody_to_judge": _("Nobody who is not concerned is there to decide."),
    },
    findings={
        **{
            code: _("“{text}”: the cards do not allow it")
            for code in ("wrong_initial", "letter_missing", "letter_short")
        },
        "own_card_missing": _("“{text}”: the cards do not allow it"),
        "already_said": _("“{text}”: it had been said in this turn"),
        "turn_first": _("“{text}”: no card was turned"),
        "word_first": _("“{text}”: no valid word was said"),
        "turn_or_stop": _("“{text}”: the word counted, so a card or a stop was due"),
        "open_first": _("“{text}”: the answer lacks its time"),
        "not_awaited": _("“{text}”: something else was asked for"),
        "answered_already": _("“{text}”: the seat had answered"),
        "nothing_to_bet": _("“{text}”: the seat had no card to bet"),
        "answer_unknown": _("the answers that were told are not those that were hidden"),
        "not_quickest_first": _("“{text}”: the quickest answer stands first"),
        "no_objections": _("“{text}”: nobody may object here"),
        "objection_open": _("“{text}”: an objection was to be decided first"),
        "nothing_to_object": _("“{text}”: there was no verdict to object to"),
        "nobody_to_judge": _("“{text}”: nobody could decide"),
    },
    switches={
        "unchallenged": {
            "letter": _("Who stops and is not challenged takes one card, of the commonest letter."),
            "symbol": _("Who stops and is not challenged takes all cards of the commonest symbol."),
        }
    },
    presets={
        "source": _("⏱ hours for an answer"),
        "live": _("⏱ minutes for an answer"),
    },
    commands={
        "turn": _("Turn a card: /turn"),
        "word": _("Say a word: /word satellite"),
        "no_word": _("Say that you find no word: /no_word"),
        "stop": _("Stop and take your cards: /stop"),
        "challenge": _("Challenge who stopped: /challenge"),
        "decline": _("Do not challenge: /decline"),
        "ready": _("Be ready for the next card: /ready"),
        "open": _("Open the next card for yourself: /open"),
        "pass": _("Pass: /pass"),
        "object": _("Object to the last verdict: /object"),
        "agree": _("Agree with an objection: /agree"),
        "disagree": _("Do not agree with it: /disagree"),
    },
)
