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
from ..claims import Above, Ahead, Below, Claim, Equal, Row
from ..studies import Axes, check_sizes, study
from .contenders import repeated
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

    @property
    def sharing(self) -> float:
        """What counts for blocks: features times ψ."""
        return self.n_features * self.psi

    @property
    def largest_share(self) -> float:
        """Share of the features that are in the largest block."""
        return self.largest_block / self.n_features

    @property
    def block_share(self) -> float:
        """Number of blocks over that of features."""
        return self.n_blocks / self.n_features


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


def _said_of_memory(rows: Sequence[MemoryRow]) -> list[str]:
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


def _said_of_blocks(rows: Sequence[BlockRow]) -> list[str]:
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


def much_shared(sharing: float) -> bool:
    """Return whether features share so much that one block holds nearly all."""
    return sharing >= 10


def little_shared(sharing: float) -> bool:
    """Return whether features share so little that most are alone."""
    return sharing <= 0.1


def _powers(rows: Sequence[MemoryRow]) -> list[MemoryRow | Row]:
    """Add the power of the features with which memory grows, for each ψ."""
    found: list[MemoryRow | Row] = [*rows]
    for procedure, psi in dict.fromkeys((r.procedure, f"{r.psi}") for r in rows):
        here = [r for r in rows if (r.procedure, f"{r.psi}") == (procedure, psi)]
        sizes = np.log([row.n_features for row in here])
        power = np.polyfit(sizes, np.log([row.megabytes for row in here]), 1)[0]
        most = max(row.n_features for row in here)
        told = {"procedure": procedure, "psi": psi, "n_features": most}
        found.append(Row(**told, power=float(power)))
    return found


_MEMORY_COLUMNS = {
    "procedure": "Procedure",
    "n_features": "Features m",
    "psi": "Sharing ψ",
    "n_blocks": "Blocks K",
    "largest_block": "Largest block (features)",
    "megabytes": "Memory (MB, counted)",
}


@study(
    "ACAFH Fig. 8",
    pair=("n_features", "psi"),
    pairs="sizes",
    who="procedure",
    derive=_powers,
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
    describe=_said_of_memory,
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
    """
    check_sizes("n_features", n_features, 2, _LARGEST)
    check_sizes("psis", psis, 0.0, 1.0)
    return (
        row
        for psi in psis
        for m in n_features
        for row in _memory(_generated(m, psi, random_state), psi)
    )


@study(
    "ACAFH Fig. 9",
    pair=("n_features", "psi"),
    pairs="sizes",
    who="procedure",
    derive=_powers,
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
    describe=_said_of_memory,
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
def figure_9(copies: Sequence[int] = COPIES) -> Iterator[MemoryRow]:
    """Return Figure 9: memory against the number of features, traffic repeated.

    The paper repeats the 54 features of a recording 20 to 100 times; so do we.

    Parameters
    ----------
    copies : sequence of int
        How often the 54 features stand in the table.
    """
    check_sizes("copies", copies, 1, _LARGEST / 54)
    pipeline = signals_pipeline()
    once = pipeline.hypergraph(dict.fromkeys(pipeline.components, 1.0))
    return (row for times in copies for row in _memory(repeated(once, times), np.nan))


_WHOLE, _BLOCKS = "CAFH as published", "ACAFH as published"
_POWER = "power of the features"
figure_8.claims = figure_9.claims = [
    Claim(
        "ACAFH takes less memory than CAFH at every size.",
        "drawn",
        Ahead(_BLOCKS, of=_WHOLE, by="-megabytes", certain=True),
    ),
    Claim(
        "The memory of CAFH grows with the square of the features.",
        "quadratically",
        Equal("power", 2.0, 0.1, {"procedure": _WHOLE}, certain=True, unit=_POWER),
    ),
    Claim(
        "That of ACAFH grows with their number at most.",
        "linearly, or hardly",
        Below("power", 1.1, {"procedure": _BLOCKS}, certain=True, unit=_POWER),
    ),
]


@study(
    "ACAFH blocks",
    pair=("n_features", "psi"),
    pairs="hypergraphs",
    name="blocks",
    title="Blocks against sharing and features",
    published=(
        "With 5000 features there is about one connected component for ψ above 1e-3, "
        "and K grows quickly below (the other axis of Fig. 10). The paper names the "
        "largest component as what time and memory of ACAFH depend on."
    ),
    sizes="Paper: m = 5000, ψ from 1e-1 to 1e-5. Here: m from 1000 to 10,000.",
    describe=_said_of_blocks,
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
    """
    check_sizes("n_features", n_features, 2, _LARGEST)
    check_sizes("psis", psis, 0.0, 1.0)

    def rows() -> Iterator[BlockRow]:
        for m in n_features:
            for psi in psis:
                shapes = BlockShapes.of(_generated(m, psi, random_state))
                yield BlockRow(psi, m, f"m = {m}", shapes.n_blocks, shapes.largest)

    return rows()


figure_blocks.claims = [
    Claim(
        "There is one block where features share a lot (mψ of 10 and more).",
        "above ψ = 1e-3 for m = 5000",
        Above("largest_share", 0.9, {"sharing": much_shared}, certain=True),
    ),
    Claim(
        "There are many blocks where they share little (mψ of .1 and less).",
        "K grows quickly",
        Above("block_share", 0.5, {"sharing": little_shared}, certain=True),
    ),
]
