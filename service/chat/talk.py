"""Commands and moves that people write, in a group or to us alone. A group never reads what tells of a hand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from domain import options
from domain.commands import Act, Close, CutDeck, Leave, Move, Open, Propose, Return, SetOptions
from domain.games import GAMES
from domain.rejected import Rejected
from domain.table import Table, decision_of, observe, seat_of
from service.chat import show
from service.chat.hall import Hall
from service.chat.incoming import Said
from service.chat.post import Post
from service.chat.tokens import TABLE_ID
from service.chat.views import TABLE
from service.engine import Done, Outcome, Unreadable
from service.text import history, language, languages, nearest, people
from service.text.chat import moves, say
from service.text.chat import names as game_names
from service.text.refusals import Refusal, refusal
from service.text.words import game_name, words

# What a refused move may say in front of everybody, beside what a game allows (`Game.open_refusals`); all else tells of
# a hand, if only by being said.
PUBLIC = frozenset(
    {
        "no_such_table",
        "not_a_move",
        "not_seated",
        "not_started",
        "not_your_turn",
        "stale",
        "table_over",
    }
)
ABANDONED_MS = 3_600_000  # without anything happening in a lobby, from when on anybody may close it
_CHAT = "chat"  # the actor that is the group itself
_MOST_TABLES = 20  # of a chat's newest that are looked at
_LONGEST_REPLY = 60  # characters of an answer to our message that may be a move


async def handle(hall: Hall, said: Said) -> None:
    """Answers a command, a move written in private, or one in reply to a message of ours.

    Raises StoreDown; may then be called again.
    """
    hall.places.note_message(said.chat, said.message)
    try:
        if said.command in GAMES:
            await _open(hall, said, said.command)
        elif said.command is not None and (known := _COMMANDS.get(said.command)) is not None:
            await known(hall, said)
        elif said.command is not None and any(_verb(said.command) in rules.examples for rules in GAMES.values()):
            await _play(hall, said)
        elif said.command is None and said.reply and not said.private and not said.forwarded:
            await _replied(hall, said)
        elif said.private:
            await (_written(hall, said) if said.command is None else _help(hall, said))
    except Unreadable as fault:
        await hall.answer(said, hall.say(f"parked_{fault.why}"))


# Whose, and which table


async def _actor(hall: Hall, said: Said) -> str | None:
    """The actor; whoever writes in the name of the group is told that a seat belongs to a person."""
    if said.user is None:
        await hall.answer(said, hall.say("anonymous"))
        return None
    return await hall.actor(said.user)


async def _table(hall: Hall, said: Said, actor: str | None) -> Table | None:
    """The table that is meant, the same when the update comes again; whoever means none is told so."""
    name = await hall.once.known(said.update, "table")
    if name is None:
        name = await (_own(hall, said, actor) if said.private and actor is not None else _newest(hall, said, actor))
        name = await hall.once.decided(said.update, "table", name or "")
    state = await hall.state(name) if name else None
    if state is None and not (said.private and actor is not None and len(hall.seated.tables_of(actor)) > 1):
        await hall.answer(said, hall.say("no_table_for_you" if said.private else "no_table"))
    return state


async def _newest(hall: Hall, said: Said, actor: str | None) -> str | None:
    """The group's newest table that goes on: of those, one where the actor sits; else the newest that is over."""
    going: list[Table] = []
    last: str | None = None
    parked: str | None = None
    for name in (await hall.places.tables(said.chat))[:_MOST_TABLES]:
        try:
            state = await hall.state(name)
        except Unreadable:
            parked = parked or name
            continue
        if state is not None and state.phase != "over":
            going.append(state)
        elif state is not None:
            last = last or name
    seated = [state for state in going if actor is not None and seat_of(state, actor) is not None]
    return next((state.id for state in [*seated, *going]), parked or last)


async def _own(hall: Hall, said: Said, actor: str) -> str | None:
    """The table at which somebody sits; the one he chose if there are several, which he is asked to do."""
    names = hall.seated.tables_of(actor)
    if len(names) <= 1:
        return names[0] if names else await _newest(hall, said, actor)
    chosen = await hall.places.focus(actor)
    if chosen in names:
        return chosen
    labels = []
    for name in names:
        state = await hall.readable(name)
        others = [] if state is None else await hall.views.names(state)
        labels.append((name, ", ".join(others)[:60] or name))
    await hall.answer(said, show.choose(hall.texts, labels))
    return None


# Opening and arranging


async def _open(hall: Hall, said: Said, slug: str) -> None:
    """A new table with its lobby; where a lobby is open already it is shown once more."""
    actor = await _actor(hall, said)
    if actor is None:
        return
    name = await hall.once.known(said.update, "opened")
    if name is None:
        lobby = await _lobby(hall, said.chat, slug)
        choice = f"again {lobby}" if lobby else f"new {await hall.places.new_table(said.chat)}"
        name = await hall.once.decided(said.update, "opened", choice)
    how, _, name = name.partition(" ")
    if how == "new":
        await hall.places.set_thread(name, said.thread)
        await hall.views.begin(name)
        game = GAMES[slug]
        await hall.submit(said.update, name, actor, Open(slug, options.read(game, {}), seated=True))
    else:
        await hall.views.repost(name, TABLE, str(said.update))


async def _lobby(hall: Hall, chat: int, slug: str) -> str | None:
    for name in (await hall.places.tables(chat))[:_MOST_TABLES]:
        state = await hall.readable(name)
        if state is not None and state.phase == "lobby" and state.rules.slug == slug:
            return name
    return None


async def _options(hall: Hall, said: Said) -> None:
    actor = await _actor(hall, said)
    state = None if actor is None else await _table(hall, said, actor)
    if state is None or actor is None:
        return
    if not said.text:
        await hall.answer(said, show.rules(hall.texts, observe(state, None)))
        return
    given: dict[str, str] = {}
    for word in said.text.split():
        name, separator, value = word.partition("=")
        if not separator or not name:
            await hall.answer(said, hall.say("options_form", text=word[:40]))
            return
        given[name.lower()] = value
    preset = given.pop("preset", None)
    now = {} if preset else options.differing(state.options)
    texts = {name: options.text_of(tuple(value) if isinstance(value, list) else value) for name, value in now.items()}
    try:
        chosen = options.read(state.rules, {**texts, **given}, preset.lower() if preset else None)
    except Rejected as rejected:
        await _refuse(hall, said, rejected)
        return
    await _act(hall, said, state, actor, SetOptions(chosen), hall.say("options_set"))


async def _cut(hall: Hall, said: Said) -> None:
    """Cuts the cards before the first deal; once a game runs in which `cut` is a move, it is that move."""
    actor = await _actor(hall, said)
    state = None if actor is None else await _table(hall, said, actor)
    if state is None or actor is None:
        return
    if state.phase == "playing" and "cut" in state.rules.examples:
        await _play(hall, said)
        return
    number = int(said.text) if said.text.isascii() and said.text.isdigit() and len(said.text) < 4 else -1
    await _simple(hall, said, CutDeck(number), "cut", number=number)


async def _leave(hall: Hall, said: Said) -> None:
    await _simple(hall, said, Leave(), "left_game", lobby="left_lobby")


async def _back(hall: Hall, said: Said) -> None:
    await _simple(hall, said, Return(), "back")


async def _end(hall: Hall, said: Said) -> None:
    """Proposes to end the game, or closes a lobby. Whoever writes in the name of the group closes any table."""
    actor = _CHAT if said.group else await _actor(hall, said)
    state = None if actor is None else await _table(hall, said, actor)
    if state is None or actor is None:
        return
    if actor == _CHAT or state.phase == "lobby":
        closer = actor if actor in (_CHAT, state.host) else await _closer(hall, state, actor)
        if closer is None:
            await hall.answer(said, hall.say("not_alone"))
        else:
            await _act(hall, said, state, closer, Close(), hall.say("closed"))
        return
    outcome = await _act(hall, said, state, actor, Propose("end"), "")
    if isinstance(outcome, Done):
        await hall.views.repost(state.id, TABLE, str(said.update))


async def _closer(hall: Hall, state: Table, actor: str) -> str | None:
    """In whose name somebody who did not open the lobby may close it: an abandoned one must not stay for ever."""
    deserted = seat_of(state, state.host) is None and seat_of(state, actor) is not None
    last = (await hall.engine.history(state.id))[-1].time
    return _CHAT if deserted or hall.engine.clock.now() - last > ABANDONED_MS else None


async def _simple(hall: Hall, said: Said, act: Act, done: str, lobby: str = "", **values: object) -> None:
    """Carries out an act and says so: `done`, in a lobby `lobby`, which may name whoever it was."""
    actor = await _actor(hall, said)
    state = None if actor is None else await _table(hall, said, actor)
    if state is None or actor is None:
        return
    seat = seat_of(state, actor)
    name = "" if seat is None else (await hall.views.names(state))[seat]
    code = lobby if lobby and state.phase == "lobby" else done
    await _act(hall, said, state, actor, act, hall.say(code, name=name, **values))


async def _act(hall: Hall, said: Said, state: Table, actor: str, act: Act, done: str) -> Outcome:
    outcome = await hall.submit(said.update, state.id, actor, act)
    if not isinstance(outcome, Done):
        await _refuse(hall, said, outcome)
    elif done:
        await hall.answer(said, done)
    return outcome


# Moves


_SHORT = {"w": "word"}
"""What a command may be called for short."""


def _verb(command: str) -> str:
    return _SHORT.get(command, command)


async def _play(hall: Hall, said: Said) -> None:
    await _move(hall, said, f"{_verb(said.command or '')} {said.text}".strip())


async def _replied(hall: Hall, said: Said) -> None:
    """In a group an answer to our message is a move, if it can be read as one; anything else is talk among people."""
    if said.user is None or len(said.text) > _LONGEST_REPLY:
        return
    actor = await hall.actor(said.user)
    name = await _newest(hall, said, actor)
    state = None if name is None else await hall.readable(name)
    seat = None if state is None else seat_of(state, actor)
    if state is None or seat is None or state.phase != "playing":
        return
    try:
        state.rules.parse(said.text, state.rules.observe(state.set, seat))
    except Rejected:
        return
    await _move(hall, said, said.text)


async def _written(hall: Hall, said: Said) -> None:
    await _move(hall, said, said.text)


async def _move(hall: Hall, said: Said, text: str) -> None:
    actor = await _actor(hall, said)
    state = None if actor is None else await _table(hall, said, actor)
    if state is None or actor is None:
        return
    if said.forwarded:
        return  # somebody else's words, or old ones
    seat = seat_of(state, actor)
    if seat is None or state.phase != "playing":
        over = state.phase == "over"
        code = "table_over" if over else "not_started" if seat is not None else "not_seated"
        await _refuse(hall, said, Rejected(code))
        return
    example = state.rules.examples.get(text.partition(" ")[0].lower(), "")
    text = people.with_seats(text, example, await hall.views.names(state))
    if state.rules.alone is not None and state.rules.alone(state.set) and not said.private:
        await hall.answer(said, hall.say("in_private"))
        return
    note, asked = await hall.once.known(said.update, "move"), decision_of(state, seat)
    if note is None and asked is None and not _unasked(state, text):
        # Before anybody looks at his hand: what could be read of it must not show in the answer.
        if _gives_up(state, text):
            await _act(hall, said, state, actor, Leave(), "")
        else:
            await _refuse(hall, said, Rejected("not_your_turn"))
        return
    try:
        if note is None:
            found = _read(state, seat, text) if said.command is None else _command(state, seat, text)
            note = f"{'' if asked is None else asked.id}:{state.rules.notation(found)}"
            note = await hall.once.decided(said.update, "move", note)
        decision, _, notation = note.partition(":")
        move = state.rules.read(notation)
        text = notation if state.rules.open_ended(move) else text  # a word alone: so whoever reads it understands it
    except Rejected as rejected:
        example = state.rules.examples.get(text, text)
        if example != text and rejected.kind == "malformed":
            await hall.answer(said, hall.say("no_move", example=example if said.private else f"/{example}"))
        else:
            await _refuse_move(hall, said, state, actor, text, rejected)
        return
    if state.rules.races is not None and state.rules.races(state.set) and hall.places.chat(state.id) != said.chat:
        await hall.answer(said, hall.say("in_the_group"))
        return
    if state.rules.open_ended(move) and not hall.may_try(said.update, state, actor):
        await hall.answer(said, hall.say("not_so_fast", seconds=state.rules.tries_apart // 1000))
        return
    asked_by = int(decision) if decision else None
    outcome = await hall.submit(said.update, state.id, actor, Move(move), asked_by, said.message)
    if not isinstance(outcome, Done):
        await _refuse_move(hall, said, state, actor, text, outcome)
        return
    told = [event for event in outcome.events if history.tag(event) in words(state.rules.slug).answers]
    if told:
        names = await hall.views.names(state)
        lines = [line for event in told for line in history.lines(hall.texts, state.rules, event, names)]
        await hall.answer(said, "\n".join(lines))


def _read(state: Table, seat: int | None, text: str) -> Any:
    """The move that the text means to whoever sits there (None: to whoever sees no hand)."""
    return state.rules.parse(text, state.rules.observe(state.set, seat))


def _command(state: Table, seat: int, text: str) -> Any:
    """The move of a command: `/turn` is never the word "turn", nor `/word` alone the word "word"."""
    try:
        return state.rules.read(text)
    except Rejected:
        found = _read(state, seat, text)
        if text in state.rules.examples and state.rules.open_ended(found):
            raise
        return found


def _unasked(state: Table, text: str) -> bool:
    """Whether the text is a move that somebody may make who was not asked (an objection)."""
    try:
        return state.rules.open_ended(_read(state, None, text))
    except Rejected:
        return False


def _gives_up(state: Table, text: str) -> bool:
    """Whether the text is a move that gives the game up; out of turn that is leaving."""
    try:
        return _read(state, None, text) in state.rules.gives_up
    except Rejected:
        return False


def public(state: Table, text: str, refused: Refusal) -> Refusal | None:
    """Why a move that somebody wrote was refused, as everybody may read it; None where that would tell of his hand.

    What cannot be understood without knowing the hand (a bare rank) is refused as whoever does not know it understands
    it: the answer is the same whatever he holds.
    """
    try:
        _read(state, None, text)
    except Rejected as rejected:
        return rejected
    return refused if refused.code in PUBLIC | state.rules.open_refusals else None


async def _refuse_move(hall: Hall, said: Said, state: Table, actor: str, text: str, refused: Refusal) -> None:
    """In a group only what everybody may know; the whole of it in the private chat, if there is one."""
    if said.private:
        await _refuse(hall, said, refused)
        return
    shown = public(state, text, refused)
    await hall.answer(said, hall.say("not_now") if shown is None else refusal(hall.texts, shown))
    if shown is refused:
        return
    private = await hall.places.private(actor)
    if private is not None:
        await hall.tell(said.update, "reason", private, refusal(hall.texts, refused))


async def _refuse(hall: Hall, said: Said, refused: Refusal) -> None:
    await hall.answer(said, refusal(hall.texts, refused))


# Looking


async def _hand(hall: Hall, said: Said) -> None:
    """In private the hand's message, further down; in a group the way to it."""
    actor = await _actor(hall, said)
    state = None if actor is None else await _table(hall, said, actor)
    if state is None or actor is None:
        return
    if seat_of(state, actor) is None:
        await _refuse(hall, said, Rejected("not_seated"))
    elif state.phase != "playing":
        await hall.answer(said, hall.say("no_hand_yet" if state.phase == "lobby" else "no_hand_now"))
    elif not said.private:
        await hall.answer(said, show.offer_hand(hall.texts, state.id, hall.username))
    else:
        await hall.views.repost(state.id, actor, str(said.update))


async def _show(hall: Hall, said: Said) -> None:
    if said.private and said.chat >= 0 and not await _at_home(hall, said):
        await _hand(hall, said)
        return
    state = await _table(hall, said, await hall.actor(said.user) if said.user is not None else None)
    if state is not None:
        await hall.views.repost(state.id, TABLE, str(said.update))


async def _at_home(hall: Hall, said: Said) -> bool:
    """Whether a table is played in this private chat itself."""
    return bool(await hall.places.tables(said.chat))


async def _score(hall: Hall, said: Said) -> None:
    state = await _table(hall, said, await hall.actor(said.user) if said.user is not None else None)
    if state is not None:
        names, head = await hall.views.names(state), (await hall.engine.held(state.id)).head
        await hall.answer(said, show.score(hall.texts, observe(state, None), names, head))


async def _standings(hall: Hall, said: Said) -> None:
    await hall.answer(said, await hall.lists.standings(said.chat))


async def _mytables(hall: Hall, said: Said) -> None:
    """In private only: with whom somebody plays elsewhere is nothing for a group."""
    actor = await _actor(hall, said)
    if actor is not None:
        await hall.answer(said, await hall.lists.tables(actor) if said.private else hall.say("mytables_in_group"))


async def _help(hall: Hall, said: Said) -> None:
    await hall.answer(said, hall.say("help", moves=moves(hall.texts)))


async def _rules(hall: Hall, said: Said) -> None:
    """How a game is played: the one that is named or else played here, in the language that is named (`/rules fr`) or
    else that of whoever asks."""
    *before, last = said.text.casefold().split() or [""]
    named = last in languages()
    wanted = " ".join(before if named else [*before, last]).strip()
    code = last if named else nearest("" if said.user is None else said.user.language)
    texts = language(code)
    names = {slug: {slug, game_name(hall.texts, slug).casefold(), game_name(texts, slug).casefold()} for slug in GAMES}
    slug = next((slug for slug, called in names.items() if wanted in called), None)
    if slug is None and not wanted:
        slug = await _played_here(hall, said)
    if slug is None:
        which = ", ".join(f"/rules {slug}" for slug in GAMES)
        await hall.answer(said, say(texts, "rules_of", games=which))
    else:
        await hall.answer(said, show.how_to_play(texts, slug))


async def _played_here(hall: Hall, said: Said) -> str | None:
    """The one game that is played in the chat, or by whoever asks in private; None for none or several."""
    names = (await hall.places.tables(said.chat))[:_MOST_TABLES]
    if said.private and said.user is not None:
        names = [*names, *hall.seated.tables_of(await hall.actor(said.user))]
    states = [state for name in names if (state := await hall.readable(name)) is not None]
    going = {state.rules.slug for state in states if state.phase != "over"}
    return going.pop() if len(going) == 1 else None


async def _start(hall: Hall, said: Said) -> None:
    """The private chat opens, by itself or by the link of a table."""
    actor = await _actor(hall, said)
    if actor is None or not said.private:
        await _help(hall, said)
        return
    await hall.places.started(actor, said.chat)
    linked = said.text if TABLE_ID.fullmatch(said.text) else None
    names = [linked] if linked else hall.seated.tables_of(actor)
    states = [state for name in names if (state := await hall.readable(name)) is not None]
    mine = [state for state in states if state.phase != "over" and seat_of(state, actor) is not None]
    if linked and not mine:
        over = any(state.phase == "over" for state in states)
        await hall.answer(said, hall.say("table_is_over" if over else "not_your_table"))
        return
    if linked:
        await hall.places.set_focus(actor, linked)
    for state in mine:
        await hall.views.repost(state.id, actor, str(said.update))
    if not mine:
        await hall.answer(said, hall.say("welcome", names=game_names(hall.texts)))
    elif all(state.phase == "lobby" for state in mine):
        await hall.answer(said, hall.say("hand_will_come"))
    else:
        await hall.answer(said, Post(hall.say("hand_here")))


_COMMANDS: dict[str, Callable[[Hall, Said], Awaitable[None]]] = {
    "start": _start,
    "help": _help,
    "options": _options,
    "cut": _cut,
    "leave": _leave,
    "back": _back,
    "end": _end,
    "rules": _rules,
    "hand": _hand,
    "table": _show,
    "score": _score,
    "standings": _standings,
    "mytables": _mytables,
}
