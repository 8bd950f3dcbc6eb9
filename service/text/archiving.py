"""What import, backup, restore and forget say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.text import Texts
from service.text import marked as _
from service.text.people import plain

_LONGEST = 120

_BACKUPS: dict[str, str] = {
    "not_a_backup": _("this is not a backup"),
    "unknown_format": _("a form of backup that this release does not know"),
    "cut_off": _("the file's end is missing: it was cut off, or is still being written"),
    "altered": _("the file was changed after it was written"),
}


_REMOVED: dict[str, str] = {
    "names": _("the name"),
    "people": _("the identity"),
    "private": _("the private chat"),
    "focus": _("the table chosen there"),
    "homes": _("the tables' home in the private chat"),
}


def verifying(texts: Texts) -> str:
    """Beside the bar, first."""
    return texts.gettext("Verifying")


def importing(texts: Texts) -> str:
    """Beside the bar, then."""
    return texts.gettext("Importing")


def restoring(texts: Texts) -> str:
    """Beside the bar, then."""
    return texts.gettext("Restoring")


def cannot_read(texts: Texts, path: str, fault: str) -> str:
    """A file that cannot be opened."""
    return texts.gettext("cannot read {path}: {fault}").format(path=path, fault=fault)


def read_twice(texts: Texts) -> str:
    """A pipe: it cannot be verified first and imported then."""
    return texts.gettext("it is read twice, so that it must be a file")


def further_here(texts: Texts, count: int) -> str:
    """Tables of which the file has only the beginning."""
    return texts.ngettext(
        "{n} table has gone on here: the file holds nothing new of it",
        "{n} tables have gone on here: the file holds nothing new of them",
        count,
    ).format(n=count)


def changed_meanwhile(texts: Texts, name: str) -> str:
    """The file is not what was verified."""
    return texts.gettext("{table}: the file was changed while it was read; run the command again").format(
        table=plain(name, _LONGEST)
    )


def went_on_here(texts: Texts, name: str) -> str:
    """Somebody moved at the table between the look at it and the import."""
    return texts.gettext("{table}: the table has gone on here meanwhile; run the command again").format(
        table=plain(name, _LONGEST)
    )


def imported(texts: Texts, tables: int, commits: int) -> str:
    """The import is done."""
    return texts.gettext("Imported: {tables}, {commits} of them new").format(
        tables=_tables(texts, tables), commits=_commits(texts, commits)
    )


def left_in_play(texts: Texts, count: int) -> str:
    """Tables that were left out."""
    return texts.ngettext(
        "{n} table in play is left out: its seeds are sealed with another key",
        "{n} tables in play are left out: their seeds are sealed with another key",
        count,
    ).format(n=count)


def another_history(texts: Texts, name: str) -> str:
    """A table of the same id that is another one."""
    return texts.gettext("{table}: another history of this table is here; nothing was imported").format(
        table=plain(name, _LONGEST)
    )


def sealed_elsewhere(texts: Texts, name: str) -> str:
    """A table in play that could not go on here."""
    return texts.gettext(
        "{table} is in play, and its seeds are sealed with another key: bring that key, or leave such tables out with "
        "--finished; nothing was imported"
    ).format(table=plain(name, _LONGEST))


def no_table_id(texts: Texts, name: str) -> str:
    """A name that no table has."""
    return texts.gettext("“{table}” is no table's id").format(table=plain(name, _LONGEST))


def id_twice(texts: Texts) -> str:
    """A commit whose command was carried out before."""
    return texts.gettext("its command was carried out at an earlier version already")


def damaged(texts: Texts, fault: str) -> str:
    """A table that cannot be backed up as it is."""
    return texts.gettext(
        "no backup was made, for a table is damaged: {fault} (tabletalk store check); --anyway leaves it out"
    ).format(fault=fault)


def file_is_there(texts: Texts, path: str) -> str:
    """A backup that would take the place of another file."""
    return texts.gettext("{path} is there already: choose another name, or overwrite it with --force").format(
        path=plain(path, _LONGEST)
    )


def backed_up(texts: Texts, tables: int, commits: int, path: str) -> str:
    """The backup is written."""
    return texts.gettext("Backup: {tables}, {commits}, with names and settings → {path}").format(
        tables=_tables(texts, tables), commits=_commits(texts, commits), path=plain(path, _LONGEST)
    )


def about_the_key(texts: Texts, inside: bool, from_environment: bool) -> str:
    """Whether the sealing key is in it."""
    if inside:
        return texts.gettext("The sealing key is in it: whoever reads the file can see hidden cards of tables in play.")
    if from_environment:
        return texts.gettext("TABLETALK_KEY is not in it: keep it elsewhere, tables in play need it.")
    return texts.gettext("The sealing key is not in it: keep seal.key elsewhere, tables in play need it.")


def bad_backup(texts: Texts, path: str, code: str) -> str:
    """A file that is not put back."""
    return texts.gettext("{path}: {fault}; nothing was restored").format(path=path, fault=texts.gettext(_BACKUPS[code]))


def key_gone(texts: Texts) -> str:
    """A backup that could not go on: the store's key is not there to be put into it."""
    return texts.gettext(
        "the store's sealing key is gone (seal.key, or TABLETALK_KEY): games in play need it. Put it back, or say "
        "--without-key"
    )


def other_key(texts: Texts) -> str:
    """A sealing key that is not the backup's."""
    return texts.gettext("another sealing key is here than the backup's: move seal.key (or TABLETALK_KEY) away first")


def bring_the_key(texts: Texts, path: str) -> str:
    """A backup without the sealing key, restored where there is none."""
    return texts.gettext(
        "The sealing key is not in it: put it at {path} (or set TABLETALK_KEY) before the bot starts"
    ).format(path=path)


def not_empty(texts: Texts) -> str:
    """A restore over something."""
    return texts.gettext("this store is not empty: restore into a new data folder, or a server without one")


def restored(texts: Texts, tables: int, commits: int) -> str:
    """The restore is done."""
    return texts.gettext("Restored: {tables}, {commits}; `tabletalk store check` looks it over").format(
        tables=_tables(texts, tables), commits=_commits(texts, commits)
    )


def nobody(texts: Texts, who: str) -> str:
    """Somebody whom the directory does not know."""
    return texts.gettext("nobody is known as “{who}”: give person:<id>, a Telegram number or a name").format(
        who=plain(who, _LONGEST)
    )


def several(texts: Texts, who: str, actors: Sequence[str]) -> str:
    """A name that several people have."""
    return texts.gettext("several people are called “{who}”: {actors}").format(
        who=plain(who, _LONGEST), actors=", ".join(actors)
    )


def seated(texts: Texts, actor: str, names: Sequence[str]) -> str:
    """Somebody who is in the middle of a game."""
    return texts.gettext(
        "{actor} has a seat at {tables}, which nobody could take up again: wait until that is over, or say --anyway"
    ).format(actor=actor, tables=", ".join(plain(name, _LONGEST) for name in names))


def forgotten(texts: Texts, actor: str) -> str:
    """Somebody is forgotten."""
    return texts.gettext("{actor} is forgotten: seats keep that id, and nothing says any more whose it was.").format(
        actor=actor
    )


def removed(texts: Texts, gone: Mapping[str, int]) -> str:
    """What was removed: of which hashes of the directory, and how many entries in all."""
    words = [texts.gettext(text) for name, text in _REMOVED.items() if gone.get(name)]
    messages = gone.get("shown", 0)
    if messages:
        words.append(texts.ngettext("{n} record of a message", "{n} records of messages", messages).format(n=messages))
    count = sum(gone.values())
    said = texts.ngettext("Removed: {words} ({n} entry).", "Removed: {words} ({n} entries).", count)
    return said.format(words=", ".join(words), n=count)


def stays(texts: Texts) -> str:
    """What no command of ours can take away."""
    return texts.gettext("Messages in chats stay as they are, and so do names in backups made before.")


def restart(texts: Texts) -> str:
    """A bot that runs has an unfinished table's chat in memory."""
    return texts.gettext("If the bot runs, restart it now: it still knows the chats of tables in play.")


def _tables(texts: Texts, count: int) -> str:
    return texts.ngettext("{n} table", "{n} tables", count).format(n=count)


def _commits(texts: Texts, count: int) -> str:
    return texts.ngettext("{n} commit", "{n} commits", count).format(n=count)
