"""How long a message is, as Telegram counts it, and what is left of one that is too long."""

from __future__ import annotations

import re
from html import unescape

LONGEST = 4096  # UTF-16 units after parsing; Bot API, sendMessage

_PIECE = re.compile(r"<(?P<close>/?)(?P<tag>\w+)[^>]*>|&#?\w+;|.", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_CUT = "…"


def units(html: str) -> int:
    """The length of the text, without its tags, in UTF-16 units."""
    return _units(unescape(_TAG.sub("", html)))


def fitting(html: str, most: int = LONGEST) -> str:
    """The text, or its beginning: as many whole lines as `most` units hold, every tag closed.

    A line that is too long by itself is cut within.
    """
    if len(html) <= most // 2 or units(html) <= most:
        return html
    room, kept, opened = most - len(f"\n{_CUT}"), "", list[str]()
    line: tuple[str, list[str]] | None = None  # what was kept up to the last end of a line
    for found in _PIECE.finditer(html):
        piece = found[0]
        if found["tag"] and not found["close"]:
            opened.append(found["tag"])
        elif found["tag"]:
            opened.pop()
        else:
            room -= _units(unescape(piece))
            if room < 0:
                break
            if piece == "\n":
                line = kept, list(opened)
        kept += piece
    if line is not None:
        kept, opened = line[0] + "\n", line[1]
    return kept + _CUT + "".join(f"</{tag}>" for tag in reversed(opened))


def _units(text: str) -> int:
    return len(text) + sum(letter > "\uffff" for letter in text)
