"""Knobs and state become widgets here, and only here."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Mapping
from io import BytesIO, StringIO
from typing import Any

import panel as pn
import panel_material_ui as pmui
import param
from bokeh.models import CustomJSTickFormatter

from solvers.knobs import Choice, Knob, Number, Switch

from .positions import SLIDER_STEPS, log_ends, round_step, tidy
from .text import unit_text

__all__ = [
    "bind",
    "bind_both",
    "budget_slider",
    "choice",
    "download",
    "knob_widget",
    "log_slider",
    "long_download",
    "rescale_budget",
    "slider",
]

# Panel waits 50 ms for another move before it takes one. A browser that is painting
# sends none, so it cannot be flooded, and what a person sees follows the hand sooner.
DEBOUNCE_MS = 10
_POWER = CustomJSTickFormatter(
    code="const v = Math.pow(10, tick); return v >= 1 ? v.toPrecision(3) : "
    "v.toFixed(Math.min(8, 1 - Math.floor(Math.log10(v))))"
)


def bind(
    widget: Any,
    state: param.Parameterized,
    name: str,
    *,
    shown: Callable[[Any], Any] = lambda value: value,
    stored: Callable[[Any], Any] = lambda value: value,
    also: Mapping[str, Any] | None = None,
) -> Any:
    """Keep a widget and a parameter of the state in step, both ways.

    `also`: other parameters that are set whenever a person moves the widget.
    """

    def to_state(event: param.parameterized.Event) -> None:
        value = stored(event.new)
        if value != getattr(state, name) and not _is_near(value, getattr(state, name)):
            # One message and one frame for all that a move redraws, in its order: of
            # changes that are merged, some would speak of models not sent yet.
            with pn.io.hold(policy="collect"):
                state.param.update(**{name: value, **(also or {})})

    def to_widget(event: param.parameterized.Event) -> None:
        value = shown(event.new)
        if not _is_near(value, widget.value):
            widget.value = value

    widget.value = shown(getattr(state, name))
    widget._debounce = DEBOUNCE_MS
    widget.param.watch(to_state, "value")
    state.param.watch(to_widget, name)
    return widget


def bind_both(one: param.Parameterized, other: param.Parameterized, name: str) -> None:
    """Keep a parameter that two states have in step, both ways."""
    one.param.watch(lambda event: other.param.update(**{name: event.new}), name)
    other.param.watch(lambda event: one.param.update(**{name: event.new}), name)
    other.param.update(**{name: getattr(one, name)})


def _is_near(one: Any, other: Any) -> bool:
    """Return whether two values are the same but for rounding on the way."""
    if isinstance(one, float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return bool(one == other)


def slider(
    state: param.Parameterized, name: str, knob: Number, **options: Any
) -> pmui.FloatSlider:
    """Return a slider over a knob's range, linear or by powers of ten."""
    if knob.scale == "log":
        return log_slider(state, name, knob, **options)
    low, high = knob.shown or (knob.low, knob.high)
    also = options.pop("also", None)
    kind = pmui.IntSlider if knob.integer else pmui.FloatSlider
    step = 1 if knob.integer else round_step(low, high)
    widget = kind(
        label=knob.label, start=low, end=high, step=step, value=low, **_look(options)
    )
    return bind(widget, state, name, stored=tidy, also=also)


def log_slider(
    state: param.Parameterized, name: str, knob: Number, **options: Any
) -> pmui.FloatSlider:
    """Return a slider over powers of ten that shows the power's value."""
    low, high = log_ends(knob)
    also = options.pop("also", None)
    widget = pmui.FloatSlider(
        label=knob.label,
        start=low,
        end=high,
        step=(high - low) / SLIDER_STEPS,
        value=low,
        format=_POWER.clone(),
        **_look(options),
    )

    def shown(value: float) -> float:
        return min(max(math.log10(max(value, 1e-300)), low), high)

    return bind(
        widget, state, name, shown=shown, stored=lambda v: 10.0 ** tidy(v), also=also
    )


def budget_slider(
    state: param.Parameterized, label: str, full_cost: float, unit: str, **options: Any
) -> pmui.FloatSlider:
    """Return the slider of a budget, from nothing to the cost of everything."""
    also = options.pop("also", None)
    widget = pmui.FloatSlider(label=label, value=0.0, **_look(options))
    rescale_budget(widget, full_cost, unit)
    return bind(widget, state, "budget", also=also)


def rescale_budget(widget: pmui.FloatSlider, full_cost: float, unit: str) -> None:
    """Let the slider of a budget end at what everything costs by now."""
    end = full_cost or 1.0
    widget.param.update(
        start=0.0,
        end=end,
        step=end / SLIDER_STEPS,
        format=CustomJSTickFormatter(
            args={"unit": unit_text(unit)},
            code="return (tick >= 100 ? tick.toFixed(0) : tick.toPrecision(3))"
            " + ' ' + unit",
        ),
    )


def choice(
    state: param.Parameterized,
    name: str,
    label: str,
    options: Mapping[str, Any],
    **more: Any,
) -> pmui.Select:
    """Return a drop-down of named options."""
    widget = pmui.Select(
        label=label, options=dict(options), value=getattr(state, name), **_look(more)
    )
    return bind(widget, state, name)


def knob_widget(state: param.Parameterized, name: str, knob: Knob) -> Any:
    """Return the widget of any knob."""
    if isinstance(knob, Number):
        return slider(state, name, knob)
    if isinstance(knob, Choice):
        return choice(state, name, knob.label, {item: item for item in knob.options})
    if isinstance(knob, Switch):
        return bind(pmui.Switch(label=knob.label, **_look({})), state, name)
    raise TypeError(f"no widget draws a {type(knob).__name__}")


def download(
    label: str, filename: str, write: Callable[[], str | bytes], **options: Any
) -> pmui.FileDownload:
    """Return a button that downloads what is on screen whenever it is clicked."""

    def produce() -> StringIO | BytesIO:
        # The browser downloads when data change: so the same file comes twice as well.
        button.data = None
        content = write()
        return StringIO(content) if isinstance(content, str) else BytesIO(content)

    look = {"variant": "outlined", "size": "small", "margin": 5, **options}
    button = pmui.FileDownload(
        label=label, filename=filename, callback=produce, auto=True, embed=False, **look
    )
    return button


def long_download(
    label: str,
    filename: str,
    job: Any,
    prepare: Callable[[], Callable[[], bytes]],
) -> pn.Row:
    """Return a button that downloads what takes a while to write.

    `prepare`: takes note of what is on screen, and returns what writes that.
    """
    # The browser downloads when data change: so a file that is ready is just set.
    hidden = pmui.FileDownload(
        label=label,
        filename=filename,
        auto=True,
        embed=False,
        styles={"display": "none"},
    )

    def arrived(found: list[bytes]) -> None:
        hidden.data = None
        text = base64.b64encode(found[-1]).decode()
        hidden.data = f"data:application/octet-stream;base64,{text}"

    def start(_: Any) -> None:
        write = prepare()
        job.submit(lambda: iter(write() for _ in range(1)), arrived)

    button = pmui.Button(
        label=label,
        icon="archive",
        variant="outlined",
        size="small",
        margin=5,
        disabled=job.param.busy,
        on_click=start,
    )
    return pn.Row(button, hidden)


def _look(options: Mapping[str, Any]) -> dict[str, Any]:
    return {"sizing_mode": "stretch_width", "margin": (4, 12), **options}
