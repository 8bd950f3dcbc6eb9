"""What a refusal is: a code with values, never prose (texts live with the reader's language)."""

from __future__ import annotations

from typing import Any, Literal

Kind = Literal["malformed", "illegal", "ambiguous"]


class Rejected(Exception):
    """A command that changes nothing, and why.

    `code` is snake_case; `values` fill the text that somebody makes of it; `clause` names the rule (`CB-33`) where
    there is one. `kind`: malformed (cannot be read), illegal (against the rules), ambiguous (could mean several things;
    then `values["candidates"]` lists them in notation). Values may tell of the hand of whoever asked, so they go to him
    alone; the exception's own text is the bare code, safe for any log.
    """

    def __init__(self, code: str, *, kind: Kind = "illegal", clause: str | None = None, **values: Any) -> None:
        super().__init__(code)
        self.code = code
        self.kind = kind
        self.clause = clause
        self.values = values


def malformed(code: str, **values: Any) -> Rejected:
    """The refusal of something that cannot be read."""
    return Rejected(code, kind="malformed", **values)
