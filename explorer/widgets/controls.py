"""Knobs and state become widgets here, and only here; buttons that play."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Mapping
from io import BytesIO, StringIO
from typing import Any

import panel as pn
import param
from bokeh.models import CustomJSTickFormatter

from solvers.values.knobs import COST, Choice, Knob, Number, Switch
from solvers.values.rounding import rounded

from ..document.units import COUNTED
from .assets import asset
from .number_field import NumberField
from .parts import wide_column
from .positions import SLIDER_STEPS, log_ends, round_step, slider_ends, tidy
from .text import unit_text
from .ui import pmui

# Panel waits 50 ms for another move before it takes one. A browser that is painting
# sends none, so it cannot be flooded, and what a person sees follows the hand sooner.
DEBOUNCE_MS = 10
# A slider's label says its value: a bubble would lie on what stands above.
NO_BUBBLE = {"tooltips": False}
# What the template's widgets take once they are drawn, in CSS pixels: kept free until
# then, so that nothing below them moves.
SLIDER_HEIGHT, SELECT_HEIGHT, SWITCH_HEIGHT, OPTION_HEIGHT = 53, 56, 44, 44
_GROUP_LABEL_HEIGHT = 23
_POWER = CustomJSTickFormatter(
    code="const v = Math.pow(10, tick); return v >= 1 ? v.toPrecision(3) : "
    "v.toFixed(Math.min(8, 1 - Math.floor(Math.log10(v))))"
)


def box_group(label: str, **options: Any) -> pmui.CheckBoxGroup:
    """Return boxes with a label; `group_height` of them is their `min_height`."""
    # What is inside would keep the height of the options that it was first drawn with.
    loose = ".check-box-group { min-height: 0 !important; }"
    return pmui.CheckBoxGroup(
        label=label, margin=(4, 12), stylesheets=[loose], **options
    )


def group_height(n_options: int) -> int:
    """Return what a labelled group of boxes takes."""
    return _GROUP_LABEL_HEIGHT + OPTION_HEIGHT * n_options


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

    # What both have now, not what the event was of: a drop-down that cannot show a
    # value has put its first in the place of it meanwhile.
    def to_state(_: param.parameterized.Event) -> None:
        value = stored(widget.value)
        if value != getattr(state, name) and not _is_near(value, getattr(state, name)):
            # One message and one frame for all that a move redraws, in its order: of
            # changes that are merged, some would speak of models not sent yet.
            with pn.io.hold(policy="collect"):
                state.param.update(**{name: value, **(also or {})})

    def to_widget(_: param.parameterized.Event) -> None:
        value = shown(getattr(state, name))
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
    state: param.Parameterized,
    name: str,
    knob: Number,
    *,
    full_cost: float = 1.0,
    unit: str = "",
    also: Mapping[str, Any] | None = None,
    **options: Any,
) -> pmui.FloatSlider:
    """Return a slider over a knob's range, linear or by powers of ten.

    `full_cost`, `unit`: where a knob ends that is counted in the unit of the costs.
    """
    if knob.scale == "log":
        return log_slider(state, name, knob, also, **options)
    low, high = slider_ends(knob, state.param[name].default, full_cost)
    kind = pmui.IntSlider if knob.integer else pmui.FloatSlider
    step = 1 if knob.integer else round_step(low, high)
    if 1e-3 <= step < 1e-2:
        options = {"format": "0.00[0]", **options}  # or two places had one label
    widget = kind(
        label=_with_unit(knob, unit),
        start=low,
        end=high,
        step=step,
        value=low,
        **_look({**NO_BUBBLE, **options}, SLIDER_HEIGHT),
    )
    return bind(widget, state, name, stored=tidy, also=also)


def _with_unit(knob: Number, unit: str) -> str:
    told = unit_text(unit) if knob.unit == COST else knob.unit
    return f"{knob.label} ({told})" if told else knob.label


def log_slider(
    state: param.Parameterized,
    name: str,
    knob: Number,
    also: Mapping[str, Any] | None = None,
    **options: Any,
) -> pmui.FloatSlider:
    """Return a slider over powers of ten that shows the power's value."""
    low, high = log_ends(knob, state.param[name].default)
    widget = pmui.FloatSlider(
        label=_with_unit(knob, ""),
        start=low,
        end=high,
        step=(high - low) / SLIDER_STEPS,
        value=low,
        **_look({"format": _POWER.clone(), **NO_BUBBLE, **options}, SLIDER_HEIGHT),
    )

    def shown(value: float) -> float:
        return min(max(math.log10(max(value, 1e-300)), low), high)

    def stored(power: float) -> float:
        value = 10.0 ** tidy(power)
        return round(value) if knob.integer else value

    return bind(widget, state, name, shown=shown, stored=stored, also=also)


def share_slider(
    state: param.Parameterized,
    name: str,
    label: str,
    step: float,
    form: CustomJSTickFormatter,
) -> pmui.FloatSlider:
    """Return a slider from none to all, which `form` puts into words."""
    widget = pmui.FloatSlider(
        label=label,
        start=0.0,
        end=1.0,
        step=step,
        value=getattr(state, name),
        format=form.clone(),
        **_look(NO_BUBBLE, SLIDER_HEIGHT),
    )
    return bind(widget, state, name, stored=tidy)


def budget_slider(
    state: param.Parameterized,
    label: str,
    full_cost: float,
    unit: str,
    also: Mapping[str, Any],
) -> pmui.FloatSlider:
    """Return the slider of a budget, from nothing to the cost of everything."""
    widget = pmui.FloatSlider(label=label, value=0.0, **_look(NO_BUBBLE, SLIDER_HEIGHT))
    rescale_budget(widget, full_cost, unit)
    return bind(widget, state, "budget", also=also)


def budget_field(
    state: param.Parameterized, full_cost: float, unit: str, also: Mapping[str, Any]
) -> NumberField:
    """Return the field in which a budget is typed, in the unit of what is paid."""
    widget = NumberField(value=0.0, looks={"width": 150, "margin": (8, 12)})
    rename_budget(widget, full_cost, unit)

    def stored(typed: float | None) -> float:
        """Return what was typed; what is only shown rounded stays as it was."""
        is_shown = typed is None or typed == _four_digits(state.budget)
        return float(state.budget if is_shown else typed)

    bind(widget, state, "budget", shown=_four_digits, stored=stored, also=also)

    def settle(_: param.parameterized.Event) -> None:
        """Show the budget that is held, whatever was typed."""
        widget.value = _four_digits(state.budget)

    widget.param.watch(settle, "value")
    return widget


def rename_budget(widget: NumberField, full_cost: float, unit: str) -> None:
    """Let the field of a budget say what is paid by now, and end at all of it."""
    widget.param.update(
        label=f"Budget ({unit_text(unit)})",
        unit=unit,
        start=0.0,
        end=full_cost or 1.0,
    )


def _four_digits(value: float) -> float:
    return rounded(value, 4)


def rescale_budget(widget: pmui.FloatSlider, full_cost: float, unit: str) -> None:
    """Let the slider of a budget end at what everything costs by now."""
    end = full_cost or 1.0
    widget.param.update(start=0.0, end=end, step=end / SLIDER_STEPS)
    write_costs(widget, unit)


def write_costs(widget: pmui.FloatSlider, unit: str) -> None:
    """Let a slider write costs in a unit; what is counted has no decimals."""
    said = getattr(widget.format, "args", None)
    if said is not None and said["unit"] == unit_text(unit):
        return
    one, many = COUNTED
    widget.format = CustomJSTickFormatter(
        args={"unit": unit_text(unit), "one": one, "many": many},
        code=asset("number.js")
        + "const whole = ['', one, many].includes(unit) && Number.isInteger(tick);"
        "const told = whole ? tick.toFixed(0) : number(tick);"
        "return `${told} ${whole && unit && tick === 1 ? one : unit}`.trim()",
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
        label=label,
        options=dict(options),
        value=getattr(state, name),
        **_look(more, SELECT_HEIGHT),
    )
    return bind(widget, state, name)


def knob_widget(state: param.Parameterized, name: str, knob: Knob, **cost: Any) -> Any:
    """Return the widget of any knob.

    `cost`: `full_cost` and `unit` of what a knob in the unit of the costs ends at.
    """
    if isinstance(knob, Number):
        draw = optional_slider if knob.optional else slider
        return draw(state, name, knob, **cost)
    if isinstance(knob, Choice):
        options = {item: item for item in knob.options}
        return choice(state, name, knob.label, options)
    if isinstance(knob, Switch):
        look = _look({}, SWITCH_HEIGHT)
        return bind(pmui.Switch(label=knob.label, **look), state, name)
    raise TypeError(f"no widget draws a {type(knob).__name__}")


class _Optional(param.Parameterized):
    """A number that can be left to the method: then it is None outside."""

    is_set = param.Boolean(default=False)
    value = param.Parameter(default=0.0)


def optional_slider(
    state: param.Parameterized, name: str, knob: Number, **options: Any
) -> pn.Column:
    """Return a slider below a box that says whether it counts; else it is None."""
    low, high = slider_ends(
        knob, state.param[name].default, options.get("full_cost", 1.0)
    )
    middle = (low + high) / 2
    inner = _Optional(value=round(middle) if knob.integer else middle)

    def to_state(*_: Any) -> None:
        state.param.update(**{name: inner.value if inner.is_set else None})

    def to_inner(*_: Any) -> None:
        value = getattr(state, name)
        known = {} if value is None else {"value": value}
        inner.param.update(is_set=value is not None, **known)

    to_inner()
    inner.param.watch(to_state, ["is_set", "value"])
    state.param.watch(to_inner, name)
    box = pmui.Checkbox(label=f"Set {knob.label}", **_look({}, SWITCH_HEIGHT))
    number = slider(inner, "value", knob, visible=inner.param.is_set, **options)
    return wide_column(bind(box, inner, "is_set"), number)


def button(
    label: str, act: Callable[[], Any], *, small: bool = False, **look: Any
) -> pmui.Button:
    """Return an outlined button that acts when it is pressed.

    `small`: as those that stand in a row.
    """
    usual = {"size": "small", "margin": 4} if small else {"margin": 8}
    usual |= {"variant": "outlined", "on_click": lambda _: act()}
    return pmui.Button(label=label, **usual | look)


class FileDownload(pmui.FileDownload):
    """A button that gives no file where there is nothing to give.

    Named as its base: the browser's part of a component goes by that.
    """

    def _sync_data(self, fileobj: Any) -> None:
        if fileobj is not None:
            super()._sync_data(fileobj)


def download(
    label: str, filename: str, write: Callable[[], str | bytes | None], **options: Any
) -> pmui.FileDownload:
    """Return a button that downloads what is on screen whenever it is clicked.

    `write`: returns the content of the file; None where there is none, which it tells.
    """

    def produce() -> StringIO | BytesIO | None:
        # The browser downloads when data change: so the same file comes twice as well.
        asked.data = None
        content = write()
        if content is None:
            return None
        return StringIO(content) if isinstance(content, str) else BytesIO(content)

    look = {"variant": "outlined", "size": "small", "margin": 5, **options}
    asked = FileDownload(
        label=label, filename=filename, callback=produce, auto=True, embed=False, **look
    )
    return asked


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

    def start() -> None:
        write = prepare()
        job.submit(lambda: iter(write() for _ in range(1)), arrived)

    look = {"icon": "archive", "margin": 5, "disabled": job.param.busy}
    return pn.Row(button(label, start, small=True, **look), hidden)


def _look(options: Mapping[str, Any], height: int) -> dict[str, Any]:
    look = {"sizing_mode": "stretch_width", "margin": (4, 12), "min_height": height}
    return {**look, **options}


class PlayButtons:
    """The buttons of a state that plays, pauses, steps and resets, and their clock.

    `period`: milliseconds between two ticks, asked for whenever the clock starts;
    `tick`: what is done at each; `look`: of all buttons.
    """

    def __init__(
        self,
        state: Any,
        period: Callable[[], int],
        tick: Callable[[], None],
        **look: Any,
    ) -> None:
        self._state, self._period, self._tick = state, period, tick
        self._ticking: Any = None
        self._play = button("Play", self._toggle, icon="play_arrow", small=True, **look)
        step = button("Step", self._step_once, icon="skip_next", small=True, **look)
        reset = button("Reset", state.reset, icon="replay", small=True, **look)
        self.row = (self._play, step, reset)
        state.param.watch(lambda *_: self.follow(), "is_playing")

    def follow(self) -> None:
        """Let the clock run while the state plays, anew where it ran already."""
        playing = self._state.is_playing
        label, icon = ("Pause", "pause") if playing else ("Play", "play_arrow")
        self._play.param.update(label=label, icon=icon)
        if self._ticking is not None:
            self._ticking.stop()
            self._ticking = None
        if playing:
            period = self._period()
            self._ticking = pn.state.add_periodic_callback(self._tick, period=period)

    def _toggle(self) -> None:
        if self._state.is_playing:
            self._state.pause()
        else:
            self._state.play()

    def _step_once(self) -> None:
        self._state.pause()
        self._state.step()
