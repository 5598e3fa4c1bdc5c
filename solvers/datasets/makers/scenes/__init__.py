"""Images of ten confusable kinds of scene: sixty features in 28 groups that share work.

The features and the costs are bundled; the images are painted when they are asked for.
To make both files anew, with costs measured on your machine::

    python -m benchmarks.bundles scenes FOLDER
"""

from __future__ import annotations

from itertools import islice
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....costs.hypergraph import FeatureHypergraph
from ....numerics.arrays import Floats
from ....values.knobs import Choice, Knob, Number
from ...base import Dataset
from ...options import Facts, checked_by
from ..bundled import bundled_costs, bundled_table, in_single_precision
from .features import PUBLISHED_SECONDS, scene_groups, scenes_pipeline
from .images import KINDS, scene_image

__all__ = [
    "FACTS",
    "KINDS",
    "OPTIONS",
    "make_scenes",
    "row_image",
    "scene_groups",
    "scene_hypergraph",
    "scene_image",
    "scenes_pipeline",
]

FACTS = Facts(
    1000,
    10,
    "measured",
    "BSD-3-Clause",
    "painted images of ten kinds, with a pipeline: where leaving early pays",
)


SceneCosts: TypeAlias = Literal["measured", "published"]

OPTIONS: dict[str, Knob] = {
    "n_samples": Number("Images", 100, 100_000, integer=True, shown=(100, 1000)),
    "costs": Choice(
        "Costs",
        ("measured", "published"),
        doc="Measured with shared work, or as in Table 1 of the paper, each by itself.",
    ),
}

BUNDLED_SAMPLES = 1000
BUNDLED_SEED = 0
_RAW_SAMPLES = 100


@checked_by(OPTIONS)
def make_scenes(
    n_samples: int = BUNDLED_SAMPLES,
    costs: SceneCosts = "measured",
    random_state: int | None = BUNDLED_SEED,
) -> Dataset:
    """Return synthetic photographs of ten kinds, by the features of Table 1 of [1]_.

    Parameters
    ----------
    n_samples : int, default=1000
        Number of images. Up to 1000 of seed 0 are bundled; others are painted and
        measured, which takes about 15 seconds for 1000.
    costs : {"measured", "published"}, default="measured"
        "measured": microseconds of our functions on images of 96 x 64 pixels, work that
        groups share counted once; "published": seconds in [1]_ for 384 x 256 pixels,
        where nothing is shared.
    random_state : int or None, default=0
        Seed.

    Returns
    -------
    Dataset
        60 features in 28 groups; labels are the kinds; with its pipeline and up to 100
        raw images.

    Raises
    ------
    KnobError
        If there are too few images, or the costs are unknown.

    References
    ----------
    .. [1] Liu et al., "TEFE: a time-efficient approach to feature extraction", 2008,
       Table 1. Its photographs are not free to copy; ours are painted by our own code.
    """
    if random_state == BUNDLED_SEED and n_samples <= BUNDLED_SAMPLES:
        X, y = bundled_scenes(n_samples)
        images = [row_image(row) for row in range(min(n_samples, _RAW_SAMPLES))]
    else:
        X, y, images = scene_table(n_samples, random_state, keep=_RAW_SAMPLES)
    hypergraph, note = scene_hypergraph(costs)
    return Dataset(
        name="scenes",
        X=X,
        y=y,
        hypergraph=hypergraph,
        source="Synthetic photographs of ten kinds of scene, painted by our own code.",
        costs_note=note,
        pipeline=scenes_pipeline(),
        samples=images,
    )


def scene_hypergraph(
    costs: SceneCosts = "measured",
) -> tuple[FeatureHypergraph, str]:
    """Return what the features of a scene need and cost, and where that is from."""
    pipeline = scenes_pipeline()
    free = dict.fromkeys(pipeline.components, 0.0)
    if costs == "published":
        note = "Table 1 of the TEFE paper (2008), for images of 384 x 256 pixels."
        return pipeline.hypergraph({**free, **PUBLISHED_SECONDS}, unit="s"), note
    facts = bundled_costs("scenes")
    priced = pipeline.hypergraph({**free, **facts["costs"]}, unit=facts["unit"])
    return priced, f"Measured once on a {facts['machine']}."


def row_image(row: int, random_state: int | None = BUNDLED_SEED) -> NDArray[np.uint8]:
    """Return the image that a row of the scenes was computed from.

    Shape: (64, 96, 3).
    """
    seed = np.random.SeedSequence(random_state, spawn_key=(row,))
    return scene_image(KINDS[row % len(KINDS)], int(seed.generate_state(1)[0]))


def scene_table(
    n_samples: int, random_state: int | None, keep: int = 0
) -> tuple[Floats, NDArray[np.str_], list[NDArray[np.uint8]]]:
    """Return features and kinds of images, and the first of the images.

    Shape: `X` (n_samples, 60), `y` (n_samples,), `images` (64, 96, 3).
    """
    if random_state is None:
        random_state = int(np.random.default_rng().integers(2**31))
    images = (row_image(row, random_state) for row in range(n_samples))
    kept = list(islice(images, min(keep, n_samples)))
    pipeline = scenes_pipeline()
    X = np.concatenate([pipeline.extract(kept), pipeline.extract(images)])
    y = np.array(KINDS)[np.arange(n_samples) % len(KINDS)]
    return in_single_precision(X), y, kept


def bundled_scenes(n_samples: int) -> tuple[Floats, NDArray[np.str_]]:
    """Return features and kinds of the images whose features are bundled.

    Shape: `X` (n_samples, 60), `y` (n_samples,).
    """
    table = bundled_table("scenes")
    return table["X"][:n_samples], np.array(KINDS)[table["kind"][:n_samples]]
