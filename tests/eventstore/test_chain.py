from __future__ import annotations

import hashlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eventstore.chain import BrokenChain, fingerprint, link, verify
from eventstore.record import NO_HEAD, Commit

texts = st.text(max_size=20)
facts = st.tuples(st.integers(0, 2**53), texts, texts, st.binary(max_size=60))


def chain(table: str, made: list[tuple[int, str, str, bytes]]) -> list[Commit]:
    commits: list[Commit] = []
    for version, (time, actor, command, events) in enumerate(made, start=1):
        previous = commits[-1].hash if commits else NO_HEAD
        hash = link(table, version, previous, time, actor, command, events)
        commits.append(
            Commit(table=table, version=version, time=time, actor=actor, command=command, events=events, hash=hash)
        )
    return commits


def test_the_link_is_the_published_one() -> None:
    events = b'[{"type":"table.opened","seats":4}]'
    first = link("7f3a9c-1", 1, NO_HEAD, 1_790_000_000_000, "person:b2", "tg:1:2:7f3a9c-1", events)
    assert first.hex() == "d18baf4a8244592c17b7b411a05bd2e51bcd43d82adae326617ceef0af23dd44"
    second = link("7f3a9c-1", 2, first, 1_790_000_000_001, "computer:steady", "c", b"x" * 2000)
    assert second.hex() == "ae9e6a3da7c095c5607935571bac631284021f38164701d9d47430526f4c0754"


def test_the_link_is_sha256_over_length_prefixed_fields() -> None:
    written = b"".join(
        [
            b"\x00\x00\x00\x03h-1",
            b"\x00\x00\x00\x0212",
            b"\x00\x00\x00\x20" + bytes(32),
            b"\x00\x00\x00\x0234",
            b"\x00\x00\x00\x02\xc3\xbc",
            b"\x00\x00\x00\x01c",
            b"\x00\x00\x00\x02[]",
        ]
    )
    assert link("h-1", 12, NO_HEAD, 34, "ü", "c", b"[]") == hashlib.sha256(written).digest()


@given(texts, st.lists(facts, max_size=5))
def test_an_untouched_chain_verifies(table: str, made: list[tuple[int, str, str, bytes]]) -> None:
    commits = chain(table, made)
    assert verify(commits) == (commits[-1].hash if commits else NO_HEAD)
    for after in range(len(commits)):
        head = verify(commits[:after])
        assert verify(commits[after:], version=after, previous=head) == verify(commits)


@given(st.lists(facts, min_size=1, max_size=4), st.data())
def test_any_flipped_byte_of_events_or_hash_is_found(
    made: list[tuple[int, str, str, bytes]], data: st.DataObject
) -> None:
    commits = chain("h-1", made)
    place = data.draw(st.integers(0, len(commits) - 1))
    field = data.draw(st.sampled_from(["events", "hash"]))
    before: bytes = getattr(commits[place], field)
    flipped = bytearray(before or b"\x00")
    flipped[data.draw(st.integers(0, len(flipped) - 1))] ^= data.draw(st.integers(1, 255)) if before else 0
    commits[place] = msgspec.structs.replace(commits[place], **{field: bytes(flipped)})
    with pytest.raises(BrokenChain) as broken:
        verify(commits)
    assert broken.value.version == place + 1
    assert broken.value.table == "h-1"


@given(st.lists(facts, min_size=1, max_size=4), st.data())
def test_any_other_field_that_changed_is_found(made: list[tuple[int, str, str, bytes]], data: st.DataObject) -> None:
    commits = chain("h-1", made)
    place = data.draw(st.integers(0, len(commits) - 1))
    field = data.draw(st.sampled_from(["time", "actor", "command", "table", "version"]))
    before = getattr(commits[place], field)
    other = data.draw(
        (st.integers(0, 2**53) if isinstance(before, int) else texts).filter(lambda value: value != before)
    )
    commits[place] = msgspec.structs.replace(commits[place], **{field: other})
    with pytest.raises(BrokenChain):
        verify(commits)


@given(st.lists(facts, min_size=2, max_size=5, unique=True), st.data())
def test_a_commit_taken_out_or_swapped_is_found(made: list[tuple[int, str, str, bytes]], data: st.DataObject) -> None:
    commits = chain("h-1", made)
    place = data.draw(st.integers(0, len(commits) - 2))
    with pytest.raises(BrokenChain):
        verify(commits[:place] + commits[place + 1 :])
    commits[place], commits[place + 1] = commits[place + 1], commits[place]
    with pytest.raises(BrokenChain):
        verify(commits)


def test_bytes_moved_from_one_field_to_the_next_make_another_link() -> None:
    assert link("h-1", 1, NO_HEAD, 1, "ab", "c", b"") != link("h-1", 1, NO_HEAD, 1, "a", "bc", b"")


def test_a_chain_goes_on_only_from_its_own_head() -> None:
    commits = chain("h-1", [(1, "a", "b", b"[]"), (2, "a", "c", b"[]")])
    with pytest.raises(BrokenChain, match="h-1 version 2: the hash does not match"):
        verify(commits[1:], version=1, previous=NO_HEAD)
    with pytest.raises(BrokenChain, match="h-1 version 2: expected version 1"):
        verify(commits[1:])


def test_a_fingerprint_is_twenty_small_characters_of_base32() -> None:
    assert fingerprint(NO_HEAD) == "a" * 20
    assert fingerprint(bytes(range(32))) == "aaaqeayeaudaocajbifq"
