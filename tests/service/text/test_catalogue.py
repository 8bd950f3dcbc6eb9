"""The template of the texts holds exactly what the sources say, and every catalogue is compiled (`make texts`)."""

from __future__ import annotations

import pathlib
import tomllib

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

ROOT = pathlib.Path(__file__).parents[3]
LOCALE = ROOT / "service" / "text" / "locale"


def ids(catalogue: Catalog) -> set[object]:
    return {(message.context, message.id) for message in catalogue if message.id}


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


def test_every_catalogue_is_compiled_and_knows_the_template() -> None:
    with (LOCALE / "tabletalk.pot").open("rb") as file:
        template = ids(read_po(file))
    for path in LOCALE.glob("*/LC_MESSAGES/tabletalk.po"):
        with path.open("rb") as po, path.with_suffix(".mo").open("rb") as mo:
            translated, compiled = read_po(po), read_mo(mo)
        assert ids(translated) == template, path
        assert {m.id: m.string for m in compiled if m.id} == {
            m.id: m.string for m in translated if m.id and m.string
        }, path
