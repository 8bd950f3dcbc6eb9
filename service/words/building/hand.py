"""The hand-made lists beside this module: words, words with a reason, groups of words; `#` begins a comment."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent


def lines(name: str) -> list[list[str]]:
    """The words of each line of a list; empty lines and comments left out."""
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    return [words for line in text.splitlines() if (words := line.partition("#")[0].split())]


def words(name: str) -> set[str]:
    """All the words of a list."""
    return {word for line in lines(name) for word in line}
