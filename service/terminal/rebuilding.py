"""Rebuilds projections from the streams, with a bar, and says whether the live ones were right."""

from __future__ import annotations

from service.projections.bulk import Source
from service.projections.rebuild import NotRebuilt, rebuild
from service.settings import Settings
from service.terminal.bars import bar
from service.terminal.looking import Sight, Wrong
from service.text import rebuilding


async def rebuild_projections(sight: Sight, settings: Settings, names: list[str]) -> None:
    """Rebuilds the projections of these names. Raises StoreDown, StoreUnfit, Wrong."""
    texts = sight.screen.texts
    if sight.store is None:
        raise Wrong(rebuilding.nothing(texts, str(settings.data)))
    with bar(rebuilding.progress(texts)) as advance:
        source = Source(url=settings.redis_url, data=str(settings.data))
        try:
            part, rebuilt = await rebuild(sight.store, names, source, advance)
        except NotRebuilt as ended:
            raise Wrong(rebuilding.not_rebuilt(texts, ended.code)) from None
    sight.screen.say(rebuilding.read(texts, part.tables, part.commits))
    sight.screen.say(*(rebuilding.parked(texts, name) for name in part.parked))
    sight.screen.say(*(rebuilding.rebuilt(texts, one.name, one.keys, one.differed) for one in rebuilt))
