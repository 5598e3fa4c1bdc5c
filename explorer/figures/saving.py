"""A figure as a file: PDF, SVG and PNG by Matplotlib, a page by Bokeh."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import holoviews as hv
import matplotlib as mpl
from bokeh.document import Document
from bokeh.embed import file_html
from bokeh.resources import Resources
from matplotlib.font_manager import fontManager

from solvers.costs.interchange import write_whole
from solvers.errors import ThriftscopeError, shown

from .backends import DRAWING
from .holomap import as_bokeh, with_slider

Format: TypeAlias = Literal["pdf", "svg", "png", "html"]
DPI = 144
# The first comes with Matplotlib; the others, where installed, have what it lacks.
FONTS = (
    "DejaVu Sans",
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans",
    "Source Han Sans",
    "WenQuanYi Zen Hei",
    "PingFang SC",
    "Hiragino Sans",
    "Microsoft YaHei",
    "Malgun Gothic",
    "Arial Unicode MS",
)
# The text of an SVG stays text, so that any name can be read, searched and spoken;
# a name like a$b$ is no formula; without a fixed salt two files of the same figure
# would differ.
PRINTING: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "thriftscope",
    "pdf.fonttype": 42,
    "text.parse_math": False,
}
# No file says when it was written.
METADATA = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": None}


def picture(figure: Any, form: Format) -> bytes:
    """Return a figure as the content of a file.

    A page (html) holds all that it needs: it asks no server for anything.
    """
    return pictures(figure, form)[0]


def pictures(figure: Any, *forms: Format) -> list[bytes]:
    """Return the content of a file for each form; what is printed is drawn once."""
    for form in forms:
        if form not in get_args(Format):
            raise ThriftscopeError(
                f"A figure can't be written as {shown(form)}; "
                f"use {', '.join(get_args(Format))}."
            )
    printed = [form for form in forms if form != "html"]
    if printed and isinstance(figure, hv.HoloMap):
        raise ThriftscopeError(
            f"A figure with a slider can't be written as {shown(printed[0])}; write "
            "it as html, or choose one by its key: figure[key]."
        )
    with DRAWING:
        found = _printed(figure, printed) if printed else {}
        return [found[f] if f in found else _page(figure) for f in forms]


def printed(figure: Any, name: str) -> dict[str, bytes]:
    """Return a figure as files for print, by their names."""
    forms: tuple[Format, ...] = ("svg", "png", "pdf")
    found = zip(forms, pictures(figure, *forms), strict=True)
    return {f"{name}.{form}": content for form, content in found}


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
    write_whole(picture(figure, form), path)
    return path


def _printed(figure: Any, forms: list[str]) -> dict[str, bytes]:
    installed = set(fontManager.get_font_names())
    fonts = [name for name in FONTS if name in installed]
    with mpl.rc_context({**PRINTING, "font.family": fonts}), _quietly():
        drawn = hv.renderer("matplotlib").get_plot(figure)
        try:
            return {form: _written(drawn.state, form) for form in forms}
        finally:
            drawn.cleanup()


def _written(figure: Any, form: str) -> bytes:
    buffer = BytesIO()
    figure.savefig(
        buffer, format=form, dpi=DPI, bbox_inches="tight", metadata=METADATA[form]
    )
    content = buffer.getvalue()
    # Without what stands before it, an SVG can also stand within a page.
    return content[content.index(b"<svg") :] if form == "svg" else content


@contextmanager
def _quietly() -> Iterator[None]:
    # A letter that no installed font has is a box in PNG and PDF; an SVG names it.
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        yield


def _page(figure: Any) -> bytes:
    if isinstance(figure, hv.HoloMap):
        drawn = with_slider(figure)
    else:
        drawn = as_bokeh(figure)
    # Else Bokeh makes one after the current document, which may be a session's.
    document = Document()
    document.add_root(drawn)
    return file_html(document, _Alone("inline"), title="Thriftscope").encode()


class _Alone(Resources):
    """Bokeh inside of the page, and nothing else.

    Bokeh asks for the scripts of all models of which the process knows, Panel's too.
    """

    def clone(self, *, components: Any = None) -> _Alone:
        return _Alone("inline", components=components)

    def _collect_external_resources(self, _: Any) -> list[str]:
        return []
