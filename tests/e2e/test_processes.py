"""`tabletalk web` and `tabletalk worker`, several of each, on one store."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from service.sandbox.people import Group, NotPossible, Person
from service.sandbox.state import Message
from service.sandbox.world import World
from tests.e2e.playing import Hand, by_button, by_command, four, hand, open_table, play_on, start
from tests.e2e.programs import PATIENCE, Deployment

MOVE = re.compile(r"(called \d+|played \S+)")
TABLE = re.compile(r"^([a-z0-9]+-\d+)\b", re.MULTILINE)


@pytest.fixture
def deployment(tmp_path: Path, bot_api: World) -> Iterator[Deployment]:
    made = Deployment(tmp_path, bot_api)
    yield made
    made.end()


@pytest.mark.parametrize("hooked", [False, True], ids=["polling", "webhook"])
def test_people_play_in_a_group_and_in_private_chats_whose_partitions_are_different_workers(
    bot_api: World, deployment: Deployment, hooked: bool
) -> None:
    web = deployment.start("web", hooked=hooked)
    first, second = deployment.start("worker"), deployment.start("worker")
    for program in (web, first, second):
        program.wait_until_ready()
    people = four(bot_api)
    for person in people:
        person.start()
    group = bot_api.group("Friday", people)
    open_table(group, people)
    start(group, people)
    ways = {person.id: (by_button, person.private) for person in people[:3]}
    play_on(people, group, ways, most=12)
    assert "ok" in deployment.tabletalk("audit", "--all")
    assert "ok" in deployment.tabletalk("store", "check")


@pytest.mark.parametrize("hooked", [False, True], ids=["polling", "webhook"])
def test_programs_end_within_ten_seconds_also_while_the_store_is_away_and_the_next_ones_do_what_was_in_hand(
    bot_api: World, deployment: Deployment, hooked: bool
) -> None:
    old = [deployment.start("web", hooked=hooked), deployment.start("worker")]
    for program in old:
        program.wait_until_ready()
    ann = bot_api.person("Ann")
    ann.start()
    ann.wait(lambda: len(ann.texts(ann.private)) == 2, what="the greeting")
    deployment.valkey.kill()
    ann.say(ann.private, "/standings")
    for program in old:
        _until(lambda program=program: program.get("/ready")[0] == 503)  # type: ignore[misc]
        assert program.get("/health")[0] == 200
        assert program.stop() < 10
    deployment.valkey.start()
    for command in ("web", "worker"):
        deployment.start(command, hooked=hooked and command == "web").wait_until_ready()
    ann.wait(lambda: len(ann.texts(ann.private)) == 4, what="the answer")


class Busy(threading.Thread):
    """Somebody who does something until he is told to stop."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self._enough = threading.Event()

    def stop(self) -> None:
        """Lets him begin nothing more."""
        self._enough.set()


class Sitting(Busy):
    """Four people who play in a group of their own, each move once, until they are told to stop."""

    def __init__(self, world: World, name: str) -> None:
        super().__init__(name)
        self.people = four(world)
        self.group = world.group(name, self.people)
        self.made = 0
        self.fault: Exception | None = None

    def open(self) -> None:
        open_table(self.group, self.people, "max_sets=20 target=0 redeal=none min_total_calls=0")
        start(self.group, self.people)

    def run(self) -> None:
        try:
            while not self._enough.is_set() and (turn := self._turn()) is not None:
                person, before = turn
                begun = time.monotonic()
                by_command(person, self.group, before)
                while hand(person, self.group) == before:
                    assert time.monotonic() < begun + PATIENCE, f"{person} still has {before}"
                self.made += 1
        except Exception as fault:  # noqa: BLE001 - `end` tells it, in the test's own thread
            self.fault = fault

    def end(self) -> int:
        """How many moves they made."""
        self.stop()
        self.join(2 * PATIENCE)
        assert not self.is_alive()
        assert self.fault is None, self.fault
        return self.made

    def _turn(self) -> tuple[Person, Hand] | None:
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            for person in self.people:
                found = hand(person, self.group)
                if found.moves or found.over:
                    return None if found.over else (person, found)
        raise AssertionError("it is nobody's turn")


class Asking(Busy):
    """Somebody who asks for help in his private chat, every second and a half, until he is told to stop."""

    def __init__(self, world: World) -> None:
        super().__init__("asking")
        self.person = world.person("Eve")
        self.asked = 0

    def run(self) -> None:
        while not self._enough.wait(1.5):
            self.person.say(self.person.private, "/standings")
            self.asked += 1

    def end(self) -> int:
        """How often he asked."""
        self.stop()
        self.join()
        return self.asked


def moved(sittings: Sequence[Sitting], more: int) -> None:
    """Returns when each sitting has made so many moves more."""
    before = [sitting.made for sitting in sittings]

    def holds() -> bool:
        for sitting in sittings:
            assert sitting.fault is None, sitting.fault
        return all(sitting.made >= made + more for sitting, made in zip(sittings, before, strict=True))

    _until(holds)


@pytest.mark.timeout(300)
def test_a_deploy_under_load_loses_and_doubles_nothing_and_ends_within_ten_seconds(
    bot_api: World, deployment: Deployment, request: pytest.FixtureRequest
) -> None:
    """A crash between a move and the note of it repeats nothing (DenchHQ/DenchClaw#56), and no move is left unseen
    after a restart (freeboardgames/FreeBoardGames.org#551)."""
    old = [deployment.start(command) for command in ("web", "worker", "worker")]
    for program in old:
        program.wait_until_ready()
    sittings = [Sitting(bot_api, name) for name in ("Friday", "Sunday", "Monday")]
    for sitting in sittings:
        sitting.open()
    asking = Asking(bot_api)
    for busy in (*sittings, asking):
        request.addfinalizer(busy.stop)
        busy.start()
    moved(sittings, 5)

    new = [deployment.start(command) for command in ("web", "worker", "worker")]
    new[0].wait_until_ready("standing by")
    for worker in new[1:]:
        worker.wait_until_ready()
    for program in old:
        assert program.stop() < 10
    new[0].wait_until_ready()
    moved(sittings, 4)
    third = deployment.start("web")
    third.wait_until_ready("standing by")
    new[0].kill()
    new[1].kill()
    moved(sittings, 4)

    total, asked = sum(sitting.end() for sitting in sittings), asking.end()
    tables = set(TABLE.findall(deployment.tabletalk("tables")))
    assert len(tables) == len(sittings)
    assert sum(len(MOVE.findall(deployment.tabletalk("log", name))) for name in tables) == total
    assert "ok" in deployment.tabletalk("audit", "--all")
    eve = asking.person
    eve.wait(lambda: len(eve.texts(eve.private)) >= 2 * asked, what="every answer")
    said = eve.texts(eve.private)
    assert len(said) == 2 * asked, said
    for sitting in sittings:
        ann = sitting.people[0]
        _one_table(ann, sitting.group)
        assert len([text for text in ann.texts(sitting.group) if text.startswith("Hello")]) == 1


def _one_table(person: Person, group: Group) -> None:
    """Of a message that was sent at the very moment of a kill only a press tells; then all but one are emptied."""
    for table in _tables(person, group):
        with suppress(NotPossible):  # emptied just now
            person.press(table, "My hand")
    person.wait(lambda: len(_tables(person, group)) == 1, what="one table message")


def _tables(person: Person, group: Group) -> list[Message]:
    return [message for message in person.sees(group) if "My hand" in message.buttons]


def _until(holds: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 2 * PATIENCE
    while not holds():
        assert time.monotonic() < give_up
        time.sleep(0.05)
