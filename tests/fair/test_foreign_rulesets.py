"""Rulesets that this release does not know: whoever renames one switches nothing off but the judging of moves."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from domain.games import GAMES
from eventstore.record import Commit
from service.reports.telling import account_of, fault_of
from tests.domain.eventful import eventful
from tests.fair.browser import Browser
from tests.fair.dealing import commits, many, write
from tests.fair.forged import FORGERIES, forge
from tests.fair.verifying import verdict
from tests.service.tampered import said
from tests.service.tampering import at, made_right

RENAMED = next(one for one in FORGERIES if one.what == "a ruleset named that nobody has")
NEWER = next(one for one in FORGERIES if one.what.endswith("an event that only it has"))


def renamed(table: list[Commit], name: str) -> list[Commit]:
    """The table as one of the next version of its rules."""
    told = [
        msgspec.structs.replace(one, events=one.events.replace(b'/1","options"', b'/2","options"')) for one in table
    ]
    assert told[0].events != table[0].events
    return made_right(told, name)


def test_a_table_of_unknown_rules_never_hears_that_all_is_well(game: list[Commit], tmp_path: Path) -> None:
    file = str(forge(tmp_path / "renamed.jsonl", game, RENAMED))
    code, out, errors = said(tmp_path, "audit", file)
    assert (code, errors) == (3, "")
    assert out.startswith("NOT JUDGED: 1 table has rules that this program does not know")
    assert "deals made again: 4 of 4" in " ".join(out.split())
    assert "ok:" not in out
    code, out, errors = said(tmp_path, "audit", file, "--json")
    assert (code, json.loads(out)["tables"][0]["verdict"]) == (3, "unjudged")
    assert "NOT JUDGED" in errors


def test_one_of_several_tables_that_was_not_judged_is_not_passed_over(game: list[Commit], tmp_path: Path) -> None:
    file = write(tmp_path / "two.jsonl", [game, renamed(game, "other-1")])
    code, out, _ = said(tmp_path, "audit", str(file))
    assert code == 3
    assert out.startswith("NOT JUDGED: 1 table has")
    wrong = write(tmp_path / "wrong.jsonl", [renamed(game, "other-1"), made_right([*game[:50], *game[51:]])])
    assert said(tmp_path, "audit", str(wrong))[0] == 1, "a fault goes before"


def test_from_an_event_on_that_only_the_other_version_has_no_deal_is_made_again(
    game: list[Commit], tmp_path: Path
) -> None:
    code, out, _ = said(tmp_path, "audit", str(forge(tmp_path / "newer.jsonl", game, NEWER)))
    assert code == 3
    assert "deals made again: 0 of 4" in " ".join(out.split())


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_deals_of_an_unknown_version_are_made_again_by_the_audit_and_by_the_page(
    browser: Browser, tmp_path: Path, slug: str
) -> None:
    tables = [*many(slug, 60), *(commits(eventful(slug, number), "e") for number in range(4))]
    tables = [renamed(table, f"next{place}-1") for place, table in enumerate(tables)]
    accounts = [account_of(table[0].table, table) for table in tables]
    assert {(one.verdict, one.fault) for one in accounts} == {("unjudged", None)}
    dealt = sum(one.deal_is == "verified" for account in accounts for one in account.sets)
    assert dealt == sum(one.seed is not None for account in accounts for one in account.sets) >= 60
    heard = verdict(browser, write(tmp_path / "next.jsonl", tables))
    assert heard.startswith("– NOT CHECKED. ")
    assert f"{dealt} deals came out again" in heard


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_another_card_in_the_open_is_found_though_the_rules_are_not_known(
    browser: Browser, tmp_path: Path, slug: str
) -> None:
    """Changed where the deal alone betrays it: the first card of a deal that everybody sees."""
    tables = []
    for place, table in enumerate(many(slug, 8)):
        where = at(table, b"table.dealt")
        told = [json.loads(one.events) for one in table]
        found = next(
            ((version, event) for version in range(where, len(told)) for event in told[version] if "card" in event),
            None,
        )
        if found is None or not any(b"seed_revealed" in one.events for one in table):
            continue
        version, event = found
        event["card"] += 1 if event["card"] % 13 != 12 else -1
        forged = [*table[:version], msgspec.structs.replace(table[version], events=msgspec.json.encode(told[version]))]
        tables.append(renamed([*forged, *table[version + 1 :]], f"forged{place}-1"))
    faults = [fault_of(table[0].table, table) for table in tables]
    assert faults
    wrong = sum(fault is not None for fault in faults)
    heard = verdict(browser, write(tmp_path / "forged.jsonl", tables))
    assert wrong > len(tables) // 2, "a hand may hold both cards"
    assert heard.startswith(f"✘ WRONG. {wrong} table")
