"""What export, audit and `store check` say of histories, files and the store: what is wrong, and what to do."""

from __future__ import annotations

from service.text import Texts
from service.text import marked as _
from service.text.people import plain

_LONGEST = 120
_MEGABYTE = 1 << 20

# Of a file that is no whole export.
_LINES: dict[str, str] = {
    "unknown_format": _("a form of export that this release does not know (it reads {known})"),
    "not_a_header": _("the first line is not an export's"),
    "not_a_commit": _("not a commit's line: it was changed or cut off"),
    "too_long": _("too long for a commit's line"),
    "altered_line": _("the line was altered: the same values are written in another way"),
    "table_again": _("commits of the table stand in two places"),
    "empty": _("the file holds no commit"),
    "cut_off": _("the file's end is missing: it was cut off, or is still being written"),
    "wrong_counts": _("the file's end counts other tables or commits than there are: some are missing"),
    "after_the_end": _("something follows the file's end"),
}

# Of the server: what is wrong, what to do.
_SERVER: dict[str, str] = {
    "not_kept": _("the server does not write commits down: set `appendonly yes` there"),
    "not_synced": _("a power failure may lose the last moves: set `appendfsync always` on the server"),
    "sync_unknown": _("the server does not tell its settings: see to it yourself that it has `appendfsync always`"),
    "evicts": _("the server drops data when its memory is full: set `maxmemory-policy noeviction` there"),
    "write_failed": _("the server's last write to its disk failed: see to the disk and read the server's log"),
    "rewrite_failed": _("the server could not rewrite its append-only file: make room on its disk, read its log"),
    "replica": _("this server is a replica: give the URL of its master"),
    "no_replica": _("no replica follows this server, so that nothing can be acknowledged: start one"),
    "unguarded": _("the server takes writes when no replica follows: set `min-replicas-to-write 1` there"),
}

# Of a table in the store: what is wrong, what to do.
_RESTORE = _("keep a copy of the data as it is, then put back a copy from before")
_TROUBLES: dict[str, tuple[str, str]] = {
    "broken_chain": (_("the commit is not what was stored: its hash does not match"), _RESTORE),
    "commit_missing": (_("the commit is missing"), _RESTORE),
    "foreign_entry": (_("its key holds something that is no commit"), _("remove what else writes to this server")),
    "no_commits": (_("all its commits are missing"), _RESTORE),
    "no_pointer": (_("no pointer in the feed: nobody hears of the commit"), _RESTORE),
    "pointer_without_commit": (_("the feed points to a commit that is not there"), _RESTORE),
    "pointer_twice": (
        _("the feed points to the commit more than once"),
        _("remove what else writes to this server"),
    ),
    "pointers_disordered": (
        _("the feed's pointers are out of order"),
        _("remove what else writes to this server"),
    ),
    "foreign_pointer": (_("the feed's entry is no pointer"), _("remove what else writes to this server")),
    "not_listed": (_("the list of tables lacks it"), _RESTORE),
    "id_missing": (
        _("the command's id is missing: repeated, it could be carried out twice"),
        _("nothing else is lost, and three days after the commit nobody needs the id"),
    ),
    "id_of_another": (
        _("a command's id is kept for this version, but did not make it"),
        _("a new command with that id is answered wrongly; three days later nobody needs the id"),
    ),
}


def fault_at(texts: Texts, table: str, version: int, fault: str) -> str:
    """Something wrong with a table: at a version, or (0) as a whole."""
    where = plain(table, _LONGEST)
    if version:
        where += ": " + texts.gettext("version {number}").format(number=version)
    return f"{where}: {fault}"


def broken(texts: Texts, table: str, version: int, missing: bool) -> str:
    """A chain's first fault."""
    fault = (
        texts.gettext("the versions have a gap or are out of order here")
        if missing
        else texts.gettext("the hash does not match: this commit or what it follows was changed")
    )
    return fault_at(texts, table, version, fault)


def unknown_event(texts: Texts, table: str, version: int) -> str:
    """Stored bytes that this release cannot read."""
    return fault_at(texts, table, version, texts.gettext("holds an event that this release does not know"))


_MISFORMED: dict[str, str] = {
    "not_as_stored": _("the events are not written in the one form in which they are stored: they were altered"),
    "command_again": _("a command of this id was carried out before: the commit was put in"),
    "time_out_of_bounds": _("the time is not one that there can be"),
}


def misformed(texts: Texts, table: str, code: str) -> str:
    """A commit in which two readers might see two things."""
    return fault_at(texts, table, 0, texts.gettext(_MISFORMED[code]))


def senseless(texts: Texts, table: str, kind: str) -> str:
    """A history so strange that the rules cannot be asked about it."""
    return fault_at(texts, table, 0, texts.gettext("the rules can make nothing of it ({kind})").format(kind=kind))


def bad_line(texts: Texts, kind: str, line: int, table: str, version: int, before: bool, known: str) -> str:
    """The first line of an export that is not as it should be, with the table and version it is about (or follows)."""
    said = texts.gettext(_LINES[kind]).format(known=known)
    where = texts.gettext("line {number}").format(number=line)
    if table:
        place = fault_at(texts, table, version, "").removesuffix(": ")
        where += f" ({texts.gettext('after {place}').format(place=place) if before else place})"
    return f"{where}: {said}"


def in_file(texts: Texts, path: str, fault: str) -> str:
    """Something wrong in a file."""
    return texts.gettext("{path}: {fault}").format(path=plain(path, _LONGEST), fault=fault)


def left_out(texts: Texts, first: str, count: int) -> str:
    """Tables that cannot be exported because they are damaged."""
    return texts.ngettext(
        "{n} table is left out, for it is damaged: {first} (tabletalk store check)",
        "{n} tables are left out, for they are damaged: {first} (tabletalk store check)",
        count,
    ).format(n=count, first=first)


def exported(texts: Texts, tables: int, commits: int, path: str) -> str:
    """The export is written."""
    return texts.gettext("Exported: {tables}, {commits} → {path}").format(
        tables=_tables(texts, tables), commits=_commits(texts, commits), path=path
    )


def cannot_write(texts: Texts, path: str, fault: str) -> str:
    """A file that cannot be written."""
    return texts.gettext("cannot write {path}: {fault}").format(path=plain(path, _LONGEST), fault=fault)


def all_right(texts: Texts, tables: int, commits: int) -> str:
    """Nothing is wrong with so many tables: chains, seeds, shuffles and moves."""
    return texts.gettext("ok: {tables}, {commits} verified").format(
        tables=_tables(texts, tables), commits=_commits(texts, commits)
    )


def not_judged(texts: Texts, tables: int, again: int, deals: int) -> str:
    """How many tables have rules that this release does not know, and how many of their deals were made again."""
    head = texts.ngettext(
        "NOT JUDGED: {n} table has rules that this program does not know, so no move of it was judged",
        "NOT JUDGED: {n} tables have rules that this program does not know, so no move of them was judged",
        tables,
    ).format(n=tables)
    said = texts.gettext(
        "The chain holds, the seeds are those that were promised; deals made again: {again} of {deals}"
    )
    return f"{head}. {said.format(again=again, deals=deals)}"


def held(texts: Texts, tables: int, commits: int) -> str:
    """The chain of so many tables holds; more is not said."""
    return texts.gettext("chain verified: {tables}, {commits}").format(
        tables=_tables(texts, tables), commits=_commits(texts, commits)
    )


def no_account_of_record(texts: Texts) -> str:
    """--json or --html with a record."""
    return texts.gettext("a record has no events: --json and --html want a table or the file of an export")


def some_wrong(texts: Texts, wrong: int, tables: int) -> str:
    """How many tables have faults, after a line for each."""
    return texts.gettext("{wrong} of {tables} with a fault").format(wrong=wrong, tables=_tables(texts, tables))


def head_found(texts: Texts, mark: str, table: str, version: int, last: int) -> str:
    """Which commit a fingerprint belongs to."""
    return texts.gettext("The fingerprint {mark} is that of {table}, version {version} of {last}").format(
        mark=mark, table=plain(table, _LONGEST), version=version, last=last
    )


def head_missing(texts: Texts, mark: str) -> str:
    """No commit has the fingerprint that somebody was shown."""
    return texts.gettext(
        "no commit here has the fingerprint {mark}: this is another history, a changed one, or its end was cut off"
    ).format(mark=mark)


def bad_fingerprint(texts: Texts) -> str:
    """--head with something else."""
    return texts.gettext("--head must be a fingerprint: 20 of the characters a-z and 2-7")


def no_head_in_record(texts: Texts) -> str:
    """--head with a record."""
    return texts.gettext("a record has no fingerprints: --head wants a table or the file of an export")


def one_of(texts: Texts, what: str) -> str:
    """Either a name or --all."""
    return texts.gettext("give {what}, or --all (and not both)").format(what=what)


def no_file(texts: Texts, option: str) -> str:
    """An option that names a file, without one."""
    return texts.gettext("{option} needs the path of a file").format(option=option)


def no_store(texts: Texts, data: str) -> str:
    """Nothing to check."""
    return texts.gettext("there is no store in the data folder {path}").format(path=plain(data, _LONGEST))


def progress(texts: Texts) -> str:
    """Beside the bar."""
    return texts.gettext("Tables")


def server_trouble(texts: Texts, kind: str) -> str:
    """What is wrong with the server, and what to do."""
    return texts.gettext(_SERVER[kind])


def little_room(texts: Texts, free: int, wanted: int) -> str:
    """Too little space on the disk of the data folder."""
    said = texts.gettext("the disk of the data folder has {free} MB free, and needs {wanted}: make room")
    return said.format(free=free // _MEGABYTE, wanted=-(-wanted // _MEGABYTE))


def key(texts: Texts, fault: str) -> str:
    """The sealing key is not here, or is another's."""
    if fault == "gone":
        return texts.gettext("The sealing key is not here (seal.key, or TABLETALK_KEY): games in play need it")
    return texts.gettext("the sealing key here is another's: games in play need the one that the store was sealed with")


def trouble(texts: Texts, kind: str, table: str, version: int, count: int) -> str:
    """What is wrong with a table in the store, at which version first, and what to do."""
    fault, remedy = _TROUBLES[kind]
    said = texts.gettext(fault)
    if count > 1:
        said += " " + texts.ngettext("(and {n} more)", "(and {n} more)", count - 1).format(n=count - 1)
    return f"{fault_at(texts, table, version, said)}. {texts.gettext('To do')}: {texts.gettext(remedy)}."


def store_right(texts: Texts, tables: int, commits: int) -> str:
    """Nothing is wrong with the store."""
    return texts.gettext("ok: settings, chains, feeds and command ids of {tables}, {commits}").format(
        tables=_tables(texts, tables), commits=_commits(texts, commits)
    )


def store_wrong(texts: Texts, faults: int) -> str:
    """How many things are wrong, after a line for each."""
    return texts.ngettext("the store has {n} fault", "the store has {n} faults", faults).format(n=faults)


def _tables(texts: Texts, count: int) -> str:
    return texts.ngettext("{n} table", "{n} tables", count).format(n=count)


def _commits(texts: Texts, count: int) -> str:
    return texts.ngettext("{n} commit", "{n} commits", count).format(n=count)
