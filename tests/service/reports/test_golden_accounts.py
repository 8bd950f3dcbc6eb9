"""The account of every game that was stored long ago: right, whole, and no offence where the rules let none be made."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from domain import sheet
from domain.game import Lexicon
from domain.games import GAMES
from eventstore.record import Commit
from service.reports import reading, telling
from service.reports.page import page
from service.reports.telling import account_of
from service.text import accounts, language
from tests.service.tampering import made_right

LOGS = sorted((Path(__file__).parents[2] / "golden").glob("*/*.json"))
TEXTS = language()


class _Log(msgspec.Struct):
    commits: list[tuple[int, str, msgspec.Raw]]
    record: dict[str, object]


def stored(path: Path) -> list[Commit]:
    log = msgspec.json.decode(path.read_bytes(), type=_Log)
    return made_right(
        [
            Commit(
                table="home-1",
                version=version,
                time=time,
                actor=actor,
                command=f"golden:{version}",
                events=bytes(events),
                hash=b"",
            )
            for version, (time, actor, events) in enumerate(log.commits, 1)
        ]
    )


@pytest.fixture(autouse=True)
def no_dictionary(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stored games of words were played with dictionaries of their own, which nobody has."""

    def none(name: str) -> Lexicon:
        raise LookupError(name)

    for module in (reading, telling):
        monkeypatch.setattr(module, "shipped", none)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_stored_game_is_found_right_set_by_set(path: Path) -> None:
    commits = stored(path)
    found = account_of("home-1", commits)
    assert (found.verdict, found.fault) == ("right", None)
    assert all(one.deal_is == "verified" and one.moves_are == "right" for one in found.sets)
    dictionary = GAMES[found.game].dictionary is not None and any(one.outcome for one in found.sets)
    assert bool(found.words_unjudged) == dictionary, "that words were not judged is said"
    assert not any(one.open for one in found.sets), "the game is over"
    options = found.options
    if options.get("enforcement", "strict") == "strict":
        assert [one.offences for one in found.sets] == [()] * len(found.sets)
    assert [one for one in found.penalties if not one.due or one.version is None] == []
    written = [b'"kind":"' + kind.encode() in commit.events for commit in commits for kind in sheet.PENAL]
    assert bool(found.penalties) == any(written)
    called = accounts.names(TEXTS, found, {})
    told = accounts.lines(TEXTS, found, called, {})
    assert len(told) >= len(found.sets)
    assert "{" not in "".join(told)
    assert page(TEXTS, [found], {})
