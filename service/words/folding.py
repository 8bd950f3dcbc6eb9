"""What people type, folded to the letters a to z: capitals and accents do not count (TC-40)."""

from __future__ import annotations

import unicodedata

_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ð": "d", "þ": "th", "ł": "l", "đ": "d", "ı": "i"})


def fold(text: str) -> str | None:
    """The word in the letters a to z, spaces around it left out; None where it holds anything else, or nothing."""
    word = text.strip()
    if not word.isascii():
        plain = unicodedata.normalize("NFKD", word.casefold().translate(_LIGATURES))
        word = "".join(letter for letter in plain if not unicodedata.combining(letter))
    word = word.lower()
    return word if word.isascii() and word.isalpha() else None
