"""scikit-learn's handwritten digits, scanned in blocks of two by two pixels."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_digits

from ...costs.hypergraph import FeatureHypergraph
from ...costs.incidence import ComponentKind
from ..base import Dataset
from ..options import Facts

__all__ = ["FACTS", "make_digits"]

FACTS = Facts(
    1797,
    10,
    "invented",
    "CC BY 4.0",
    "ten classes, pixels scanned in blocks from the middle outwards",
)

#: Pixels along a side of an image, and along a side of a block.
SIDE, BLOCK_SIDE = 8, 2
#: Illustrative milliseconds to scan a block: the scanner starts in the middle.
INNER_COST, EDGE_COST, CORNER_COST = 2.0, 3.0, 4.0


def make_digits() -> Dataset:
    """Return 1797 handwritten digits: 64 pixels that are scanned in 16 blocks.

    A block of two by two pixels is a component that its four pixels share, so that
    they come together. Blocks in the middle cost least, those in the corners most.

    Returns
    -------
    Dataset
        64 features, 16 components; ten classes; costs in "ms".

    Notes
    -----
    The rows are real. The costs are made up, in a plausible order of magnitude.
    """
    table = load_digits()
    per_side = SIDE // BLOCK_SIDE
    rows, columns = np.divmod(np.arange(SIDE**2), SIDE)
    block_of = rows // BLOCK_SIDE * per_side + columns // BLOCK_SIDE
    down, right = np.divmod(np.arange(per_side**2), per_side)
    on_edge = np.isin(down, (0, per_side - 1)).astype(int)
    on_edge += np.isin(right, (0, per_side - 1))
    generated: tuple[ComponentKind, ...] = ("generation",)
    hypergraph = FeatureHypergraph(
        block_of == np.arange(per_side**2)[:, np.newaxis],
        np.array([INNER_COST, EDGE_COST, CORNER_COST])[on_edge],
        tuple(f"pixel {r} {c}" for r, c in zip(rows, columns, strict=True)),
        tuple(f"scan {d} {r}" for d, r in zip(down, right, strict=True)),
        generated * per_side**2,
        unit="ms",
    )
    return Dataset(
        name="digits",
        X=np.asarray(table.data, dtype=np.float64),
        y=table.target.astype(str),
        hypergraph=hypergraph,
        source="Optical recognition of handwritten digits, as bundled with "
        "scikit-learn.",
        costs_note="Illustrative: nobody measured these costs.",
    )
