"""What an account says of offences and penalties: what a set's cards prove, what is due and what is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

import msgspec

from domain import sheet
from domain.game import Game
from service.reports.account import Fault, Offence, Penalty
from service.reports.reading import SENSELESS


def offences(rules: Game, final: Any, lines: Mapping[str, int], convicted: set[int]) -> tuple[Offence, ...]:
    """The offences in a set of which `final` is the last state as everybody may see it.

    `lines`: the versions of its moves; `convicted`: the seats that the table found guilty. A set with a fault may hold
    anything: then nothing can be said.
    """
    try:
        breaches = rules.breaches(final)
    except SENSELESS:
        return ()
    return tuple(
        Offence(
            breach.seat,
            breach.what,
            breach.move,
            lines.get(f"{breach.seat} {breach.move}"),
            rules.card_name(breach.card),
            breach.shown_by,
            lines.get(f"{breach.seat} {breach.shown_by}") if breach.shown_by else None,
            breach.settled or breach.seat in convicted,
        )
        for breach in breaches
    )


def with_missing(written: Sequence[Penalty], fault: Fault | None) -> tuple[Penalty, ...]:
    """The penalties that are written; where the rules say another one than is written, that one too, as missing."""
    if fault is None or fault.code != "wrong_events":
        return tuple(written)
    told, expected = fault.values.get("found"), fault.values.get("expected")
    found = [
        msgspec.structs.replace(one, due=False) if one.version == fault.version and _same(one, told) else one
        for one in written
    ]
    if _penal(expected):
        row = expected["set"] + 1
        found.append(Penalty(fault.set or row, row, expected["kind"], tuple(expected["values"]), True, None))
    return tuple(found)


def _penal(event: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(event, dict) and event.get("type") == "table.row_written" and event.get("kind") in sheet.PENAL


def _same(one: Penalty, event: Any) -> bool:
    if not _penal(event):
        return False
    return (one.row - 1, one.kind, list(one.values)) == (event["set"], event["kind"], list(event["values"]))
