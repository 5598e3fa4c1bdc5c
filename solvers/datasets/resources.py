"""Where the bundled data lie."""

from __future__ import annotations

from pathlib import Path

from ..errors import DataError, shown

_HERE = Path(__file__).resolve().parents[1]
#: Inside the package in a wheel, beside it in a checkout.
_PLACES = (_HERE / "sample_data", _HERE.parent / "sample_data")


def sample_data(*parts: str) -> Path:
    """Return the path of a bundled file or folder.

    Examples
    --------
    >>> sample_data("README.md").name
    'README.md'
    """
    for place in _PLACES:
        path = place.joinpath(*parts)
        if path.exists():
            return path
    raise DataError(
        f"There is no {shown('/'.join(parts))} among the sample data; install the "
        "package again, or name a file that its README lists."
    )
