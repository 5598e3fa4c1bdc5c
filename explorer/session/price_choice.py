"""What the columns of a table cost: a file, a person, the drawing, or one each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from panel.viewable import Viewer

from solvers import FeatureHypergraph, HypergraphFile
from solvers.datasets.table.prices import with_names_of
from solvers.errors import DataError, counted, listed

from ..compute.jobs import READ_SECONDS
from ..compute.sandbox import sandboxed
from ..widgets.markup import Message, markup
from ..widgets.parts import wide_column, wrapping_row
from ..widgets.text import cost_text, plain
from ..widgets.ui import pmui
from ..widgets.upload_dialog import file_input, unit_input
from .context import Context
from .own_files import MAX_BYTES, read_own_hypergraph, read_typed_prices

_FORMATS = (
    "A file of prices holds costs, as CSV or lines “name: cost”, or a hypergraph, as "
    "incidence CSV or HIF JSON."
)
ONES, DRAWING, FILE, TYPED = "ones", "drawing", "file", "typed"
SOURCES = {
    "each column costs 1": ONES,
    "as the drawing says": DRAWING,
    "from a file": FILE,
    "typed here": TYPED,
}
MISSING = {
    "is a mistake: ask again": "refuse",
    "costs nothing": "free",
    "is left out": "drop",
}
_MOST_TYPED = 100_000  # characters
_EXAMPLE = "age: 1\nblood count: 17.5"
_NOT_READ = (
    "There are no prices yet; choose a file of them, type some, or price the columns "
    "in another way."
)
_STILL_READ = "The prices are still being read; open the table once they are."


@dataclass(frozen=True)
class PricesTold:
    """Prices as ``read_table`` takes them, and what is to be told of their file."""

    options: dict[str, Any]
    notes: tuple[str, ...] = ()


class PriceChoice(Viewer):
    """Where prices come from, the prices, and what becomes of columns without one.

    `drawn`: returns the hypergraph of the drawing. `turned`: called when other prices
    are given, whatever was said of those before.
    """

    def __init__(
        self,
        context: Context,
        drawn: Callable[[], FeatureHypergraph],
        turned: Callable[[], None] = lambda: None,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._drawn, self._turned, self._job = drawn, turned, context.job()
        self._features: Sequence[str] = ()
        self._present: Collection[str] = ()
        self._file: HypergraphFile | None = None
        self._source_read = ""  # Where the file came from, FILE or TYPED
        wide = {"sizing_mode": "stretch_width", "margin": 8}
        self.source = pmui.Select(
            label="What columns cost", options=SOURCES, value=ONES, **wide
        )
        self.missing = pmui.Select(
            label="A column without a price",
            options=MISSING,
            value="refuse",
            visible=False,
            **wide,
        )
        self.upload = file_input("Choose a file of prices", MAX_BYTES, self._job)
        self.typed = pmui.TextAreaInput(
            label="A line a column: its name, a colon and its price",
            placeholder=_EXAMPLE,
            max_length=_MOST_TYPED,
            rows=4,
            visible=False,
            **wide,
        )
        self.unit = unit_input("What the prices count in", visible=False)
        self._told = markup("", margin=(0, 10))
        self.source.param.watch(lambda _: self._turn(), "value")
        self.upload.param.watch(lambda _: self._take_file(), "value")
        self.typed.param.watch(lambda event: self._take_typed(event.new), "value")

    def __panel__(self) -> Any:
        return wide_column(
            wrapping_row(self.source, self.missing),
            self.upload,
            self.typed,
            self.unit,
            Message(text=self._job.param.message),
            self._told,
        )

    def clear(self) -> None:
        """Forget what was given for another table."""
        self._file, self._source_read, self._features = None, "", ()
        self.missing.value = "refuse"
        self.upload.clear()
        self.typed.value = ""
        self._job.message = ""

    def begin(self, features: Sequence[str], present: Collection[str]) -> None:
        """Offer what suits a table that has arrived: the drawing, if it has its names.

        `features`: columns to learn from. `present`: all columns.
        """
        drawn, _ = with_names_of(self._drawn(), present)
        n_drawn = len({*features} & {*drawn.features})
        if not self._source_read:  # else prices were given, be they read or refused
            self.source.value = DRAWING if 2 * n_drawn >= len(features) > 0 else ONES
        self.follow(features, present)

    def follow(self, features: Sequence[str], present: Collection[str]) -> None:
        """Tell which of the columns that are features have no price."""
        self._features, self._present = features, present
        self._tell()

    def told(self) -> PricesTold:
        """Return the prices; `DataError` where they are not there or do not match."""
        missing, source = self.missing.value, self.source.value
        if source == ONES:
            return PricesTold({})
        file, notes = self._file, ()
        if source == DRAWING:
            found = self._drawn()
        elif file is None:
            waits = _STILL_READ if self._job.busy else _NOT_READ
            raise DataError(self._job.message or waits)
        else:
            named = file.with_unit((self.unit.value_input or "").strip() or None)
            found, notes = named.hypergraph, named.notes
        priced, alike = with_names_of(found, self._present)
        notes = (*notes, *alike)
        if missing == "refuse":
            self._refuse_mismatch(priced)
            missing = "free"  # as what is taken back later is told to be
        return PricesTold({"hypergraph": priced, "missing": missing}, notes)

    # ------------------------------------------------------------------------ reacting

    def _turn(self) -> None:
        source = self.source.value
        self._turned()
        if source not in (FILE, TYPED):
            self._job.message = ""  # what was refused is not asked for any more
        self.typed.visible = source == TYPED
        self.missing.visible = source != ONES
        if source in (FILE, TYPED) and source != self._source_read:
            self._file, self._source_read = None, ""
            if source == FILE:
                self._take_file()
            else:
                self._take_typed(self.typed.value)
        self._tell()

    def _take_file(self) -> None:
        """Read the prices that have arrived; they are then what is asked for."""
        content, name = self.upload.value, str(self.upload.filename or "prices.csv")
        if content is not None:
            self._read(content, name, FILE)

    def _take_typed(self, text: str) -> None:
        if text.strip():
            self._read(text.encode(), "typed.csv", TYPED)

    def _read(self, content: bytes, name: str, source: str) -> None:
        self._file, self._source_read = None, source
        self._turned()
        self.source.value = source
        self._tell()  # what was read before is not what is asked for now
        read = read_typed_prices if source == TYPED else read_own_hypergraph

        def arrived(found: list[HypergraphFile]) -> None:
            if self._source_read == source:  # else prices are asked for elsewhere
                self._file = found[-1]
                self._tell()

        self._job.submit(
            lambda: sandboxed(read, content, name, "us"),
            arrived,
            seconds=READ_SECONDS,
        )

    # ------------------------------------------------------------------------- telling

    def _priced(self) -> FeatureHypergraph | None:
        if self.source.value == DRAWING:
            return self._drawn()
        if self.source.value == ONES or self._file is None:
            return None
        return self._file.hypergraph

    def _tell(self) -> None:
        """Say what has a price; a unit is asked for where the file names none."""
        file = self._file if self.source.value in (FILE, TYPED) else None
        self.unit.visible = file is not None and not file.names_unit
        priced, n_all = self._priced(), len(self._features)
        if priced is None or not n_all:
            self._told.object = f"<p>{plain(_FORMATS)}</p>"
            return
        unpriced, absent = self._mismatch(with_names_of(priced, self._present)[0])
        words = f"{n_all - len(unpriced)} of {counted(n_all, 'feature')} have a price"
        words += f"; none has {listed(unpriced)}." if unpriced else "."
        if not self.unit.visible:  # else nobody has said yet what the numbers are
            words += f" All: {cost_text(priced.total_cost, priced.unit)}."
        if absent:
            words += f" No column is called {listed(absent)}."
        self._told.object = f"<p role='status'>{plain(words)}</p>"

    def _mismatch(self, priced: FeatureHypergraph) -> tuple[list[str], list[str]]:
        described = {*priced.features}
        unpriced = [name for name in self._features if name not in described]
        absent = [name for name in priced.features if name not in self._present]
        return unpriced, absent

    def _refuse_mismatch(self, priced: FeatureHypergraph) -> None:
        unpriced, absent = self._mismatch(priced)
        parts = [f"no price is known of {listed(unpriced)}"] if unpriced else []
        parts += [f"no column is called {listed(absent)}"] if absent else []
        if parts:
            text = " and ".join(parts)
            raise DataError(
                f"{text[0].upper()}{text[1:]}; make the names agree, or say what "
                "becomes of a column without a price."
            )
