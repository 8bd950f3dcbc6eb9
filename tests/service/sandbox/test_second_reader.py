from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from service.sandbox.parameters import SIGNATURES, Signature
from service.sandbox.whispers import PARAMETERS
from service.sandbox.world import World
from tests import second_reader
from tests.service.sandbox.conftest import Raw

EVERY_METHOD = pytest.mark.parametrize("signature", SIGNATURES, ids=lambda signature: signature.name)


@EVERY_METHOD
def test_methods_and_parameters_are_in_the_second_readers_models(signature: Signature) -> None:
    model = second_reader.method_model(signature.name)
    assert signature.parameters.keys() <= model.model_fields.keys()


@EVERY_METHOD
def test_methods_give_what_the_second_reader_expects(signature: Signature) -> None:
    returning: Any = second_reader.method_model(signature.name).__returning__  # type: ignore[attr-defined]
    kinds = [kind for kind in get_args(returning) if kind is not bool] or [returning]
    names = {kind.__name__ for kind in kinds if isinstance(kind, type)} | {
        part.__name__ for kind in kinds for part in get_args(kind)
    }
    expected = {"True": "bool", "ChatMember": "ChatMemberOwner"}.get(signature.returns, signature.returns)
    assert expected in names


@EVERY_METHOD
def test_methods_and_parameters_are_in_the_machine_readable_api(signature: Signature) -> None:
    path = os.environ.get("TELEGRAM_API_JSON")
    if not path:
        pytest.skip("TELEGRAM_API_JSON names no machine-readable Bot API")
    method = json.loads(Path(path).read_text())["methods"].get(signature.name)
    if method is None:
        pytest.skip("newer than that machine-readable Bot API")
    known = {field["name"] for field in method.get("fields", [])} | {PARAMETERS}  # newer than it, too
    assert signature.parameters.keys() <= known
    assert any(signature.returns in kind or kind == "Boolean" for kind in method["returns"])


@pytest.mark.parametrize(
    ("method", "params", "fault"),
    [
        ("sendMessage", {"chat_id": 1, "text": "x", "colour": "red"}, "colour: unknown"),
        ("sendMessage", {"chat_id": 1}, "text: Field required"),
        ("editMessageText", {"message_id": "one", "text": "x"}, "message_id: Input should be a valid integer"),
        (
            "sendMessage",
            {"chat_id": 1, "text": "x", "reply_markup": {"inline_keyboard": [[{"text": "x", "color": "red"}]]}},
            "reply_markup.inline_keyboard.0.0.color: unknown",
        ),
    ],
)
def test_faults_in_calls_are_found(method: str, params: dict[str, Any], fault: str) -> None:
    assert any(found.startswith(fault) for found in second_reader.check_call(method, params))


def test_faults_in_objects_are_found() -> None:
    user = {"id": 1, "is_bot": False, "first_name": "Ann"}
    assert second_reader.check_object("User", user) == []
    assert second_reader.check_object("User", user | {"hat": "red"}) == ["hat: unknown"]
    assert second_reader.check_object("User", {"id": 1}) == ["is_bot: Field required", "first_name: Field required"]
    message = {"message_id": 1, "date": 0, "chat": {"id": 1, "type": "private"}, "from": user | {"hat": "red"}}
    assert second_reader.check_object("Update", {"update_id": 1, "message": message}) == [
        "message.from_user.hat: unknown"
    ]


def test_a_fault_that_a_second_reader_finds_fails_the_test(bot_api: World, raw: Raw) -> None:
    bot_api.check_call = lambda method, params: ["no such thing"]
    bot_api.check_object = lambda kind, value: ["no such field"]
    raw("getMe")
    assert bot_api.violations == ["getMe: no such thing", "built User: no such field"]
    bot_api.violations.clear()


def test_the_project_itself_does_not_need_the_second_reader() -> None:
    folder = Path(__file__).parents[3] / "service"
    assert [path for path in folder.rglob("*.py") if "aiogram" in path.read_text()] == []


def test_the_models_are_models() -> None:
    assert all(issubclass(second_reader.method_model(one.name), BaseModel) for one in SIGNATURES)
