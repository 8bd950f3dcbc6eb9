"""What is told in pages: the log of a set and the score sheet. One message each; its buttons edit it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from html import escape

import msgspec
import structlog

from domain.games import GAMES
from domain.table import Row, Table, View, observe
from eventstore.store import home
from service.chat.api import names, outbox
from service.chat.api.incoming import Pressed, Said
from service.chat.api.post import Button, Post, Press
from service.chat.api.tokens import PageToken
from service.chat.hall import Hall
from service.chat.tables import finding, pairs
from service.text import Texts, history, logbook, moments, sheet
from service.text.chat import say
from service.text.logbook import Chapter, Stored
from service.text.words import game_name

log = structlog.get_logger()

_ROWS = 48  # lines of a page of the sheet, in all its blocks; Bot API, sendMessage: 4,096 characters
_MOST_DIGITS = 4  # of a set's number


async def tell_log(hall: Hall, said: Said) -> None:
    """The moves of a set, the last one or that of the number which is named (`/log 3`, `/log 3 red-fox`)."""
    text, _, last = said.text.strip().rpartition(" ")
    if (pair := pairs.split(last)[0]) is not None:
        name = await finding.named(hall, said, pair)
        if name is None:
            await hall.answer(said, hall.say("no_table_called", pair=pair))
            return
        said = msgspec.structs.replace(said, text=text, table=name)
    state = await finding.table(hall, said, await hall.actor(said.user) if said.user is not None else None)
    if state is None:
        return
    text = said.text.strip()
    if text and not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        await hall.answer(said, hall.say("log_how", text=text[:40]))
        return
    chapter = await _chapter(hall, state, int(text) if text else None)
    newest = len(logbook.pages(chapter.lines)) - 1
    await hall.answer(said, log_page(hall.texts, state.id, chapter, 0 if text else newest))


async def tell_score(hall: Hall, said: Said) -> None:
    """The score sheet so far, its last page."""
    state = await finding.table(hall, said, await hall.actor(said.user) if said.user is not None else None)
    if state is not None:
        await hall.answer(said, await _score(hall, state, None))


async def turn(hall: Hall, pressed: Pressed, token: PageToken, state: Table) -> None:
    """Shows another page in the message that has the button; anybody who sees it may turn it.

    What a modified client sends under a message without such a button is refused: it is no page, and stays what it is.
    """
    if not pressed.real or pressed.ephemeral:
        await hall.out.toast(pressed.query, hall.say("old_button"))
        return
    if not await hall.out.room_now(pressed.chat):
        await hall.out.toast(pressed.query, hall.say("page_later"))
        return
    await hall.out.toast(pressed.query, "")
    if token.what == "log":
        post = log_page(hall.texts, state.id, await _chapter(hall, state, token.set), token.page)
    else:
        post = await _score(hall, state, token.page)
    try:
        await hall.out.edit(pressed.chat, pressed.message, post)
    except (outbox.NotNow, outbox.Gone, outbox.Missing, outbox.Moved, outbox.Unsendable) as fault:
        log.info("page not turned", table=state.id, fault=type(fault).__name__)


async def _chapter(hall: Hall, state: Table, number: int | None) -> Chapter:
    """The set of this number as it is told; in a thread: a table of weeks has thousands of commits."""
    commits = [Stored(commit.time, commit.events) for commit in await hall.engine.history(state.id)]
    known = await hall.places.names(logbook.owners(commits))
    zone = moments.zone_of(hall.preferences.of_home(home(state.id)).zone)
    texts, now = hall.texts, hall.engine.clock.now()

    def told() -> Chapter:
        day = lambda ms: moments.day(texts, ms, now, zone)  # noqa: E731 - a def would be longer than what it says
        return logbook.chapter(texts, state.id, commits, known, number, names.shown, day)

    return await asyncio.to_thread(told)


async def _score(hall: Hall, state: Table, page: int | None) -> Post:
    called, head = await hall.views.names(state), (await hall.engine.held(state.id)).head
    return score_page(hall.texts, observe(state, None), called, head, page)


def log_page(texts: Texts, table: str, chapter: Chapter, page: int) -> Post:
    """A page (from 0; the last one for one too high) of a set's log, with buttons to its other pages and other sets."""
    told = logbook.pages(chapter.lines)
    page = min(page, len(told) - 1)
    if chapter.number:
        title = say(texts, "log_of_set", game=game_name(texts, chapter.game), number=chapter.number)
    else:
        title = say(texts, "log_before", game=game_name(texts, chapter.game))
    lines = told[page] or [say(texts, "log_empty")]

    def press(text: str, number: int, to: int) -> Press:
        return Press(text, PageToken(table, "log", number, to))

    rows = [_turning(page, len(told), lambda text, to: press(text, chapter.number, to))]
    others = []
    if chapter.number > 0:
        before = chapter.number - 1
        others.append(press(f"⏮ {_set(texts, before)}", before, 0))
    if chapter.number < chapter.sets:
        after = chapter.number + 1
        others.append(press(f"{_set(texts, after)} ⏭", after, 0))
    rows.append(tuple(others))
    html = f"<b>{escape(title)}</b>{_of(page, len(told))}\n" + "\n".join(map(escape, lines))
    return Post(html, tuple(row for row in rows if row))


def score_page(texts: Texts, view: View, called: Sequence[str], head: bytes, page: int | None) -> Post:
    """A page (from 0; None: the last) of the score sheet, and the fingerprint of the chain's head as it stands."""
    if not GAMES[view.game].sheet:
        return Post(escape(say(texts, "no_sheet")))
    if not view.rows:
        return Post(escape(say(texts, "no_score_yet")))
    columns = [names.in_column(name) for name in called]
    told = _parts(view.rows, max(1, _ROWS // sheet.blocks(texts, view, columns)))
    page = len(told) - 1 if page is None else min(page, len(told) - 1)
    shown = msgspec.structs.replace(view, rows=told[page])
    block = escape(sheet.block(texts, shown, columns))
    rows = _turning(page, len(told), lambda text, to: Press(text, PageToken(view.table, "score", 0, to)))
    title = f"<b>{escape(game_name(texts, view.game))}</b>{_of(page, len(told))}"
    fingerprint = escape(history.fingerprint_line(texts, head))
    return Post(f"{title}\n<pre>{block}</pre>\n{fingerprint}", (rows,) if rows else ())


def _parts(rows: tuple[Row, ...], size: int) -> list[tuple[Row, ...]]:
    return [rows[at : at + size] for at in range(0, len(rows), size)]


def _turning(page: int, pages: int, press: Callable[[str, int], Button]) -> tuple[Button, ...]:
    """Buttons to the page before and the one after, where there are any."""
    back = (press(f"◀ {page}", page - 1),) if page > 0 else ()
    on = (press(f"{page + 2} ▶", page + 1),) if page + 1 < pages else ()
    return (*back, *on)


def _of(page: int, pages: int) -> str:
    return f" ({page + 1}/{pages})" if pages > 1 else ""


def _set(texts: Texts, number: int) -> str:
    return say(texts, "button_set", number=number) if number else say(texts, "button_before")
