"""`/fair`: what was promised, who cut, what is revealed, each at its time, and never a seed before that."""

from __future__ import annotations

import hashlib
import re

from domain import events
from domain.commands import CutDeck, Void
from domain.shuffle import commitment
from eventstore.chain import fingerprint
from service.text import fairness, language
from tests.domain.play import Sitting, lobby, started
from tests.fair.dealing import commits
from tests.service.chat.conftest import Running
from tests.service.chat.test_logbook import dealt
from tests.service.chat.test_talk import says

TEXTS = language("en")
CALLED = {"person:ann": "Ann", "person:bob": "Bob"}


def told(sitting: Sitting) -> str:
    stored = commits(sitting, "t-1")
    found = fairness.proof((commit.hash, events.decode(commit.events)) for commit in stored)
    return "\n".join("\n".join([said, *codes]) for said, codes in fairness.lines(TEXTS, found, CALLED))


def test_a_lobby_says_what_is_promised_and_who_has_cut() -> None:
    sitting = lobby("callbreak")
    assert f"SHA-256 of its seed:\n{sitting.state.commitment.hex()}" in told(sitting)
    assert "Nobody has cut the cards" in told(sitting)
    assert "/cut 17" in told(sitting)
    sitting.do("person:bob", CutDeck(40), 1)
    sitting.do("person:ann", CutDeck(3), 0)
    assert "The cards were cut: Bob 40, Ann 3." in told(sitting)
    assert "Nobody" not in told(sitting)


def test_while_a_set_is_played_both_promises_are_told_and_no_seed() -> None:
    sitting = started("callbreak")
    seeds = [seed.hex() for seed in sitting.seeds.values()]
    assert len(seeds) == 2
    assert all(commitment(bytes.fromhex(seed)).hex() in told(sitting) for seed in seeds)
    assert not any(seed in told(sitting) for seed in seeds)
    assert "Fingerprint" not in told(sitting)


def test_after_a_set_its_seed_stands_beside_what_was_promised_and_the_fingerprint_is_that_of_its_result() -> None:
    sitting = started("callbreak", max_sets="2", tie="shared", redeal="")
    sitting.do("operator", Void(), admin=True)
    sitting.steady(lambda state: state.scored == 1)
    text = told(sitting)
    [(seed, promised)] = re.findall(r"^([0-9a-f]{64})\n([0-9a-f]{64})$", text.split("Set ")[1], re.MULTILINE)
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == promised
    assert promised == sitting.commits[0].events[0].commitment.hex()
    ended = [commit for commit in commits(sitting, "t-1") if b'"table.set_ended"' in commit.events]
    assert f"Fingerprint after set {sitting.state.sets - 1}:\n{fingerprint(ended[-1].hash)}" in text
    assert sitting.state.seed is not None
    assert sitting.state.seed.hex() not in text


def test_of_a_game_that_is_over_the_newest_seeds_are_told_and_nothing_is_promised_any_more() -> None:
    sitting = started("callbreak", max_sets="4", tie="shared", target="0").steady()
    text = told(sitting)
    assert sitting.state.phase == "over"
    assert text.count("the seed, and what had been promised") == fairness.MOST_SEEDS
    assert "Promised for" not in text
    assert "verify.html" in text


async def test_whoever_asks_in_the_group_is_told_in_one_message(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = await dealt(running, ann, bob)
    await says(running, bob, group, "/fair", "Fair deals at ")
    [answer] = [message.text for message in ann.sees(group) if message.text.startswith("Fair deals at ")]
    [name] = await running.service.store.tables()
    state = (await running.service.engine.fresh(name)).state
    assert state is not None
    assert state.seed is not None
    assert state.next_seed is not None
    assert state.commitment.hex() in answer
    assert state.next_commitment.hex() in answer
    assert state.seed.hex() not in answer
    assert state.next_seed.hex() not in answer


async def test_in_a_lobby_the_whole_promise_and_the_cut_are_told(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", [ann, bob])
    ann.say(group, "/callbreak")
    lobby_post = await running.until(lambda: ann.find(group, "Join"))
    [start] = re.findall(r"SHA-256 ([0-9a-f]{16})…", lobby_post.text)
    await says(running, ann, group, "/cut 17", "You cut the cards: 17")
    await says(running, bob, group, "/fair", "The cards were cut: Ann 17.")
    assert any(re.search(rf"\b{start}[0-9a-f]{{48}}\b", message.text) for message in bob.sees(group))


async def test_where_there_is_no_table_it_is_said_so(running: Running) -> None:
    ann = running.world.person("Ann")
    group = running.world.group("Friday", [ann])
    await says(running, ann, group, "/fair", "There is no table here yet.")
