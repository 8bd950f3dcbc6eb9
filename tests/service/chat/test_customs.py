"""What groups and people chose: kept, found again by a later process, and in whose language something is said."""

from __future__ import annotations

import pytest
from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis

from domain.clock import Quiet
from eventstore.redis_store import RedisStore
from eventstore.servers import One
from service.chat.people.customs import Customs, Habits, Preferences, zone_of
from service.directory import Directory
from tests.service.chat.conftest import Running


@pytest.fixture
async def directory() -> Directory:
    return Directory(await RedisStore.open(One(FakeRedis(server=FakeServer(), protocol=2)), now=lambda: 0))


async def test_what_was_chosen_is_there_after_a_restart(directory: Directory) -> None:
    before = Preferences(directory)
    await before.set_home("abc", Customs("fr", "Europe/Madrid", (22 * 60, 8 * 60)))
    await before.set_person("person:x", Habits(reminders="late", forced=True))

    after = Preferences(directory)
    await after.load()

    assert after.quiet("abc-7") == Quiet(22 * 60, 8 * 60, "Europe/Madrid")
    assert after.quiet("xyz-1") is None
    assert after.of_person("person:x") == Habits(reminders="late", forced=True)
    assert after.spoken_at("abc").language == "fr"


@pytest.mark.parametrize(
    "customs",
    [Customs(language="xx"), Customs(quiet=(60, 60)), Customs(quiet=(-1, 60)), Customs(quiet=(0, 1440))],
)
async def test_what_is_no_custom_is_refused_and_changes_nothing(directory: Directory, customs: Customs) -> None:
    preferences = Preferences(directory)
    with pytest.raises(ValueError, match="no "):
        await preferences.set_home("abc", customs)
    assert preferences.of_home("abc") == Customs()
    assert await directory.everything("customs") == {}


@pytest.mark.parametrize(
    ("habits", "spoken"),
    [
        (Habits(), "fr"),  # nothing is known of him: as the group
        (Habits(program="en-GB"), "en"),
        (Habits(program="ja"), "fr"),  # we do not speak that
        (Habits(language="en", program="fr"), "en"),
    ],
)
async def test_somebody_alone_is_spoken_to_as_he_chose_or_as_his_program_or_as_the_group(
    directory: Directory, habits: Habits, spoken: str
) -> None:
    preferences = Preferences(directory)
    await preferences.set_home("abc", Customs("fr"))
    await preferences.set_person("person:x", habits)
    assert preferences.spoken_to("person:x", "abc").language == spoken


def test_a_time_zone_is_found_however_it_is_written() -> None:
    assert zone_of("europe/madrid") == "Europe/Madrid"
    assert zone_of("America/new york") == "America/New_York"
    assert zone_of("Atlantis/Capital") is None


async def test_a_group_is_spoken_to_in_the_language_of_whoever_brought_the_bot(running: Running) -> None:
    """Buttons, table and answers in a group are French; a toast is in the language of whoever pressed."""
    world = running.world
    anne, bob = world.person("Anne", language_code="fr"), world.person("Bob", language_code="en")
    group = world.group("Les amis", [anne, bob])
    anne.say(group, "/callbreak")
    lobby = await running.until(lambda: anne.find(group, "S'asseoir"), "a lobby")
    assert "You have a seat" in await running.press(bob, lobby, "S'asseoir")
