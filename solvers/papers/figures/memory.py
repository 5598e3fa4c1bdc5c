"""Figures 8 and 9, and the sizes of blocks: what the matrices take, by counting.

No matrix is made: the bytes are those of the arrays that one gradient of the inner
problem holds at once, H included and the table X left out. So the paper's own sizes
take a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...costs.hypergraph import FeatureHypergraph
from ...datasets.makers.gaussian import make_gaussian
from ...datasets.makers.signals import signals_pipeline
from .contenders import repeated
from .figure import Axes, PaperFigure, check_sizes
from .gradients import ORDERS, BlockShapes
from .text import blocks_in_words, rounded

N_FEATURES = (2000, 4000, 6000, 8000, 10_000)
PSIS = (1e-4, 1e-5)
COPIES = (20, 40, 60, 80, 100)
BLOCK_FEATURES = (1000, 2000, 5000, 10_000)
BLOCK_PSIS = (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5)
_FEW_ROWS = 100  # of a table that nobody looks at
_LARGEST = 100_000


@dataclass(frozen=True)
class MemoryRow:
    """What one gradient holds at once."""

    procedure: str  #: Order of multiplication
    n_features: int  #: Columns
    #: How likely a feature needs another's component; NaN where it is not drawn
    psi: float
    #: Number of blocks, and features of the largest one
    n_blocks: int
    largest_block: int
    megabytes: float  #: Millions of bytes, counted


@dataclass(frozen=True)
class BlockRow:
    """Into how many blocks a hypergraph falls."""

    psi: float  #: How likely a feature needs another's component
    n_features: int  #: Columns
    name: str  #: `n_features` in words
    #: Number of blocks, and features of the largest one
    n_blocks: int
    largest_block: int


def figure_8(
    n_features: Sequence[int] = N_FEATURES,
    *,
    psis: Sequence[float] = PSIS,
    random_state: int = 0,
) -> Iterator[MemoryRow]:
    """Return Figure 8: memory against the number of features, generated data.

    The paper has 2000 to 10,000 features and ψ of 1e-4 and 1e-5; so have we.

    Parameters
    ----------
    n_features : sequence of int
        Numbers of columns.
    psis : sequence of float
        How likely a feature needs another's component, in [0, 1].
    random_state : int, default=0
        Seed.

    Returns
    -------
    iterator of MemoryRow

    Raises
    ------
    ThriftscopeError
        Before the first row, if a size is out of range.
    """
    check_sizes("n_features", n_features, 2, _LARGEST)
    check_sizes("psis", psis, 0.0, 1.0)
    return (
        row
        for psi in psis
        for m in n_features
        for row in _memory(_generated(m, psi, random_state), psi)
    )


def figure_9(copies: Sequence[int] = COPIES) -> Iterator[MemoryRow]:
    """Return Figure 9: memory against the number of features, traffic repeated.

    The paper repeats the 54 features of a recording 20 to 100 times; so do we.

    Parameters
    ----------
    copies : sequence of int
        How often the 54 features stand in the table.

    Returns
    -------
    iterator of MemoryRow

    Raises
    ------
    ThriftscopeError
        Before the first row, if a number is out of range.
    """
    check_sizes("copies", copies, 1, _LARGEST / 54)
    pipeline = signals_pipeline()
    once = pipeline.hypergraph(dict.fromkeys(pipeline.components, 1.0))
    return (row for times in copies for row in _memory(repeated(once, times), np.nan))


def figure_blocks(
    n_features: Sequence[int] = BLOCK_FEATURES,
    *,
    psis: Sequence[float] = BLOCK_PSIS,
    random_state: int = 0,
) -> Iterator[BlockRow]:
    """Return the number of blocks and the largest one, against ψ and features.

    Parameters
    ----------
    n_features : sequence of int
        Numbers of columns.
    psis : sequence of float
        How likely a feature needs another's component, in [0, 1].
    random_state : int, default=0
        Seed.

    Returns
    -------
    iterator of BlockRow

    Raises
    ------
    ThriftscopeError
        Before the first row, if a size is out of range.
    """
    check_sizes("n_features", n_features, 2, _LARGEST)
    check_sizes("psis", psis, 0.0, 1.0)

    def rows() -> Iterator[BlockRow]:
        for m in n_features:
            for psi in psis:
                shapes = BlockShapes.of(_generated(m, psi, random_state))
                yield BlockRow(psi, m, f"m = {m}", shapes.n_blocks, shapes.largest)

    return rows()


def _generated(m: int, psi: float, random_state: int) -> FeatureHypergraph:
    return make_gaussian(psi, m, _FEW_ROWS, random_state=random_state).hypergraph


def _memory(hypergraph: FeatureHypergraph, psi: float) -> Iterator[MemoryRow]:
    shapes = BlockShapes.of(hypergraph)
    for order in ORDERS:
        yield MemoryRow(
            order.title,
            hypergraph.n_features,
            psi,
            shapes.n_blocks,
            shapes.largest,
            order.n_bytes(shapes) / 1e6,
        )


# --------------------------------------------------------------------- what they say


def _measured_memory(rows: Sequence[MemoryRow]) -> list[str]:
    """Return, for each ψ, what the largest problem takes and how that has grown."""
    said = []
    for psi in dict.fromkeys(f"{row.psi:g}" for row in rows):
        here = [row for row in rows if f"{row.psi:g}" == psi]
        sizes = sorted({row.n_features for row in here})
        last = [row for row in here if row.n_features == sizes[-1]]
        start = {r.procedure: r.megabytes for r in here if r.n_features == sizes[0]}
        listed = "; ".join(_growth(row, start[row.procedure]) for row in last)
        where = "" if psi == "nan" else f"ψ = {psi}, "
        blocks = blocks_in_words(last[0].n_blocks, last[0].largest_block)
        said.append(
            f"{where}from m = {sizes[0]:,} to {sizes[-1]:,} (then {blocks}): {listed}."
        )
    return said


def _growth(row: MemoryRow, start: float) -> str:
    return (
        f"{row.procedure} from {rounded(start)} to {rounded(row.megabytes)} MB "
        f"({rounded(row.megabytes / start)} times)"
    )


def _measured_blocks(rows: Sequence[BlockRow]) -> list[str]:
    """Return, for each size, where one block first holds half of the features."""
    said = []
    for m in dict.fromkeys(row.n_features for row in rows):
        here = sorted((r for r in rows if r.n_features == m), key=lambda r: r.psi)
        giant = _first(here, lambda row: row.largest_block > row.n_features / 2)
        single = _first(here, lambda row: row.n_blocks == 1)
        low = here[0]
        said.append(
            f"m = {m:,}: {blocks_in_words(low.n_blocks, low.largest_block)} at "
            f"ψ = {low.psi:g}; one block holds more than half of the "
            f"features {_since(giant)}, and there is a single block {_since(single)}."
        )
    return said


def _first(
    rows: Sequence[BlockRow], holds: Callable[[BlockRow], bool]
) -> BlockRow | None:
    return next((row for row in rows if holds(row)), None)


def _since(row: BlockRow | None) -> str:
    if row is None:
        return "at none of these ψ"
    return f"from ψ = {row.psi:g} on (m times ψ = {row.n_features * row.psi:g})"


_MEMORY_COLUMNS = {
    "procedure": "Procedure",
    "n_features": "Features m",
    "psi": "Sharing ψ",
    "n_blocks": "Blocks K",
    "largest_block": "Largest block (features)",
    "megabytes": "Memory (MB, counted)",
}

FIGURE_8 = PaperFigure(
    name="8",
    title="Fig. 8: memory against features, generated data",
    published=(
        "ACAFH takes much less memory than CAFH where H is sparse. At ψ = 1e-4 its "
        "peak grows faster than at 1e-5, since the largest connected component can "
        "still be large; at 1e-5 it hardly depends on the number of features. CAFH "
        "grows much faster in both cases."
    ),
    sizes=(
        "Paper and here: m from 2000 to 10,000, ψ = 1e-4 and 1e-5. The paper measures "
        "the peak of a training; here the arrays of one gradient are counted."
    ),
    rows=figure_8,
    measured=_measured_memory,
    axes=Axes(
        "n_features",
        ("megabytes",),
        "procedure",
        _MEMORY_COLUMNS,
        ("psi",),
        frozenset({"megabytes"}),
    ),
    step=("psi", "n_features"),
    n_steps=len(N_FEATURES) * len(PSIS),
)

FIGURE_9 = PaperFigure(
    name="9",
    title="Fig. 9: memory against features, traffic repeated",
    published=(
        "Without the raw data, the memory of CAFH grows quadratically with the number "
        "of features and that of ACAFH linearly, at a very small rate."
    ),
    sizes=(
        "Paper and here: 54 features 20 to 100 times (m from 1080 to 5400, K from 600 "
        "to 3000). The paper measures; here the arrays of one gradient are counted."
    ),
    rows=figure_9,
    measured=_measured_memory,
    axes=Axes(
        "n_features",
        ("megabytes",),
        "procedure",
        {name: text for name, text in _MEMORY_COLUMNS.items() if name != "psi"},
        logarithmic=frozenset({"megabytes"}),
    ),
    step=("n_features",),
    n_steps=len(COPIES),
)

FIGURE_BLOCKS = PaperFigure(
    name="blocks",
    title="Blocks against sharing and features",
    published=(
        "With 5000 features there is about one connected component for ψ above 1e-3, "
        "and K grows quickly below (the other axis of Fig. 10). The paper names the "
        "largest component as what time and memory of ACAFH depend on."
    ),
    sizes="Paper: m = 5000, ψ from 1e-1 to 1e-5. Here: m from 1000 to 10,000.",
    rows=figure_blocks,
    measured=_measured_blocks,
    axes=Axes(
        "psi",
        ("n_blocks", "largest_block"),
        "name",
        {
            "name": "Problem",
            "psi": "Sharing ψ",
            "n_blocks": "Blocks K",
            "largest_block": "Largest block (features)",
        },
        logarithmic=frozenset({"psi", "n_blocks", "largest_block"}),
    ),
    step=("psi", "n_features"),
    n_steps=len(BLOCK_FEATURES) * len(BLOCK_PSIS),
)
