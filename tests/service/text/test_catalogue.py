"""The template of the texts holds exactly what the sources say, and every catalogue is compiled (`make texts`)."""

from __future__ import annotations

import pathlib
import string
import tomllib
from itertools import zip_longest

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

ROOT = pathlib.Path(__file__).parents[3]
LOCALE = ROOT / "service" / "text" / "locale"


def ids(catalogue: Catalog) -> set[object]:
    return {(message.context, message.id) for message in catalogue if message.id}


Forms = tuple[str, ...]


def said(catalogue: Catalog) -> dict[tuple[str | None, Forms], Forms]:
    """What is translated, every form of each text; what stays as it is, or falls back to English, is left out."""
    found = {(m.context, forms(m.id)): forms(m.string) for m in catalogue if m.id}
    return {text: shown for text, shown in found.items() if any(shown) and not set(shown) <= set(text[1])}


def forms(text: str | list[str] | Forms | None) -> Forms:
    """The forms of a text that has a plural, or the one that it has."""
    return (text,) if isinstance(text, str) else tuple(text or ())


def places(text: str) -> set[str | None]:
    """What a text has filled in."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def extracted() -> set[object]:
    mappings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["babel"]["mappings"]
    methods = [(mapping["pattern"], mapping["method"]) for mapping in mappings]
    catalogue = Catalog()
    for _, _, message, _, context in extract_from_dir(ROOT / "service", methods):
        catalogue.add(message, context=context)
    return ids(catalogue)


def test_the_template_is_up_to_date_with_the_sources() -> None:
    with (LOCALE / "tabletalk.pot").open("rb") as file:
        template = ids(read_po(file))
    assert template == extracted()
    assert template, "no text at all was found: are the sources where they were?"


def test_a_translation_has_the_same_places_to_fill_in_as_the_text() -> None:
    for path in LOCALE.glob("*/LC_MESSAGES/tabletalk.po"):
        with path.open("rb") as po:
            wrong = [
                (text, translated)
                for (_, texts), translations in said(read_po(po)).items()
                for text, translated in zip_longest(texts, translations, fillvalue=texts[-1])
                if places(text) != places(translated)
            ]
        assert not wrong, path


def test_every_catalogue_is_compiled_and_knows_the_template() -> None:
    with (LOCALE / "tabletalk.pot").open("rb") as file:
        template = ids(read_po(file))
    for path in LOCALE.glob("*/LC_MESSAGES/tabletalk.po"):
        with path.open("rb") as po, path.with_suffix(".mo").open("rb") as mo:
            translated, compiled = read_po(po), read_mo(mo)
        assert ids(translated) == template, path
        assert said(compiled) == said(translated), path
