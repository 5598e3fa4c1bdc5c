"""What exports take, measured when asked for: flash, RAM, instructions, time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.costs.units import conversion, is_time
from solvers.deploy import (
    CFootprint,
    DecisionTime,
    measure_c,
    measure_python,
    policy_from,
    to_c,
)
from solvers.deploy.policy import DeployablePolicy
from solvers.errors import ThriftscopeError
from solvers.values.rounding import rounded

from ..export.deployed import remember_footprint
from ..widgets.markup import markup
from ..widgets.text import cost_text, counted, plain
from .context import Context
from .on_demand import OnDemandPart

_ABOUT = (
    "A third currency beside time and money: what the exported C takes. Where this "
    "server has the compilers, it is compiled for a Cortex-M0+, and its instructions "
    "are counted on test rows; a decision of the Python file is timed on them."
)
# A model, and rows of all its features: None where there are none at hand.
Deployable = tuple[Any, NDArray[np.float64] | None]
Taken = tuple[CFootprint, DecisionTime | None]


class FootprintPart(OnDemandPart):
    """A button that measures the C of the model on the page.

    `subject`: returns that model; None while there is none.
    """

    label = "Measure C and Python"
    icon = "memory"
    doing = "Compiling"

    def __init__(
        self, context: Context, subject: Callable[[], Deployable | None], **params: Any
    ) -> None:
        super().__init__(context, **params)
        self._subject = subject
        self.about.object = f"<p>{plain(_ABOUT)}</p>"
        self._text = markup("")
        self.result.objects = [self._text]

    def compute(self) -> None:
        """Compile the C of the model that is shown, and count what it takes."""
        try:
            found = self._subject()
            policy = None if found is None else policy_from(found[0])
        except ThriftscopeError as error:
            self._say(str(error))
            return
        if found is None or policy is None:
            self._say("There is no model yet.")
            return
        model, rows = found
        asked = None if rows is None else rows[:, list(policy.places)]

        def measured() -> Iterator[Taken]:
            texts = to_c(model)
            taken = measure_c(texts, asked)
            remember_footprint(texts, taken)
            yield taken, None if asked is None else measure_python(policy, asked)

        def say(items: list[Taken]) -> None:
            taken, time = items[-1]
            said = [footprint_text(policy, taken)]
            said += [] if time is None else [python_text(policy, time)]
            self._say(*said)

        self.job.submit(measured, say)

    def forget(self, *_: Any) -> None:
        """Hide what was measured of another model."""
        self.result.visible = False

    def _say(self, *sentences: str) -> None:
        said = "".join(f"<p>{plain(text)}</p>" for text in sentences)
        self._text.object = f'<div role="status">{said}</div>'
        self.result.visible = True


def python_text(
    policy: DeployablePolicy, time: DecisionTime, where: str = "this server"
) -> str:
    """Return what a decision in Python takes, beside what its features cost."""
    said = (
        f"The Python file decides in {cost_text(time.seconds * 1e6, 'us')} on {where}, "
        "in the mean over up to 100 rows, beside computing features; those "
        f"that it asks for cost {cost_text(time.cost, policy.unit)}."
    )
    if not (is_time(policy.unit) and time.cost):
        return said
    share = time.seconds / (time.cost * conversion(policy.unit, "s"))
    if share > 1.0:
        return (
            f"{said} Deciding costs {rounded(share, 2):g} times what the features "
            "cost: what is saved on them is not the whole saving. C decides faster."
        )
    return f"{said} Deciding adds {100 * share:.0f} % to what the features cost."


def footprint_text(policy: DeployablePolicy, taken: CFootprint) -> str:
    """Return what was measured, and how to measure what was not."""
    name = f"{policy.title}, {counted(len(policy.features), 'feature')}"
    told, missing = [], []
    if taken.flash is None:
        missing.append("arm-none-eabi-gcc")
    else:
        told.append(
            f"{taken.flash:,} bytes of flash and {taken.ram:,} of RAM that stays on a "
            f"Cortex-M0+ (-Os), with a largest stack frame of {taken.stack:,} bytes"
        )
    if taken.instructions is None:
        missing.append("gcc and valgrind")
    else:
        told.append(
            f"{taken.instructions:,.0f} instructions a decision on this server's "
            "processor (-O2), in the mean over up to 100 rows"
        )
    said = f"{name}: {'; '.join(told)}." if told else f"{name}: not measured."
    if told:
        said += " Your callbacks and what math.h links in come on top."
    if missing:
        said += (
            f" For the rest install {' and '.join(missing)}, and run thriftscope "
            "export RESULTS --format c --rows TABLE.csv --out FOLDER: its README.md "
            "has the numbers."
        )
    return said
