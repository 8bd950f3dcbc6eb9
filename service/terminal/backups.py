"""Backup and restore: a whole deployment in one file, made while the bot runs; put back into an empty one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import BinaryIO, NamedTuple, cast

from eventstore import backup, chain
from eventstore.append import days
from eventstore.backup import BadBackup, End, Header, Ids, Key, Named
from eventstore.chain import BrokenChain
from eventstore.faults import store_faults
from eventstore.feed import find_keys
from eventstore.ids import field
from eventstore.open import open_store
from eventstore.record import NO_HEAD, Commit
from eventstore.redis_store import RedisStore
from eventstore.store import Already, Appended, Conflict
from eventstore.wire import Command, value
from service.clock import SystemClock
from service.directory import Directory
from service.sealing import keep_key, key_fault, key_file, known_key, read_key
from service.settings import Settings
from service.terminal.bars import Advance, bar
from service.terminal.exports import damage, destination
from service.terminal.importing import draft_of
from service.terminal.looking import Sight, Wrong
from service.terminal.screen import Screen
from service.text import Texts, archiving, faults, history_tools, people

_BATCH = 64  # tables a round trip
_DIRECTORY = "tt:dir:"
_FIELDS = 1000  # of a hash a line, so that none grows too long to be read
_LIFE = 5 * 86_400  # s; ids and refusals are kept three days, and some more for clocks that differ


async def back_up(
    sight: Sight, settings: Settings, path: str, with_key: bool, anyway: bool, *, over: bool = False
) -> None:
    """Writes the deployment to a file, `anyway` without damaged tables; `over` one that is there. Raises Wrong,
    StoreDown, StoreUnfit."""
    texts, store = sight.screen.texts, sight.store
    if not over and _is_there(path):
        raise Wrong(archiving.file_is_there(texts, path))
    names = [] if store is None else await store.tables()
    if store is None:
        raise Wrong(history_tools.no_store(texts, str(settings.data)))
    key = await _key(store, settings, texts) if with_key else None
    with destination(texts, path, private=True) as write, bar(history_tools.progress(texts)) as advance:
        header = Header(backup.FORMAT, store.deployment, store.partitions, SystemClock().now())
        versions: dict[str, int] = {}
        left_out: list[str] = []
        writer = backup.Writer(cast("BinaryIO", _File(write)), header)
        if key is not None:
            writer.write(Key(key))
        for start in range(0, len(names), _BATCH):
            for name, commits in (await store.read_many(names[start : start + _BATCH])).items():
                if (fault := damage(texts, name, commits)) is not None:
                    if not anyway:
                        raise Wrong(archiving.damaged(texts, fault))
                    left_out.append(fault)
                    continue
                versions[name] = len(commits)
                for commit in commits:
                    writer.commit(commit)
            advance(min(start + _BATCH, len(names)), len(names))
        # After the commits: whoever they name, and whatever was shown of them, is in it.
        async for ids in _ids(store, versions):
            writer.write(ids)
        async for named in _directory(store):
            writer.write(named)
        writer.end()
    sight.screen.say(archiving.backed_up(texts, writer.tables, writer.commits, path))
    sight.screen.say(archiving.about_the_key(texts, key is not None, bool(settings.tabletalk_key)))
    if left_out:
        raise Wrong(history_tools.left_out(texts, left_out[0], len(left_out)))


def _is_there(path: str) -> bool:
    return os.path.isfile(path)  # what is no file of its own (/dev/stdout) is written to


class _File:
    """What gzip needs of a file that is written from start to end."""

    def __init__(self, write: object) -> None:
        self.write = write

    def flush(self) -> None:
        """Nothing is held back here."""


async def _key(store: RedisStore, settings: Settings, texts: Texts) -> str | None:
    """The key to put in, None for one of the environment. Raises Wrong for one that is not the store's, or gone."""
    if (fault := key_fault(settings, await Directory(store).get("service", "key"))) is not None:
        raise Wrong(archiving.key_gone(texts) if fault == "gone" else faults.wrong_key(texts))
    found = known_key(settings)
    return None if found is None or settings.tabletalk_key else found.hex()


async def _ids(store: RedisStore, versions: Mapping[str, int]) -> AsyncIterator[Ids]:
    """What is remembered of commands: refusals, and which commit a command made, if that is in the backup."""
    for keys in (await find_keys(store, "cmd", "*")).values():
        replies = await store.servers.ask([("HGETALL", key) for key in keys])
        for key, reply in zip(keys, replies, strict=True):
            day, _, table = key.decode().partition("}:cmd:")[2].partition(":")
            last = versions.get(table, 0)
            kept = [pair for pair in _pairs(value(reply)) if not pair[1].isdigit() or int(pair[1]) <= last]
            for some in _lots(kept):
                yield Ids(table, int(day), some)


async def _directory(store: RedisStore) -> AsyncIterator[Named]:
    with store_faults():
        found = {key for client in store.servers.every() async for key in client.scan_iter(match=f"{_DIRECTORY}*")}
    for key in sorted(found):
        for some in _lots(_pairs(await store.servers.ask_one("HGETALL", key))):
            yield Named(key.decode().removeprefix(_DIRECTORY), some)


def _pairs(reply: list[bytes]) -> list[tuple[bytes, bytes]]:
    fields = iter(reply)
    return sorted(zip(fields, fields, strict=True))


def _lots(pairs: list[tuple[bytes, bytes]]) -> Iterator[tuple[tuple[bytes, bytes], ...]]:
    for start in range(0, len(pairs), _FIELDS):
        yield tuple(pairs[start : start + _FIELDS])


class _Found(NamedTuple):
    header: Header
    end: End
    key: str | None
    sealed_with: str | None  # tells the key that its tables need, without telling anything of it


async def restore(settings: Settings, screen: Screen, path: str, file: BinaryIO) -> None:
    """Puts a backup back into an empty deployment; run again after it was killed, it goes on.

    Raises Wrong, StoreDown, StoreUnfit.
    """
    texts = screen.texts
    size = os.fstat(file.fileno()).st_size
    try:
        with bar(archiving.verifying(texts)) as advance:
            found = _verified(file, size, advance)
        missing = _missing_key(settings, texts, found)
        file.seek(0)
        store = await open_store(
            settings.redis_url,
            settings.data,
            now=SystemClock().now,
            partitions=found.header.partitions,
            durability=settings.durability,
            restoring=found.end.sha256,
        )
        async with store:
            await _begin(store, texts, found)
            if missing is not None:
                keep_key(key_file(settings), missing)
            with bar(archiving.restoring(texts)) as advance:
                await _put_back(store, texts, file, size, advance)
            await store.servers.ask_one("HDEL", _meta(store), "restoring")
    except BadBackup as bad:
        raise Wrong(archiving.bad_backup(texts, people.plain(path, 120), bad.code)) from None
    screen.say(archiving.restored(texts, found.end.tables, found.end.commits))
    if found.key is None and known_key(settings) is None:
        screen.say(archiving.bring_the_key(texts, str(key_file(settings))))


def _verified(file: BinaryIO, size: int, advance: Advance) -> _Found:
    """Reads a backup to its end: every line, every chain. Raises BadBackup, Wrong."""
    header: Header | None = None
    key: str | None = None
    sealed_with: str | None = None
    for item in _items(file):
        match item:
            case Header():
                header = item
            case Named("service", fields):
                check = dict(fields).get(b"key")
                sealed_with = None if check is None else check.decode(errors="replace")
            case Key(found):
                key = found
            case End():
                assert header is not None, "a backup begins with its header"
                return _Found(header, item, key, sealed_with)
            case list():
                try:
                    chain.verify(item)
                except BrokenChain:
                    raise BadBackup("altered") from None
            case _:
                pass
        advance(file.tell(), size)
    raise BadBackup("cut_off")


def _items(file: BinaryIO) -> Iterator[backup.Line | list[Commit]]:
    """The lines of a backup, the commits of a table together."""
    commits: list[Commit] = []
    for line in backup.read(file):
        if isinstance(line, Commit) and (not commits or commits[-1].table == line.table):
            commits.append(line)
            continue
        if commits:
            yield commits
            commits = []
        if isinstance(line, Commit):
            commits = [line]
        else:
            yield line


def _missing_key(settings: Settings, texts: Texts, found: _Found) -> bytes | None:
    """The backup's key, if there is none here. Raises Wrong for one here that is another's, BadSetting."""
    if found.key is None:
        if key_fault(settings, found.sealed_with) == "other":
            raise Wrong(archiving.other_key(texts))
        return None
    ours, theirs = known_key(settings), read_key(found.key, "FILE")
    if ours not in (None, theirs):
        raise Wrong(archiving.other_key(texts))
    return theirs if ours is None else None


def _meta(store: RedisStore) -> str:
    return f"{store.prefix}:meta"


async def _begin(store: RedisStore, texts: Texts, found: _Found) -> None:
    """Makes the empty deployment the backup's, and notes that it is not whole yet."""
    going_on = await store.servers.ask_one("HGET", _meta(store), "restoring")
    if not going_on:
        with store_faults():
            known = [key for client in store.servers.every() async for key in client.scan_iter(match=f"{_DIRECTORY}*")]
        if known or await store.tables():
            raise Wrong(archiving.not_empty(texts))
    await store.servers.ask_one(
        "HSET", _meta(store), "deployment", found.header.deployment, "restoring", found.end.sha256
    )


async def _put_back(store: RedisStore, texts: Texts, file: BinaryIO, size: int, advance: Advance) -> None:
    waiting: list[list[Commit]] = []
    for item in _items(file):
        if isinstance(item, list):
            waiting.append(item)
        if waiting and (len(waiting) >= _BATCH or not isinstance(item, list)):
            await _append_all(store, texts, waiting)  # before their ids: those say that the commits are there
            waiting = []
        match item:
            case Ids(table, day, fields):
                key = store.key(store.partition_of(table), "cmd", str(day), table)
                await _hash(store, key, fields, _LIFE)
            case Named(name, fields):
                await _hash(store, _DIRECTORY + name, fields)
            case _:
                pass
        advance(file.tell(), size)


async def _append_all(store: RedisStore, texts: Texts, tables: list[list[Commit]]) -> None:
    await asyncio.gather(*(_append(store, texts, commits) for commits in tables))


async def _append(store: RedisStore, texts: Texts, commits: list[Commit]) -> None:
    """Appends a table, as it is; what is in already (we were killed before) is no fault."""
    previous = NO_HEAD
    for commit in commits:
        answer = await store.append(draft_of(commit, previous))
        if isinstance(answer, Already) and answer.version != commit.version:
            # The same id was used again when it was remembered no more, days later: here both come within minutes.
            await _forget_id(store, commit)
            answer = await store.append(draft_of(commit, previous))
        match answer:
            case Appended():
                pass
            case Conflict(tail=tail) if tail and tail[0].hash == commit.hash:
                pass  # in since longer than ids are remembered
            case _:
                raise Wrong(archiving.not_empty(texts))
        previous = commit.hash


async def _forget_id(store: RedisStore, commit: Commit) -> None:
    number = store.partition_of(commit.table)
    for day in days(SystemClock().now()):
        await store.servers.ask_one("HDEL", store.key(number, "cmd", str(day), commit.table), field(commit.command))


async def _hash(store: RedisStore, key: str, fields: tuple[tuple[bytes, bytes], ...], life: int = 0) -> None:
    if not fields:
        return
    commands: list[Command] = [("HSET", key, *(part for pair in fields for part in pair))]
    if life:
        commands.append(("EXPIRE", key, life))
    for reply in await store.servers.ask(commands):
        value(reply)
