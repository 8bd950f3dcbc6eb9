"""The command `tabletalk`: play, look at tables, export and audit them, serve. A user's error is one clear line."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

from cyclopts import App, CycloptsError, Parameter, UnusedCliTokensError

from domain import options
from domain.game import Game
from domain.games import GAMES
from domain.rejected import Rejected, malformed
from eventstore.store import StoreDown, StoreUnfit
from service import logs, settings
from service.engine import Unreadable
from service.sealing import WrongKey
from service.settings import BadSetting, Settings
from service.terminal import audits, checks, exports, looking
from service.terminal.play import Ended, Wish
from service.terminal.play import play as play_games
from service.terminal.records import BadFolder, prepare
from service.terminal.screen import Screen, console
from service.text import faults, history_tools, language, refusals

_MOST_GAMES = 100_000
_LONGEST_SEED = 1024  # hexadecimal digits

TEXTS = language("en")
app = App(
    name="tabletalk",
    help="Long card games: in the terminal, and in a Telegram group.",
    version=lambda: version("tabletalk"),
    default_parameter=Parameter(negative=""),
)

Data = Annotated[str | None, Parameter(name="--data", help="Data folder (default: TABLETALK_DATA, or the platform's).")]


class Usage(Exception):
    """The command line asks for something that there is not: exit code 2."""


@app.command
def play(
    game: str,
    /,
    *,
    auto: bool = False,
    games: str = "1",
    seed: str | None = None,
    option: Annotated[list[str] | None, Parameter(name="--option")] = None,
    preset: str | None = None,
    record: str | None = None,
    new: bool = False,
    data: Data = None,
) -> None:
    """Play a game against computer players, here in the terminal.

    A game that was left is offered again at the next start.

    Parameters
    ----------
    game
        The game: callbreak.
    auto
        Computer players take every seat.
    games
        How many games, one after the other.
    seed
        Hexadecimal digits, an even number: the same seed, options and moves give the same games.
    option
        name=value; may be given several times.
    preset
        A set of options: source (the default) or app (what most apps play).
    record
        Folder for the records of finished games, one file a game.
    new
        Begin a new game, even when there is one in progress.
    """
    with _faults():
        found = _game(game)
        given = dict(_option(text) for text in option or [])
        wish = Wish(
            game=found,
            options=options.read(found, given, preset),
            chosen=bool(given or preset or seed),
            auto=auto,
            games=_games(games),
            seed=None if seed is None else _seed(seed),
            record=None if record is None else _folder("--record", record),
            new=new,
        )
        if wish.record is not None:
            prepare(wish.record)
        chosen = _settings(data)
        logs.to_file(chosen.data / "tabletalk.log", logs.secrets(chosen))
        asyncio.run(play_games(chosen, wish, Screen(console(), TEXTS)))


@app.command
def tables(*, data: Data = None) -> None:
    """List the tables: game, phase, set, players, whose turn it is."""
    _look(data, looking.tables)


@app.command
def show(table: str, /, *, data: Data = None) -> None:
    """Show a table as everybody may see it.

    Parameters
    ----------
    table
        The table's id, as `tabletalk tables` lists it.
    """
    _look(data, lambda sight: looking.show(sight, table))


@app.command
def log(table: str, /, *, data: Data = None) -> None:
    """Show everything that happened at a table.

    Parameters
    ----------
    table
        The table's id, as `tabletalk tables` lists it.
    """
    _look(data, lambda sight: looking.log(sight, table))


@app.command
def record(table: str, /, *, data: Data = None) -> None:
    """Print the record of a table's game (JSON): of a running one up to the last set whose seed is revealed.

    Parameters
    ----------
    table
        The table's id, as `tabletalk tables` lists it.
    """
    _look(data, lambda sight: looking.record(sight, table))


@app.command
def export(
    table: str | None = None,
    /,
    *,
    all: bool = False,
    to: str | None = None,
    data: Data = None,
) -> None:
    """Write a table's history, or every table's, as JSON lines that `audit` checks: commits, and nobody's name.

    Parameters
    ----------
    table
        The table's id, as `tabletalk tables` lists it.
    all
        Every table of the deployment.
    to
        The file to write (default: standard output).
    """
    with _faults():
        if (table is None) is not all:
            raise Usage(history_tools.one_of(TEXTS, "TABLE"))
        if to == "":
            raise Usage(history_tools.no_file(TEXTS, "--to"))
        left_out: list[str] = []

        async def work(sight: looking.Sight) -> None:
            left_out.extend(await exports.export(sight, table, write, to))

        with exports.destination(TEXTS, to) as write:
            _look(data, work)
        if left_out:
            raise looking.Wrong(history_tools.left_out(TEXTS, left_out[0], len(left_out)))


@app.command
def audit(
    what: str | None = None,
    /,
    *,
    all: bool = False,
    head: str | None = None,
    data: Data = None,
) -> None:
    """Play a record, or a table's history, through the rules: exit code 0, or 1 with the first thing that is wrong.

    Parameters
    ----------
    what
        The file of a record or of an export, or a table's id.
    all
        Every table of the deployment.
    head
        A fingerprint that the chat showed: the history must hold the commit that it belongs to.
    """
    with _faults():
        if (what is None) is not all:
            raise Usage(history_tools.one_of(TEXTS, "WHAT"))
        mark = None if head is None else audits.read_fingerprint(head)
        if head is not None and mark is None:
            raise Usage(history_tools.bad_fingerprint(TEXTS))
        if what is not None and audits.is_file(what):
            audits.audit_file(Screen(console(), TEXTS), what, mark)
            return
    _look(data, lambda sight: audits.audit_all(sight, mark) if what is None else audits.audit_table(sight, what, mark))


store = App(name="store", help="Look after the store.")
app.command(store)


@store.command
def check(*, data: Data = None) -> None:
    """Check settings, free space, chains, feeds and command ids: exit code 0, or 1 with what to do for each fault."""
    with _faults():
        chosen = _settings(data)
    _look(data, lambda sight: checks.check_store(sight, chosen))


@app.command
def serve(*, data: Data = None) -> None:
    """Run the Telegram bot (TELEGRAM_TOKEN) until it is stopped."""
    with _faults():
        chosen = _settings(data)
        logs.to_stream(logs.secrets(chosen))
        from service.chat.serve import serve as serve_chats

        code = asyncio.run(serve_chats(chosen))
        if code:
            raise Exit(code)


def _look(data: str | None, work: Callable[[looking.Sight], Awaitable[None]]) -> None:
    """Runs a command that only reads."""
    with _faults():
        chosen = _settings(data)
        logs.quiet(logs.secrets(chosen))
        asyncio.run(looking.look(chosen, Screen(console(), TEXTS), work))


def _settings(data: str | None) -> Settings:
    return settings.load(data=None if data is None else _folder("--data", data))


def _folder(option: str, path: str) -> Path:
    """The folder that an option names; an empty path would be the current one, which nobody means by it."""
    if not path:
        raise Usage(faults.no_path(TEXTS, option))
    return Path(path)


def _game(name: str) -> Game:
    game = GAMES.get(name.casefold())
    if game is None:
        raise malformed("no_such_game", name=name[:80], names=tuple(GAMES))
    return game


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise Usage(faults.bad_option(TEXTS, text))
    return name.strip(), value


def _games(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= len(str(_MOST_GAMES)) and 1 <= int(text) <= _MOST_GAMES:
        return int(text)
    raise Usage(faults.bad_games(TEXTS, _MOST_GAMES))


def _seed(text: str) -> bytes:
    try:
        if len(text) <= _LONGEST_SEED and not any(character.isspace() for character in text):
            seed = bytes.fromhex(text)
            if seed:
                return seed
    except ValueError:
        raise Usage(faults.bad_seed(TEXTS, _LONGEST_SEED)) from None
    raise Usage(faults.bad_seed(TEXTS, _LONGEST_SEED))


class Exit(Exception):
    """The command ends with this code; `text` (if any) goes to stderr."""

    def __init__(self, code: int, text: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.text = text


@contextmanager
def _faults() -> Iterator[None]:
    """What may go wrong for a user, as a line and an exit code. Everything else is our fault: a traceback."""
    try:
        yield
    except Exception as error:
        known = _exit(_leaf(error))
        if known is None:
            raise
        raise known from None


def _leaf(error: BaseException) -> BaseException:
    """The one error inside groups of errors."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _exit(error: BaseException) -> Exit | None:
    match error:
        case Exit():
            return error
        case Usage():
            return Exit(2, str(error))
        case Rejected():  # a game, an option or a preset that there is not, or that cannot be had
            return Exit(2, refusals.refusal(TEXTS, error))
        case WrongKey():
            return Exit(1, faults.wrong_key(TEXTS))
        case Unreadable():
            return Exit(1, faults.unreadable(TEXTS, str(error)))
        case BadFolder():
            return Exit(1, faults.bad_folder(TEXTS, str(error)))
        case looking.Wrong():
            return Exit(1, str(error))
        case StoreDown() | StoreUnfit() | BadSetting():
            return Exit(1, faults.one_line(error))
        case Ended():
            return Exit(error.code)
        case BrokenPipeError():
            return Exit(141)
        case OSError():
            return Exit(1, faults.system(TEXTS, error))
        case _:
            return None


def main(arguments: list[str] | None = None) -> None:
    """The program: exits with 0, 1 (it did not work), 2 (wrong command line), 130 (Ctrl-C) or 128 and a signal."""
    code, text = 0, ""
    if sys.stdout is None:  # closed by whoever started us
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as the program runs
    try:
        app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except UnusedCliTokensError as error:
        code, text = 2, faults.usage(TEXTS, faults.too_many(TEXTS, error.unused_tokens))
    except CycloptsError as error:
        code, text = 2, faults.usage(TEXTS, " ".join(str(error).split()))
    except Exit as ended:
        code, text = ended.code, ended.text
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        code = 141
    try:
        if text:
            print(f"tabletalk: {text}", file=sys.stderr)  # noqa: T201 - the command line's own word
        sys.stdout.flush()
    except OSError:
        # Nobody reads any more: the interpreter must not find that out again when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        code = code or 141
    sys.exit(code)
