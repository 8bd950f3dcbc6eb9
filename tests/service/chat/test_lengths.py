"""What is left of a message that is too long."""

from __future__ import annotations

import re
from html import escape, unescape

from hypothesis import given
from hypothesis import strategies as st

from service.chat.api.lengths import LONGEST, fitting, units

texts = st.text(st.sampled_from("aé♠😀&<>\n "), max_size=200)
pieces = st.lists(st.tuples(st.sampled_from(["", "b", "i", "pre", "code"]), texts), max_size=12)


def html_of(found: list[tuple[str, str]]) -> str:
    return "".join(f"<{tag}>{escape(text)}</{tag}>" if tag else escape(text) for tag, text in found)


def plain(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", html))


@given(pieces, st.integers(10, 300))
def test_a_text_that_fits_is_left_alone_and_any_other_is_a_beginning_that_fits(
    found: list[tuple[str, str]], most: int
) -> None:
    html = html_of(found)
    kept = fitting(html, most)
    assert units(kept) <= most
    if units(html) <= most:
        assert kept == html
    else:
        assert plain(kept).endswith("…")
        assert plain(html).startswith(plain(kept).removesuffix("…"))
        opened = re.findall(r"<(\w+)>", kept)
        assert sorted(opened) == sorted(re.findall(r"</(\w+)>", kept))


def test_length_counts_utf_16_units_after_parsing() -> None:
    """Over 4,096 (HKUDS/nanobot#694): Telegram counts a face twice and a tag not at all."""
    assert units("<b>a&amp;😀</b>") == 4
    assert units(fitting("😀\n" * 3000)) <= LONGEST
    assert len(fitting("a" * 5000)) <= LONGEST


def test_whole_lines_are_kept() -> None:
    assert fitting("<i>one\ntwo\nthree</i>", 11) == "<i>one\ntwo\n…</i>"
