"""Chit Chat in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.game import Game
from service.text import Texts, cards
from service.text import marked as _
from service.text.words import Kind, Prompt, Words

TOPICS: dict[str, str] = {"S": _("♠ politics"), "H": _("♥ sport"), "D": _("♦ economy")}


_SIGNS = _(
    "💬 small talk · 🗯 argument · 🔀 another topic · ↕ steps towards you · ⚡ threatens a point · 🛡 blocks · "
    "/resign gives up"
)


def _topic(texts: Texts, card: str) -> str:
    """The topic of a card, `♥ sport`."""
    return texts.gettext(TOPICS.get(card[-1], card[-1]))


def _said(texts: Texts, event: Any, said: str) -> str:
    """What a play does beside: the step, and whether the clock made it."""
    if event.step:
        said = texts.gettext("{what}, with a step").format(what=said)
    return texts.gettext("{what} (by the clock)").format(what=said) if event.auto else said


def _talked(texts: Texts, rules: Game, event: Any, names: Sequence[str]) -> str:
    card = rules.card_name(event.card)
    if event.follows:
        said = texts.gettext("{seat} took the small talk up with {card}: the topic is {topic}")
    else:
        said = texts.gettext("{seat} made small talk: {card}")
    shown = said.format(seat=names[event.seat], card=cards.card(texts, card), topic=_topic(texts, card))
    return _said(texts, event, shown)


def _argued(texts: Texts, rules: Game, event: Any, names: Sequence[str]) -> str:
    said = texts.gettext("{seat} continued the argument: {card}")
    return _said(texts, event, said.format(seat=names[event.seat], card=cards.card(texts, rules.card_name(event.card))))


def _changed(texts: Texts, rules: Game, event: Any, names: Sequence[str]) -> str:
    laid = [rules.card_name(card) for card in event.cards]
    said = texts.gettext("{seat} changed the topic with {cards}: the topic is {topic}")
    shown = said.format(seat=names[event.seat], cards=cards.row(texts, laid), topic=_topic(texts, laid[0]))
    return _said(texts, event, shown)


def _resigned(texts: Texts, _rules: Game, event: Any, names: Sequence[str]) -> str:
    said = texts.gettext("{seat} let the time run out") if event.auto else texts.gettext("{seat} gave up")
    return said.format(seat=names[event.seat])


def _shown(texts: Texts, rules: Game, event: Any, names: Sequence[str]) -> str:
    """Both hands and all three kings, a line each: `Ann: pet topic K♥, had 6♥ 5♥`."""
    *pets, aside = (cards.card(texts, rules.card_name(king)) for king in event.kings)
    found = []
    for seat, held in event.hands:
        row = cards.row(texts, map(rules.card_name, held))
        said = texts.gettext("{seat}: pet topic {card}, had {cards}")
        found.append(said.format(seat=names[seat], card=pets[seat], cards=row or "-"))
    return "\n".join([*found, texts.gettext("Set aside: {card}").format(card=aside)])


WORDS = Words(
    name=_("Chit Chat"),
    welcome=_(
        "A conversation of two. In your turn type a card: on the topic it continues the\n"
        "argument (3S), off the topic it is small talk (2H), and two cards of another\n"
        "suit change the topic (2D 3D). Two steps of yours in a row are a threat, and a\n"
        "threat that is not blocked is a point.\n"
        "Also: help, hand, table, score, log, options, quit. A game you leave is kept."
    ),
    rules=_(
        "The topic is the suit of the first card. Small talk: a card of another suit, not\n"
        "higher than the last card of the topic; if it is of the suit of the small talk\n"
        "just before it, that suit is the new topic. Argument: a card of the topic; it\n"
        "steps towards you if it is as high as the last card (small talk counts zero).\n"
        "Change of topic: two cards of another suit, with a step if the second is as high\n"
        "as the first; your hand gets one smaller. The ace is a one. A step by argument\n"
        "after a step of yours threatens: unless the other argues with as high a card you\n"
        "take the topic card before it, a point. Two points of your pet topic (your king)\n"
        "or three of another win. Who has no play at all loses. (Type options for more.)"
    ),
    moves=_(
        "  2H, 3♠              lay a card; also: talk 2H, argue 3S, three of spades\n"
        "  2D 3D               change the topic, in this order; also: change 2D 3D\n"
        "  resign              give the game up"
    ),
    how_to_play=(
        _(
            "Two players, six cards each: ace to six of hearts (sport), diamonds (economy) and spades (politics), "
            "every card twice; the ace is a one. Each of you has a king that the other does not see: its suit is his "
            "pet topic."
        ),
        _(
            "The cards you both lay form one long line. The suit of its first card is the topic. In your turn you "
            "lay something, then draw a card. You may always choose among three plays:"
        ),
        _(
            "Small talk: a card of another suit, no higher than the last card of the topic. If the card just before "
            "yours was small talk of the same suit, that suit becomes the topic, and the two cards begin a new line."
        ),
        _(
            "Continue the argument: any card of the topic. If it is at least as high as the card before it, it takes "
            "a step towards you. Small talk counts zero, so even an ace steps after it."
        ),
        _(
            "Change the topic: two cards of another suit begin a new line; if the second is at least as high as the "
            "first, it takes a step towards you. You draw only one card, so your hand gets smaller for good."
        ),
        _(
            "If you continue the argument with a step and the last step in the line was yours too, you threaten. Your "
            "opponent can block by continuing with a card at least as high. If he does anything else you make a "
            "point: you take the topic card before your last one, and your last one stays as a new beginning."
        ),
        _(
            "Two points of your pet topic win the game, or three points of another one. Whoever cannot lay anything "
            "lets the conversation lag and loses."
        ),
        _(
            "Example: the line begins with 2♠. Richard makes small talk: 2♥. Karen continues with 3♠, which beats "
            "small talk: a step towards her. Richard has no spade, so he changes the topic with 2♦ and 3♦: a step "
            "towards him, and all other cards are gone. If Karen now talks and he can continue in diamonds, he "
            "threatens."
        ),
    ),
    facts={
        "topic": _("topic {suit} {note}"),
        "current": _("topic card {card}"),
        "beat": _("to beat: {value}"),
        "threat": _("threat: {seat}"),
        "pile": _("pile {value}"),
        "discarded": _("discards {value}"),
        "reshuffles": _("reshuffled: {value}"),
    },
    seat_facts={"cards": _("cards {value}"), "points": _("points {value}")},
    zones={
        "sequence": _("Conversation"),
        "points": _("{owner} (points)"),
        "discards": _("Discards"),
        "opened": _("{owner} had"),
        "pet": _("{owner} (pet topic)"),
        "own_pet": _("Your pet topic"),
        "aside": _("Set aside"),
    },
    prompts={
        "talk": Prompt(
            _("Your turn: small talk, an argument, or another topic."),
            _("{seats} to talk"),
            _("Talk> "),
            _("To talk: press Play or Play in private, or write /talk 2H, /argue 3S or /change 2D 3D here."),
            _SIGNS,
        ),
        "block": Prompt(
            _("Your turn: block with a card of the topic that is at least as high, or the point is made."),
            _("{seats} to block or to concede a point"),
            _("Block> "),
            _("To block: press Play or Play in private, or write /argue 3S here; any other play concedes the point."),
            _SIGNS,
        ),
    },
    choices={
        "talk": Kind(button=_("💬 {cards} {note}"), may=_("Small talk: {choices}")),
        "argue": Kind(button=_("🗯 {cards} {note}"), may=_("Argue: {choices}")),
        "change": Kind(
            button=_("🔀 {cards} {note}"),
            may=_("Change the topic: {choices}"),
            many=_("Change the topic with two of one suit, of {cards}"),
        ),
    },
    notes={
        "step": "↕",
        "threat": "⚡",
        "block": "🛡",
        "topic": "🔀",
        "H": _("sport"),
        "D": _("economy"),
        "S": _("politics"),
    },
    events={
        "chitchat.turned": _("{card} is turned: the conversation begins"),
        "chitchat.talked": _talked,
        "chitchat.argued": _argued,
        "chitchat.topic_changed": _changed,
        "chitchat.point_made": _("{seat} made a point: {card}"),
        "chitchat.drew": _("{seat} drew from the new pile"),
        "chitchat.reshuffled": _("The pile ran out: {number} discards are shuffled and become the pile"),
        "chitchat.conceded": _("{seat} did not block ({play} {cards})"),
        "chitchat.resigned": _resigned,
        "chitchat.shown": _shown,
    },
    results=frozenset(
        {"chitchat.point_made", "chitchat.conceded", "chitchat.resigned", "chitchat.shown"},
    ),
    outcomes={  # how the game ended says it
        "points": "",
        "lag": "",
        "resign": "",
        "timeout": "",
        "abandoned": "",
    },
    endings={
        "points": _("won by points"),
        "lag": _("the conversation lagged"),
        "resign": _("one player gave up"),
        "timeout": _("the time of one player ran out"),
        "abandoned": _("both players fell silent"),
    },
    refusals={
        "on_topic": _("{card} is on the topic: with it you can only continue the argument."),
        "too_high": _("{card} is too high for small talk: the topic card is {top}."),
        "off_topic": _("{card} is not on the topic."),
        "not_one_suit": _("A change of topic takes two cards of one suit, not {cards}."),
        "topic_unchanged": _("Those cards are of the topic that is talked about: change to another one."),
        "held_once": _("You have {card} only once."),
        "not_a_conversation_card": _("{card} is no card of the conversation: it has ace to six of ♥, ♦ and ♠."),
    },
    findings={
        "on_topic": _("“{text}”: {card} was on the topic"),
        "too_high": _("“{text}”: small talk may not be higher than {top}"),
        "off_topic": _("“{text}”: {card} was not on the topic"),
        "not_one_suit": _("“{text}”: these are not two cards of one suit"),
        "topic_unchanged": _("“{text}”: that was the topic already"),
        "held_once": _("“{text}”: the seat held {card} only once"),
    },
    presets={
        "source": _("as first written down"),
    },
    commands={
        "talk": _("Make small talk: /talk 2H"),
        "argue": _("Continue the argument: /argue 3S"),
        "change": _("Change the topic: /change 2D 3D"),
        "resign": _("Give the game up: /resign"),
    },
)
