"""Where people write: private chats, groups and their topics, and what people do to a group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.sandbox.entities import Formatted
from service.sandbox.state import Chat, Service, Thread, is_member

if TYPE_CHECKING:
    from service.sandbox.people import Person
    from service.sandbox.world import World


class NotPossible(AssertionError):
    """An actor was told to do what nobody could do in a Telegram client."""


class Private:
    """A person's private chat with the bot, as a place to write to and to look at."""

    def __init__(self, world: World, user_id: int) -> None:
        self.world, self.id = world, user_id


class Topic:
    """A topic of a forum group; `thread` None is General."""

    def __init__(self, world: World, chat_id: int, thread: int | None) -> None:
        self.world, self.id, self.thread = world, chat_id, thread

    def close(self) -> None:
        """The creator closes it: only administrators among the people write there now, and no bot."""
        self._turn(closed=True)

    def reopen(self) -> None:
        """The creator opens it again."""
        self._turn(closed=False)

    def delete(self) -> None:
        """The creator deletes it with all its messages; nobody tells the bot."""
        with self.world.changing():
            if self.thread is None:
                raise NotPossible("General cannot be deleted")
            chat = self.world.chats[self.id]
            del chat.topics[self.thread]
            for post in chat.posts.values():
                if post.now.thread == self.thread:
                    post.deleted = True

    def _turn(self, *, closed: bool) -> None:
        with self.world.changing():
            chat = self.world.chats[self.id]
            topic = chat.topics[self.thread]
            if topic.closed == closed:
                raise NotPossible("is so already")
            topic.closed = closed
            service = Service("forum_topic_closed" if closed else "forum_topic_reopened")
            self.world.post(chat, chat.creator, Formatted(""), service=service, thread=self.thread)


class Group:
    """A group, and what its people do to it. `id` is that of the supergroup once it was migrated."""

    def __init__(self, world: World, chat_id: int) -> None:
        self.world, self.id = world, chat_id

    def add_bot(self) -> None:
        """The creator adds the bot."""
        self._join(self.world.bot.id, self._chat.creator)

    def remove_bot(self) -> None:
        """The creator removes the bot."""
        with self.world.changing():
            self._leave(self.world.bot.id, self._chat.creator, "kicked")

    def promote_bot(self, *, without: tuple[str, ...] = ()) -> None:
        """The creator makes the bot an administrator: it hears everything, and may pin unless that is withheld.

        `without` names rights as ChatMemberAdministrator does (`can_pin_messages`).
        """
        with self.world.changing():
            self._chat.withheld = frozenset(without)
            self._turn(self.world.bot.id, "administrator")

    def demote_bot(self) -> None:
        """The creator makes the bot a member like any other."""
        with self.world.changing():
            self._turn(self.world.bot.id, "member")

    def mute_bot(self) -> None:
        """The creator takes the right to write from the bot."""
        with self.world.changing():
            self._turn(self.world.bot.id, "restricted")

    def add(self, person: Person) -> None:
        """Somebody joins."""
        self._join(person.id, person.id)

    def promote(self, person: Person, *, anonymous: bool = False) -> None:
        """The creator makes a member an administrator; an `anonymous` one writes in the group's name."""
        with self.world.changing():
            if anonymous:
                self._chat.anonymous.add(person.id)
            self._turn(person.id, "administrator")

    def demote(self, person: Person) -> None:
        """The creator makes an administrator a member again."""
        with self.world.changing():
            self._chat.anonymous.discard(person.id)
            self._turn(person.id, "member")

    def remove(self, person: Person, *, by: Person | None = None, silent: bool = False) -> None:
        """The creator removes somebody, or (`by` that person) somebody leaves.

        `silent`: without a service message, as in large groups, or where another bot deletes them.
        """
        with self.world.changing():
            itself = by is not None and by.id == person.id
            status = "left" if itself else "kicked"
            self._leave(person.id, person.id if itself else self._chat.creator, status, silent=silent)

    def open_topic(self, name: str) -> Topic:
        """The creator opens a topic, in a group with topics."""
        with self.world.changing():
            chat = self._chat
            if not chat.forum:
                raise NotPossible("a group without topics")
            thread = chat.last_id + 1  # a topic is named after the message that opened it
            chat.topics[thread] = Thread(name)
            service = Service("forum_topic_created", title=name)
            self.world.post(chat, chat.creator, Formatted(""), service=service, thread=thread)
            return Topic(self.world, self.id, thread)

    @property
    def general(self) -> Topic:
        """The topic that every group with topics has, and whose messages carry no `message_thread_id`."""
        return Topic(self.world, self.id, None)

    def migrate(self, *, silent: bool = False) -> int:
        """The group becomes a supergroup; gives the old id. Its people go on seeing what was said before.

        `silent`: the bot learns it from an error alone, not by the two service messages.
        """
        with self.world.changing():
            old = self._chat
            if old.kind != "group":
                raise NotPossible("only a basic group becomes a supergroup")
            new = Chat(id=self.world.new_chat_id(supergroup=True), kind="supergroup", title=old.title)
            new.members, new.withheld = dict(old.members), old.withheld
            new.anonymous, new.migrated_from = set(old.anonymous), old.id
            self.world.chats[new.id] = new
            if not silent:
                self.world.post(old, old.creator, Formatted(""), service=Service("migrate_to_chat_id", chat_id=new.id))
                service = Service("migrate_from_chat_id", chat_id=old.id)
                self.world.post(new, new.creator, Formatted(""), service=service)
            old.migrated_to, self.id = new.id, new.id
            return old.id

    def forget_whispers(self) -> None:
        """Ephemeral messages vanish, as they may at any time."""
        with self.world.changing():
            for post in self._chat.whispers.values():
                post.deleted = True

    @property
    def _chat(self) -> Chat:
        return self.world.chats[self.id]

    def _turn(self, user: int, status: str) -> None:
        if not is_member(self._chat.members.get(user)):
            raise NotPossible("is no member")
        self.world.set_status(self._chat, user, status, self._chat.creator)

    def _join(self, user: int, by: int) -> None:
        with self.world.changing():
            chat = self._chat
            if is_member(chat.members.get(user)):
                raise NotPossible("is a member already")
            self.world.set_status(chat, user, "member", by)
            self.world.post(chat, by, Formatted(""), service=Service("new_chat_members", (user,)))

    def _leave(self, user: int, by: int, status: str, *, silent: bool = False) -> None:
        chat = self._chat
        if not is_member(chat.members.get(user)):
            raise NotPossible("is no member")
        service = Service("left_chat_member", (user,))
        if user == self.world.bot.id:  # it hears of its removal by my_chat_member alone
            self.world.set_status(chat, user, status, by)
            self.world.post(chat, by, Formatted(""), service=service)
        else:
            if not silent:
                self.world.post(chat, by, Formatted(""), service=service)
            self.world.set_status(chat, user, status, by)


Place = Group | Private | Topic
