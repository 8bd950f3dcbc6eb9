"""`/language`: what is offered and to whom; drafts are marked as such, and English where they have no words."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import msgspec
import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from domain import cards
from service.chat.people.customs import Customs
from service.sandbox.people import Group, Person
from service.text import LOCALE, dates, draft, language, languages
from service.text.moments import moment, span
from tests.service.chat.conftest import Running
from tests.service.chat.test_another_language import Abroad, english, seen
from tests.service.chat.test_plain_words import playing, read

DRAFTS = [code for code in languages() if draft(code)]
OWN_NAMES = {"hi": "हिन्दी", "ne": "नेपाली"}
NOW, HOUR = 1_796_000_000_000, 3_600_000  # Mon 30 Nov 2026, 00:53 UTC


def labels(person: Person, place: Group | None = None) -> list[str]:
    """The buttons of the newest message that has some."""
    newest = [message for message in person.sees(place or person.private) if message.buttons][-1]
    return [button.text for row in newest.keyboard for button in row]


async def test_drafts_are_offered_as_drafts_and_what_is_complete_without_a_word(running: Running) -> None:
    ann = running.world.person("Ann")
    ann.start()
    ann.say(ann.private, "/language")
    await running.until(lambda: ann.find(ann.private, "Which language shall I speak with you?"))
    assert labels(ann) == ["English", "Español", "Français", "हिन्दी (draft)", "नेपाली (draft)"]


async def test_a_person_chooses_a_draft_by_a_button_and_is_told_so_in_it(running: Running) -> None:
    """A second press and a stale one change nothing more; a choice of one's own is there after a restart."""
    ann = running.world.person("Ann")
    ann.start()
    ann.say(ann.private, "/language")
    shown = await running.until(lambda: ann.find(ann.private, "Which language shall I speak with you?"))
    told = await running.press(ann, shown, "नेपाली (draft)")
    assert told == "अबदेखि: नेपाली (मस्यौदा)।"
    assert await running.press(ann, shown, "नेपाली (draft)") == told

    await running.stop()
    await running.start()
    ann.say(ann.private, "/mytables")
    await running.until(lambda: ann.find(ann.private, "तपाईं चलिरहेको कुनै टेबलमा बस्नुभएको छैन"))


@pytest.mark.parametrize("written", ["hi", "हिन्दी", "Hindi", "hindi", "HI-in"])
async def test_a_language_is_chosen_by_its_name_in_any_of_ours(running: Running, written: str) -> None:
    ann = running.world.person("Ann")
    ann.start()
    ann.say(ann.private, f"/language {written}")
    await running.until(lambda: ann.find(ann.private, "अब से: हिन्दी (कच्चा अनुवाद)।"))


async def test_a_groups_language_is_its_administrators_choice_when_the_button_is_pressed(running: Running) -> None:
    """Who may not is told so and nothing changes; a forged button says that it does nothing."""
    ann, bob = running.world.person("Ann"), running.world.person("Bob")
    group = running.world.group("Friday", [ann, bob])
    bob.say(group, "/language")
    shown = await running.until(lambda: bob.find(group, "Which language shall I speak here?"))
    assert "नेपाली (draft)" in labels(bob, group)
    assert "Only the administrators" in await running.press(bob, shown, "नेपाली (draft)")
    assert await of_group(running, group) is None

    assert await running.press(ann, shown, "हिन्दी (draft)") == "तय हो गया।"
    assert await of_group(running, group) == "hi"
    settings = await running.until(lambda: ann.find(group, "भाषा: हिन्दी (कच्चा अनुवाद)"))
    value = next(button.value for row in settings.keyboard for button in row if button.text.startswith("हिन्दी"))
    forged = await asyncio.to_thread(ann.press_raw, settings, value.removesuffix("hi") + "xx")
    assert "does nothing any more" in forged.text
    assert await of_group(running, group) == "hi"


async def of_group(running: Running, group: Group) -> str | None:
    """The language that a group has chosen, as it is stored."""
    directory = running.service.directory
    stored = await directory.get("customs", await directory.home(f"chat:{group.id}"))
    return None if stored is None else msgspec.json.decode(stored, type=Customs).language


def test_what_a_draft_has_no_words_for_is_said_in_english() -> None:
    for code in DRAFTS:
        assert language(code).gettext("Nobody has written this sentence.") == "Nobody has written this sentence."
        assert language(code).ngettext("{n} thing", "{n} things", 2) == "{n} things"


@pytest.mark.parametrize("code", DRAFTS)
async def test_call_break_is_played_in_its_home_without_a_word_of_english(code: str, running: Running) -> None:
    """From the lobby to the first move; a sentence that is newer than the draft may still be English."""
    walk = Abroad(running, "callbreak", code)
    await walk.to_the_cards()
    mover = await walk.asked()
    await walk.press(mover, walk.group, walk.label("My hand"))
    await walk.press(mover, walk.group, walk.label("Play"))
    await walk.move(mover, walk.group)
    mover = await walk.asked()
    mover.follow(walk.group, walk.label("Play in private"))
    await walk.move(mover, mover.private)

    lines = set(seen(walk))
    assert len(lines) > 10
    gaps = {str(message.id) for message in catalogue(code) if not message.string}
    known = [sentence for sentence in english(code) if not any(sentence.fullmatch(gap) for gap in gaps)]
    assert {line for line in lines for sentence in known if sentence.fullmatch(line.strip())} == set()


@pytest.mark.parametrize("code", DRAFTS)
def test_a_draft_has_nearly_all_that_players_of_call_break_read(code: str) -> None:
    """The chat, the board, the refusals and the game itself: a draft may be some new sentences behind, not more. What
    only operators read may stay English."""
    read = {f"service/text/{name}.py" for name in ("chat", "board", "refusals", "moments", "sheet", "games/callbreak")}
    messages = [message for message in catalogue(code) if read & {place for place, _ in message.locations}]
    missing = [message.id for message in messages if not message.string or not all(message.string)]
    assert len(messages) > 400
    assert len(missing) < len(messages) / 20, missing


def catalogue(code: str) -> Catalog:
    with (LOCALE / code / "LC_MESSAGES" / "tabletalk.po").open("rb") as file:
        return read_po(file)


@pytest.mark.parametrize(
    ("code", "ms", "words"),
    [
        ("hi", 24 * HOUR, "कल 00:53"), ("hi", -2 * HOUR, "बीते कल 22:53"), ("hi", 3 * 24 * HOUR, "गुरु 00:53"),
        ("hi", 9 * 24 * HOUR, "9 दिस॰ 00:53"), ("ne", 24 * HOUR, "भोलि 00:53"), ("ne", -2 * HOUR, "हिजो 22:53"),
        ("ne", 3 * 24 * HOUR, "बिहि 00:53"), ("ne", 9 * 24 * HOUR, "डिसेम्बर 9 00:53"),
    ],
)  # fmt: skip
def test_a_moment_is_said_as_the_calendars_of_the_reader_have_it(code: str, ms: int, words: str) -> None:
    assert moment(language(code), NOW + ms, NOW, UTC) == words


def test_a_number_has_its_form() -> None:
    """Hindi: one hour and none are singular; Nepali counts with the same word."""
    assert [span(language("hi"), hours * HOUR) for hours in (2, 5)] == ["2 घंटे", "5 घंटे"]
    hours = [language("hi").ngettext("{n} hour", "{n} hours", n) for n in (0, 1, 2)]
    assert hours == ["{n} घंटा", "{n} घंटा", "{n} घंटे"]
    assert span(language("ne"), 5 * HOUR) == "5 घण्टा"


@pytest.mark.parametrize(
    ("text", "day"),
    [("5 दिसंबर तक", "2026-12-05"), ("5 डिसेम्बर सम्म", "2026-12-05"), ("2026-12-05", "2026-12-05"), ("कल", "2026-12-01")],
)
def test_a_day_is_understood_with_the_small_words_around_it(text: str, day: str) -> None:
    end = dates.until(text, NOW, UTC)
    assert end is not None
    assert datetime.fromtimestamp(end / 1000 - 1, UTC).date().isoformat() == day


NEPALI_SUITS = ("हुकुम", "पान", "इँटा", "चिडी")
NEPALI_RANKS = (
    *("दुवा", "तिया", "चौका", "पञ्जा", "छक्का", "सत्ता", "अट्ठा", "नहला", "दहला", "गुलाम", "रानी", "बादशाह", "एक्का"),
)


def test_every_card_has_its_name_in_nepali() -> None:
    """`हुकुमको रानी`: what means `of` is written at the end of the suit. (Hindi: test_plain_words.py.)"""
    state = playing().state
    for card in range(52):
        name = f"{NEPALI_SUITS[card // 13]}को {NEPALI_RANKS[card % 13]}"
        assert read(state, name) == f"play {cards.name(card)}", name
    assert read(state, "सुरथको मिस्सी") == "play QS"


@pytest.mark.parametrize("code", DRAFTS)
def test_the_example_of_a_card_in_words_is_one(code: str) -> None:
    """“... is not a card that I can read. Write for example ..., हुकुम की बेगम”: whoever writes it plays it."""
    said = language(code).gettext(
        "“{text}” is not a card that I can read. Write for example QS, 10♥ or queen of spades."
    )
    example = "हुकुम की बेगम" if code == "hi" else "हुकुमको रानी"
    assert example in said
    assert read(playing().state, example) == "play QS"
