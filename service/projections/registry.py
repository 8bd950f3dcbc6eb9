"""All projections of the product, by name."""

from __future__ import annotations

from service.projections.deadlines import DEADLINES
from service.projections.rows import Spec
from service.projections.standings import STANDINGS
from service.projections.tables import TABLES_BY_HOME, TABLES_BY_PLAYER

PROJECTIONS: dict[str, Spec] = {spec.name: spec for spec in (DEADLINES, TABLES_BY_HOME, TABLES_BY_PLAYER, STANDINGS)}
