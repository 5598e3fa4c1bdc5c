"""What of the problem page is open; what it edits is the session's `ProblemState`."""

from __future__ import annotations

from typing import Any

import param

from ...session.declared import open_panels

__all__ = ["PanelsState"]


class PanelsState(param.Parameterized):
    """Which panels of the page are open."""

    unfolded: Any = open_panels("Further prices, one's own extractor, verification.")
