from __future__ import annotations

import html
import string
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.sandbox.entities import Entity, Formatted, detected, has_bare_ampersand, parse_html, trimmed, utf16_length
from service.sandbox.refusals import Refused


def parts(formatted: Formatted) -> list[tuple[str, str]]:
    """Each entity's type and the text that it covers, cut out in UTF-16 as a client does."""
    units = formatted.text.encode("utf-16-le")
    return [
        (entity.type, units[2 * entity.offset : 2 * (entity.offset + entity.length)].decode("utf-16-le"))
        for entity in formatted.entities
    ]


def test_offsets_count_an_emoji_as_two_units() -> None:
    formatted = parse_html("😀 <b>bold 🂡</b> <i>it</i>")
    assert formatted.text == "😀 bold 🂡 it"
    assert formatted.entities == (
        Entity(type="bold", offset=3, length=7),
        Entity(type="italic", offset=11, length=2),
    )


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<b>x</b><strong>y</strong>", [("bold", "x"), ("bold", "y")]),
        ("<u>x</u><s>y</s><del>z</del>", [("underline", "x"), ("strikethrough", "y"), ("strikethrough", "z")]),
        ("<tg-spoiler>x</tg-spoiler>", [("spoiler", "x")]),
        ('<span class="tg-spoiler">x</span>', [("spoiler", "x")]),
        ("<code>x</code>", [("code", "x")]),
        ("<blockquote>x</blockquote>", [("blockquote", "x")]),
        ("<blockquote expandable>x</blockquote>", [("expandable_blockquote", "x")]),
        ("<b>x<i>y</i></b>", [("bold", "xy"), ("italic", "y")]),
        ("<B>x</b>", [("bold", "x")]),
        ("<b></b>x", []),
        ("a & b &amp; &lt;&#39;&#x1F0A1;", []),
        ('<a href="nowhere">x</a>', []),
    ],
)
def test_html_becomes_entities(source: str, found: list[tuple[str, str]]) -> None:
    assert parts(parse_html(source)) == found


def test_references_become_characters() -> None:
    assert parse_html("a & b &amp; &lt;&gt;&quot;&#39;&#x1F0A1; &nbsp;").text == "a & b & <>\"'🂡 &nbsp;"


def test_a_link_keeps_its_address_with_a_path() -> None:
    assert parse_html('<a href="https://example.com">x</a>').entities[0].url == "https://example.com/"
    assert parse_html("<a href='example.com/a?b=c&amp;d'>x</a>").entities[0].url == "http://example.com/a?b=c&amp;d"


def test_a_link_to_a_person_is_a_text_mention() -> None:
    assert parse_html('<a href="tg://user?id=5000000001">Ann</a>').entities == (
        Entity(type="text_mention", offset=0, length=3, user_id=5000000001),
    )


def test_a_code_block_knows_its_language() -> None:
    assert parse_html('<pre><code class="language-python">x</code></pre>').entities == (
        Entity(type="pre", offset=0, length=1, language="python"),
    )


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("a<foo>b</foo>", 'Unsupported start tag "foo" at byte offset 1'),
        ("♠ 5 < 6", 'Unsupported start tag "" at byte offset 6'),
        ("<b>x", 'Can\'t find end tag corresponding to start tag "b"'),
        ("x</b>", "Unexpected end tag at byte offset 1"),
        ("<b><i>x</b></i>", 'Unmatched end tag at byte offset 7, expected "</i>", found "</b>"'),
        ("a<b", "Unclosed start tag at byte offset 1"),
        ('a<a href="x', 'Unclosed start tag "a" at byte offset 1'),
        ("<b>x</b", "Unclosed end tag at byte offset 4"),
        ("<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
    ],
)
def test_broken_html_is_refused_in_telegrams_words(source: str, words: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_html(source)
    assert (refused.value.code, refused.value.description) == (400, f"Bad Request: can't parse entities: {words}")


def test_white_space_at_both_ends_goes_and_entities_move_along() -> None:
    assert trimmed(parse_html("  \n<b> x </b>  ")) == Formatted("x", (Entity(type="bold", offset=0, length=1),))
    assert trimmed(parse_html("x<b>  </b>")) == Formatted("x")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("/call 4", [("bot_command", "/call")]),
        ("😀 /call@tabletalk_bot now", [("bot_command", "/call@tabletalk_bot")]),
        ("a/call and /call/me", []),
        ("ask @bobby_1", [("mention", "@bobby_1")]),
        ("mail ann@example.com", []),
    ],
)
def test_commands_and_mentions_are_found_in_plain_text(text: str, found: list[tuple[str, str]]) -> None:
    assert parts(detected(Formatted(text))) == found


def test_no_command_is_found_in_code() -> None:
    assert parts(detected(parse_html("<code>/call</code> /play"))) == [("code", "/call"), ("bot_command", "/play")]


def test_an_unescaped_ampersand_is_told_from_a_reference() -> None:
    assert has_bare_ampersand("Tom & Jerry")
    assert not has_bare_ampersand("Tom &amp; Jerry &#38; &lt;")


texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)
tags = st.sampled_from(["b", "i", "u", "s", "tg-spoiler"])


@given(st.lists(st.tuples(texts, tags, texts), max_size=5))
def test_whatever_is_escaped_comes_out_as_it_was(pieces: list[tuple[str, str, str]]) -> None:
    source = "".join(f"{html.escape(one)}<{tag}>{html.escape(two)}</{tag}>" for one, tag, two in pieces)
    formatted = parse_html(source)
    assert formatted.text == "".join(one + two for one, _, two in pieces)
    assert [text for _, text in parts(formatted)] == [two for _, _, two in pieces if two]
    assert not has_bare_ampersand(source)


@given(st.text(string.ascii_letters + "<>/&=\"' \n;#😀", max_size=60))
def test_any_text_is_parsed_or_refused(source: str) -> None:
    formatted = Formatted("")
    with suppress(Refused):
        formatted = trimmed(parse_html(source))
    length = utf16_length(formatted.text)
    assert all(0 <= entity.offset < entity.offset + entity.length <= length for entity in formatted.entities)
