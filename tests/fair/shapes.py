"""The stored form of every event as data, for whoever reads a history without our types: `shapes`."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from msgspec import inspect

from domain.events import EVERY_EVENT
from domain.games import GAMES
from service.text.history import tag_of

_PLAIN: dict[type, str] = {
    inspect.IntType: "int",
    inspect.StrType: "text",
    inspect.BytesType: "bytes",
    inspect.BoolType: "flag",
    inspect.AnyType: "any",
}


def shapes() -> dict[str, Any]:
    """Of each event's `type` its other fields, in order: `[name, what it is]`, or `[name, what it is, default]`."""
    return {tag_of(kind): _fields(inspect.type_info(kind)) for kind in EVERY_EVENT}


def shapes_text() -> str:
    """The shapes as JSON, an event a line."""
    lines = [f"  {json.dumps(tag)}: {json.dumps(fields)}" for tag, fields in shapes().items()]
    return "{\n" + ",\n".join(lines) + "\n}"


def rulesets() -> str:
    """The rulesets of the games as JSON."""
    return json.dumps({game: rules.ruleset for game, rules in GAMES.items()})


def _fields(found: Any) -> list[Any]:
    assert isinstance(found, inspect.StructType)
    assert not found.array_like
    left_out = found.cls.__struct_config__.omit_defaults
    told = []
    for field in found.fields:
        assert field.default_factory is msgspec.NODEFAULT
        has = left_out and field.default is not msgspec.NODEFAULT
        told.append([field.encode_name, _kind(field.type), *([msgspec.to_builtins(field.default)] if has else [])])
    return told


def _kind(found: Any) -> Any:
    if (plain := _PLAIN.get(type(found))) is not None:
        return plain
    match found:
        case inspect.LiteralType(values=values):
            return {"one of": list(values)}
        case inspect.VarTupleType(item_type=item):
            return {"list": _kind(item)}
        case inspect.TupleType(item_types=items):
            return {"row": [_kind(item) for item in items]}
        case inspect.DictType():
            return "object"
        case inspect.UnionType(types=types):
            (kind,) = [one for one in types if type(one) is not inspect.NoneType]
            return {"maybe": _kind(kind)}
        case inspect.StructType(array_like=True):
            return {"row": [_kind(field.type) for field in found.fields]}
        case inspect.StructType():
            return {"fields": _fields(found)}
        case _:
            raise TypeError(f"no word for {found}")
