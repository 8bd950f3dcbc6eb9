"""Inline mode: what people ask in the input line, the bot's results, its cache, and the choice among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from service.sandbox import objects, writing
from service.sandbox.keyboards import read_keyboard
from service.sandbox.refusals import QUERY_TOO_OLD, Refused, bad_request
from service.sandbox.state import Asked, Chat, Result, Results, Sight

if TYPE_CHECKING:
    from service.sandbox.world import World

Params = dict[str, Any]
MOST_RESULTS = 50
LONGEST_QUERY = 256
LONGEST_ID = 64  # bytes
CACHED_S = 300  # what Telegram takes for cache_time when the bot says nothing
_DEEP_LINK = 64


class Cache:
    """Telegram's: shared among all who ask the same, unless the bot called its answer personal."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int | None, str, str], tuple[int, Results]] = {}

    def find(self, asked: Asked) -> Results | None:
        """What would be shown without asking the bot."""
        for user in (asked.user_id, None):
            until, results = self._kept.get((user, asked.query, asked.offset), (0, None))
            if asked.asked_at < until:
                return results
        return None

    def keep(self, asked: Asked, results: Results, *, personal: bool, until: int) -> None:
        """Keeps an answer until a time in milliseconds."""
        self._kept[asked.user_id if personal else None, asked.query, asked.offset] = (until, results)


def ask(world: World, user_id: int, chat: Chat, query: str, offset: str) -> Asked:
    """A person typed the query: answered from the cache, else the bot is asked by an update."""
    number = world.number()
    asked = Asked(
        id=str(5_000_000_000_000_000_000 + number * 7_919),
        user_id=user_id,
        chat_id=chat.id,
        query=query,
        offset=offset,
        asked_at=world.clock(),
        number=number,
    )
    world.asked[asked.id] = asked
    found = world.cache.find(asked)
    if found is not None:
        asked.cached = True
        _show(world, asked, found)
    else:
        world.enqueue("inline_query", objects.inline_query_object(asked, chat, world.users))
    return asked


def answer_inline_query(world: World, params: Params) -> Any:
    """Bot API, answerInlineQuery.

    Refuses (400) a query that is too old or answered already, more than 50 results, an id that is not 1-64 bytes or
    comes twice, and results that are no articles: this server knows no others.
    """
    asked = world.asked.get(params.get("inline_query_id", ""))
    now = world.clock()
    if asked is None or asked.answer is not None or now - asked.asked_at > world.query_lifetime_ms:
        raise Refused(400, QUERY_TOO_OLD)
    given = params.get("results")
    if not isinstance(given, list):
        raise bad_request("can't parse inline query results JSON object")
    if len(given) > MOST_RESULTS:
        raise bad_request("RESULTS_TOO_MUCH")
    read = tuple(_result(world, one) for one in given)
    if len({result.id for result in read}) < len(read):
        raise bad_request("RESULT_ID_DUPLICATE")
    next_offset = str(params.get("next_offset", ""))
    if len(next_offset.encode()) > LONGEST_ID:
        raise bad_request("NEXT_OFFSET_INVALID")
    button, start = _button(params.get("button"))
    results = Results(results=read, next_offset=next_offset, button=button, start=start)
    seconds = params.get("cache_time", CACHED_S)
    if seconds > 0:
        personal = bool(params.get("is_personal"))
        world.cache.keep(asked, results, personal=personal, until=now + seconds * 1000)
    _show(world, asked, results)
    return True


def _show(world: World, asked: Asked, results: Results) -> None:
    asked.answer = results
    shown = [results.button] if results.button else []
    for result in results.results:
        shown += [result.title, result.description]
    world.sights += [Sight(asked.user_id, asked.chat_id, "inline", text) for text in shown if text]


def _result(world: World, given: Any) -> Result:
    if not isinstance(given, dict):
        raise bad_request("can't parse inline query result: expected an Object")
    if given.get("type") != "article":
        world.violate(f"an inline result of type {given.get('type')!r}: this server knows articles only")
        raise bad_request("can't parse inline query result: Unsupported type specified")
    result_id, title, content = given.get("id"), given.get("title"), given.get("input_message_content")
    if not isinstance(result_id, str) or not 1 <= len(result_id.encode()) <= LONGEST_ID:
        raise bad_request("RESULT_ID_INVALID")
    if not isinstance(title, str) or not title.strip():
        raise bad_request("ARTICLE_TITLE_EMPTY")
    if not isinstance(content, dict) or not isinstance(content.get("message_text"), str):
        raise bad_request("MESSAGE_CONTENT_INVALID")
    formatted = writing.formatted_text(world, {**content, "text": content["message_text"]})
    keyboard = read_keyboard(given.get("reply_markup"), private=False)
    return Result(result_id, title, str(given.get("description", "")), formatted, keyboard)


def _button(given: Any) -> tuple[str, str]:
    if given is None:
        return "", ""
    text, start = (given.get("text"), given.get("start_parameter")) if isinstance(given, dict) else (None, None)
    if not isinstance(text, str) or not isinstance(start, str):
        raise bad_request("can't parse inline query results button")
    if not 1 <= len(start) <= _DEEP_LINK:
        raise bad_request("START_PARAM_INVALID")
    return text, start
