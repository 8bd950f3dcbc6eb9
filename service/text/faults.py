"""What the command line says when something cannot be done: one line each."""

from __future__ import annotations

from collections.abc import Sequence

from service.text import Texts
from service.text.people import plain

_LONGEST = 120


def usage(texts: Texts, fault: str) -> str:
    """A command line that cannot be read."""
    return texts.gettext("{fault} (tabletalk --help lists what there is)").format(fault=plain(fault, 300))


def bad_games(texts: Texts, most: int) -> str:
    """--games out of range."""
    return texts.gettext("--games must be a number from 1 to {most}").format(most=most)


def bad_seats(texts: Texts, game: str, fewest: int, most: int) -> str:
    """--seats that the game does not have."""
    if fewest == most:
        return texts.gettext("{game} has {most} seats, no more and no fewer").format(game=game, most=most)
    said = texts.gettext("--seats must be a number from {fewest} to {most} in {game}")
    return said.format(fewest=fewest, most=most, game=game)


def too_many(texts: Texts, words: Sequence[str] | None) -> str:
    """Words on the command line that nothing asks for."""
    return texts.gettext("too many words: {words}").format(words=" ".join(words or ()))


def no_path(texts: Texts, option: str) -> str:
    """An option that names a folder, without one."""
    return texts.gettext("{option} needs the path of a folder").format(option=option)


def bad_option(texts: Texts, text: str) -> str:
    """--option without a value."""
    return texts.gettext("--option must be name=value, not “{text}”").format(text=plain(text, _LONGEST))


def bad_seed(texts: Texts, longest: int) -> str:
    """--seed that is no bytes."""
    return texts.gettext(
        "--seed must be an even number of hexadecimal digits (0-9, a-f), at least 2 and at most {longest}"
    ).format(longest=longest)


def wrong_key(texts: Texts) -> str:
    """What was stored was sealed with another key."""
    return texts.gettext("the store was sealed with another key: give the data folder (or TABLETALK_KEY) it belongs to")


def one_line(error: Exception) -> str:
    """The sentence of an error whose values (a path, what a server said) come from elsewhere."""
    return plain(str(error), 4 * _LONGEST)


def unreadable(texts: Texts, fault: str) -> str:
    """A table's history is broken."""
    return texts.gettext("the table cannot be read: {fault}").format(fault=plain(fault, _LONGEST))


def bad_folder(texts: Texts, fault: str) -> str:
    """Records cannot be written."""
    return texts.gettext("cannot write records: {fault}").format(fault=fault)


def system(texts: Texts, error: OSError) -> str:
    """The operating system refused something."""
    said = error.strerror or str(error)
    if not error.filename:
        return said
    return texts.gettext("{what}: {fault}").format(what=plain(str(error.filename), _LONGEST), fault=said)


def no_such_table(texts: Texts, name: str) -> str:
    """No table of that id."""
    return texts.gettext("there is no table “{name}” here: tabletalk tables lists them").format(
        name=plain(name, _LONGEST)
    )


def no_such_file_or_table(texts: Texts, name: str) -> str:
    """Neither a file nor a table."""
    return texts.gettext("there is no file and no table “{name}”").format(name=plain(name, _LONGEST))


def cannot_read(texts: Texts, path: str, fault: str) -> str:
    """A file that cannot be opened."""
    return texts.gettext("cannot read {path}: {fault}").format(path=plain(path, _LONGEST), fault=fault)


def too_big(texts: Texts) -> str:
    """A file that cannot be a record."""
    return texts.gettext("it is too big for a record")


def not_a_record(texts: Texts, path: str, fault: str) -> str:
    """A file that holds something else."""
    return texts.gettext("{path} is not a record: {fault}").format(path=plain(path, _LONGEST), fault=plain(fault, 200))


def not_started(texts: Texts) -> str:
    """A table without a game yet."""
    return texts.gettext("the game has not started: there is nothing to record yet")


def no_tables(texts: Texts) -> str:
    """An empty data folder."""
    return texts.gettext("No tables yet.")


def no_folder(texts: Texts, path: str) -> str:
    """The data folder is something else."""
    return texts.gettext("the data folder {path} is not a folder").format(path=plain(path, _LONGEST))
