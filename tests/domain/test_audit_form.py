"""The one form of stored events: whatever else means the same is another form."""

from __future__ import annotations

import pytest

from domain import events
from domain.audit_form import LARGEST, is_compact, is_stored_form

RIGHT = b'[{"type":"table.row_written","set":0,"values":[1,null]}]'
SPELLED_OTHERWISE = {
    "a space": b'[{"type":"table.row_written","set": 0,"values":[1,null]}]',
    "a key twice": b'[{"type":"table.row_written","set":1,"set":0,"values":[1,null]}]',
    "a key escaped": b'[{"type":"table.row_written","\\u0073et":0,"values":[1,null]}]',
    "another order": b'[{"type":"table.row_written","values":[1,null],"set":0}]',
    "a field that there is not": b'[{"type":"table.row_written","set":0,"values":[1,null],"note":""}]',
    "a text at its default": b'[{"type":"table.row_written","set":0,"values":[1,null],"kind":"score"}]',
}


def test_what_is_stored_is_in_its_form() -> None:
    assert is_stored_form(RIGHT, events.decode(RIGHT))
    other = RIGHT.replace(b"}", b',"kind":"penalty"}')
    assert is_stored_form(other, events.decode(other))


@pytest.mark.parametrize("how", SPELLED_OTHERWISE)
def test_every_other_spelling_of_the_same_is_refused(how: str) -> None:
    data = SPELLED_OTHERWISE[how]
    assert events.decode(data) == events.decode(RIGHT)
    assert not is_stored_form(data, events.decode(data))


def test_a_flag_and_a_list_at_their_defaults_are_refused() -> None:
    for data in (
        b'[{"type":"table.expired","decision":1,"seats":[0],"counts":true}]',
        b'[{"type":"table.started","how":"host","dealer":0,"draws":[]}]',
        b'[{"type":"chinchon.drew_stock","seat":0,"card":-1}]',
    ):
        assert not is_stored_form(data, events.decode(data))


@pytest.mark.parametrize("number", [LARGEST, -LARGEST, LARGEST + 1, -LARGEST - 1, 10**30])
def test_a_number_has_to_be_one_that_every_reader_can_hold(number: int) -> None:
    told = b'[{"type":"other.event","at":%d}]' % number
    assert is_compact(told) == (abs(number) <= LARGEST)
    row = b'[{"type":"table.resumed","end":%d}]' % number
    if abs(number) < 1 << 63:
        assert is_stored_form(row, events.decode(row)) == (abs(number) <= LARGEST)


@pytest.mark.parametrize(
    "data", [b"", b"[", b'[{"a":1.0}]', b'[{"a":1e3}]', b'[{"a":1,"a":1}]', b'[{"a": 1}]', b"[" * 9999]
)
def test_what_two_readers_might_read_in_two_ways_is_not_compact(data: bytes) -> None:
    assert not is_compact(data)
