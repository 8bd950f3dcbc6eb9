"""The command `tabletalk`: play, look at tables, export and audit them, serve. A user's error is one clear line."""

from __future__ import annotations

import asyncio
import os
import sys
from importlib.metadata import version
from typing import Annotated

from cyclopts import App, CycloptsError, Parameter, UnusedCliTokensError

from domain import options
from domain.game import Game
from domain.games import GAMES
from domain.rejected import malformed
from service import logs
from service.commands import archiving, operating, rebuilding, wording
from service.commands.running import TEXTS, Data, Exit, Usage, chosen, folder, look, reported
from service.terminal import audits, checks, exports, listing, looking
from service.terminal.accounts import Wish as AccountWish
from service.terminal.play import Wish
from service.terminal.play import play as play_games
from service.terminal.records import prepare
from service.terminal.screen import Screen, console
from service.terminal.tables import usual_seats
from service.text import faults, history_tools
from service.text import operating as operating_texts
from service.text.words import game_name

_MOST_GAMES = 100_000
_LONGEST_SEED = 1024  # hexadecimal digits

app = App(
    name="tabletalk",
    help="Long card games: in the terminal, and in a Telegram group.",
    version=lambda: version("tabletalk"),
    default_parameter=Parameter(negative=""),
)
archiving.add(app)
rebuilding.add(app)
operating.add(app)
wording.add(app)


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
    seats: str | None = None,
    record: str | None = None,
    new: bool = False,
    data: Data = None,
) -> None:
    """Play a game against computer players, here in the terminal.

    A game that was left is offered again at the next start.

    Parameters
    ----------
    game
        The game, in one word; a word that is none gets all of them for an answer.
    auto
        Computer players take every seat.
    games
        How many games, one after the other.
    seed
        Hexadecimal digits, an even number: the same seed, options and moves give the same games.
    option
        name=value; may be given several times.
    preset
        A set of options: source (the default), and what the game has beside it (app, spanish).
    seats
        How many play, you and computer players, where the game leaves it open (four, or as many as there can be).
    record
        Folder for the records of finished games, one file a game.
    new
        Begin a new game, even when there is one in progress.
    """
    with reported():
        found = _game(game)
        given = dict(_option(text) for text in option or [])
        wish = Wish(
            game=found,
            options=options.read(found, given, preset),
            seats=_seats(found, seats),
            chosen=bool(given or preset or seed or seats),
            auto=auto,
            games=_games(games),
            seed=None if seed is None else _seed(seed),
            record=None if record is None else folder("--record", record),
            new=new,
        )
        if wish.record is not None:
            prepare(wish.record)
        known = chosen(data)
        logs.to_file(known.data / "tabletalk.log", logs.secrets(known))
        asyncio.run(play_games(known, wish, Screen(console(), TEXTS)))


@app.command
def tables(*, chat: str | None = None, player: str | None = None, stale: str | None = None, data: Data = None) -> None:
    """List the tables: game, phase, set, players, whose turn it is.

    Parameters
    ----------
    chat
        Only those of this chat (its Telegram number).
    player
        Only those of this player: person:<id>, a Telegram number, or a name if only one person has it.
    stale
        Only those that go on though nothing has happened for so long: 12h, 3d, 2w.
    """
    with reported():
        span = None if stale is None else listing.read_span(stale)
        if stale is not None and span is None:
            raise Usage(operating_texts.bad_stale(TEXTS))
    look(data, lambda sight: listing.tables(sight, listing.Choice(chat, player, span)))


@app.command
def show(table: str, /, *, data: Data = None) -> None:
    """Show a table as everybody may see it.

    Parameters
    ----------
    table
        The table's id, as `tabletalk tables` lists it.
    """
    look(data, lambda sight: looking.show(sight, table))


@app.command
def log(table: str, /, *, follow: bool = False, data: Data = None) -> None:
    """Show everything that happened at a table.

    Parameters
    ----------
    table
        The table's id, as `tabletalk tables` lists it.
    follow
        Go on with what happens from now on, until the game is over.
    """
    look(data, lambda sight: looking.log(sight, table, follow=follow))


@app.command
def record(table: str, /, *, data: Data = None) -> None:
    """Print the record of a table's game (JSON): of a running one up to the last set whose seed is revealed.

    Parameters
    ----------
    table
        The table's id, as `tabletalk tables` lists it.
    """
    look(data, lambda sight: looking.record(sight, table))


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
    with reported():
        if (table is None) is not all:
            raise Usage(history_tools.one_of(TEXTS, "TABLE"))
        if to == "":
            raise Usage(history_tools.no_file(TEXTS, "--to"))
        left_out: list[str] = []

        async def work(sight: looking.Sight) -> None:
            left_out.extend(await exports.export(sight, table, write, to))

        with exports.destination(TEXTS, to) as write:
            look(data, work)
        if left_out:
            raise looking.Wrong(history_tools.left_out(TEXTS, left_out[0], len(left_out)))


@app.command
def audit(
    what: str | None = None,
    /,
    *,
    all: bool = False,
    head: str | None = None,
    json: bool = False,
    html: str | None = None,
    data: Data = None,
) -> None:
    """Play a record, or a table's history, through the rules: exit code 0, or 1 with the first thing that is wrong,
    or 3 where nothing is wrong, but the moves could not be judged: the rules are none that this program knows.

    A table's account says set by set what was dealt, judged, proved, paid for, done by the clock and by administrators.

    Parameters
    ----------
    what
        The file of a record or of an export, or a table's id.
    all
        Every table of the deployment.
    head
        A fingerprint that the chat showed: the history must hold the commit that it belongs to.
    json
        Print the accounts as JSON (tabletalk-audit/1).
    html
        A file for the accounts as a page that needs nothing else.
    """
    with reported():
        if (what is None) is not all:
            raise Usage(history_tools.one_of(TEXTS, "WHAT"))
        mark = None if head is None else audits.read_fingerprint(head)
        if head is not None and mark is None:
            raise Usage(history_tools.bad_fingerprint(TEXTS))
        if html == "":
            raise Usage(history_tools.no_file(TEXTS, "--html"))
        wish = AccountWish(json, html)
        if what is not None and audits.is_file(what):
            audits.audit_file(Screen(console(), TEXTS), what, mark, wish)
            return

    async def work(sight: looking.Sight) -> None:
        await (audits.audit_all(sight, mark, wish) if what is None else audits.audit_table(sight, what, mark, wish))

    look(data, work)


store = App(name="store", help="Look after the store.")
app.command(store)


@store.command
def check(*, data: Data = None) -> None:
    """Check settings, free space, chains, feeds and command ids: exit code 0, or 1 with what to do for each fault."""
    with reported():
        found = chosen(data)
    look(data, lambda sight: checks.check_store(sight, found))


@app.command
def serve(*, data: Data = None) -> None:
    """Run the Telegram bot (TELEGRAM_TOKEN) until it is stopped."""
    with reported():
        found = chosen(data)
        logs.to_stream(logs.secrets(found))
        from service.chat.serve import serve as serve_chats

        code = asyncio.run(serve_chats(found))
        if code:
            raise Exit(code)


@app.command
def web(*, data: Data = None) -> None:
    """Receive updates for workers (TELEGRAM_TOKEN, REDIS_URL) until it is stopped; several may run, for one bot."""
    with reported():
        found = chosen(data)
        logs.to_stream(logs.secrets(found))
        from service.processes.web import web as receive

        asyncio.run(receive(found))


@app.command
def worker(*, data: Data = None) -> None:
    """Handle what `web` received, and keep tables going, until it is stopped; several may run and share the work."""
    with reported():
        found = chosen(data)
        logs.to_stream(logs.secrets(found))
        from service.processes.worker import worker as work

        asyncio.run(work(found))


def _game(name: str) -> Game:
    called = {game_name(TEXTS, slug).casefold(): slug for slug in GAMES}
    game = GAMES.get(called.get(name.casefold(), name.casefold()))
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


def _seats(game: Game, text: str | None) -> int:
    fewest, most = game.seats
    if text is None:
        return usual_seats(game)
    if text.isascii() and text.isdigit() and len(text) < 3 and fewest <= int(text) <= most:
        return int(text)
    raise Usage(faults.bad_seats(TEXTS, game_name(TEXTS, game.slug), fewest, most))


def _seed(text: str) -> bytes:
    try:
        if len(text) <= _LONGEST_SEED and not any(character.isspace() for character in text):
            seed = bytes.fromhex(text)
            if seed:
                return seed
    except ValueError:
        raise Usage(faults.bad_seed(TEXTS, _LONGEST_SEED)) from None
    raise Usage(faults.bad_seed(TEXTS, _LONGEST_SEED))


def main(arguments: list[str] | None = None) -> None:
    """The program: exits with 0, 1 (it did not work), 2 (wrong command line), 3 (moves were not judged),
    130 (Ctrl-C) or 128 and a signal."""
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
