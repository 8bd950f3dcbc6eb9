"""Formatted text: the Bot API's HTML parsed into entities, commands and mentions found; offsets in UTF-16 units."""

from __future__ import annotations

import re

import msgspec

from service.sandbox.refusals import bad_request


class Entity(msgspec.Struct, frozen=True, kw_only=True):
    """A MessageEntity; `offset` and `length` count UTF-16 units (Bot API, MessageEntity)."""

    type: str
    offset: int
    length: int
    url: str | None = None
    user_id: int | None = None
    language: str | None = None


class Formatted(msgspec.Struct, frozen=True):
    """A text and its entities, sorted by offset, the outer one first."""

    text: str
    entities: tuple[Entity, ...] = ()


_TYPES = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "code": "code",
    "pre": "pre",
    "a": "text_link",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
    "blockquote": "blockquote",
}
_REFERENCE = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(lt|gt|amp|quot)(?![a-zA-Z]));?")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_NAME = re.compile(r"<(/?)([^\s>]*)")
_ATTRIBUTE = re.compile(r"""\s+([^\s=>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?""")
_TAG_END = re.compile(r"\s*>")
_COMMAND = re.compile(r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?\b(?![/<>])")
_MENTION = re.compile(r"(?<!\w)@[A-Za-z][A-Za-z0-9_]{2,31}\b")
_OPAQUE = frozenset({"code", "pre", "text_link", "text_mention"})
_HREF = re.compile(r"(?:https?|tg)://[^\s]+|[\w-]+(?:\.[\w-]+)+(?:[/?#][^\s]*)?")
_PERSON = re.compile(r"tg://user\?id=(\d{1,18})")


class _Open(msgspec.Struct, frozen=True):
    tag: str
    attributes: dict[str, str]
    offset: int
    at: int  # where its text begins in the output


def utf16_length(text: str) -> int:
    """How many UTF-16 units the text has: an emoji outside the basic plane counts two."""
    return len(text) + sum(character > "\uffff" for character in text)


def has_bare_ampersand(source: str) -> bool:
    """Whether the HTML holds an `&` that begins no reference: Telegram lets it pass, but a text was not escaped."""
    return any(not _REFERENCE.match(source, found.start()) for found in re.finditer("&", source))


def parse_html(source: str) -> Formatted:
    """Text and entities of `parse_mode=HTML` (Bot API, "HTML style").

    Refuses unknown, unclosed and crossing tags: 400 "can't parse entities: ...", with the byte offset in UTF-8.
    """
    out: list[str] = []
    offset = position = 0
    stack: list[_Open] = []
    entities: list[Entity] = []
    while position < len(source):
        character = source[position]
        if character == "&" and (reference := _REFERENCE.match(source, position)):
            character = _referred(reference)
            position = reference.end()
        elif character == "<" and (name := _NAME.match(source, position)):
            if name[1]:
                position = _close(source, name, stack, entities, out, offset)
            else:
                opened, position = _opening(source, name, offset, len(out))
                stack.append(opened)
            continue
        else:
            position += 1
        out.append(character)
        offset += 1 + (character > "\uffff")
    if stack:
        raise _cannot_parse(f'Can\'t find end tag corresponding to start tag "{stack[-1].tag}"')
    return Formatted("".join(out), _sorted(entities))


def _referred(reference: re.Match[str]) -> str:
    decimal, hexadecimal, name = reference.groups()
    if name:
        return _NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    if not 0 < code <= 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        raise _cannot_parse(f"Invalid character reference {reference[0]}")
    return chr(code)


def _opening(source: str, name: re.Match[str], offset: int, at: int) -> tuple[_Open, int]:
    begin, position, tag = name.start(), name.end(), name[2].lower()
    if position == len(source):
        raise _cannot_parse("Unclosed start tag", source, begin)
    if tag not in _TYPES:
        raise _cannot_parse(f'Unsupported start tag "{tag}"', source, begin)
    attributes: dict[str, str] = {}
    while found := _ATTRIBUTE.match(source, position):
        attributes[found[1].lower()] = next((value for value in found.groups()[1:] if value is not None), "")
        position = found.end()
    end = _TAG_END.match(source, position)
    if end is None:
        raise _cannot_parse(f'Unclosed start tag "{tag}"', source, begin)
    if tag == "span" and attributes.get("class") != "tg-spoiler":
        raise _cannot_parse('Tag "span" must have class "tg-spoiler"', source, begin)
    return _Open(tag, attributes, offset, at), end.end()


def _close(
    source: str, name: re.Match[str], stack: list[_Open], entities: list[Entity], out: list[str], offset: int
) -> int:
    if not stack:
        raise _cannot_parse("Unexpected end tag", source, name.start())
    end = _TAG_END.match(source, name.end())
    if end is None:
        raise _cannot_parse("Unclosed end tag", source, name.start())
    opened, found = stack.pop(), name[2].lower()
    if found and found != opened.tag:
        words = f'Unmatched end tag at byte offset {_byte(source, name.start())}, expected "</{opened.tag}>"'
        raise _cannot_parse(f'{words}, found "</{found}>"')
    if offset > opened.offset:
        entity = _entity(opened, offset - opened.offset, "".join(out[opened.at :]))
        if opened.tag == "pre" and entities and entities[-1].type == "code" and _same_place(entities[-1], entity):
            entity = msgspec.structs.replace(entity, language=entities.pop().language)
        if entity.type != "text_link" or entity.url:
            entities.append(entity)
    return end.end()


def _entity(opened: _Open, length: int, text: str) -> Entity:
    kind = _TYPES[opened.tag]
    if kind == "text_link":
        href = opened.attributes.get("href") or text
        if person := _PERSON.fullmatch(href):
            return Entity(type="text_mention", offset=opened.offset, length=length, user_id=int(person[1]))
        return Entity(type=kind, offset=opened.offset, length=length, url=_link(href))
    if kind == "blockquote" and "expandable" in opened.attributes:
        kind = "expandable_blockquote"
    language = opened.attributes.get("class", "").removeprefix("language-") or None if opened.tag == "code" else None
    return Entity(type=kind, offset=opened.offset, length=length, language=language)


def _link(href: str) -> str | None:
    """The address as Telegram keeps it (a scheme, a path), None for what is none: the entity is then dropped."""
    if not _HREF.fullmatch(href):
        return None
    address = href if "://" in href else f"http://{href}"
    return address + "/" if re.fullmatch(r"https?://[^/?#]+", address) else address


def _same_place(one: Entity, other: Entity) -> bool:
    return (one.offset, one.length) == (other.offset, other.length)


def _sorted(entities: list[Entity]) -> tuple[Entity, ...]:
    return tuple(
        msgspec.structs.replace(entity, language=None) if entity.type == "code" else entity
        for entity in sorted(entities, key=lambda entity: (entity.offset, -entity.length))
    )


def _byte(source: str, position: int) -> int:
    return len(source[:position].encode())


def _cannot_parse(words: str, source: str = "", begin: int | None = None) -> Exception:
    place = "" if begin is None else f" at byte offset {_byte(source, begin)}"
    return bad_request(f"can't parse entities: {words}{place}")


def trimmed(formatted: Formatted) -> Formatted:
    """Without white space at both ends, as Telegram keeps a message; entities move along, empty ones go."""
    text = formatted.text.strip()
    lead = utf16_length(formatted.text[: len(formatted.text) - len(formatted.text.lstrip())])
    length = utf16_length(text)
    entities: list[Entity] = []
    for entity in formatted.entities:
        begin = max(entity.offset - lead, 0)
        end = min(entity.offset + entity.length - lead, length)
        if end > begin:
            entities.append(msgspec.structs.replace(entity, offset=begin, length=end - begin))
    return Formatted(text, tuple(entities))


def detected(formatted: Formatted) -> Formatted:
    """With the `bot_command` and `mention` entities that Telegram adds by itself, outside code and links."""
    opaque = [entity for entity in formatted.entities if entity.type in _OPAQUE]
    found: list[Entity] = []
    for kind, pattern in (("bot_command", _COMMAND), ("mention", _MENTION)):
        for match in pattern.finditer(formatted.text):
            begin, length = utf16_length(formatted.text[: match.start()]), utf16_length(match[0])
            if kind == "mention" and any(one.offset <= begin < one.offset + one.length for one in found):
                continue
            if not any(one.offset < begin + length and begin < one.offset + one.length for one in opaque):
                found.append(Entity(type=kind, offset=begin, length=length))
    return Formatted(formatted.text, _sorted([*formatted.entities, *found]))
