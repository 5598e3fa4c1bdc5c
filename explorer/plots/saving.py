"""A figure as a file: PDF, SVG and PNG by Matplotlib, a page by Bokeh."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import holoviews as hv
import matplotlib as mpl
from bokeh.resources import INLINE

from solvers.errors import ThriftscopeError

from .backends import DRAWING

__all__ = ["Format", "picture", "save"]

Format: TypeAlias = Literal["pdf", "svg", "png", "html"]
DPI = 144
# The text of an SVG stays text, so that any name can be read, searched and spoken;
# without a fixed salt two files of the same figure would differ.
PRINTING = {
    "svg.fonttype": "none",
    "svg.hashsalt": "thriftscope",
    "pdf.fonttype": 42,
    "font.family": ["DejaVu Sans", "sans-serif"],
}
# No file says when it was written.
METADATA = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": None}


def picture(figure: Any, form: Format) -> bytes:
    """Return a figure as the content of a file.

    Parameters
    ----------
    figure : holoviews object
        As the functions of this package return it.
    form : {"pdf", "svg", "png", "html"}
        A page (html) holds all that it needs: it asks no server for anything.

    Returns
    -------
    bytes

    Raises
    ------
    ThriftscopeError
        If there is no such form.
    """
    if form not in get_args(Format):
        raise ThriftscopeError(
            f"A figure can't be written as {form!r}; use {', '.join(get_args(Format))}."
        )
    with DRAWING:
        return _page(figure) if form == "html" else _printed(figure, form)


def save(figure: Any, path: str | Path) -> Path:
    """Write a figure to a file, in the form that the file's name ends with.

    Parameters
    ----------
    figure : holoviews object
        As the functions of this package return it.
    path : str or Path
        Ends with .pdf, .svg, .png or .html.

    Returns
    -------
    Path
        Where it was written.

    Raises
    ------
    ThriftscopeError
        If the name ends otherwise.
    """
    path = Path(path)
    form: Any = path.suffix.removeprefix(".").lower()
    path.write_bytes(picture(figure, form))
    return path


def _printed(figure: Any, form: str) -> bytes:
    buffer = BytesIO()
    with mpl.rc_context(PRINTING):
        drawn = hv.renderer("matplotlib").get_plot(figure)
        try:
            drawn.state.savefig(
                buffer,
                format=form,
                dpi=DPI,
                bbox_inches="tight",
                metadata=METADATA[form],
            )
        finally:
            drawn.cleanup()
    return buffer.getvalue()


def _page(figure: Any) -> bytes:
    buffer = BytesIO()
    hv.save(figure, buffer, fmt="html", backend="bokeh", resources=INLINE)
    content = buffer.getvalue()
    return content if isinstance(content, bytes) else content.encode()
