"""Command ids as they are kept: each comes back as it was, and takes little."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventstore.ids import field, restored, shortened
from eventstore.redis_store import RedisStore
from eventstore.store import Already, Appended
from tests.eventstore.drafts import draft

_CHARACTERS = st.text(st.sampled_from("a-1:\0é"), max_size=12)


@given(_CHARACTERS, _CHARACTERS)
def test_every_id_comes_back_whatever_it_holds(command: str, table: str) -> None:
    assert restored(shortened(command, table), table) == command


@pytest.mark.parametrize("command", ["tg:7000000001:900000001:red-1", "computer:red-1:12:3", "red-1"])
def test_the_table_is_not_stored_with_each_of_its_ids(command: str) -> None:
    assert len(shortened(command, "red-1")) == len(command) - 4


def test_an_id_is_remembered_by_eight_bytes_that_never_change() -> None:
    assert field("tg:1:2:red-1").hex() == "33e6e465d392f3cb"


@pytest.mark.parametrize("command", ["tg:1:7:home-1", "home-1home-1", "\0", "\0\0home-1"])
async def test_a_store_gives_the_id_back_and_knows_it(store: RedisStore, command: str) -> None:
    one = draft(command=command)
    appended = await store.append(one)
    assert isinstance(appended, Appended)
    assert [commit.command for commit in await store.read("home-1")] == [one.command]
    assert await store.append(draft(command=one.command, version=2, previous=appended.commit.hash)) == Already(1)
