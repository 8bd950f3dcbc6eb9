"""Names and places outside the streams: opaque ids, made once, never recomputed."""

from __future__ import annotations

import asyncio

import pytest

from service.directory import Directory
from tests.service.tables import new_world


@pytest.fixture
async def directory() -> Directory:
    return (await new_world()).directory


async def test_an_identity_keeps_its_opaque_id_and_can_be_found_back(directory: Directory) -> None:
    ann = await directory.person("tg:1")
    assert ann.startswith("person:")
    assert ann.removeprefix("person:") != "1"
    assert await directory.person("tg:1") == ann
    assert await directory.person("tg:2") != ann
    assert await directory.person_key(ann) == "tg:1"
    assert await directory.person_key("person:nobody") is None


async def test_two_first_messages_at_once_make_one_person(directory: Directory) -> None:
    found = await asyncio.gather(*(directory.person("tg:7") for _ in range(20)))
    assert len(set(found)) == 1


async def test_tables_are_numbered_within_their_home(directory: Directory) -> None:
    home = await directory.home("chat:-100")
    assert await directory.home_key(home) == "chat:-100"
    assert [await directory.new_table(home) for _ in range(2)] == [f"{home}-1", f"{home}-2"]
    assert await directory.tables(home) == [f"{home}-1", f"{home}-2"]
    assert await directory.tables("elsewhere") == []


async def test_names_are_those_last_set(directory: Directory) -> None:
    await directory.set_name("person:a", "Ann")
    await directory.set_name("person:a", "Änne 🎴")
    assert await directory.names(["person:a", "person:b"]) == {"person:a": "Änne 🎴"}
    assert await directory.names([]) == {}


async def test_the_first_value_of_a_field_stays(directory: Directory) -> None:
    assert await directory.first("service", "key", "one") == "one"
    assert await directory.first("service", "key", "two") == "one"
    await directory.put("service", "key", "three")
    assert await directory.get("service", "key") == "three"
    assert await directory.everything("service") == {"key": "three"}
    await directory.drop("service", "key")
    assert await directory.get("service", "key") is None
