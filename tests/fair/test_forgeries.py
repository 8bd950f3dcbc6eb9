"""Forged exports before `tabletalk audit` and before docs/verify.html: both refuse what a file alone betrays."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from eventstore.chain import fingerprint
from eventstore.record import Commit
from tests.fair.browser import Browser
from tests.fair.forged import FORGERIES, Forgery, forge
from tests.fair.verifying import PRINT, verdict
from tests.service.tampered import said, written
from tests.service.tampering import made_right


@pytest.mark.parametrize("forgery", FORGERIES, ids=[f"{one.what}{' (remade)' * one.remade}" for one in FORGERIES])
def test_what_a_file_alone_betrays_the_page_and_the_audit_refuse_with_its_place_and_the_rest_is_found_by_the_head(
    browser: Browser, game: list[Commit], tmp_path: Path, forgery: Forgery
) -> None:
    file = forge(tmp_path / "forged.jsonl", game, forgery)
    head = fingerprint(game[-1].hash)
    code, out, errors = said(tmp_path, "audit", str(file))
    heard = verdict(browser, file)
    if forgery.betrayed:
        assert code == 1
        assert heard.startswith("✘ WRONG. ")
        shown = (
            heard if re.search(r"\bline \d", heard) else browser.runs("document.querySelector('#report p').innerText")
        )
        found, theirs = _place(errors), _place(shown)
        assert found
        if forgery.what == "another dealer put in":  # no rule says to the page who deals: a card of that deal does
            assert 0 < theirs["version"] - found["version"] < 10
        else:
            assert found.items() <= theirs.items()
    else:
        assert code == (3 if forgery.unjudged else 0)
        assert out.startswith("NOT JUDGED: " if forgery.unjudged else "ok: ")
        assert heard.startswith("– NOT CHECKED. " if forgery.unjudged else "✔ RIGHT. ")
        browser.runs(f"(print => {{ print.value = '{head}'; print.dispatchEvent(new Event('input')) }})({PRINT})")
        assert browser.runs("document.getElementById('compared').innerText").startswith("✘ NOT FOUND")
    assert said(tmp_path, "audit", str(file), "--head", head)[0] == 1


def _place(said: str) -> dict[str, int]:
    """The version and the line that are named."""
    return {word: int(number) for word, number in re.findall(r"\b(version|line) (\d+)", said)}


def test_scores_that_do_not_follow_from_the_tricks_are_found_by_the_audit_and_not_by_the_page(
    browser: Browser, game: list[Commit], tmp_path: Path
) -> None:
    """What the page says of itself (docs/fair-deals.md, 11): scores that do not follow from the tricks."""
    place = max(index for index, commit in enumerate(game) if b"table.set_ended" in commit.events)
    events = re.sub(
        rb'(?<="scores":|"values":)\[(-?\d+)', lambda found: b"[%d" % (int(found[1]) + 10), game[place].events
    )
    forged = made_right([*game[:place], msgspec.structs.replace(game[place], events=events), *game[place + 1 :]])
    file = Path(written(tmp_path / "scores.jsonl", forged))
    assert said(tmp_path, "audit", str(file))[0] == 1
    assert verdict(browser, file).startswith("✔ RIGHT. ")
