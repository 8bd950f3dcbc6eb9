"""Structs that do not show what they hold: hands, seeds and the like never get into a log, a traceback or a message."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec


class Veiled(msgspec.Struct, frozen=True):
    """Shows its name and the fields that `_shown` names, to `repr` and to rich tracebacks alike; nothing else."""

    _shown: ClassVar[tuple[str, ...]] = ()

    def __repr__(self) -> str:
        told = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._shown)
        return f"{type(self).__name__}({told})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [(name, getattr(self, name)) for name in self._shown]
