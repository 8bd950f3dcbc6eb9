"""The sandbox's world: one bot, the people and chats around it, and everything that happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from service.sandbox.limits import Fault, Trouble
from service.sandbox.people import Person
from service.sandbox.places import Group, Place, Private
from service.sandbox.refusals import BLOCKED, kicked
from service.sandbox.stage import Stage, wall_clock
from service.sandbox.state import Call, Chat, User
from service.sandbox.transcript import transcript
from service.sandbox.waiting import PATIENCE

__all__ = ["World", "wall_clock"]

Value = TypeVar("Value")


class World(Stage):
    """A stage with people and groups to act on it, trouble to order, and what tests ask afterwards."""

    def person(
        self,
        first_name: str,
        *,
        last_name: str | None = None,
        username: str | None = None,
        language_code: str = "en",
    ) -> Person:
        """Somebody new, who has not met the bot yet."""
        with self.changing():
            user_id = 5_000_000_000 + sum(not user.is_bot for user in self.users.values()) + 1
            user = User(
                id=user_id,
                first_name=first_name,
                last_name=last_name,
                username=username,
                language_code=language_code,
            )
            self.users[user_id] = user
            members = {user_id: "member", self.bot.id: "member"}
            self.chats[user_id] = Chat(id=user_id, kind="private", members=members)
        return Person(self, user_id)

    def group(
        self,
        title: str,
        people: Sequence[Person],
        *,
        admins: Sequence[Person] = (),
        supergroup: bool = False,
        forum: bool = False,
        with_bot: bool = True,
    ) -> Group:
        """A new group; the first of `people` created it, who also adds the bot (unless told not to).

        One with topics (`forum`) is a supergroup.
        """
        with self.changing():
            supergroup = supergroup or forum
            chat_id = self.new_chat_id(supergroup=supergroup)
            chat = Chat(id=chat_id, kind="supergroup" if supergroup else "group", title=title, forum=forum)
            chat.members = {person.id: "administrator" if person in admins else "member" for person in people}
            chat.members[people[0].id] = "creator"
            self.chats[chat_id] = chat
            group = Group(self, chat_id)
            if with_bot:
                group.add_bot()
        return group

    def wait_until(self, predicate: Callable[[], Value | None], timeout: float = PATIENCE, what: str = "") -> Value:
        """Waits until the predicate holds (asked again at each change) and gives its value; `timeout` in seconds.

        Raises TimeoutError that tells `what` was waited for, and every chat as it stands.
        """
        with self.changed:
            value = self.changed.wait_for(predicate, timeout)
            if value:
                return value
            chats = "\n".join(transcript(self, chat) for chat in self.chats.values() if chat.posts)
            raise TimeoutError(f"not within {timeout} s: {what or predicate}\n{chats}")

    def fault(
        self,
        trouble: Trouble,
        *,
        method: str | None = None,
        chat: Place | None = None,
        times: int = 1,
        retry_after: int = 1,
        description: str = "",
        seconds: float = 60.0,
    ) -> Fault:
        """Orders trouble for the next `times` calls that fit; see `Fault`. `description` is that of a 403."""
        fault = Fault(
            trouble=trouble,
            method=method,
            chat_id=None if chat is None else chat.id,
            times=times,
            retry_after=retry_after,
            description=description or (BLOCKED if isinstance(chat, Private) else kicked("group").description),
            seconds=seconds,
        )
        with self.changing():
            self.faults.append(fault)
        return fault

    def release(self, fault: Fault) -> None:
        """Lets the answers go that a `delayed` fault holds back."""
        with self.changing():
            fault.released = True

    def calls(self, method: str | None = None, chat: Place | None = None) -> list[Call]:
        """The journal, or what of it fits."""
        with self.changed:
            return [
                call
                for call in self.journal
                if method in {None, call.method} and (chat is None or call.params.get("chat_id") == chat.id)
            ]

    def everything_seen_by(self, person: Person, *, data: bool = False) -> list[str]:
        """Every text that she could see, ever: messages, their edits, buttons, links, her alerts and toasts.

        With `data` also the callback data, which a modified client shows.
        """
        with self.changed:
            return [
                sight.text for sight in self.sights if sight.user_id == person.id and (data or sight.kind != "data")
            ]

    def transcript(self, place: Place, *, history: bool = False) -> str:
        """The chat for a human reader, edits as their last state (with `history` all of them)."""
        with self.changed:
            return transcript(self, self.chats[place.id], history=history)

    def assert_clean(self) -> None:
        """Raises AssertionError when the bot did anything that a second reader or the strict server minds."""
        with self.changed:
            if self.violations:
                raise AssertionError("violations:\n" + "\n".join(self.violations))
