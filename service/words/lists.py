"""The file of a dictionary: how it is written when it is built, and read when it is used.

`data/<name>.words` is zlib over MessagePack of `Lists`. Texts in it are lines of ASCII or UTF-8, numbers are unsigned
32-bit little-endian. The refused forms, the most of it by far, stay one block of sorted lines, which `line` searches
by bisection, so that loading costs nothing for them.

    heads     the headwords, folded to a-z, sorted, one a line
    ends      for each headword, where its families end in `members` (they begin where those of the one before end)
    members   numbers of families; two words that share one are one family
    groups    how many families there are
    forms     `<form> <letter><cut><ending>`: why a form that is no headword is refused (REASONS), and the word that it
              is a form of: the form with `cut` letters taken off and the ending put on (`mice p3ouse`); only the
              letter where there is none (`kg a`)
    spelled   `<headword> <spelling>`, where it is not written in plain a-z (`ete été`)
    common    numbers of the headwords that a computer player may say, the most frequent first
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

FORMAT = "tabletalk-words/1"
REASONS = {
    "p": "plural",
    "v": "verb_form",
    "b": "plural_or_verb_form",
    "c": "comparative",
    "f": "feminine",
    "n": "proper_noun",
    "a": "abbreviation",
    "r": "numeral",
}
"""Why a form is refused, by the letter it is stored with. `plural_or_verb_form` is both (`runs`): where verb forms are
allowed (TC-42) so is this."""
_LETTERS = {reason: letter for letter, reason in REASONS.items()}


class Lists(msgspec.Struct, frozen=True):
    """The whole of a dictionary, as it stands in its file."""

    format: str
    name: str
    heads: bytes
    ends: bytes
    members: bytes
    groups: int
    forms: bytes
    spelled: bytes
    common: bytes


class BadLists(Exception):
    """The file is not one that this program reads."""


def write(
    path: Path,
    name: str,
    heads: Iterable[str],
    families: Iterable[Iterable[str]],
    forms: Mapping[str, tuple[str, str]],
    common: Sequence[str],
    spelled: Mapping[str, str] | None = None,
) -> None:
    """Writes a dictionary; the same lists give the same bytes.

    `families`: groups of headwords that are one family (a word may be in several; others than headwords, and groups of
    one, are left out). `forms`: refused form -> (a reason of REASONS, the word it is a form of or ""); headwords are
    left out. `common`: headwords, the most frequent first. `spelled`: headword -> how it is written, where it differs.
    """
    words = sorted(set(heads))
    number = {word: index for index, word in enumerate(words)}
    groups = sorted({group for family in families if len(group := _group(family, number)) > 1})
    memberships: list[list[int]] = [[] for _ in words]
    for index, group in enumerate(groups):
        for word in group:
            memberships[word].append(index)
    ends, members = [], []
    for membership in memberships:
        members += membership
        ends.append(len(members))
    lists = Lists(
        format=FORMAT,
        name=name,
        heads="\n".join(words).encode("ascii"),
        ends=_packed(ends),
        members=_packed(members),
        groups=len(groups),
        forms=_lines({form: _entry(form, *entry) for form, entry in forms.items() if form not in number}),
        spelled=_lines({word: text for word, text in (spelled or {}).items() if word in number and text != word}),
        common=_packed([number[word] for word in common]),
    )
    path.write_bytes(zlib.compress(msgspec.msgpack.encode(lists), 9))


def read(path: Path) -> Lists:
    """The dictionary in a file; BadLists where it is none, or one of another format."""
    try:
        lists = msgspec.msgpack.decode(zlib.decompress(path.read_bytes()), type=Lists)
    except (zlib.error, msgspec.MsgspecError) as error:
        raise BadLists(f"{path.name}: {error}") from error
    if lists.format != FORMAT:
        raise BadLists(f"{path.name}: format {lists.format}, not {FORMAT}")
    return lists


def numbers(packed: bytes) -> array[int]:
    """Unsigned 32-bit numbers, as they stand in a file."""
    found = array("I")
    found.frombytes(packed)
    if sys.byteorder == "big":
        found.byteswap()
    return found


def line(block: bytes, word: str) -> str | None:
    """What stands behind a word in a block of sorted lines `<word> <text>`; None where there is no line for it."""
    key = word.encode("ascii")
    low, high = 0, len(block)
    while low < high:
        middle = (low + high) // 2
        start = block.rfind(b"\n", low, middle) + 1 or low
        end = block.find(b"\n", middle)
        if end < 0:
            end = len(block)
        found, _, text = block[start:end].partition(b" ")
        if found == key:
            return text.decode("utf-8")
        if found < key:
            low = end + 1
        else:
            high = start
    return None


def entry(form: str, text: str) -> tuple[str, str]:
    """A line of `forms`, without the form, as reason and base: `p3ouse` of `mice` is a plural of mouse."""
    ending = text[1:].lstrip("0123456789")
    cut = text[1 : len(text) - len(ending)]
    return REASONS[text[0]], form[: len(form) - int(cut)] + ending if cut else ""


def _entry(form: str, reason: str, base: str) -> str:
    if not base:
        return _LETTERS[reason]
    same = next((i for i, (a, b) in enumerate(zip(form, base, strict=False)) if a != b), min(len(form), len(base)))
    return f"{_LETTERS[reason]}{len(form) - same}{base[same:]}"


def _group(family: Iterable[str], number: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(sorted({number[word] for word in family if word in number}))


def _lines(texts: Mapping[str, str]) -> bytes:
    return b"\n".join(f"{word} {text}".encode() for word, text in sorted(texts.items()))


def _packed(values: Iterable[int]) -> bytes:
    packed = array("I", values)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()
