"""The command that makes the bundled features of the digits anew."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ....features.timing import Measurement
from ..bundled import folder_command, write_bundled
from . import digit_images, traced_images

__all__ = ["main", "write_bundle"]

MEASURED = 100


def write_bundle(
    folder: Path, n_samples: int | None = None, repeats: int = 31
) -> Measurement:
    """Extract the features of the digits, measure what they cost, and write both.

    `n_samples`: how many images; all by default.
    """
    images = digit_images()[0][:n_samples]
    traced = traced_images(images)
    measurement = traced.measure(images[:MEASURED], repeats)
    write_bundled(folder, measurement, X=traced.extract(images))
    return measurement


main = partial(folder_command, write_bundle, "solvers.datasets.makers.digit_images")

if __name__ == "__main__":
    raise SystemExit(main())
