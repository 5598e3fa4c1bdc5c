"""What the exported C takes: flash, RAM and instructions, measured when asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solvers.deploy import CFootprint, measure_c, policy_from, to_c
from solvers.deploy.policy import DeployablePolicy
from solvers.errors import ThriftscopeError

from ..widgets.markup import markup
from ..widgets.text import plain
from .context import Context
from .on_demand import OnDemandPart

__all__ = ["FootprintPart", "footprint_text"]

_ABOUT = (
    "A third currency beside time and money: what the exported C takes. It is compiled "
    "by this server for a Cortex-M0+, and its instructions are counted on test rows."
)
# A model, and rows of all its features: None where there are none at hand.
Deployable = tuple[Any, NDArray[np.float64] | None]


class FootprintPart(OnDemandPart):
    """A button that measures the C of the model on the page.

    `subject`: returns that model; None while there is none.
    """

    label = "Measure the C"
    icon = "memory"
    doing = "Compiling"

    def __init__(
        self,
        context: Context,
        subject: Callable[[], Deployable | None],
        **params: Any,
    ) -> None:
        super().__init__(context, **params)
        self._subject = subject
        self.about.object = f"<p>{plain(_ABOUT)}</p>"
        self._words = markup("")
        self.result.objects = [self._words]

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

        def measured() -> Iterator[CFootprint]:
            yield measure_c(to_c(model), asked)

        self.job.submit(
            measured, lambda items: self._say(footprint_text(policy, items[-1]))
        )

    def _say(self, text: str) -> None:
        self._words.object = f'<p role="status">{plain(text)}</p>'
        self.result.visible = True


def footprint_text(policy: DeployablePolicy, taken: CFootprint) -> str:
    """Return what was measured, and how to measure what was not."""
    features = len(policy.features)
    name = f"{policy.title}, {features} feature{'s' * (features != 1)}"
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
