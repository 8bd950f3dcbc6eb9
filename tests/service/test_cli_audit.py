"""The command audit: accounts as text, as JSON and as a page, of one table and of many."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from eventstore.record import Commit
from tests.domain.edited_records import a_record
from tests.service.conftest import Say
from tests.service.reports import honour
from tests.service.reports.test_account import foreign
from tests.service.tampered import written
from tests.service.tampering import changed, made_right


@pytest.fixture(scope="module")
def cheated() -> list[Commit]:
    async def game() -> list[Commit]:
        return await honour.finished(await honour.accused())

    return asyncio.run(game())


def test_the_account_of_an_export_is_told_set_by_set(say: Say, cheated: list[Commit], tmp_path: Path) -> None:
    code, out, err = say("audit", written(tmp_path / "game.jsonl", cheated))
    assert (code, err) == (0, "")
    for said in ("Set 3 (from version 77): deal verified", "offence: Player 2 played", "due and applied (version 77)"):
        assert said in out


def test_as_json_everything_is_one_document(say: Say, cheated: list[Commit], tmp_path: Path) -> None:
    other = made_right(cheated, "other-1")
    code, out, _ = say("audit", written(tmp_path / "game.jsonl", cheated, other), "--json")
    document = json.loads(out)
    assert (code, document["format"]) == (0, "tabletalk-audit/1")
    first, second = document["tables"]
    assert (first["table"], second["table"]) == (honour.TABLE, "other-1")
    assert (first["verdict"], first["penalties"][0]["due"], first["penalties"][0]["version"]) == ("right", True, 77)
    assert first["sets"][1]["offences"][0]["convicted"] is True
    assert first["sets"][1]["seed"] == first["sets"][2]["seed"], "a void set is dealt again from the same seed"


def test_a_faulty_table_is_in_the_json_and_the_page_too(say: Say, cheated: list[Commit], tmp_path: Path) -> None:
    wrong = made_right(changed(cheated, 20, time=1))
    page = tmp_path / "page.html"
    path = written(tmp_path / "game.jsonl", made_right(cheated, "aaa-1"), wrong)
    code, out, err = say("audit", path, "--json", "--html", str(page))
    assert code == 1
    assert "home-1" in err
    assert [table["verdict"] for table in json.loads(out)["tables"]] == ["right", "wrong"]
    assert json.loads(out)["tables"][1]["fault"]["version"] == 21
    told = page.read_text(encoding="utf-8")
    assert "Something is wrong: version 21" in told
    assert "<script" not in told


def test_a_game_that_nobody_here_knows_is_verified_as_far_as_it_can_be(
    say: Say, cheated: list[Commit], tmp_path: Path
) -> None:
    code, out, err = say("audit", written(tmp_path / "game.jsonl", foreign(cheated)))
    assert (code, err) == (3, "")
    assert out.startswith("NOT JUDGED: 1 table has rules that this program does not know, so no move of it was judged")
    assert "the seed is the one that was promised" in out


def test_a_page_that_cannot_be_written_is_one_line(say: Say, cheated: list[Commit], tmp_path: Path) -> None:
    path = written(tmp_path / "game.jsonl", cheated)
    code, _, err = say("audit", path, "--html", str(tmp_path / "none" / "page.html"))
    assert (code, "cannot write" in err, len(err.splitlines())) == (1, True, 1)
    code, _, err = say("audit", path, "--html", "")
    assert (code, "--html needs the path of a file" in err) == (2, True)


def test_a_record_has_no_events_to_account_for(say: Say, tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(json.dumps(a_record()).encode())
    code, _, err = say("audit", str(path), "--json")
    assert (code, "a record has no events" in err) == (1, True)
