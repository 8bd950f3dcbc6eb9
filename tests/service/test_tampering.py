"""Whatever is done to a history is found, and named by table, version and kind; some things by the head alone."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from pathlib import Path

import pytest

from eventstore.open import open_store
from service.clock import SystemClock
from service.engine import Unreadable
from tests.eventstore.processes import server_gone, server_of
from tests.service.tampered import Looked, exports_looked_at, looked_at, means, said, table
from tests.service.tampering import KINDS
from tests.soak.playing import Players, new_engine, play
from tests.soak.report import DOCUMENT, between

# Found by the head alone, when all later hashes are made right.
HEAD_ALONE = {
    "another person put in somebody's place, from the start",
    "a move's time changed, and in its events",
    "the time of a join changed",
    "a command id changed",
    "the end cut off",
    "another end played from somewhere on",
    "a sealed seed replaced",
}
WAYS = [kind.what for kind in KINDS]
Pair = tuple[Looked, Looked]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Pair]:
    """By kind: as it is, and with the hashes made right."""
    looked = looked_at(tmp_path_factory.mktemp("tampered"))
    return {plain.what: (plain, remade) for plain, remade in zip(looked[::2], looked[1::2], strict=True)}


@pytest.mark.parametrize("what", [what for what in WAYS if what != "the end cut off"])
def test_as_it_is_it_is_found_by_the_chain_and_named(found: dict[str, Pair], what: str) -> None:
    plain, _ = found[what]
    assert plain.file is not None
    assert plain.store is not None
    assert means(plain.file) == means(plain.store) == "the chain"
    assert f": {plain.table}: version {plain.version}: " in plain.file
    assert re.search(rf"\b{plain.table}[: ]+version ({plain.version}|{plain.place})\b", plain.store)
    assert any(means(line) == "the chain" for line in plain.check)
    assert all(line.startswith(f"{plain.table}: version ") for line in plain.check)


@pytest.mark.parametrize("what", [what for what in WAYS if what not in HEAD_ALONE])
def test_with_its_hashes_made_right_it_is_found_by_the_promises_and_the_rules_and_named(
    found: dict[str, Pair], what: str
) -> None:
    _, remade = found[what]
    assert remade.file is not None
    assert remade.store is not None
    assert means(remade.file) == means(remade.store) in ("the rules", "the promise")
    assert re.search(rf": {remade.table}: version \d+[:,] ", remade.file)
    assert re.search(rf"\b{remade.table}: version \d+[:,] ", remade.store)


@pytest.mark.parametrize("what", sorted(HEAD_ALONE))
def test_some_things_are_found_by_the_head_alone(found: dict[str, Pair], what: str) -> None:
    _, remade = found[what]
    assert (remade.file, remade.store) == (None, None)


@pytest.mark.parametrize("what", WAYS)
def test_an_audit_of_all_tables_names_those_that_were_tampered_with(found: dict[str, Pair], what: str) -> None:
    for one in found[what]:
        assert len(one.all) == (one.store is not None)
        assert all(means(line) == means(one.store) for line in one.all)


@pytest.mark.parametrize("what", WAYS)
def test_the_head_that_was_shown_finds_every_kind(found: dict[str, Pair], what: str) -> None:
    assert not any(one.head for one in found[what])


def test_an_end_that_is_cut_off_in_the_store_leaves_pointers_and_command_ids_behind(found: dict[str, Pair]) -> None:
    for one in found["the end cut off"]:
        assert {means(line) for line in one.check} == {"the feed", "the command ids"}


def test_the_documents_table_is_what_was_found(found: dict[str, Pair], tmp_path: Path) -> None:
    everything = [one for pair in found.values() for one in pair]
    assert between("tampering", DOCUMENT.read_text("utf-8")) == table(everything, exports_looked_at(tmp_path))


BROKEN, WHOLE, AT = "home0-1", "home1-1", 20


async def one_byte_flipped(data: Path) -> None:
    """Two tables; the server is stopped, and in its append-only file a byte of a commit's events is another one."""
    async with await open_store("", data, now=SystemClock().now) as store:
        engine, players = new_engine(store), Players("player")
        for name in (BROKEN, WHOLE):
            await play(engine, players, name, 30)
        [commit, *_] = await store.read(BROKEN, AT - 1)
        os.kill(await server_of(store), signal.SIGKILL)
    await server_gone(data)
    file = data / "store" / "appendonlydir" / "appendonly.aof.1.incr.aof"
    found = bytearray(file.read_bytes())
    # Another digit: to whoever does not know the hash the file is as good as before.
    found[found.index(commit.events) + commit.events.index(b'"seat":') + len(b'"seat":')] ^= 1
    file.write_bytes(found)


async def read_by_an_engine(data: Path) -> None:
    async with await open_store("", data, now=SystemClock().now) as store:
        engine = new_engine(store)
        with pytest.raises(Unreadable, match=f"{BROKEN} version {AT}: the hash does not match") as raised:
            await engine.held(BROKEN)
        assert raised.value.why == "broken"
        assert (await engine.held(WHOLE)).version == 30


def test_a_byte_that_flips_in_the_append_only_file_is_found_at_the_tables_first_read_and_by_the_check(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    asyncio.run(one_byte_flipped(data))
    asyncio.run(read_by_an_engine(data))
    code, _, err = said(data, "show", BROKEN)
    assert (code, err) == (1, f"tabletalk: the table cannot be read: {BROKEN} version {AT}: the hash does not match\n")
    assert said(data, "show", WHOLE)[0] == 0
    code, out, err = said(data, "store", "check")
    assert (code, err) == (1, "tabletalk: the store has 1 fault\n")
    assert out.startswith(f"{BROKEN}: version {AT}: the commit is not what was stored: its hash does not match.")
