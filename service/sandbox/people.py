"""People and groups as actors: they do what people do in a Telegram client, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from service.sandbox import objects
from service.sandbox.entities import Formatted, detected, trimmed
from service.sandbox.state import ANONYMOUS, Answer, Button, Message, Query, Service, Sight, is_member

if TYPE_CHECKING:
    from service.sandbox.world import World

Value = TypeVar("Value")
MOST_CHARACTERS = 4096


class NotPossible(AssertionError):
    """An actor was told to do what nobody could do in a Telegram client."""


class Private:
    """A person's private chat with the bot, as a place to write to and to look at."""

    def __init__(self, world: World, user_id: int) -> None:
        self.world, self.id = world, user_id


class Tap:
    """A pressed button whose answer may still be on its way."""

    def __init__(self, world: World, query: Query) -> None:
        self._world, self.query = world, query

    def answered(self, timeout: float = 10.0) -> Answer:
        """Waits for the bot's answerCallbackQuery; TimeoutError after `timeout` seconds."""
        what = f"an answer to the press of {self.query.data!r}"
        return self._world.wait_until(lambda: self.query.answer, timeout, what)


class Person:
    """Somebody with a Telegram client."""

    def __init__(self, world: World, user_id: int) -> None:
        self.world, self.id = world, user_id
        self.name = world.users[user_id].first_name
        self.private = Private(world, user_id)

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def start(self, payload: str = "") -> Message:
        """Presses Start in the bot's private chat (by a deep link with `payload`); lifts a block."""
        if payload and not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", payload):
            raise NotPossible(f"no deep link carries {payload!r}")
        with self.world.changing():
            chat = self.world.chats[self.id]
            if chat.blocked:
                chat.blocked = False
                self._tell_of_block("kicked", "member")
            chat.started = True
            return self.say(self.private, f"/start {payload}".strip())

    def block(self) -> None:
        """Blocks the bot."""
        with self.world.changing():
            self.world.chats[self.id].blocked = True
            self._tell_of_block("member", "kicked")

    def say(self, place: Place, text: str, *, reply_to: Message | None = None, anonymous: bool = False) -> Message:
        """Writes a message, as an administrator also `anonymous`ly; one too long is split, as clients do.

        Gives the last one.
        """
        with self.world.changing():
            chat = self.world.chats[place.id]
            if self.id not in chat.present() or (chat.kind == "private" and (chat.blocked or chat.id != self.id)):
                raise NotPossible(f"{self.name} cannot write there")
            if anonymous and chat.members[self.id] not in {"creator", "administrator"}:
                raise NotPossible("only administrators can be anonymous")
            sender = ANONYMOUS.id if anonymous else self.id
            parts = [text[at : at + MOST_CHARACTERS] for at in range(0, len(text), MOST_CHARACTERS)]
            messages = [detected(trimmed(Formatted(part))) for part in parts if part.strip()]
            if not messages:
                raise NotPossible("nobody can send an empty message")
            chat.started = True
            answered = None if reply_to is None else reply_to.id
            return [self.world.post(chat, sender, part, reply_to=answered) for part in messages][-1]

    def edit(self, message: Message, text: str) -> Message:
        """Edits a message of her own."""
        with self.world.changing():
            chat = self.world.chats[message.chat_id]
            post = chat.posts[message.id]
            if message.sender != self.id or post.deleted:
                raise NotPossible(f"{self.name} cannot edit this message")
            formatted = detected(trimmed(Formatted(text)))
            return self.world.revise(chat, post, text=formatted.text, entities=formatted.entities)

    def sees(self, place: Place) -> list[Message]:
        """The messages that stand in the chat, oldest first, each in its last version; none where she is not."""
        with self.world.changed:
            chat = self.world.chats[place.id]
            if self.id not in chat.present():
                return []
            return [post.now for post in chat.posts.values() if not post.deleted]

    def texts(self, place: Place) -> list[str]:
        """What `sees` shows, the texts only (service messages left out)."""
        return [message.text for message in self.sees(place) if message.text]

    def find(self, place: Place, words: str) -> Message | None:
        """The newest message in the chat that holds these words or has a button that says exactly them."""
        seen = self.sees(place)
        return next((one for one in reversed(seen) if words in one.text or words in one.buttons), None)

    def answers(self) -> list[Answer]:
        """The alerts and toasts she got, in order."""
        with self.world.changed:
            queries = [query for query in self.world.queries.values() if query.user_id == self.id]
            return [query.answer for query in queries if query.answer is not None and query.answer.text]

    def wait(self, predicate: Callable[[], Value | None], timeout: float = 10.0, what: str = "") -> Value:
        """`World.wait_until`."""
        return self.world.wait_until(predicate, timeout, what)

    def press(self, where: Message | Place, button: str | Callable[[Button], bool], timeout: float = 10.0) -> Answer:
        """Presses a button she can see and waits for the answer; see `tap`."""
        return self.tap(where, button).answered(timeout)

    def tap(self, where: Message | Place, button: str | Callable[[Button], bool]) -> Tap:
        """Presses a button she can see: of this message as it stands now, or of the newest in the chat that has it.

        `button` is what it says, exactly, or a predicate. Raises NotPossible when there is no such callback button.
        """
        with self.world.changing():
            message, found = self._button(where, button)
            if found.kind != "callback_data":
                raise NotPossible(f"the button {found.text!r} sends nothing to the bot (it is a {found.kind} button)")
            return self._query(message, found.value)

    def tap_raw(self, message: Message, data: str) -> Tap:
        """Sends callback data that no button has, as a modified client can, under a message of the bot."""
        with self.world.changing():
            chat = self.world.chats[message.chat_id]
            post = chat.posts.get(message.id)
            if post is None or post.deleted or message.sender != self.world.bot.id or self.id not in chat.present():
                raise NotPossible("Telegram takes callback data only under a message of the bot that she sees")
            return self._query(post.now, data)

    def press_raw(self, message: Message, data: str, timeout: float = 10.0) -> Answer:
        """`tap_raw`, and waits for the answer."""
        return self.tap_raw(message, data).answered(timeout)

    def follow(self, where: Message | Place, button: str | Callable[[Button], bool]) -> Message:
        """Presses a link button that leads to the bot's private chat: `https://t.me/<bot>?start=<payload>`."""
        _, found = self._button(where, button)
        link = re.fullmatch(r"https://t\.me/(\w+)(?:\?start=([\w-]+))?", found.value)
        if found.kind != "url" or link is None or link[1] != self.world.bot.username:
            raise NotPossible(f"the button {found.text!r} does not lead to the bot: {found.value}")
        return self.start(link[2] or "")

    def leave(self, group: Group) -> None:
        """Leaves the group."""
        group.remove(self, by=self)

    def _button(self, where: Message | Place, wanted: str | Callable[[Button], bool]) -> tuple[Message, Button]:
        fits = (lambda button: button.text == wanted) if isinstance(wanted, str) else wanted
        if isinstance(where, Message):
            seen = [one for one in self.sees(Private(self.world, where.chat_id)) if one.id == where.id]
        else:
            seen = self.sees(where)
        for message in reversed(seen):
            for button in (button for row in message.keyboard for button in row):
                if fits(button):
                    return message, button
        shown = [message.buttons for message in seen if message.buttons]
        raise NotPossible(f"{self.name} sees no button {wanted!r}; she sees {shown}")

    def _query(self, message: Message, data: str) -> Tap:
        world = self.world
        number = world.number()
        query = Query(
            id=str(4_000_000_000_000_000_000 + number * 7_919),
            user_id=self.id,
            chat_id=message.chat_id,
            message_id=message.id,
            data=data,
            pressed_at=world.clock(),
            number=number,
        )
        world.queries[query.id] = query
        chat = world.chats[message.chat_id]
        if world.bot.id in chat.present() and not chat.blocked:
            world.enqueue("callback_query", objects.query_object(query, chat, world.users))
        return Tap(world, query)

    def _tell_of_block(self, old: str, new: str) -> None:
        world, date = self.world, self.world.clock() // 1000
        change = objects.member_change_object(
            world.chats[self.id], world.users, by=self.id, user=world.bot.id, old=old, new=new, date=date
        )
        world.enqueue("my_chat_member", change)


class Group:
    """A group, and what its people do to it."""

    def __init__(self, world: World, chat_id: int) -> None:
        self.world, self.id = world, chat_id

    def add_bot(self) -> None:
        """The creator adds the bot."""
        self._join(self.world.bot.id, self._creator())

    def remove_bot(self) -> None:
        """The creator removes the bot."""
        with self.world.changing():
            self._leave(self.world.bot.id, self._creator(), "kicked")

    def promote_bot(self) -> None:
        """The creator makes the bot an administrator: it hears everything and may pin."""
        with self.world.changing():
            self.world.set_status(self.world.chats[self.id], self.world.bot.id, "administrator", self._creator())

    def add(self, person: Person) -> None:
        """Somebody joins."""
        self._join(person.id, person.id)

    def promote(self, person: Person) -> None:
        """The creator makes a member an administrator."""
        with self.world.changing():
            self.world.set_status(self.world.chats[self.id], person.id, "administrator", self._creator())

    def remove(self, person: Person, *, by: Person | None = None) -> None:
        """The creator removes somebody, or (`by` that person) somebody leaves."""
        with self.world.changing():
            itself = by is not None and by.id == person.id
            self._leave(person.id, person.id if itself else self._creator(), "left" if itself else "kicked")

    def _creator(self) -> int:
        members = self.world.chats[self.id].members
        return next(user for user, status in members.items() if status == "creator")

    def _join(self, user: int, by: int) -> None:
        with self.world.changing():
            chat = self.world.chats[self.id]
            if is_member(chat.members.get(user)):
                raise NotPossible("is a member already")
            self.world.set_status(chat, user, "member", by)
            self.world.post(chat, by, Formatted(""), service=Service("new_chat_members", (user,)))

    def _leave(self, user: int, by: int, status: str) -> None:
        chat = self.world.chats[self.id]
        if not is_member(chat.members.get(user)):
            raise NotPossible("is no member")
        service = Service("left_chat_member", (user,))
        if user == self.world.bot.id:  # it hears of its removal by my_chat_member alone
            self.world.set_status(chat, user, status, by)
            self.world.post(chat, by, Formatted(""), service=service)
        else:
            self.world.post(chat, by, Formatted(""), service=service)
            self.world.set_status(chat, user, status, by)


Place = Group | Private


def shown_answer(world: World, query: Query) -> None:
    """Notes what the presser sees of an answer."""
    if query.answer is not None and query.answer.text:
        kind = "alert" if query.answer.show_alert else "toast"
        world.sights.append(Sight(query.user_id, query.chat_id, kind, query.answer.text))
