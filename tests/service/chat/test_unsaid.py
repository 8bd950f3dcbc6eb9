"""What waits to be said when a process ends is said by the next one."""

from __future__ import annotations

from fakeredis import FakeServer
from fakeredis.aioredis import FakeRedis

from eventstore.redis_store import RedisStore
from eventstore.servers import One
from service.chat.api.outbox import GROUP
from service.chat.api.post import Fill, Link, Post, Press
from service.chat.api.tokens import HandToken
from service.chat.board.unsaid import Unsaid
from service.directory import Directory
from service.sealing import Sealer
from tests.service.chat.conftest import Running

POSTS = [
    Post("one <b>two</b>", ((Press("My hand", HandToken("home-1")), Link("Page", "https://x/")), (Fill("Q♠", "QS"),))),
    Post("three"),
]


async def _all(_chat: int) -> bool:
    return True


async def test_what_is_kept_is_given_once_whole_and_in_order_and_only_for_our_chats() -> None:
    store = await RedisStore.open(One(FakeRedis(server=FakeServer(), protocol=2)), now=lambda: 0)
    unsaid = Unsaid(Directory(store), Sealer(bytes(range(32))))
    await unsaid.keep([(-5, POSTS[0], 7), (-6, POSTS[1], None)])
    await unsaid.keep([(-5, POSTS[1], None)])

    async def ours(chat: int) -> bool:
        return chat == -5

    assert await unsaid.take(ours) == [(-5, POSTS[0], 7), (-5, POSTS[1], None)]
    assert await unsaid.take(ours) == []
    assert await unsaid.take(_all) == [(-6, POSTS[1], None)]


async def test_what_is_kept_can_be_read_by_nobody_without_the_key() -> None:
    directory = Directory(await RedisStore.open(One(FakeRedis(server=FakeServer(), protocol=2)), now=lambda: 0))
    await Unsaid(directory, Sealer(bytes(32))).keep([(5, POSTS[1], None)])
    assert "three" not in str(await directory.everything("unsaid"))
    assert await Unsaid(directory, Sealer(bytes(range(32)))).take(_all) == []


async def test_an_answer_for_which_a_group_had_no_room_is_given_after_a_restart(running: Running) -> None:
    ann = running.world.person("Ann")
    group = running.world.group("Friday", [ann])
    await running.until(lambda: ann.texts(group), "the greeting")
    while len(running.world.calls("sendMessage", group)) < GROUP.amount:
        before = len(running.world.calls("sendMessage", group))
        ann.say(group, "/standings")
        await running.until(lambda before=before: len(running.world.calls("sendMessage", group)) > before)  # type: ignore[misc]
    ann.say(group, "/standings")
    await running.until(lambda: not running.world.updates.waiting, "the last one to be handled")
    before = len(running.world.calls("sendMessage", group))
    await running.stop()
    assert len(await running.service.directory.everything("unsaid")) == 1
    await running.start()  # with windows of its own: as after the minute
    await running.until(lambda: len(running.world.calls("sendMessage", group)) > before, "the rest")
    assert await running.service.directory.everything("unsaid") == {}
