"""The second reader of the Bot API: calls and objects read again by the models of aiogram, which others wrote."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import aiogram.methods
import aiogram.types
from pydantic import BaseModel, TypeAdapter, ValidationError

_UNIONS: Final = {"ChatMember": aiogram.types.ResultChatMemberUnion}


def method_model(method: str) -> type[BaseModel]:
    """aiogram's model of a method; AttributeError when it knows none of this name."""
    model: type[BaseModel] = getattr(aiogram.methods, method[0].upper() + method[1:])
    return model


def check_call(method: str, params: dict[str, Any]) -> list[str]:
    """What is wrong with a call of the bot: values of a wrong type, missing and unknown names. Nothing: empty."""
    return _faults(_method_adapter(method), params)


def check_object(kind: str, value: Any) -> list[str]:
    """What is wrong with an object that a server built, `kind` as the Bot API calls it. Nothing: empty."""
    return _faults(_adapter(kind), value)


@cache
def _method_adapter(method: str) -> TypeAdapter[Any]:
    return TypeAdapter(method_model(method))


@cache
def _adapter(kind: str) -> TypeAdapter[Any]:
    return TypeAdapter(_UNIONS.get(kind) or getattr(aiogram.types, kind))


def _faults(adapter: TypeAdapter[Any], value: Any) -> list[str]:
    try:
        read = adapter.validate_python(value)
    except ValidationError as error:
        return [f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()]
    return [f"{path}: unknown" for path in _unknown(read, "")]


def _unknown(read: Any, path: str) -> Iterator[str]:
    """Names that the models have no field for: aiogram keeps them, we do not let them pass."""
    if isinstance(read, BaseModel):
        yield from (f"{path}{name}" for name in read.model_extra or ())
        for name in read.model_fields_set:
            yield from _unknown(getattr(read, name), f"{path}{name}.")
    elif isinstance(read, list | tuple):
        for number, one in enumerate(read):
            yield from _unknown(one, f"{path}{number}.")
