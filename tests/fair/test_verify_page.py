"""docs/verify.html in a real Chromium, opened from a file, beside `tabletalk audit`: right files and forged ones."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from domain.games import GAMES
from eventstore.chain import fingerprint
from eventstore.record import Commit
from tests.domain.eventful import eventful
from tests.fair.browser import Browser
from tests.fair.dealing import commits, expected, many, sitting, write
from tests.fair.programs import program
from tests.fair.verifying import PAGE, PRINT, VERDICT, verdict
from tests.service.tampered import said, written
from tests.service.tampering import made_right

pytestmark = pytest.mark.timeout(300)


def test_a_whole_game_is_right_and_every_deal_came_out_again(
    browser: Browser, game: list[Commit], tmp_path: Path
) -> None:
    file = Path(written(tmp_path / "game.jsonl", game))
    assert verdict(browser, file) == (
        f"✔ RIGHT. 1 table, {len(game)} commits: the chain holds, and 4 deals came out again as they were."
    )
    assert said(tmp_path, "audit", str(file))[0] == 0
    report = browser.runs("document.getElementById('report').innerText")
    assert fingerprint(game[-1].hash) in report
    assert len(re.findall(r"Set \d: ✔ RIGHT\. Seat \d dealt, ended: ", report)) == 4


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_every_deal_of_every_game_comes_out_right_with_the_cards_that_were_dealt(
    browser: Browser, tmp_path: Path, slug: str
) -> None:
    """The engine was live, and the page to verify with “ships later” (ItachiDevv/ClawVille#144)."""
    eventful_ones = [commits(eventful(slug, number), f"eventful{number}-1") for number in range(6)]
    tables = [*many(slug, 150), *eventful_ones]
    file = write(tmp_path / "tables.jsonl", tables)
    deals = [said for table in tables for said in expected(table) if "hands" in said]
    count = sum(map(len, tables))
    assert verdict(browser, file) == (
        f"✔ RIGHT. {len(tables)} tables, {count:,} commits: the chain holds, and {len(deals)} deals came out again as "
        "they were."
    )
    browser.runs("document.querySelector('details').open = true")
    shown = browser.waits("document.querySelector('details dl')?.innerText")
    for seat, hand in enumerate(deals[0]["hands"]):
        assert f"Seat {seat}\n{' '.join(_name(slug, card) for card in hand)}\n" in f"{shown}\n"


def _name(slug: str, card: int) -> str:
    written = GAMES[slug].card_name(card)
    if ":" in written or written.startswith("X"):
        return written.replace("X", "★") if ":" not in written else written
    return written[0].replace("T", "10") + "♠♥♦♣"["SHDC".index(written[1])]


@pytest.mark.parametrize(
    "log", sorted((Path(__file__).parents[1] / "golden").glob("*/*.json")), ids=lambda log: log.stem
)
def test_old_games_are_right_too(browser: Browser, tmp_path: Path, log: Path) -> None:
    told = re.findall(r'^    \[(\d+), "([^"]+)", (.*)\],?$', log.read_text("utf-8"), re.MULTILINE)
    drafts = [
        Commit(table="", version=1, time=int(time), actor=actor, command=f"c{place}", events=data.encode(), hash=b"")
        for place, (time, actor, data) in enumerate(told)
    ]
    assert drafts
    file = Path(written(tmp_path / "golden.jsonl", made_right(drafts, "golden-1")))
    heard = verdict(browser, file)
    assert heard.startswith(f"✔ RIGHT. 1 table, {len(drafts)} commits: the chain holds, and ")


COMPARED = "document.getElementById('compared').innerText"


def types(browser: Browser, text: str) -> str:
    """What the page says of a fingerprint that is typed."""
    browser.runs(f"{PRINT}.value = ''")
    browser.runs(f"{PRINT}.focus()")
    browser.calls("Input.insertText", text=text)
    return str(browser.runs(COMPARED))


def test_a_fingerprint_of_the_chat_is_found_and_says_up_to_where_it_vouches(
    browser: Browser, game: list[Commit], tmp_path: Path
) -> None:
    verdict(browser, Path(written(tmp_path / "game.jsonl", game)))
    last, before = fingerprint(game[-1].hash), fingerprint(game[59].hash)
    assert types(browser, f" {last.upper()} ").endswith("as the chat was shown. Nothing follows it.")
    assert f"version 60 of table {game[0].table}" in types(browser, before)
    assert types(browser, before).endswith(f"It does not vouch for the {len(game) - 60} commits after it.")
    assert types(browser, "abc").startswith("A fingerprint has 20 letters")
    assert types(browser, "a" * 20).startswith("✘ NOT FOUND")


def test_a_seed_that_is_not_revealed_yet_is_said_so(browser: Browser, game: list[Commit], tmp_path: Path) -> None:
    heard = verdict(browser, Path(written(tmp_path / "running.jsonl", game[:30])))
    assert heard.startswith("✔ RIGHT. 1 table, 30 commits: the chain holds, and 0 deals came out again")
    assert heard.endswith("1 deal cannot be checked yet: the seed is not revealed before the set is over.")
    assert "Set 1: ⏳ NOT REVEALED YET" in browser.runs("document.getElementById('report').innerText")


def test_several_tables_are_judged_each_for_itself(browser: Browser, game: list[Commit], tmp_path: Path) -> None:
    others = [commits(sitting(slug, 1), f"other{place}-1") for place, slug in enumerate(("callbreak", "snitch"))]
    forged = [*game[:20], *game[21:]]
    file = Path(written(tmp_path / "three.jsonl", others[0], forged, others[1]))
    assert verdict(browser, file) == "✘ WRONG. 1 table of 3 cannot have been like this. See below where."
    report = browser.runs("document.getElementById('report').innerText")
    assert re.findall(r"Table (\S+).*\n+(✔ RIGHT|✘ WRONG)", report) == [
        ("other0-1", "✔ RIGHT"),
        ("home-1", "✘ WRONG"),
        ("other1-1", "✔ RIGHT"),
    ]


def test_a_file_that_is_dropped_on_the_page_is_read(browser: Browser, game: list[Commit], tmp_path: Path) -> None:
    browser.opens(PAGE)
    browser.drops("#drop", Path(written(tmp_path / "game.jsonl", game)))
    assert browser.waits(VERDICT).startswith("✔ RIGHT. ")


def test_a_big_file_shows_its_progress(browser: Browser, tmp_path: Path) -> None:
    tables = [commits(sitting("snitch", number % 40), f"big{number}-1") for number in range(400)]
    file = write(tmp_path / "big.jsonl", tables)
    browser.opens(PAGE)
    browser.runs(
        "window.seen = []; new MutationObserver(() => seen.push(document.getElementById('progress').value))"
        ".observe(document.getElementById('done'), { childList: true })"
    )
    browser.chooses("#file", file)
    assert browser.waits(VERDICT).startswith("✔ RIGHT. 400 tables, ")
    seen = browser.runs("seen")
    assert len(set(seen)) > 2
    assert seen == sorted(seen)
    assert browser.runs("document.querySelectorAll('#report section').length") == 300


def test_nothing_but_the_page_itself_is_ever_loaded(browser: Browser, game: list[Commit], tmp_path: Path) -> None:
    browser.requested.clear()
    verdict(browser, Path(written(tmp_path / "game.jsonl", game)))
    assert browser.requested == [PAGE.as_uri()]
    assert not re.search(r"https?://", PAGE.read_text("utf-8"))


def test_it_works_where_the_browser_has_no_cryptography_of_its_own(
    browser: Browser, game: list[Commit], tmp_path: Path
) -> None:
    script = "Object.defineProperty(crypto, 'subtle', { value: undefined })"
    added = browser.calls("Page.addScriptToEvaluateOnNewDocument", source=script)
    try:
        assert verdict(browser, Path(written(tmp_path / "game.jsonl", game))).startswith("✔ RIGHT. ")
        assert browser.runs("crypto.subtle === undefined")
    finally:
        browser.calls("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])


def test_it_refuses_to_judge_where_hashes_come_out_wrong(browser: Browser, game: list[Commit], tmp_path: Path) -> None:
    script = "SubtleCrypto.prototype.digest = async () => new ArrayBuffer(32)"
    added = browser.calls("Page.addScriptToEvaluateOnNewDocument", source=script)
    try:
        heard = verdict(browser, Path(written(tmp_path / "game.jsonl", game)))
        assert heard == "✘ WRONG. This browser computes SHA-256 wrongly, so nothing can be checked here."
    finally:
        browser.calls("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])


def test_it_fits_a_telephone(browser: Browser, game: list[Commit], tmp_path: Path) -> None:
    browser.calls("Emulation.setDeviceMetricsOverride", width=340, height=640, deviceScaleFactor=2, mobile=True)
    try:
        verdict(browser, Path(written(tmp_path / "game.jsonl", game)))
        browser.runs("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        browser.waits("document.querySelectorAll('details dl').length === 4")
        assert browser.runs("document.documentElement.scrollWidth") <= 340
    finally:
        browser.calls("Emulation.clearDeviceMetricsOverride")


def test_it_can_be_used_with_the_keyboard_alone(browser: Browser, game: list[Commit], tmp_path: Path) -> None:
    verdict(browser, Path(written(tmp_path / "game.jsonl", game)))
    browser.runs("document.activeElement.blur()")
    reached = []
    for _ in range(4):
        browser.presses("Tab", 9)
        reached.append(browser.runs("document.activeElement.id || document.activeElement.tagName"))
    assert reached == ["file", "print", "SUMMARY", "SUMMARY"]
    browser.presses("Enter", 13)
    assert browser.waits("document.activeElement.parentElement.open")
    assert "Seat 0" in browser.waits("document.activeElement.parentElement.querySelector('dl')?.innerText")


def test_other_files_are_refused_with_a_clear_word(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "other"
    for data, words in (
        (b"", "The file is empty."),
        (b"\xff\xfe\x00", "This is no export"),
        (b'{\n  "format": "tabletalk-record/1",', "This is no export"),
        (b'{"format":"tabletalk-record/1"}', "This is the record of a game."),
        (b'{"format":"tabletalk-log/2","deployment":"a","partitions":1}\n', "This is no export"),
        (b'{"format":"tabletalk-log/1","deployment":"a","partitions":1}\n[]\n', "The line is no commit."),
    ):
        file.write_bytes(data)
        assert verdict(browser, file).startswith(f"✘ WRONG. {words}")


def test_of_a_game_that_it_does_not_know_the_page_checks_chain_and_seeds_and_says_so(
    browser: Browser, game: list[Commit], tmp_path: Path
) -> None:
    bridge = [msgspec.structs.replace(one, events=one.events.replace(b'"callbreak', b'"bridge')) for one in game]
    file = Path(written(tmp_path / "bridge.jsonl", made_right(bridge)))
    heard = verdict(browser, file)
    assert heard.startswith("– NOT CHECKED. ")
    assert heard.endswith("4 deals could not be made again for that: the chain and the seeds are right.")
    assert "Set 1: – NOT CHECKED" in browser.runs("document.getElementById('report').innerText")


def test_what_stands_in_a_file_is_shown_as_text_and_never_runs(
    browser: Browser, game: list[Commit], tmp_path: Path
) -> None:
    evil = "<img src=x onerror=document.title=1>"
    joined = game[0].events.replace(b'"owner":"person:ann"', f'"owner":"person:{evil}"'.encode())
    assert joined != game[0].events
    file = Path(written(tmp_path / "evil.jsonl", made_right([msgspec.structs.replace(game[0], events=joined)], evil)))
    assert verdict(browser, file).startswith("✔ RIGHT. 1 table, 1 commit: ")
    assert f"Table {evil}" in browser.runs("document.getElementById('report').innerText")
    assert f"0 person:{evil}" in browser.runs("document.getElementById('report').innerText")
    assert browser.runs("document.images.length") == 0
    assert browser.runs("document.title") == "Tabletalk: check the deals"


def test_events_that_make_no_sense_are_refused_with_their_place(
    browser: Browser, game: list[Commit], tmp_path: Path
) -> None:
    for events in (
        b"[]",
        b"{}",
        b"[null]",
        b'[{"type":5}]',
        b'[{"type":"table.dealt"}]',
        b'[{"type":"callbreak.each"}]',
        b'[{"type":"callbreak.hands_opened","hands":[[9,[1]]]}]',
        b'[{"type":"table.asked","open":7}]',
    ):
        forged = [*game[:30], msgspec.structs.replace(game[30], events=events), *game[31:]]
        assert verdict(browser, Path(written(tmp_path / "odd.jsonl", made_right(forged)))).startswith("✘ WRONG. "), (
            events
        )
        assert "version 31, line 32" in browser.runs("document.querySelector('#report p').innerText")


def test_in_continuous_integration_a_missing_program_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no-such-program is missing"):
        program("no-such-program")
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception):
        program("no-such-program")
