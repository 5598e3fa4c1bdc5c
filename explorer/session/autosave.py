"""Keeps a session: in the browser, in a file, in a link; opens it again, or afresh."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import param
from panel.custom import JSComponent

from solvers.errors import InterchangeError

from ..compute.jobs import READ_SECONDS
from ..compute.later import Later, call_later
from ..compute.sandbox import sandboxed
from ..compute.waiting import WAITING
from ..document.drawing import Drawing
from ..document.recipes import recipe_of
from ..widgets.assets import asset
from ..widgets.text import list_text
from .context import Context
from .declared import kept_names, link_names
from .link import MAX_LINK, write_link, write_page_link
from .own_files import OpenedFile
from .saved import (
    Declared,
    SavedSession,
    example,
    files_left_out,
    read_session,
    sent_session,
    written_session,
)
from .saved_drawing import graph_text
from .saved_table import packed_table, table_key
from .state import DEFAULT_DATASET, opening_budget

# Written so long after the last change.
QUIET_SECONDS = 0.6
# A session of fewer bytes and no table is read in a moment, whatever it says.
SHORT, NO_TABLE = 20_000, b'"table":null}'
NOT_KEPT = (
    "The browser did not keep this session: its storage is full or switched off. Save "
    "it to a file to have it again."
)
TOO_LARGE = (
    "The table is too large to be kept in the browser; keep the file that it came "
    "from, and open it again after a reload."
)
FILE_TOO_LARGE = (
    "{} is too large to be kept in the browser or in a session file; open it again "
    "after a reload."
)
STILL_KEPT = (
    "What this browser has kept is still there: reload the page to try again. Until "
    "you start afresh or open a session, nothing is kept in its place."
)
LATE = (
    "What this browser has kept was read only after you had opened something else; "
    "undo leads back to it."
)
Write = Callable[[str, str | None], None]


class Autosave(param.Parameterized):
    """Writes down what a person did, and brings it back."""

    message = param.String(default="", doc="What was refused, in one sentence.")
    note = param.String(default="", doc="What was done.")
    taken = param.Integer(default=0, doc="How often another session was taken.")

    def __init__(self, context: Context, declared: Declared, **params: Any) -> None:
        super().__init__(**params)
        self._context, self._declared = context, declared
        self._write: Write | None = None
        self._later: Later | None = None
        self._kept, self._left_out = ("", ""), ""
        # Said while what the browser has kept is not open, and stays as it is.
        self._unread = ""
        self._writing, self._reading = context.job(), context.job()
        self._reading.param.watch(lambda event: self._refused(event.new), "message")
        context.choices.listeners.append(lambda *_: self._changed())
        context.session.param.watch(lambda *_: self._changed(), ["page", "dark"])
        context.problem.editor.param.watch(lambda *_: self._changed(), "drawing")

    # ------------------------------------------------------------------------- writing

    def document(self) -> dict[str, Any]:
        """Return the session in the types of JSON, without the rows of a table."""
        session = self._context.session
        return written_session(
            session.page,
            session.dark,
            self._context.problem.editor.drawing,
            self._choices(),
        )

    def text(self) -> str:
        """Return the whole session as the text of a file."""
        document = self.document()
        if "table" in document["data"]:
            table = self._context.problem.editor.drawing.table
            document["table"] = packed_table(table.dataset, table.reading)
            if document["table"] is None:
                raise InterchangeError(
                    "The table is too large for a session file; save the hypergraph "
                    "and keep the table's own file."
                )
        return json.dumps(document, separators=(",", ":"), ensure_ascii=False)

    def keep_in(self, write: Write) -> None:
        """Write the session down from now on, whenever it has changed.

        What was kept and could not be read stays there until another is taken.

        `write`: takes the session and the rows of its table; None for the same rows.
        """
        self._write = write
        self._changed()

    def close(self) -> None:
        """Write nothing more: the session is gone."""
        self._write = None
        if self._later is not None:
            self._later.cancel()

    def _changed(self) -> None:
        if self._write is None or self._unread:
            return
        if self._later is not None:
            self._later.cancel()
        self._later = call_later(
            QUIET_SECONDS, lambda: self._context.post(self._write_down)
        )

    def _write_down(self) -> None:
        session, drawing = self._context.session, self._context.problem.editor.drawing
        page, dark, choices = session.page, session.dark, self._choices()
        known = self._kept[1]

        def work() -> Iterator[tuple[tuple[str, str | None, str], str]]:
            lost = list_text(files_left_out(choices))
            yield _packed(page, dark, drawing, choices, known), lost

        def arrived(items: list[tuple[tuple[str, str | None, str], str]]) -> None:
            (text, table, key), lost = items[-1]
            if self._write is not None and (text, key) != self._kept:
                self._kept = (text, key)
                self._write(text, table)
            too_large = TOO_LARGE if key == TOO_LARGE else ""
            self._tell_left_out(FILE_TOO_LARGE.format(lost) if lost else too_large)

        self._writing.submit(work, arrived)

    def _tell_left_out(self, told: str) -> None:
        """Say once what is not kept; what was true of another table goes."""
        if told != self._left_out and (told or self.message == self._left_out):
            self.message = told
        self._left_out = told

    def _choices(self) -> dict[str, dict[str, Any]]:
        return {
            page: values
            for page, values in self._context.choices.everything().items()
            if page in self._declared
        }

    # ------------------------------------------------------------------------- reading

    def restore(
        self,
        text: str,
        table: str,
        then: Callable[[bool], None] = lambda has_opened: None,
        themed: Callable[[bool], bool] = bool,
    ) -> None:
        """Go on where a browser has kept a session.

        Whoever has opened something before it is read goes on with that; undo leads
        back to what was kept.

        `then`: is called whether that could be read or not; takes whether something
        else was opened.
        `themed`: takes whether it was dark, and returns whether it is to be.
        """

        def arrived(items: list[SavedSession]) -> None:
            editor, undo_stack = self._context.problem.editor, self._context.undo_stack
            saved = replace(items[-1], dark=themed(items[-1].dark))
            has_opened = self._has_opened()
            drawing = saved.drawing(editor.next_id)
            if has_opened:
                choices = self._all_choices(saved)
                undo_stack.begin_with(drawing, choices, "Left what was kept")
                self.tell(LATE)
            else:
                with undo_stack.quiet():
                    editor.begin(drawing)
                    self._choose(saved)
                undo_stack.forget()
            then(has_opened)

        def refused(message: str) -> None:
            if not message:
                return
            is_over = not restoring.busy  # else it may still come
            if is_over and not self.taken:
                self._unread = STILL_KEPT
            self.tell(message)
            if is_over:
                then(self._has_opened())

        if not text:
            then(False)
            return
        # Another job than that of `open`, which would end this one.
        restoring = self._context.job()
        restoring.param.watch(lambda event: refused(event.new), "message")
        whole = _joined(text, table).encode("utf-8", "surrogatepass")
        restoring.submit(lambda: self._read(whole), arrived, seconds=READ_SECONDS)

    def open(self, content: bytes) -> None:
        """Open a session that a person gives; what is refused changes nothing."""

        def arrived(items: list[SavedSession]) -> None:
            self._take(items[-1], "Opened a session")
            self.tell(note="The session is open; undo goes back.")

        self._reading.submit(lambda: self._read(content), arrived, seconds=READ_SECONDS)

    def start_afresh(self) -> None:
        """Go back to how the app opens; undo brings everything back."""
        self._take(SavedSession(dark=self._context.session.dark), "Started afresh")
        self.tell(note="Everything is as at first; undo goes back.")

    def tell(self, message: str = "", note: str = "") -> None:
        """Say what was refused or done, and that nothing is kept while that is so."""
        self.param.update(message=f"{message} {self._unread}".strip(), note=note)

    def kept(self, done: bool) -> None:
        """Take note of whether the browser has kept the session."""
        if not done:
            self.message = NOT_KEPT
        elif self.message == NOT_KEPT:
            self.message = ""

    def copied(self, done: bool) -> None:
        """Take note of whether the link is in the clipboard."""
        where = "It is in the clipboard." if done else "Copy it from below."
        self.note = f"{self.note} {where}"

    def _read(self, text: bytes) -> Iterator[Any]:
        """Read a session: a short one, as most are kept in a browser, on the spot."""
        if len(text) <= SHORT and text.endswith(NO_TABLE):
            yield read_session(text, self._declared)
            return
        for item in sandboxed(sent_session, text, self._declared):
            yield item if item is WAITING else item.whole()

    def _refused(self, message: str) -> None:
        if message:
            self.tell(message)

    def _has_opened(self) -> bool:
        """Return whether a person has opened or drawn something in a fresh session."""
        files = any(values.get("files") for values in self._choices().values())
        return files or bool(self._context.undo_stack.drawing_undoes)

    def _take(self, saved: SavedSession, said: str) -> None:
        """Use a session that was found whole, as one step that can be undone."""
        editor = self._context.problem.editor
        self._unread = ""
        with self._context.undo_stack.step(said):
            editor.do(saved.drawing(editor.next_id), said)
            self._choose(saved)
        self.taken += 1

    def _choose(self, saved: SavedSession) -> None:
        for page, values in self._all_choices(saved).items():
            self._context.choices.set(page, values)
        self._context.session.param.update(page=saved.page, dark=saved.dark)

    def _all_choices(self, saved: SavedSession) -> dict[str, dict[str, Any]]:
        """Return the choices of every page, those that nobody made as at first."""
        found = {}
        first = {"budget": opening_budget(saved.dataset)}
        for page, (state, names) in self._declared.items():
            fresh = first if page == "frontier" else {}
            if state is not None and self._context.choices.is_followed(page):
                fresh = {n: getattr(example(state), n) for n in names} | fresh
            found[page] = {**fresh, **saved.choices.get(page, {})}
        return found

    # ---------------------------------------------------------------------------- link

    def link(self, frontier: Any, state: Any, names: dict[str, str]) -> str:
        """Return the query of a link to what is on screen."""
        session, drawing = self._context.session, self._context.problem.editor.drawing
        query = write_link(session, frontier) + write_page_link(state, names)
        left_out = _left_out(state)
        if drawing.table is None or recipe_of(drawing.table.dataset) is None:
            left_out.append("the rows of the table")
        if not _is_as_made(drawing):
            text = graph_text(drawing.hypergraph)
            query += "" if text is None else f"&g={text}"
            left_out += ["the hypergraph (it is too large)"] if text is None else []
        if len(query) > MAX_LINK:
            self.note = (
                f"The link would have {len(query):,} characters, of which at most "
                f"{MAX_LINK:,} are read: send the session file instead."
            )
        elif left_out:
            self.note = (
                "The link carries every choice of this page and of the Frontier page, "
                f"but not {list_text(left_out)}: send the session file as well."
            )
        else:
            self.note = "The link carries everything that is on screen."
        return query


def _left_out(state: param.Parameterized) -> list[str]:
    """Return what a person chose on a page and no link to it carries."""
    page, found = type(state), []
    linked = {*link_names(page), *link_names(page, everywhere=True)}
    for name in kept_names(page):
        value = getattr(state, name)
        if name in linked or value == state.param[name].default:
            continue
        files = [file.name for file in value if isinstance(file, OpenedFile)]
        label = state.param[name].label.lower()
        found.append(f"the file {list_text(files)}" if files else f"the {label}")
    return found


def _is_as_made(drawing: Drawing) -> bool:
    """Return whether the drawing is that of a data set that a link can name."""
    if drawing.table is None:
        return False
    base = drawing.table.dataset
    is_made = recipe_of(base, as_priced=True) is not None
    return is_made and drawing.hypergraph is base.hypergraph


def _packed(
    page: str, dark: bool, drawing: Drawing, choices: Any, known: str
) -> tuple[str, str | None, str]:
    """Return a session as text, its rows where they are not known, and their key."""
    document = written_session(page, dark, drawing, choices)
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
    if "table" not in document["data"] or drawing.table is None:
        return text, "", ""
    key = table_key(drawing.table.dataset)
    if key == known:
        return text, None, key
    packed = packed_table(drawing.table.dataset, drawing.table.reading)
    if packed is not None:
        return text, json.dumps(packed, separators=(",", ":")), key
    # The choices at least come back.
    document |= {"data": {"name": DEFAULT_DATASET, "options": {}}, "drawing": None}
    return json.dumps(document, separators=(",", ":")), "", TOO_LARGE


def _joined(text: str, table: str) -> str:
    """Put the rows into the session, as they stand in a file."""
    empty = NO_TABLE.decode()
    if not table or not text.endswith(empty):
        return text
    return f'{text.removesuffix(empty)}"table":{table}}}'


class SessionStore(JSComponent):
    """An invisible part of the page that keeps a text in the browser.

    `receive`: takes what the browser says: ``op`` is "found" (with ``text``, ``table``,
    ``same``, and whether the system is ``dark`` and ``was``), "theme" (with ``dark``),
    "kept" or "copied" (with ``done``), "undo" or "redo".
    """

    stores = param.Boolean(default=True, doc="Whether anything is kept in the browser.")

    _esm = asset("sign.js") + asset("session_store.js")

    def __init__(
        self, receive: Callable[[dict[str, Any]], None], **params: Any
    ) -> None:
        self._receive = receive
        super().__init__(**params)

    def keep(self, text: str, table: str | None, *, dark: bool) -> None:
        """Keep a session instead of the one before, and the theme it is in."""
        self._send_msg({"text": text, "table": table, "dark": dark})

    def read(self) -> None:
        """Tell that what was kept has been read, or was refused."""
        self._send_msg({"read": True})

    def copy(self, link: str) -> None:
        """Put a link into the clipboard."""
        self._send_msg({"link": link})

    def _handle_msg(self, data: Any) -> None:
        if isinstance(data, dict) and isinstance(data.get("op"), str):
            self._receive(data)
