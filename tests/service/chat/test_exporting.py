"""`/export`: who may have the files, and what is in them."""

from __future__ import annotations

import io
import json
import random

import pytest

from domain import events, record
from domain.games import GAMES
from eventstore import chain
from eventstore.export import read_header, read_tables
from eventstore.record import NO_HEAD, Commit
from service.chat.api import outbox
from service.chat.proof import exporting
from service.sandbox.people import Group, Person
from service.sandbox.state import File
from tests.domain.play import SHORT, Sitting, started
from tests.service.chat.conftest import Running
from tests.service.chat.test_logbook import dealt
from tests.service.chat.test_talk import says


def files(person: Person, group: Group) -> list[File]:
    return [message.file for message in person.sees(group) if message.file is not None]


async def test_a_player_gets_the_record_and_a_log_that_verifies(running: Running) -> None:
    """A run with the ace low was not recognised, and the log was gone (pokerth/pokerth#369)."""
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = await dealt(running, ann, bob)
    bob.say(group, "/export")
    await running.until(lambda: len(files(ann, group)) == 2)
    found = {file.name.rpartition(".")[2]: file for file in files(ann, group)}
    assert len({file.name.rpartition(".")[0] for file in found.values()}) == 1
    written = record.read(found["json"].data)
    assert (written.game, written.sets, written.ended) == ("callbreak", (), None), "no set is finished: no pack is told"
    file = io.BytesIO(found["jsonl"].data)
    assert read_header(file).deployment == running.service.store.deployment
    [(name, commits)] = list(read_tables(file))
    chain.verify(commits)
    assert [commit.hash for commit in commits] == [one.hash for one in await running.service.store.read(name)][
        : len(commits)
    ]
    caption = next(m.text for m in ann.sees(group) if m.file is found["jsonl"])
    assert "Fingerprint: " in caption


async def test_nothing_in_the_files_tells_of_the_set_that_is_being_played(running: Running) -> None:
    """Deck logged at shuffle -> logs carry commitment only (keyteki/keyteki#3365).

    Reports: tobymao/18xx#955, tobymao/18xx#888.
    """
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = await dealt(running, ann, bob)
    ann.say(group, "/export")
    await running.until(lambda: len(files(ann, group)) == 2)
    told = b" ".join(file.data for file in files(ann, group)).decode()
    name = json.loads(told.splitlines()[-2])["table"]
    state = (await running.service.engine.fresh(name)).state
    assert state is not None
    assert state.seed is not None
    assert state.next_seed is not None
    hidden = [seed.hex() for seed in (state.seed, state.next_seed)]
    assert not any(secret in told for secret in hidden)
    decoded = [
        event for line in told.splitlines() if '"events"' in line for event in json.loads(json.loads(line)["events"])
    ]
    assert not any(event["type"].startswith("callbreak.card") for event in decoded if "card" in event)


async def test_who_does_not_play_here_gets_no_files_but_an_administrator_does(running: Running) -> None:
    ann, bob, cat, dan = (running.world.person(name) for name in ("Ann", "Bob", "Cat", "Dan"))
    group = await dealt(running, ann, bob, cat, dan)
    await says(running, cat, group, "/export", "Whoever plays at this table may export it")
    assert not files(ann, group)
    group.promote(dan)
    dan.say(group, "/export")
    await running.until(lambda: len(files(cat, group)) == 2)
    ann.say(group, "/export", anonymous=True)  # who made the group, in its name
    await running.until(lambda: len(files(cat, group)) == 4)


async def test_before_the_start_there_is_nothing_to_export(running: Running) -> None:
    ann = running.world.person("Ann")
    group = running.world.group("Friday", [ann])
    ann.say(group, "/callbreak")
    await running.until(lambda: ann.find(group, "Join"))
    await says(running, ann, group, "/export", "there is nothing to export yet")


async def test_files_count_in_the_budget_of_the_group(running: Running) -> None:
    """Edits and sends share about 20 per minute per group -> one budget for both (tdlib/td#2592)."""
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = await dealt(running, ann, bob)
    for _ in range(12):
        ann.say(group, "/export")
    await running.until(lambda: ann.find(group, "no room for files now") or len(files(ann, group)) == 24)
    sent = [*running.world.calls("sendMessage", group), *running.world.calls("editMessageText", group)]
    assert len(sent) + len(files(ann, group)) <= outbox.GROUP.amount
    assert len(files(ann, group)) % 2 == 0, "both files or none"


async def test_a_player_gets_the_files_alone_in_private(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = await dealt(running, ann, bob)
    ann.start()
    ann.say(ann.private, "/export")
    await running.until(lambda: [m for m in ann.sees(ann.private) if m.file is not None][1:])
    assert not files(ann, group)


def commits_of(sitting: Sitting) -> list[Commit]:
    found: list[Commit] = []
    previous = NO_HEAD
    for number, one in enumerate(sitting.commits, 1):
        data = events.encode(one.events)
        previous = chain.link(sitting.name, number, previous, one.time, one.actor, f"c{number}", data)
        found.append(
            Commit(
                table=sitting.name,
                version=number,
                time=one.time,
                actor=one.actor,
                command=f"c{number}",
                events=data,
                hash=previous,
            )
        )
    return found


@pytest.mark.parametrize("game", GAMES)
def test_the_files_of_every_game_are_whole_and_the_record_ends_with_the_last_finished_set(game: str) -> None:
    sitting, rng = started(game, **SHORT.get(game, {})), random.Random(game)
    for moves in (3, 4000):
        for _ in range(moves):
            if sitting.state.phase == "playing":
                sitting.any_move(rng)
        commits = commits_of(sitting)
        found = exporting.written(commits, "deployment", 4)
        assert found.record == record.write(record.record(sitting.events))
        assert found.sets == len(record.read(found.record).sets)
        file = io.BytesIO(found.log)
        read_header(file)
        assert list(read_tables(file)) == [(sitting.name, commits)]
        assert found.sets == (0 if moves == 3 else found.sets)
    assert sitting.state.phase == "over"
    assert found.sets > 0
