"""`/audit`: what the history of a table shows to whoever checks it: a message, a set in full, or all of it as a page.

It is made of the commits alone, without the key, so it tells nobody more than everybody may know.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import tzinfo
from html import escape

import structlog

from domain.table import Table
from eventstore.store import home
from service.chat.api import lengths, names, outbox
from service.chat.api.incoming import Said
from service.chat.api.post import Post
from service.chat.hall import Hall
from service.chat.tables import finding
from service.reports.account import Account
from service.reports.page import page
from service.reports.telling import account_of, with_reasons
from service.text import Texts, accounts, moments
from service.text.chat import say

log = structlog.get_logger()

LARGEST = 20_000_000  # bytes of the page; Bot API, sendDocument: 50 MB
_ROOM = 3_500  # UTF-16 units of the message; Bot API, sendMessage: 4,096
_MOST_DIGITS = 4  # of a set's number
_FILES = frozenset({"file", "page", "html"})
_REASONS = "reasons"


async def audit(hall: Hall, said: Said) -> None:
    """`/audit`, `/audit 3` (one set in full), `/audit file` (everything as a page): for everybody who has the table."""
    state = await finding.table(hall, said, None if said.user is None else await hall.actor(said.user))
    if state is None:
        return
    wanted = said.text.strip().casefold()
    number = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) <= _MOST_DIGITS else None
    if wanted and number is None and wanted not in _FILES:
        await hall.answer(said, hall.say("audit_how", text=said.text.strip()[:40]))
        return
    account = await _account(hall, state)
    known = await hall.places.names(accounts.actors(account))
    zone = moments.zone_of(hall.preferences.of_home(home(state.id)).zone)
    if wanted in _FILES:
        await _send(hall, said, state, account, known)
    elif number is not None and not 1 <= number <= len(account.sets):
        await hall.answer(said, hall.say("audit_no_set", number=number, sets=len(account.sets)))
    else:
        pair = await hall.pairs.of(state.id)
        await hall.answer(said, told(hall.texts, account, pair, known, zone, number))


def told(
    texts: Texts, account: Account, pair: str, known: dict[str, str], zone: tzinfo | None, number: int | None = None
) -> Post:
    """The message: the verdict, then the sets, the last ones whole if not all have room; or one set (`number`)."""
    called = names.shown(texts, accounts.owners(account), known)
    mark = {"right": "✅", "unjudged": "❔", "wrong": "❌"}[account.verdict]
    head = [f"🔎 <b>{escape(pair)}</b> · {escape(accounts.game(texts, account))}"]
    head.append(f"{mark} {escape(accounts.verdict(texts, account))}")
    head += [escape(line) for line in accounts.notes(texts, account)]
    blocks = [
        [accounts.set_line(texts, account, one), *accounts.below_set(texts, account, one, called, known, zone)]
        for one in account.sets
        if number is None or one.set == number
    ]
    before = accounts.before_the_sets(texts, account, known, zone) if number is None else []
    tail = [f"{escape(texts.gettext('Fingerprint'))}: <code>{escape(account.fingerprint)}</code>"]
    return Post("\n".join([*head, *_fitting(texts, [before, *blocks], head + tail), *tail]))


def _fitting(texts: Texts, blocks: Sequence[Sequence[str]], around: Sequence[str]) -> list[str]:
    """The last blocks, as many as there is room for; that some are left out is said."""
    room = _ROOM - lengths.units("\n".join(around))
    found: list[str] = []
    for block in reversed(blocks):
        html = [escape(("  " if index else "") + line) for index, line in enumerate(block)]
        room -= lengths.units("\n".join(html)) + 1
        if room < 0:
            return [escape(say(texts, "audit_more")), *found]
        found = [*html, *found]
    return found


async def _account(hall: Hall, state: Table) -> Account:
    """The account; in a thread: a table of weeks has thousands of commits."""
    commits = await hall.engine.store.read(state.id)
    account = await asyncio.to_thread(account_of, state.id, commits)
    found = {
        one: await hall.directory.get(_REASONS, f"{state.id} {one}") for one in {act.reason for act in account.acts}
    }
    return with_reasons(account, {reason: why for reason, why in found.items() if why is not None})


async def _send(hall: Hall, said: Said, state: Table, account: Account, known: dict[str, str]) -> None:
    """Sends the page, once for the update."""
    data = (await asyncio.to_thread(page, hall.texts, [account], known)).encode()
    if len(data) > LARGEST:
        await hall.answer(said, hall.say("export_too_long"))
        return
    if await hall.once.known(said.update, "did page") is None and not await hall.out.room_now(said.chat):
        await hall.answer(said, hall.say("audit_later"))
        return
    if not await hall.once.claim(said.update, "page"):
        return
    pair = await hall.pairs.of(state.id)
    caption = escape(accounts.verdict(hall.texts, account))
    try:
        await hall.out.send_file(said.chat, f"{pair}-audit.html", data, caption, said.thread)
    except (outbox.NotNow, outbox.Unknown, outbox.Gone, outbox.Moved, outbox.Unsendable) as fault:
        log.info("account not sent", table=state.id, fault=type(fault).__name__)
        if isinstance(fault, outbox.NotNow):
            await hall.answer(said, hall.say("audit_later"))
