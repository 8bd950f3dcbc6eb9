"""`/fair`: what was promised of a table's deals, who cut the cards, which seeds are revealed, and how to check them.

Everything in it stands in the table's events, which are public: a seed only once it is revealed.
"""

from __future__ import annotations

from html import escape

from domain import events
from domain.table import Seat
from service.chat.api import names
from service.chat.api.incoming import Said
from service.chat.api.post import Post
from service.chat.hall import Hall
from service.chat.tables import finding
from service.text import fairness


async def fair(hall: Hall, said: Said) -> None:
    """Answers whoever asks, in one message; the table is the one that is named or meant."""
    state = await finding.table(hall, said, None if said.user is None else await hall.actor(said.user))
    if state is None:
        return
    commits = await hall.engine.history(state.id)
    found = fairness.proof((commit.hash, events.decode(commit.events)) for commit in commits)
    owners = list(dict.fromkeys(owner for owner, _ in found.cuts))
    called = names.shown(hall.texts, tuple(map(Seat, owners)), await hall.places.names(owners))
    title = hall.say("fair", pair=await hall.pairs.of(state.id))
    lines = [f"<b>{escape(title)}</b>"]
    for sentence, codes in fairness.lines(hall.texts, found, dict(zip(owners, called, strict=True))):
        lines += ["", escape(sentence), *(f"<code>{code}</code>" for code in codes)]
    await hall.answer(said, Post("\n".join(lines)))
