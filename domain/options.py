"""Options of a game: one frozen struct of flags, bounded integers, enumerations and lists of enumerations.

Text form: `name=value`, lists by comma, an empty list as nothing. Events hold what differs from the default.
"""

from __future__ import annotations

import builtins
import re
import typing
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from domain.game import Game
from domain.rejected import malformed

_TRUE = {"true", "yes", "on", "1"}
_FALSE = {"false", "no", "off", "0"}
_NUMBER = re.compile(r"-?\d{1,9}", re.ASCII)
_LONGEST = 200  # characters of a value that a refusal repeats


class Bounds(msgspec.Struct, frozen=True):
    """What an option may be: a flag, an integer from `low` to `high` (or one of `also`), one of `values`, or a list of
    them."""

    kind: Literal["flag", "integer", "one_of", "list_of"]
    low: int = 0
    high: int = 0
    also: tuple[int, ...] = ()
    values: tuple[str, ...] = ()


def bounds(options: type[msgspec.Struct]) -> dict[str, Bounds]:
    """What each option may be, by name, in the order of the struct; enumerations in the order they are written in."""
    hints = typing.get_type_hints(options, include_extras=True)
    return {name: _bounds(hints[name]) for name in options.__struct_fields__}


def _bounds(kind: Any) -> Bounds:
    if kind is bool:
        return Bounds("flag")
    match typing.get_origin(kind), typing.get_args(kind):
        case typing.Annotated, (builtins.int, msgspec.Meta(ge=least, le=most, extra=extra)):
            more = extra or {}
            low = int(more.get("low", least or 0))
            return Bounds("integer", low=low, high=int(most or 0), also=tuple(more.get("also", ())))
        case typing.Literal, values:
            return Bounds("one_of", values=values)
        case builtins.tuple, (of, builtins.Ellipsis) if typing.get_origin(of) is Literal:
            return Bounds("list_of", values=typing.get_args(of))
    raise TypeError(f"an option cannot be a {kind!r}")


def offered(game: Game) -> dict[str, Bounds]:
    """What there is to choose at a table: the bounds by name; an option that leaves no choice is left out."""
    return {
        name: allowed
        for name, allowed in bounds(game.options).items()
        if allowed.kind != "one_of" or len(allowed.values) > 1
    }


def read(game: Game, given: Mapping[str, str], preset: str | None = None) -> Any:
    """The game's options from texts, on top of a preset.

    Rejected `no_such_option` (with the names there are), `no_such_preset`, `bad_option` (with the bounds), or what the
    game's own check says of options that do not go together.
    """
    if preset is not None and preset not in game.presets:
        raise malformed("no_such_preset", name=preset[:_LONGEST], names=list(game.presets))
    texts = {**(game.presets[preset] if preset else {}), **given}
    allowed = bounds(game.options)
    chosen: dict[str, Any] = {}
    for name, text in texts.items():
        if name not in allowed:
            raise malformed("no_such_option", name=name[:_LONGEST], names=list(allowed))
        chosen[name] = read_value(name, text, allowed[name])
    return complete(game, chosen)


def complete(game: Game, chosen: Mapping[str, Any]) -> Any:
    """The options struct of values of the right kind, with what they imply; checked by the game."""
    options = game.options(**{**game.implied(chosen), **chosen})
    game.check(options)
    return options


def read_value(name: str, text: str, allowed: Bounds) -> Any:
    """The value of one option's text; Rejected `bad_option` with the bounds."""
    plain = text.strip()
    refusal = malformed("bad_option", name=name, text=plain[:_LONGEST], bounds=allowed)
    match allowed.kind:
        case "flag":
            if plain.lower() in _TRUE:
                return True
            if plain.lower() in _FALSE:
                return False
        case "integer":
            if _NUMBER.fullmatch(plain):
                number = int(plain)
                if allowed.low <= number <= allowed.high or number in allowed.also:
                    return number
        case "one_of":
            for value in allowed.values:
                if value.lower() == plain.lower():
                    return value
        case "list_of":
            items = [item.strip().lower() for item in plain.split(",") if item.strip()]
            if items in (["none"], ["-"]):
                items = []
            if all(item in allowed.values for item in items) and len(set(items)) == len(items):
                return tuple(value for value in allowed.values if value in items)
    raise refusal


def text_of(value: Any) -> str:
    """An option's value as text: the form that `read_value` reads."""
    match value:
        case bool():
            return "true" if value else "false"
        case tuple():
            return ",".join(value)
        case _:
            return str(value)


def differing(options: msgspec.Struct) -> dict[str, Any]:
    """The options that differ from their defaults, by name, as JSON values: the form of events."""
    default = type(options)()
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name in options.__struct_fields__
        if (value := getattr(options, name)) != getattr(default, name)
    }


def everything(options: msgspec.Struct) -> dict[str, Any]:
    """All options, by name, as JSON values: the form of records."""
    found: dict[str, Any] = msgspec.to_builtins(options)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}


def stored(options: type[msgspec.Struct], values: Mapping[str, Any]) -> Any:
    """The options of an event or a record: defaults filled in, no rule asked (what was played was played).

    Raises Rejected `bad_options` when a value cannot be one.
    """
    try:
        return msgspec.convert(dict(values), options, strict=True)
    except msgspec.ValidationError as error:
        raise malformed("bad_options", text=str(error)[:_LONGEST]) from None
