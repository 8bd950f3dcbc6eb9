"""`tabletalk rebuild`: projections thrown away and built anew, while the bot runs."""

from __future__ import annotations

from cyclopts import App

from service.commands.running import TEXTS, Data, Usage, chosen, look, reported
from service.projections.registry import PROJECTIONS
from service.terminal.rebuilding import rebuild_projections
from service.text import rebuilding


def add(app: App) -> None:
    """Adds the command."""
    app.command(rebuild)


def rebuild(name: str | None = None, /, *, data: Data = None) -> None:
    """Build what is derived from the histories anew, beside the live one, and put it in its place.

    Says whether the live one was right. The bot may run meanwhile.

    Parameters
    ----------
    name
        deadlines, tables_by_home, tables_by_player or standings (default: all of them).
    """
    with reported():
        if name is not None and name not in PROJECTIONS:
            raise Usage(rebuilding.no_such_projection(TEXTS, name, list(PROJECTIONS)))
        settings = chosen(data)
    names = list(PROJECTIONS) if name is None else [name]
    look(data, lambda sight: rebuild_projections(sight, settings, names))
