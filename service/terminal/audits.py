"""The command audit: records, exports, a table, or every table of the deployment; it names the first fault it finds."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

from domain import audit, events
from domain import record as records
from eventstore import export
from eventstore.chain import fingerprint
from eventstore.export import BadExport
from eventstore.record import Commit
from service.engine import shipped
from service.reports.account import Account
from service.reports.reading import is_foreign
from service.reports.telling import account_of, fault_of
from service.terminal.accounts import Wish
from service.terminal.bars import bar
from service.terminal.exports import damage
from service.terminal.looking import Sight, Wrong, folded
from service.terminal.screen import Screen
from service.text import Texts, accounts, faults, findings, history, history_tools, people, terminal

_BIGGEST_RECORD = 64 << 20  # bytes; a game of a hundred sets has 150,000
_BATCH = 64  # tables a round trip
_FINGERPRINT = re.compile(r"[a-z2-7]{20}")


def read_fingerprint(text: str) -> str | None:
    """A fingerprint as it was copied from a chat; None when the text is none."""
    found = text.strip().casefold()
    return found if _FINGERPRINT.fullmatch(found) else None


class Unjudged(Wrong):
    """Nothing is wrong, and yet it is not right: there were moves that could not be judged."""

    code = 3


@dataclass(slots=True)
class _Foreign:
    """The tables with rules that this release does not know, and how many of their deals there are and were made again:
    whoever renames a ruleset must not hear that all is well."""

    texts: Texts
    tables: int = 0
    again: int = 0
    deals: int = 0

    def note(self, account: Account) -> None:
        """One more table, if it is one of these."""
        if account.verdict == "unjudged":
            self.tables += 1
            self.again += sum(one.deal_is == "verified" for one in account.sets)
            self.deals += len(account.sets)

    def say(self, screen: Screen) -> None:
        """Says it, if there is any, before anything else is said."""
        if self.tables:
            screen.say(self._said())

    def end(self, json: bool) -> None:
        """Raises Unjudged if there is any; with the sentence where none was said yet."""
        if self.tables:
            raise Unjudged(self._said() if json else "")

    def _said(self) -> str:
        return history_tools.not_judged(self.texts, self.tables, self.again, self.deals)


def is_file(what: str) -> bool:
    """Whether `audit` is asked about a file: there is one, or the word looks like the path of one."""
    return os.sep in what or what.endswith((".json", ".jsonl")) or (bool(what) and os.path.exists(what))


def audit_file(screen: Screen, path: str, head: str | None, wish: Wish) -> None:
    """Judges the file of a record or an export. Raises Wrong with the first thing that is wrong, and Unjudged."""
    texts = screen.texts
    try:
        with open(path, "rb") as file:
            first = file.readline(export.LONGEST + 1)
            file.seek(0)
            if export.is_export(first):
                _audit_export(screen, path, file, os.fstat(file.fileno()).st_size, head, wish)
                return
            data = file.read(_BIGGEST_RECORD + 1)
    except OSError as error:
        raise Wrong(faults.cannot_read(texts, path, error.strerror or str(error))) from None
    except ValueError as error:  # a NUL in the path
        raise Wrong(faults.cannot_read(texts, path, str(error))) from None
    if len(data) > _BIGGEST_RECORD:
        raise Wrong(faults.cannot_read(texts, path, faults.too_big(texts)))
    if wish.whole:
        raise Wrong(history_tools.no_account_of_record(texts))
    found = audit.audit_record(data, shipped)
    if found is not None:
        raise Wrong(f"{people.plain(path, 120)}: {findings.finding(texts, found)}")
    if head is not None:
        raise Wrong(history_tools.no_head_in_record(texts))
    told = records.read(data)
    screen.say(_fine(screen, told), *_unjudged(screen, told))


def _audit_export(screen: Screen, path: str, file: BinaryIO, size: int, head: str | None, wish: Wish) -> None:
    texts = screen.texts
    tables = count = 0
    found: str | None = None
    last: list[Commit] = []
    foreign = _Foreign(texts)
    try:
        export.read_header(file)
        with bar(people.plain(path, 40)) as advance:
            for name, commits in export.read_tables(file):
                fault = _judged(texts, name, commits, wish, foreign)
                if fault is not None:
                    raise Wrong(history_tools.in_file(texts, path, fault))
                found = found or _head_among(texts, name, commits, head)
                tables, count, last = tables + 1, count + len(commits), commits
                advance(file.tell(), size)
    except BadExport as bad:
        said = history_tools.bad_line(
            texts, bad.kind, bad.line, bad.table, bad.version, before=bad.before, known=export.FORMAT
        )
        raise Wrong(history_tools.in_file(texts, path, said)) from None
    finally:
        wish.finish(screen)
    if head is not None and found is None:
        raise Wrong(history_tools.in_file(texts, path, history_tools.head_missing(texts, head)))
    if not wish.json:
        account = wish.account(last[-1].table, last) if tables == 1 and not wish.whole else None
        _sum_up(screen, tables, count, foreign)
        if tables == 1:
            screen.say(history.fingerprint_line(texts, last[-1].hash))
        if found is not None:
            screen.say(found)
        if account is not None:
            wish.say(screen, account)
    foreign.end(wish.json)


def _judged(texts: Texts, name: str, commits: list[Commit], wish: Wish, foreign: _Foreign) -> str | None:
    """What is wrong with a table of several, or None; its account is kept where it is wanted."""
    if (fault := damage(texts, name, commits)) is not None:
        if wish.whole:
            wish.account(name, commits)
        return fault
    if wish.whole:
        account = wish.account(name, commits)
    elif (fault := judged(texts, name, commits)) is None and is_foreign(commits):
        account = account_of(name, commits)
    else:
        return fault
    foreign.note(account)
    return _fault_line(texts, account)


def _fault_line(texts: Texts, account: Account) -> str | None:
    if account.fault is None:
        return None
    return history_tools.fault_at(texts, account.table, 0, accounts.fault(texts, account.fault))


def _sum_up(screen: Screen, tables: int, count: int, foreign: _Foreign) -> None:
    """How much was verified; where not everything was judged, that first, and no word that all is well."""
    foreign.say(screen)
    summed = history_tools.held if foreign.tables else history_tools.all_right
    screen.say(summed(screen.texts, tables, count))


async def audit_table(sight: Sight, name: str, head: str | None, wish: Wish) -> None:
    """Verifies the chain and the commitments of a table, and judges its record. Raises Wrong, Unjudged, Unreadable."""
    texts = sight.screen.texts
    if not await sight.read(name):
        raise Wrong(faults.no_such_file_or_table(texts, name))
    commits = await sight.commits(name)
    await wish.learn(sight)
    account = wish.account(name, commits)
    wish.finish(sight.screen)
    if (fault := _fault_line(texts, account)) is not None:
        raise Wrong(fault)
    found = _head_among(texts, name, commits, head)
    if head is not None and found is None:
        raise Wrong(f"{name}: {history_tools.head_missing(texts, head)}")
    foreign = _Foreign(texts)
    foreign.note(account)
    if wish.json:
        foreign.end(True)
        return
    foreign.say(sight.screen)
    if not foreign.tables and folded(name, commits).sets:
        document = records.write(records.record(event for commit in commits for event in events.decode(commit.events)))
        sight.screen.say(_fine(sight.screen, records.read(document)))
    sight.screen.say(terminal.chain_ok(texts, len(commits)), history.fingerprint_line(texts, commits[-1].hash))
    if found is not None:
        sight.screen.say(found)
    wish.say(sight.screen, account)
    foreign.end(False)


async def audit_all(sight: Sight, head: str | None, wish: Wish) -> None:
    """Audits every table: prints the first fault of each that has one, and a summary. Raises Wrong if any has, else
    Unjudged if the rules of any are not known."""
    texts, store = sight.screen.texts, sight.store
    names = [] if store is None else await store.tables()
    if (store is None or not names) and not wish.json:
        sight.screen.say(faults.no_tables(texts))
    await wish.learn(sight)
    wrong: list[str] = []
    found: str | None = None
    count = 0
    foreign = _Foreign(texts)
    with bar(history_tools.progress(texts)) as advance:
        for start in range(0, len(names), _BATCH):
            assert store is not None
            for name, commits in (await store.read_many(names[start : start + _BATCH])).items():
                fault = _judged(texts, name, commits, wish, foreign)
                found = found or _head_among(texts, name, commits, head)
                wrong += [] if fault is None else [fault]
                count += len(commits)
            advance(min(start + _BATCH, len(names)), len(names))
    wish.finish(sight.screen)
    if not wish.json:
        sight.screen.say(*wrong)
    if wrong:
        raise Wrong(history_tools.some_wrong(texts, len(wrong), len(names)))
    if head is not None and found is None:
        raise Wrong(history_tools.head_missing(texts, head))
    if names and not wish.json:
        _sum_up(sight.screen, len(names), count, foreign)
    if found is not None and not wish.json:
        sight.screen.say(found)
    foreign.end(wish.json)


def judged(texts: Texts, name: str, commits: Sequence[Commit]) -> str | None:
    """What the rules say against a history, or its chain, or the promises of its deals; None: nothing."""
    found = fault_of(name, commits)
    return None if found is None else history_tools.fault_at(texts, name, 0, accounts.fault(texts, found))


def _head_among(texts: Texts, name: str, commits: Sequence[Commit], head: str | None) -> str | None:
    """Which of the commits has this fingerprint, in words."""
    for commit in commits:
        if head is not None and fingerprint(commit.hash) == head:
            return history_tools.head_found(texts, head, name, commit.version, len(commits))
    return None


def _unjudged(screen: Screen, found: records.Record) -> list[str]:
    """That words were taken as told, where the record names a dictionary that we have not."""
    return [findings.unjudged(screen.texts, people.plain(name, 40)) for name in audit.unjudged(found, shipped)]


def _fine(screen: Screen, found: records.Record) -> str:
    moves = sum(isinstance(move, str) for played in found.sets for move in played.moves)
    void = sum(played.scores is None for played in found.sets)
    sets = len(found.sets) - void
    return terminal.audit_ok(screen.texts, found.game, sets, void, moves, found.winners, found.ended)
