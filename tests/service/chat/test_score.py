"""`/score`: the sheet on a telephone, for two seats or eight, for one set or two hundred."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from rich.cells import cell_len

from domain import table
from domain.table import Row, View
from service.chat.api.post import Post
from service.chat.api.tokens import PageToken, write
from service.chat.board import paging, show
from service.text import language, sheet
from tests.domain.play import started
from tests.service.chat.conftest import Running
from tests.service.chat.test_logbook import dealt

TEXTS = language("en")
TELEPHONE = 34  # columns
ALIKE = [f"Player {number}" for number in range(1, 9)]
LONG = ["Ann", "Maximilian", "Maximiliane", "Bikram 🤖", "Дмитрий Иванович", "王王王王王王", "<b>&amp;", "x"]


def view(game: str, rows: list[Row], **options: Any) -> View:
    seen = table.observe(started(game, **options).state, None)
    seats = len(seen.seats)
    totals = tuple(sum(row.values[seat] or 0 for row in rows) for seat in range(seats))
    return msgspec.structs.replace(seen, rows=tuple(rows), totals=totals)


def rows(sets: int, seats: int = 8, worst: int = -1250) -> list[Row]:
    return [
        Row(number, tuple(worst if seat == number % seats else number * 7 % 140 for seat in range(seats)), "score")
        for number in range(sets)
    ]


def lines(post: Post) -> list[str]:
    found = re.search("<pre>(.*)</pre>", post.html, re.DOTALL)
    assert found is not None
    return found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").splitlines()


@pytest.mark.parametrize("names", [ALIKE, LONG])
def test_eight_seats_fit_a_telephone_and_no_score_is_cut(names: list[str]) -> None:
    seen = view("snitch", [*rows(12), Row(11, (None,) * 7 + (-50,), "penalty")])
    shown = lines(paging.score_page(TEXTS, seen, names, bytes(32), None))
    assert max(map(cell_len, shown)) <= TELEPHONE
    written = [word for line in shown for word in line.split()]
    assert written.count("-1250") == 12
    assert all(str(total) in written for total in seen.totals)
    assert "-50*" in written
    assert shown[-1] == "* penalty"


def test_names_that_differ_at_their_end_stay_different() -> None:
    shown = lines(paging.score_page(TEXTS, view("snitch", rows(1)), ALIKE, bytes(32), None))
    heads = [name for line in shown if "Pla" in line for name in line.split()]
    assert len(heads) == len(set(heads)) == 8


def test_two_seats_have_room_for_their_names() -> None:
    seen = view("chinchon", rows(2, 2), seats=2)
    assert lines(paging.score_page(TEXTS, seen, ["Maximilian", "Bob"], bytes(32), None))[0].split() == [
        "Maximilian",
        "Bob",
    ]


@pytest.mark.parametrize("sets", [1, 24, 25, 200])
def test_every_row_of_a_long_game_stands_on_one_page(sets: int) -> None:
    seen = view("snitch", rows(sets))
    last = paging.score_page(TEXTS, seen, LONG, bytes(32), None)
    pages = int(found[1]) if (found := re.search(r"\(\d+/(\d+)\)", last.html)) else 1
    numbers: list[str] = []
    for page in range(pages):
        post = paging.score_page(TEXTS, seen, LONG, bytes(32), page)
        assert len(post.html) <= 4096
        numbers += dict.fromkeys(line.split()[0] for line in lines(post) if line.split() and line.split()[0].isdigit())
    assert numbers == [str(number + 1) for number in range(sets)]
    assert paging.score_page(TEXTS, seen, LONG, bytes(32), 99_999) == last, "a page too high is the last one"


def test_the_message_of_a_game_that_is_over_holds_the_sheet_of_eight_seats() -> None:
    seen = msgspec.structs.replace(view("snitch", rows(200)), phase="over", ended="max_sets", winners=(0,))
    assert len(show.table(TEXTS, seen, LONG, "bot").html) <= 4096


def test_the_marks_of_several_kinds_are_explained_within_the_width() -> None:
    seen = view("chinchon", [*rows(1, 2), Row(0, (20, None), "penalty"), Row(0, (None, 95), "rebuy")], seats=2)
    shown = sheet.block(TEXTS, seen, ["Ann", "Bob"], 20).splitlines()
    assert max(map(cell_len, shown)) <= 20
    assert " ".join(shown[-2:]) == "* penalty, † enters again"


async def test_the_sheet_says_so_while_nothing_is_scored_and_is_no_page_for_a_forger(running: Running) -> None:
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = await dealt(running, ann, bob)
    ann.say(group, "/score")
    told = await running.until(lambda: ann.find(group, "No set has been scored yet"))
    name = next(b.value for m in ann.sees(group) for row in m.keyboard for b in row if b.text == "My hand")
    forged = write(PageToken(name.split(":")[1], "score", 0, 7))
    answer = ann.tap_raw(told, forged)
    assert "does nothing any more" in (await running.until(lambda: answer.query.answer)).text
