"""People as actors: they do what people do in a Telegram client, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from service.sandbox import inline, memberships, objects, reactions
from service.sandbox.entities import Formatted, detected, trimmed
from service.sandbox.places import Group, NotPossible, Place, Private, Topic
from service.sandbox.state import ANONYMOUS, Answer, Asked, Button, Chat, Message, Query, Result, Results, Sight, User
from service.sandbox.taps import Tap, Typed
from service.sandbox.waiting import PATIENCE

if TYPE_CHECKING:
    from service.sandbox.world import World

__all__ = ["Group", "NotPossible", "Person", "Place", "Private", "Tap", "Topic", "Typed", "shown_answer"]

Value = TypeVar("Value")
MOST_CHARACTERS = 4096


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
            chat, thread = self._writes(place)
            if anonymous and chat.members[self.id] not in {"creator", "administrator"}:
                raise NotPossible("only administrators can be anonymous")
            sender = ANONYMOUS.id if anonymous or self.id in chat.anonymous else self.id
            parts = [text[at : at + MOST_CHARACTERS] for at in range(0, len(text), MOST_CHARACTERS)]
            messages = [detected(trimmed(Formatted(part))) for part in parts if part.strip()]
            if not messages:
                raise NotPossible("nobody can send an empty message")
            chat.started = True
            if reply_to is not None and reply_to.chat_id != chat.id:  # of before the group became a supergroup
                raise NotPossible("the message is in another chat")
            answered = None if reply_to is None else reply_to.id
            return [self.world.post(chat, sender, part, reply_to=answered, thread=thread) for part in messages][-1]

    def edit(self, message: Message, text: str) -> Message:
        """Edits a message of her own."""
        with self.world.changing():
            chat = self.world.chats[message.chat_id]
            post = chat.posts[message.id]
            if message.sender != self.id or post.deleted:
                raise NotPossible(f"{self.name} cannot edit this message")
            formatted = detected(trimmed(Formatted(text)))
            return self.world.revise(chat, post, text=formatted.text, entities=formatted.entities)

    def delete(self, message: Message) -> None:
        """Deletes a message of her own, or as an administrator anybody's; nobody tells the bot."""
        with self.world.changing():
            chat = self.world.chats[message.chat_id]
            post = chat.posts[message.id]
            if message.sender != self.id and chat.members[self.id] not in {"creator", "administrator"}:
                raise NotPossible(f"{self.name} cannot delete this message")
            post.deleted = True
            if message.id in chat.pinned:
                chat.pinned.remove(message.id)

    def react(self, message: Message, emoji: str) -> None:
        """Reacts to a message she sees; "" takes it back."""
        with self.world.changing():
            chat = self.world.chats[message.chat_id]
            if self.id not in chat.present() or (emoji and emoji not in reactions.EMOJI):
                raise NotPossible(f"{self.name} cannot react so")
            reactions.react(self.world, chat, chat.posts[message.id], self.id, emoji)

    def delete_account(self) -> None:
        """Her account is gone: she sees and does nothing any more, and groups go on listing a member without a name."""
        with self.world.changing():
            self.world.deleted.add(self.id)
            self.world.users[self.id] = User(id=self.id, first_name="")

    def type(self, place: Place, query: str = "", *, offset: str = "") -> Typed:
        """Types `@bot query` in the chat's input line."""
        with self.world.changing():
            if not self.world.inline or len(query) > inline.LONGEST_QUERY:
                raise NotPossible("no results for such a query")
            chat, _ = self._writes(place)
            return Typed(self.world, inline.ask(self.world, self.id, chat, query, offset))

    def ask(self, place: Place, query: str = "", timeout: float = PATIENCE) -> Results:
        """`type`, and waits for the results."""
        return self.type(place, query).answered(timeout)

    def choose(self, place: Place, typed: Typed, wanted: str | Callable[[Result], bool]) -> Message:
        """Chooses the result of this title (or that fits) of what she typed there, which sends its message.

        With feedback on, the bot hears of the choice; of the message it hears as of any that was sent via it.
        """
        with self.world.changing():
            asked = typed.asked
            fits = (lambda result: result.title == wanted) if isinstance(wanted, str) else wanted
            shown = () if asked.answer is None else asked.answer.results
            result = next((result for result in shown if fits(result)), None)
            if result is None or asked.user_id != self.id or asked.chat_id != place.id:
                raise NotPossible(f"{self.name} sees no result {wanted!r}; she sees {[one.title for one in shown]}")
            chat, thread = self._writes(place)
            return self._send_chosen(chat, thread, asked, result)

    def switch(self, where: Message | Place, button: str | Callable[[Button], bool]) -> Typed:
        """Presses a button that puts `@bot query` into the input line of the chat it is in."""
        with self.world.changing():
            message, found = self._button(where, button)
            if found.kind != "switch_inline_query_current_chat":
                raise NotPossible(f"the button {found.text!r} is a {found.kind} button")
            return self.type(Topic(self.world, message.chat_id, message.thread), found.value)

    def sees(self, place: Place) -> list[Message]:
        """The messages that stand in the chat, oldest first, each in its last version; none where she is not."""
        with self.world.changed:
            chat = self.world.chats[place.id]
            if self.id not in chat.present() or self.id in self.world.deleted:
                return []
            posts = [*chat.posts.values(), *chat.whispers.values()]
            if chat.migrated_from is not None:  # clients show what was said before
                posts += self.world.chats[chat.migrated_from].posts.values()
            seen = [post.now for post in sorted(posts, key=lambda post: post.number) if not post.deleted]
            seen = [message for message in seen if message.receiver in {None, self.id}]
            return [one for one in seen if one.thread == place.thread] if isinstance(place, Topic) else seen

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

    def wait(self, predicate: Callable[[], Value | None], timeout: float = PATIENCE, what: str = "") -> Value:
        """`World.wait_until`."""
        return self.world.wait_until(predicate, timeout, what)

    def press(
        self, where: Message | Place, button: str | Callable[[Button], bool], timeout: float = PATIENCE
    ) -> Answer:
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
            if self.world.chats[message.chat_id].blocked:
                raise NotPossible(f"{self.name} has blocked the bot")
            return self._query(message, found.value)

    def tap_raw(self, message: Message, data: str) -> Tap:
        """Sends callback data that no button has, as a modified client can, under a message of the bot."""
        with self.world.changing():
            chat = self.world.chats[message.chat_id]
            post = chat.post(message)
            if (
                post is None
                or post.deleted
                or message.receiver not in {None, self.id}
                or message.sender != self.world.bot.id
                or self.id not in chat.present()
            ):
                raise NotPossible("Telegram takes callback data only under a message of the bot that she sees")
            return self._query(post.now, data)

    def press_raw(self, message: Message, data: str, timeout: float = PATIENCE) -> Answer:
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

    def _writes(self, place: Place) -> tuple[Chat, int | None]:
        chat, thread = self.world.chats[place.id], place.thread if isinstance(place, Topic) else None
        if self.id not in chat.present() or self.id in self.world.deleted:
            raise NotPossible(f"{self.name} cannot write there")
        if chat.kind == "private" and (chat.blocked or chat.id != self.id):
            raise NotPossible(f"{self.name} cannot write there")
        if chat.topics[thread].closed and chat.members[self.id] not in {"creator", "administrator"}:
            raise NotPossible("the topic is closed")
        return chat, thread

    def _send_chosen(self, chat: Chat, thread: int | None, asked: Asked, result: Result) -> Message:
        world = self.world
        message = world.post(chat, self.id, result.content, keyboard=result.keyboard, thread=thread, via=world.bot.id)
        if world.feedback:
            inline_id = objects.inline_message_id(chat.id, message.id) if result.keyboard else None
            chosen = objects.chosen_result_object(asked, result.id, inline_id, world.users)
            world.enqueue("chosen_inline_result", chosen)
        return message

    def _button(self, where: Message | Place, wanted: str | Callable[[Button], bool]) -> tuple[Message, Button]:
        fits = (lambda button: button.text == wanted) if isinstance(wanted, str) else wanted
        if isinstance(where, Message):
            seen = [one for one in self.sees(Private(self.world, where.chat_id)) if one.key == where.key]
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
            ephemeral_id=message.ephemeral_id,
            inline=message.via is not None,
        )
        world.queries[query.id] = query
        chat = world.chats[message.chat_id]
        if world.bot.id in chat.present() and not chat.blocked:
            world.enqueue("callback_query", objects.query_object(query, chat, world.users))
        return Tap(world, query)

    def _tell_of_block(self, old: str, new: str) -> None:
        world, date = self.world, self.world.clock() // 1000
        change = memberships.member_change_object(
            world.chats[self.id], world.users, by=self.id, user=world.bot.id, old=old, new=new, date=date
        )
        world.enqueue("my_chat_member", change)


def shown_answer(world: World, query: Query) -> None:
    """Notes what the presser sees of an answer."""
    if query.answer is not None and query.answer.text:
        kind = "alert" if query.answer.show_alert else "toast"
        world.sights.append(Sight(query.user_id, query.chat_id, kind, query.answer.text))
