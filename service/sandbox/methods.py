"""Carries out one call of the Bot API on a world: limits, parameters, the method, the journal."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, assert_never

import msgspec

from service.sandbox import files, hooks, inline, memberships, objects, reactions, whispers, writing
from service.sandbox.limits import Fault
from service.sandbox.parameters import BY_NAME, Signature, read_parameters
from service.sandbox.people import shown_answer
from service.sandbox.refusals import QUERY_TOO_OLD, Refused, bad_request, too_many
from service.sandbox.state import Answer, Call, Upload, is_member
from service.sandbox.world import World

Params = dict[str, Any]
MOST_COMMANDS = 100
MOST_TOAST = 200
_CHAT_SCOPES = {"chat", "chat_administrators", "chat_member"}
_SCOPES = {"default", "all_private_chats", "all_group_chats", "all_chat_administrators", *_CHAT_SCOPES}


def signature_of(world: World, method: str) -> Signature:
    """The method of this name, in whatever case; 404 for others."""
    signature = BY_NAME.get(method.lower())
    if signature is None or (signature.name in whispers.METHODS and not world.ephemeral):
        with world.changing():
            world.violate(f"{method}: no method that this server carries out")
        raise Refused(404, "Not Found: method not found")
    return signature


class Outcome(msgspec.Struct, frozen=True):
    """What became of a call: its answer (None: a poll that has yet to wait), the fault to play on the way back."""

    params: Params
    answer: dict[str, Any] | None
    fault: Fault | None


def carry_out(world: World, signature: Signature, raw: Mapping[str, Any]) -> Outcome:
    """Does all of a call at once, journal included; only getUpdates is left to the server, which has to wait."""
    params, fault = dict(raw), None
    with world.changing():
        try:
            params = _prepared(world, signature, raw)
            fault = _fault(world, signature, params)
            _admit(world, signature, params, fault)
            if fault is not None and fault.trouble == "lost":
                answer: dict[str, Any] = {"ok": True, "result": None}
            elif signature.name == "getUpdates":
                return Outcome(params, None, fault)
            else:
                answer = {"ok": True, "result": _METHODS[signature.name](world, params)}
        except Refused as refused:
            answer = refused.answer()
        record(world, signature, params, answer, fault)
    return Outcome(params, answer, fault)


def record(world: World, signature: Signature, params: Params, answer: dict[str, Any], fault: Fault | None) -> None:
    """Writes the journal and shows the result to the second reader."""
    result = answer.get("result")
    if result is not None and signature.returns != "True":
        for value in result if isinstance(result, list) else [result]:
            world.read_again(signature.returns, value)
    trouble = None if fault is None else fault.trouble
    call = Call(
        number=world.number(), at=world.clock(), method=signature.name, params=params, answer=answer, fault=trouble
    )
    world.journal.append(call)


def _prepared(world: World, signature: Signature, raw: Mapping[str, Any]) -> Params:
    params = read_parameters(signature, raw)
    named = {name: value for name, value in params.items() if not isinstance(value, Upload)}
    named |= {name: f"attach://{name}" for name in params.keys() - named.keys() if name in signature.parameters}
    for name in named.keys() - signature.parameters.keys():
        world.violate(f"{signature.name}: parameter {name!r} is not one that this server carries out")
    if world.check_call is not None:
        world.violations += [f"{signature.name}: {fault}" for fault in world.check_call(signature.name, named)]
    if not world.ephemeral:
        params.pop(whispers.PARAMETERS, None)
    return params


def _fault(world: World, signature: Signature, params: Params) -> Fault | None:
    fault = next((one for one in world.faults if one.fits(signature.name, params.get("chat_id"))), None)
    if fault is not None:
        fault.played += 1
    return fault


def _admit(world: World, signature: Signature, params: Params, fault: Fault | None) -> None:
    if fault is not None:
        match fault.trouble:
            case "too_many":
                raise too_many(fault.retry_after)
            case "forbidden":
                raise Refused(403, fault.description)
            case "broken":
                raise Refused(500, "Internal Server Error")
            case "unanswered" | "lost" | "delayed":
                pass
            case other:
                assert_never(other)
    chat_id = params.get("chat_id")
    if world.flood is not None and isinstance(chat_id, int):
        wait = world.flood.wait(signature.name, chat_id, world.clock())
        if wait:
            raise too_many(wait)


def _get_me(world: World, params: Params) -> Any:
    return objects.me_object(world.bot, world.privacy, world.inline)


def _send_message(world: World, params: Params) -> Any:
    return (whispers.send if whispers.PARAMETERS in params else writing.send_message)(world, params)


def _answer_callback_query(world: World, params: Params) -> Any:
    """Bot API, answerCallbackQuery: once, within the query's lifetime."""
    query = world.queries.get(params.get("callback_query_id", ""))
    expired = query is not None and world.clock() - query.pressed_at > world.query_lifetime_ms
    if query is None or expired or query.answer is not None:
        raise Refused(400, QUERY_TOO_OLD)
    text = params.get("text", "")
    if len(text) > MOST_TOAST:
        raise bad_request("MESSAGE_TOO_LONG")
    if "url" in params and not re.match(r"https://t\.me/|tg://", params["url"]):
        raise bad_request("URL_INVALID")
    query.answer = Answer(text, params.get("show_alert", False), params.get("url"))
    shown_answer(world, query)
    return True


def _scope(world: World, params: Params) -> tuple[str, str]:
    scope = params.get("scope", {"type": "default"})
    kind = scope.get("type") if isinstance(scope, dict) else None
    if kind not in _SCOPES:
        raise bad_request("can't parse BotCommandScope: Unsupported type specified")
    language = params.get("language_code", "")
    if not re.fullmatch(r"(?:[a-z]{2})?", language):
        raise bad_request("invalid language code specified")
    if kind in _CHAT_SCOPES:
        writing.known_chat(world, {"chat_id": scope.get("chat_id")})
        kind += f":{scope['chat_id']}"
    if kind.startswith("chat_member"):
        kind += f":{scope.get('user_id')}"
    return kind, language


def _set_my_commands(world: World, params: Params) -> Any:
    """Bot API, setMyCommands."""
    commands = params.get("commands")
    if not isinstance(commands, list) or not all(isinstance(command, dict) for command in commands):
        raise bad_request("can't parse commands JSON object")
    if len(commands) > MOST_COMMANDS:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    kept = []
    for command in commands:
        name, description = str(command.get("command", "")).removeprefix("/"), str(command.get("description", ""))
        if not re.fullmatch(r"[a-z0-9_]{1,32}", name):
            raise bad_request("BOT_COMMAND_INVALID")
        if not 1 <= len(description) <= 256:
            raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
        kept.append({"command": name, "description": description})
    world.commands[_scope(world, params)] = kept
    return True


def _get_my_commands(world: World, params: Params) -> Any:
    return world.commands.get(_scope(world, params), [])


def _delete_my_commands(world: World, params: Params) -> Any:
    world.commands.pop(_scope(world, params), None)
    return True


def _get_chat(world: World, params: Params) -> Any:
    return memberships.full_chat_object(writing.known_chat(world, params), world.users)


def _get_chat_member(world: World, params: Params) -> Any:
    """Bot API, getChatMember; somebody who never was there has left."""
    chat = writing.known_chat(world, params)
    user = world.users.get(params.get("user_id", 0))
    if user is None:
        raise bad_request("user not found")
    if chat.kind == "private" and user.id not in chat.members:
        raise bad_request("member not found")
    return memberships.member_object(chat.members.get(user.id, "left"), user, chat)


def _get_chat_administrators(world: World, params: Params) -> Any:
    """Bot API, getChatAdministrators; other bots would be left out, this one is not."""
    chat = writing.known_chat(world, params)
    if chat.kind == "private":
        raise bad_request("there are no administrators in the private chat")
    return [
        memberships.member_object(status, world.users[user], chat)
        for user, status in chat.members.items()
        if is_member(status) and status != "member"
    ]


_METHODS: dict[str, Callable[[World, Params], Any]] = {
    "getMe": _get_me,
    "sendMessage": _send_message,
    "editEphemeralMessageText": whispers.edit_text,
    "editEphemeralMessageReplyMarkup": whispers.edit_reply_markup,
    "deleteEphemeralMessage": whispers.delete,
    "sendPhoto": files.send_photo,
    "sendDocument": files.send_document,
    "editMessageCaption": files.edit_message_caption,
    "editMessageMedia": files.edit_message_media,
    "getFile": files.get_file,
    "setMessageReaction": reactions.set_message_reaction,
    "setWebhook": hooks.set_webhook,
    "editMessageText": writing.edit_message_text,
    "editMessageReplyMarkup": writing.edit_message_reply_markup,
    "deleteMessage": writing.delete_message,
    "answerInlineQuery": inline.answer_inline_query,
    "answerCallbackQuery": _answer_callback_query,
    "setMyCommands": _set_my_commands,
    "getMyCommands": _get_my_commands,
    "deleteMyCommands": _delete_my_commands,
    "getChat": _get_chat,
    "getChatMember": _get_chat_member,
    "getChatAdministrators": _get_chat_administrators,
    "pinChatMessage": writing.pin_chat_message,
    "unpinChatMessage": writing.unpin_chat_message,
    "deleteWebhook": hooks.delete_webhook,
    "getWebhookInfo": hooks.get_webhook_info,
    "sendChatAction": writing.send_chat_action,
}
