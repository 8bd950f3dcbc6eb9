"""Records that are as they should be, and such as have another form: format, options, junk."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain import record
from domain.audit import Finding, audit_record
from tests.domain.edited_records import Edit, a_record, audit, edited
from tests.domain.play import started


def test_what_was_played_is_as_the_rules_say() -> None:
    assert audit(a_record()) is None


@pytest.mark.parametrize("preset", ["source", "app"])
@pytest.mark.parametrize("word", ["a", "b", "c"])
def test_games_under_each_preset_are_accepted(preset: str, word: str) -> None:
    more = {} if preset == "app" else {"target": "100"}
    sitting = started(word=word, persons=0, preset=preset, **more).steady()  # type: ignore[arg-type]
    assert audit(a_record(sitting)) is None


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (lambda found: found.update(format="tabletalk-record/2"), "unknown_format"),
        (lambda found: found.update(game="bridge"), "no_such_game"),
        (lambda found: found.update(game="x" * 10_000), "no_such_game"),
        (lambda found: found.update(ruleset="callbreak/9"), "unknown_ruleset"),
        (lambda found: found.update(seats=3), "wrong_seats"),
        (lambda found: found.update(seats=10**12), "wrong_seats"),
        (lambda found: found["first_dealer"].update(how="magic"), "wrong_first_dealer"),
        (lambda found: found["first_dealer"].update(how="seven"), "wrong_first_dealer"),
        (lambda found: found["first_dealer"].update(draws=["2S"]), "wrong_first_dealer"),
        (lambda found: found["first_dealer"].update(how="random", draws=["2S"]), "wrong_first_dealer"),
        (lambda found: found["first_dealer"].update(how="random", draws=["KH"]), "wrong_first_dealer"),
        (lambda found: found["first_dealer"].update(luck=1), "not_a_record"),
        (lambda found: found.update(comment="fine"), "not_a_record"),
        (lambda found: found["sets"][0].update(comment="fine"), "not_a_record"),
        (lambda found: found["sets"][0].update(reshuffles=[[]]), "wrong_extra"),
        (lambda found: found["sets"][0].update(reshuffles=[["2S"]]), "wrong_extra"),
        (lambda found: found["sets"][0].update(reshuffles=[["Z9"]]), "not_a_card"),
        (lambda found: found["sets"][0]["extra"].update(mood="fine"), "wrong_extra"),
        (lambda found: found["sets"][0].update(extra={}), "wrong_extra"),
        (lambda found: found["sets"][0]["moves"].insert(0, "00 call 3"), "not_a_move"),
        (lambda found: found["sets"][0]["moves"].insert(0, "4 call 3"), "no_such_seat"),
        (lambda found: found["sets"][0]["moves"].insert(0, {"away": 1}), "unknown_event"),
        (lambda found: found["options"].pop("target"), "option_missing"),
        (lambda found: found["options"].update(weather="fine"), "no_such_option"),
        (lambda found: found["options"].update(target="300"), "bad_options"),
        (lambda found: found["options"].update(target=None), "bad_options"),
        (lambda found: found["options"].update(target=10), "bad_option"),
        (lambda found: found["options"].update(target=10**30), "bad_options"),
        (lambda found: found["options"].update(must_beat=1), "bad_options"),
        (lambda found: found["options"].update(redeal="no_trump"), "bad_options"),
        (lambda found: found["options"].update(redeal=["no_trump", "no_trump"]), "bad_option"),
        (lambda found: found["options"].update(enforcement="lax"), "bad_options"),
        (lambda found: found["options"].update(min_call=9, max_call=4), "min_call_over_max_call"),
        (lambda found: found["options"].update(target=0, max_sets=0), "no_end"),
        (lambda found: found.pop("rows"), "not_a_record"),
        (lambda found: found.update(sets=None), "not_a_record"),
        (lambda found: found.update(sets={}), "not_a_record"),
        (lambda found: found["sets"][0].pop("deck"), "not_a_record"),
        (lambda found: found["sets"][0].update(deck="AS"), "not_a_record"),
        (lambda found: found["sets"][0].update(deck=[1, 2, 3]), "not_a_record"),
        (lambda found: found["sets"][0].update(dealer="0"), "not_a_record"),
        (lambda found: found["sets"][0].update(dealer=True), "not_a_record"),
        (lambda found: found["sets"][0].update(dealer=10**40), "wrong_dealer"),
        (lambda found: found["sets"][0].update(dealer=-1), "wrong_dealer"),
        (lambda found: found["sets"][0].update(moves=[1]), "not_a_record"),
        (lambda found: found["sets"][0].update(scores=["1", 2, 3, 4]), "not_a_record"),
        (lambda found: found.update(rows=[[[0, 1]]]), "not_a_record"),
        (lambda found: found.update(totals="0"), "not_a_record"),
        (lambda found: found.update(winners=[None]), "not_a_record"),
    ],
)
def test_a_record_of_another_form(edit: Edit, code: str) -> None:
    assert edited(edit).code == code


@pytest.mark.parametrize(
    "data", [b"", b"{", b"\xff", b"[" * 100_000, b"9" * 10_000, b"null", b'"' + b"x" * 10_000 + b'"']
)
def test_bytes_that_are_no_record(data: bytes) -> None:
    finding = audit_record(data)
    assert finding is not None
    assert finding.code == "not_a_record"
    assert len(finding.values["text"]) <= 200


@pytest.mark.parametrize("key", ["format", "seats", "sets", "dealer", "must_beat", "how", "trump"])
def test_a_key_that_is_there_twice(key: str) -> None:
    text = record.write(a_record()).decode()
    at = text.index(f'"{key}":')
    finding = audit_record(f'{text[:at]}"{key}": null, {text[at:]}'.encode())
    twice = audit_record(f"{text[:at]}{_member(text, at)}, {text[at:]}".encode())
    assert finding is not None
    assert twice == Finding("not_a_record", values={"text": f"the key {key!r} is there twice"})


def _member(text: str, at: int) -> str:
    """A key with its value, as it stands in a record."""
    value = text.index(":", at) + 2
    _, end = json.JSONDecoder().raw_decode(text, value)
    return text[at:end]


def test_a_record_cut_off_anywhere_is_a_finding() -> None:
    data = record.write(a_record())
    for end in range(0, len(data) - 2, max(1, len(data) // 60)):
        assert audit_record(data[:end]) is not None


_JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data(), junk=_JUNK)
def test_junk_anywhere_in_a_record_is_a_finding_or_harmless_but_never_a_traceback(
    data: st.DataObject, junk: Any
) -> None:
    found = a_record()
    at: Any = found
    for _ in range(data.draw(st.integers(1, 4))):
        keys = list(at) if isinstance(at, dict) else list(range(len(at))) if isinstance(at, list) else []
        if not keys:
            break
        parent, key = at, data.draw(st.sampled_from(keys))
        at = at[key]
    before = copy.deepcopy(parent[key])
    parent[key] = junk
    finding = audit_record(json.dumps(found).encode())
    assert finding is not None or junk == before
