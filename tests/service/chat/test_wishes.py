from __future__ import annotations

from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis

from eventstore.redis_store import RedisStore
from eventstore.servers import One
from service.chat.api.incoming import Said, User
from service.chat.tables.wishes import Wishes
from service.directory import Directory
from service.forgetting import remove
from service.sealing import Sealer
from tests.service.chat.conftest import MovableClock

DAY = 86_400_000
SAID = Said(7, -5, False, User(1, "Ann"), "play", "queen of spades")


async def made() -> tuple[Wishes, Directory, MovableClock]:
    clock = MovableClock()
    directory = Directory(await RedisStore.open(One(FakeRedis(server=FakeServer(), protocol=2)), now=clock.now))
    return Wishes(directory, Sealer(bytes(32)), clock), directory, clock


async def test_a_wish_is_answered_once_and_the_same_press_may_come_again() -> None:
    wishes, _, _ = await made()
    await wishes.keep("person:a", SAID, ("abc-1", "abc-2"))
    wish = await wishes.get(7, "person:a")
    assert wish is not None
    assert wish.said == SAID
    assert [wish.takes(answer) for answer in ("abc-1", "abc-3", "yes", "no")] == [True, False, False, True]
    assert await wishes.answered(7, "person:a", wish, 9, "abc-1")
    wish = await wishes.get(7, "person:a")
    assert wish is not None
    assert await wishes.answered(7, "person:a", wish, 9, "abc-1"), "Telegram sends the press again"
    assert not await wishes.answered(7, "person:a", wish, 10, "abc-1")
    assert not await wishes.answered(7, "person:a", wish, 10, "abc-2")
    await wishes.keep("person:a", SAID, ("abc-1", "abc-2"))
    kept = await wishes.get(7, "person:a")
    assert kept is not None
    assert kept.done == "9:abc-1", "the update that brought it comes again and changes nothing"


async def test_nobody_elses_wish_is_found_and_one_of_yesterday_is_gone() -> None:
    wishes, directory, clock = await made()
    await wishes.keep("person:a", SAID)
    assert await wishes.get(7, "person:b") is None
    clock.ahead = DAY + 1
    assert await wishes.get(7, "person:a") is None
    await wishes.keep("person:b", Said(8, -5, False, User(2, "Bob"), "kick", "2"))
    assert list(await directory.everything("wishes")) == ["8 person:b"], "what is too old is swept away"


async def test_what_somebody_wrote_is_kept_sealed_and_forgotten_with_him() -> None:
    wishes, directory, _ = await made()
    actor = await directory.person("tg:1")
    await wishes.keep(actor, SAID)
    ((field, stored),) = (await directory.everything("wishes")).items()
    assert "queen of spades" not in stored
    await remove(directory, actor)
    assert await directory.get("wishes", field) is None
