from __future__ import annotations

import itertools

from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis

from eventstore.redis_store import RedisStore
from eventstore.servers import One
from service.chat.tables import pairs
from service.chat.tables.pairs import Pairs
from service.clock import SystemClock
from service.directory import Directory


async def directory() -> Directory:
    return Directory(await RedisStore.open(One(FakeRedis(server=FakeServer(), protocol=2)), now=SystemClock().now))


def test_no_word_is_twice_in_its_list() -> None:
    for words in (pairs._FIRST, pairs._SECOND):
        assert len(set(words)) == len(words) >= 128


def test_a_pair_is_two_words_and_always_the_same() -> None:
    assert pairs.pair("abcdefghjk-7") == pairs.pair("abcdefghjk-7") != pairs.pair("abcdefghjk-8")
    assert pairs.split(f"{pairs.pair('abcdefghjk-7')} QS") == (pairs.pair("abcdefghjk-7"), "QS")


def test_a_text_that_begins_with_no_pair_of_ours_is_left_as_it_is() -> None:
    for text in ("", "QS", "low-tide QS", "red QS", "red-fo QS", "name=value"):
        assert pairs.split(text) == (None, text)
    assert pairs.split("Red-FOX") == ("red-fox", "")


async def test_no_two_tables_of_a_home_share_a_pair_and_it_never_changes() -> None:
    known = await directory()
    held = Pairs(known)
    tables = [await known.new_table("abcdefghjk") for _ in range(60)]
    wanted = pairs.pair(tables[40])
    await known.put("pairs", tables[3], wanted)  # as if an earlier table had drawn the same
    found = {name: await held.of(name) for name in tables}
    assert len(set(found.values())) == len(tables)
    assert found[tables[3]] == wanted != found[tables[40]]
    assert found[tables[40]] in itertools.islice(pairs.candidates(tables[40]), 5)
    again = Pairs(known)
    assert {name: await again.of(name) for name in tables} == found
    assert await again.find(wanted, tables) == [tables[3]]


async def test_a_table_that_was_never_shown_is_found_by_its_name_too() -> None:
    known = await directory()
    tables = [await known.new_table("abcdefghjk") for _ in range(5)]
    wanted = pairs.pair(tables[2])
    assert await Pairs(known).find(wanted, tables) == [tables[2]]
    assert list(await known.everything("pairs")) == [tables[2]], "the others got no name by being looked at"
