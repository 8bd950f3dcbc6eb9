"""What an account of a table says: of honest tables, of cheats, of what was changed, and of rules not known here."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain import cards, events
from domain.commands import Pause, Resume, Void
from domain.events import RowWritten
from domain.games.callbreak.events import Convicted
from eventstore.record import Commit
from service.reports.account import (
    FORMAT,
    Account,
    Accusation,
    Act,
    Automatic,
    Fault,
    Offence,
    Penalty,
    SeatAccount,
    SetAccount,
)
from service.reports.page import page
from service.reports.telling import account_of, fault_of, with_reasons
from service.text import accounts, language
from tests.service.reports import honour
from tests.service.reports.honour import TABLE
from tests.service.tables import PEOPLE, new_world, steady_seeds
from tests.service.tampering import changed, made_right, played

TEXTS = language()


@pytest.fixture(scope="module")
def strict() -> list[Commit]:
    return asyncio.run(played(sets=2))


@pytest.fixture(scope="module")
def cheated() -> list[Commit]:
    async def game() -> list[Commit]:
        return await honour.finished(await honour.accused())

    return asyncio.run(game())


def said(account: Account) -> list[str]:
    return accounts.lines(TEXTS, account, accounts.names(TEXTS, account, {}), {})


def renamed(commits: list[Commit], ruleset: str) -> list[Commit]:
    """The history as one of other rules, with all hashes made right."""
    return made_right(
        [
            msgspec.structs.replace(commit, events=commit.events.replace(b'"callbreak/1"', ruleset.encode(), 1))
            for commit in commits
        ]
    )


def foreign(commits: list[Commit]) -> list[Commit]:
    """The history as one of a game that nobody here knows."""
    whole = renamed(commits, '"tarock/7"')
    return made_right(
        [
            msgspec.structs.replace(
                commit,
                events=commit.events.replace(b'"game":"callbreak"', b'"game":"tarock"').replace(
                    b'"callbreak.', b'"tarock.'
                ),
            )
            for commit in whole
        ]
    )


def test_of_a_strict_table_every_deal_is_verified_and_nothing_is_found(strict: list[Commit]) -> None:
    found = account_of(TABLE, strict)
    assert (found.verdict, found.fault, found.penalties, found.acts) == ("right", None, (), ())
    assert [(one.deal_is, one.moves, one.moves_are, one.offences) for one in found.sets] == [
        ("verified", 56, "right", ())
    ] * 2
    assert [hashlib.sha256(bytes.fromhex(one.seed or "")).hexdigest() for one in found.sets] == [
        one.commitment for one in found.sets
    ]


def test_offences_are_told_with_the_card_that_proves_each_and_the_numbers_of_both_events(cheated: list[Commit]) -> None:
    """Impossible plays should be flagged, and people decide about the rest (cozuya/secret-hitler#161)."""
    found = account_of(TABLE, cheated)
    assert found.verdict == "right"
    first, second, third = found.sets
    assert first.offences
    assert third.offences == (), "nobody cheated there"
    for one in (*first.offences, *second.offences):
        assert one.seat == honour.CHEAT
        (play,) = [event for event in _events(cheated, one.version) if hasattr(event, "card")]
        assert (play.seat, f"play {_card(play.card)}") == (honour.CHEAT, one.move)
        if one.shown_at is None:
            continue
        (proof,) = [event for event in _events(cheated, one.shown_at) if hasattr(event, "card")]
        assert (proof.seat, _card(proof.card)) == (honour.CHEAT, one.card)
        assert one.shown_at > (one.version or 0)
    assert {one.convicted for one in first.offences} == {False}
    assert {one.convicted for one in second.offences} == {True}
    happened = [event for commit in cheated for event in events.decode(commit.events)]
    (guilty,) = [event for event in happened if isinstance(event, Convicted)]
    assert [(one.what, one.move, one.card) for one in second.offences] == [
        (one.label, f"play {_card(one.card)}", _card(one.proof)) for one in guilty.offences
    ], "as the table itself found"
    told = "\n".join(said(found))
    assert "Nobody objected in time, so it costs nothing." in told
    assert "Player 1 accused Player 2" in told


def test_a_penalty_is_due_and_applied_and_says_what_it_follows_from(cheated: list[Commit]) -> None:
    found = account_of(TABLE, cheated)
    (penalty,) = found.penalties
    assert (penalty.due, penalty.set, len(penalty.evidence)) == (True, 2, 1)
    assert any(event == _row(penalty.values, penalty.row, penalty.kind) for event in _events(cheated, penalty.version))
    line = next(line for line in said(found) if "due and applied" in line)
    assert f"(version {penalty.version})" in line
    assert "Player 2 -30" in line


@pytest.mark.parametrize("kind", ["left out", "another"])
def test_a_penalty_that_is_missing_or_another_is_told_as_due_and_not_applied(cheated: list[Commit], kind: str) -> None:
    version = account_of(TABLE, cheated).penalties[0].version
    assert version is not None
    kept = []
    for event in _events(cheated, version):
        if isinstance(event, RowWritten):
            if kind == "left out":
                continue
            event = msgspec.structs.replace(event, values=tuple(None if one is None else -1 for one in event.values))
        kept.append(event)
    found = account_of(TABLE, made_right(changed(cheated, version - 1, events=events.encode(kept))))
    assert found.verdict == "wrong"
    assert found.fault is not None
    assert found.fault.version == version
    told = "\n".join(said(found))
    if kind == "left out":
        assert [one.version for one in found.penalties] in ([None], [])
    else:
        assert "DUE AND NOT APPLIED" in told
        assert f"APPLIED AND NOT DUE (version {version})" in told


async def test_as_long_as_somebody_may_still_object_nobody_is_told_what_the_cards_prove() -> None:
    """The table says nothing and hints nothing (CB-50): its account neither (cozuya/secret-hitler#1015)."""
    world = await new_world(steady_seeds)
    await world.started(TABLE, {"enforcement": "honour", "max_sets": "2", "target": "0", "hidden_call_test": "off"})
    state = await world.state(TABLE)
    while state.sets == 1:
        state = await honour.honest_or_not(world, cheats=True)
        found = account_of(TABLE, await world.engine.history(TABLE))
        assert [one.offences for one in found.sets] == [()] * len(found.sets)
    (first, _) = found.sets
    assert first.open, "until the first call of the next set"
    await honour.honest_or_not(world, cheats=False)
    found = account_of(TABLE, await world.engine.history(TABLE))
    assert not found.sets[0].open
    assert found.sets[0].offences


@pytest.mark.parametrize(
    ("change", "deal_is"), [(lambda game: renamed(game, '"callbreak/9"'), "verified"), (foreign, "fits")]
)
def test_rules_that_are_not_known_have_chain_and_promises_checked_and_no_move_judged(
    strict: list[Commit], change: Callable[[list[Commit]], list[Commit]], deal_is: str
) -> None:
    commits = change(strict)
    found = account_of(TABLE, commits)
    assert (found.verdict, found.fault, fault_of(TABLE, commits)) == ("unjudged", None, None)
    assert [(one.deal_is, one.moves_are) for one in found.sets] == [(deal_is, "unjudged")] * 2
    assert all(one.moves > 50 for one in found.sets)
    assert "it judged no move" in said(found)[-1]


def test_a_seed_that_was_not_promised_is_found_under_rules_that_are_not_known(strict: list[Commit]) -> None:
    commits = foreign(strict)
    at = next(index for index, commit in enumerate(commits) if b"table.seed_revealed" in commit.events)
    told = json.loads(commits[at].events)
    for event in told:
        if event["type"] == "table.seed_revealed":
            event["seed"] = "dHR0dA=="
    wrong = made_right(changed(commits, at, events=msgspec.json.encode(told)))
    found = account_of(TABLE, wrong)
    assert found.fault is not None
    assert (found.verdict, found.fault.code, found.fault.version) == ("wrong", "seed_does_not_fit", at + 1)
    assert found.sets[0].deal_is == "wrong"
    assert fault_of(TABLE, wrong) == found.fault
    assert fault_of(TABLE, changed(commits, 10, time=5)) is not None, "the chain is looked at, too"


def test_a_card_that_was_changed_is_the_fault_of_its_set_and_later_sets_are_not_judged(strict: list[Commit]) -> None:
    at = next(index for index, commit in enumerate(strict) if b"callbreak.card_played" in commit.events)
    told = json.loads(strict[at].events)
    told[0]["card"] = (told[0]["card"] + 13) % 52
    found = account_of(TABLE, made_right(changed(strict, at, events=msgspec.json.encode(told))))
    assert found.verdict == "wrong"
    assert found.fault is not None
    assert found.fault.version is not None
    assert found.fault.version > at, "the first move that cannot have been made after it"
    assert (found.fault.set, found.sets[0].moves_are) == (1, "wrong")
    assert all(one.moves_are == "unjudged" for one in found.sets[1:])


async def test_what_was_done_by_right_of_office_is_told_with_who_and_why() -> None:
    world = await new_world(steady_seeds)
    await world.started(TABLE)
    why = "a card fell on the floor"
    reason = hashlib.sha256(why.encode()).hexdigest()
    for act, hash_ in ((Pause(""), ""), (Resume(""), ""), (Void(reason), reason)):
        await world.engine.submit(TABLE, "person:eve", act, f"test {act} {hash_}", admin=True)
    await world.engine.submit(TABLE, "clock", Pause(""), "test clock")
    commits = await world.engine.history(TABLE)
    found = with_reasons(account_of(TABLE, commits), {reason: why, "00": "another"})
    assert [(one.act, one.actor, one.why) for one in found.acts] == [
        ("pause", "person:eve", ""),
        ("resume", "person:eve", ""),
        ("void", "person:eve", why),
        ("pause", "clock", ""),
    ]
    told = accounts.lines(TEXTS, found, accounts.names(TEXTS, found, {}), {"person:eve": "Eve"})
    (line,) = [line for line in told if "does not count" in line and "Why" in line]
    assert "Eve decided that the set does not count. Why: a card fell on the floor" in line
    forged = with_reasons(account_of(TABLE, commits), {reason: "other words"})
    assert [one.why for one in forged.acts] == [""] * 4, "words that do not fit their hash are not told"


async def test_moves_that_the_clock_made_are_told_with_their_versions() -> None:
    world = await new_world(steady_seeds)
    await world.started(TABLE, {"turn_seconds": "300"})
    world.clock.pass_time(301_000)
    await world.keeper().expire(TABLE)
    commits = await world.engine.history(TABLE)
    found = account_of(TABLE, commits)
    (made,) = found.sets[-1].automatic
    assert made.version == len(commits)
    assert made.move.startswith("call ")
    assert "1 move by the clock (version): Player" in "\n".join(said(found))


def test_whatever_a_file_holds_an_account_is_made_of_it(strict: list[Commit]) -> None:
    rng = random.Random(20)
    for _ in range(300):
        at = rng.randrange(len(strict))
        data = bytearray(strict[at].events)
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(32, 127)
        commits = changed(strict, at, events=bytes(data))
        commits = made_right(commits) if rng.random() < 0.8 else commits
        found = account_of(TABLE, commits)
        assert said(found)
        assert found.verdict == "right" or found.fault is not None or found.verdict == "unjudged"
        assert msgspec.json.encode(found)
        assert page(TEXTS, [found], {})


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.attributes: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_needs_nothing_from_elsewhere_and_escapes_what_people_call_themselves(cheated: list[Commit]) -> None:
    known = {PEOPLE[0]: "<script>alert(1)</script>", PEOPLE[1]: '"><img src=x>'}
    found = account_of(TABLE, cheated)
    read = _Tags()
    read.feed(page(TEXTS, [found, found], known))
    assert not {"script", "img", "link", "iframe"} & set(read.seen)
    assert not {"src", "onclick", "onload"} & set(read.attributes)
    assert "<script>alert" in read.text, "as the name that it is"
    assert found.fingerprint in read.text
    assert "Nobody objected in time" in read.text
    assert read.seen.count("section") == 2


def _events(commits: list[Commit], version: int | None) -> tuple[Any, ...]:
    assert version is not None
    return events.decode(commits[version - 1].events)


def _card(card: int) -> str:
    return cards.name(card)


def _row(values: tuple[int | None, ...], row: int, kind: str) -> RowWritten:
    return RowWritten(row - 1, values, kind)


def test_the_page_about_the_audit_names_every_field_of_the_json() -> None:
    told = (Path(__file__).parents[3] / "docs" / "audit.md").read_text(encoding="utf-8")
    kinds = (Account, Fault, SetAccount, Automatic, Accusation, Offence, Penalty, Act, SeatAccount)
    fields = {name for kind in kinds for name in kind.__struct_fields__}
    assert sorted(name for name in fields if f"`{name}`" not in told) == []
    assert f"`{FORMAT}`" in told
