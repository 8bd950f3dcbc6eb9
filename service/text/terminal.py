"""What the game in the terminal says, beside the table itself."""

from __future__ import annotations

from collections.abc import Sequence

from domain import options
from domain.game import Game
from domain.games import GAMES
from service.text import Texts, refusals
from service.text import marked as _
from service.text.words import words

_COMMANDS = _(
    "  hand, table     your cards, the table again\n"
    "  score           the score sheet\n"
    "  log             what happened in this set; log all: in the whole game\n"
    "  options         the options of this game\n"
    "  quit            leave; the game is kept and offered again"
)


def welcome(texts: Texts, slug: str) -> str:
    """The first lines of a new game: all that one needs to begin."""
    return texts.gettext(words(slug).welcome)


def help_text(texts: Texts, slug: str) -> str:
    """What can be typed, and the rules in a few lines."""
    known = words(slug)
    moves = texts.gettext(known.moves) or "\n".join(f"  {example}" for example in GAMES[slug].examples.values())
    rules = [texts.gettext(known.rules), ""] if known.rules else []
    return "\n".join([*rules, moves, texts.gettext(_COMMANDS)])


def options_lines(texts: Texts, game: Game, chosen: object) -> list[str]:
    """Every option: its value, a mark where that is not the default, and what it may be."""
    default = game.options()
    found = []
    for name, allowed in options.offered(game).items():
        value = getattr(chosen, name)
        mark = "*" if value != getattr(default, name) else " "
        found.append(f"{mark} {name}={refusals.option_value(texts, value)}  ({refusals.bounds(texts, allowed)})")
    legend = [texts.gettext("* not the default")] if any(line.startswith("*") for line in found) else []
    return [*found, *legend, texts.gettext("Set them with: --option name=value")]


def in_progress(texts: Texts, number: int, scores: str) -> str:
    """That there is a game to go on with; `scores` may be empty."""
    if not scores:
        return texts.gettext("You have a game in progress (set {number}).").format(number=number)
    return texts.gettext("You have a game in progress (set {number}): {scores}").format(number=number, scores=scores)


def no_rows(texts: Texts) -> str:
    """The score sheet before the first row."""
    return texts.gettext("No set is finished yet.")


def no_sheet(texts: Texts) -> str:
    """Instead of a score sheet, in a game without points."""
    return texts.gettext("This game has no score sheet: table shows how it stands.")


def question(texts: Texts) -> str:
    """Whether to go on with it."""
    return texts.gettext("Go on with it? [Y/n] ")


def is_no(texts: Texts, answer: str) -> bool:
    """Whether the answer to `question` is no."""
    return answer.strip().casefold() in {"n", "no", texts.gettext("no").casefold()}


def goes_on(texts: Texts) -> str:
    """The game goes on without a question."""
    return texts.gettext("Your game goes on where it was (--new begins another one).")


def given_options_wait(texts: Texts) -> str:
    """Options were given, but the game in progress has its own."""
    return texts.gettext("It keeps its own options and seed; those given now are for a new game (--new).")


def abandoned(texts: Texts) -> str:
    """The game in progress was closed for a new one."""
    return texts.gettext("That game is closed, without a winner.")


def kept(texts: Texts) -> str:
    """Good-bye, for now."""
    return texts.gettext("Your game is kept: start again to go on with it.")


def dealt(texts: Texts, number: int, dealer: str, promise: str) -> str:
    """A new set; `promise` is the commitment in hexadecimal."""
    return texts.gettext("Set {number}: {dealer} dealt. SHA-256 of the seed: {promise}").format(
        number=number, dealer=dealer, promise=short(promise)
    )


def revealed(texts: Texts, seed: str, table: str) -> str:
    """The seed of a set that is over, in hexadecimal, and how to check it."""
    return texts.gettext("Its seed was {seed} (tabletalk audit {table} checks deal and moves)").format(
        seed=short(seed), table=table
    )


def short(digits: str) -> str:
    """The beginning of a long hexadecimal number."""
    return f"{digits[:12]}…" if len(digits) > 12 else digits


def total(texts: Texts, points: str) -> str:
    """What a seat has so far."""
    return texts.gettext("total {points}").format(points=points)


def not_yours(texts: Texts, word: str) -> str:
    """A line that came when nobody asked."""
    return texts.gettext("It is not your turn. ({turn})").format(turn=word)


def store_down(texts: Texts, fault: str) -> str:
    """The store went away; said once."""
    said = texts.gettext("Waiting: {fault}. Nothing is lost; the game goes on when it is back.")
    return said.format(fault=fault.rstrip("."))


def store_back(texts: Texts) -> str:
    """The store is there again."""
    return texts.gettext("The store is back.")


def elsewhere(texts: Texts) -> str:
    """Another terminal moved for the same person."""
    return texts.gettext("(That was played from another terminal.)")


def you(texts: Texts) -> str:
    """The reader, where names stand."""
    return texts.pgettext("the reader among the players", "You")


def recorded(texts: Texts, path: str) -> str:
    """Where the game's record is."""
    return texts.gettext("Record: {path}").format(path=path)


def game_line(texts: Texts, number: int, winners: Sequence[str], scores: Sequence[str], sets: int, mark: str) -> str:
    """A finished game in one line: who won, the totals in the order of the seats, the fingerprint `mark`."""
    won = texts.gettext("{winners} won").format(winners=", ".join(winners)) if winners else texts.gettext("no winner")
    played = texts.ngettext("{n} set", "{n} sets", sets).format(n=sets)
    return texts.gettext("Game {number}: {won} · {scores} · {sets} · {mark}").format(
        number=number, won=won, scores=" ".join(scores), sets=played, mark=mark
    )


def progress(texts: Texts) -> str:
    """Beside the bar."""
    return texts.gettext("Games")


def time_left(texts: Texts, left: str) -> str:
    """When the clock plays for whoever is asked."""
    return texts.gettext("Time is up {left}.").format(left=left)


def audit_ok(
    texts: Texts, game: str, sets: int, void: int, moves: int, winners: Sequence[int], ended: str | None
) -> str:
    """Nothing is wrong with a record of so many sets, and so many deals without scores."""
    played = texts.ngettext("{n} set", "{n} sets", sets).format(n=sets)
    if void:
        played += texts.ngettext(" and {n} deal without scores", " and {n} deals without scores", void).format(n=void)
    moved = texts.ngettext("{n} move", "{n} moves", moves).format(n=moves)
    how = texts.gettext("not ended") if ended is None else texts.gettext("ended: {how}").format(how=ended)
    if winners:
        how += " · " + texts.gettext("winners: {seats}").format(seats=", ".join(f"seat {seat}" for seat in winners))
    return texts.gettext("ok: {game} · {sets} · {moves} · {how}").format(game=game, sets=played, moves=moved, how=how)


def chain_ok(texts: Texts, commits: int) -> str:
    """The chain of a table's history holds."""
    return texts.ngettext("chain verified: {n} commit", "chain verified: {n} commits", commits).format(n=commits)
