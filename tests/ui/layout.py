"""What of a page lies over something else, or is cut where nobody can scroll to it."""

from pathlib import Path

import pytest

__all__ = ["layout_faults", "look_for_faults"]

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
# But for the usual one.
WIDTHS = (960, 420)
# At this width nothing runs over, though a word may be cut in a drop-down.
NARROWEST = 390


def layout_faults(watched):
    """Frames that overlap and text that is cut, a sentence each."""
    return watched.page.evaluate(SCRIPT[SCRIPT.index("() =>") :])


def look_for_faults(watched, widths=WIDTHS):
    """Fail where something is cut or covered, or runs over the narrowest window."""
    for width in widths:
        watched.page.set_viewport_size({"width": width, "height": 1000})
        faults = []

        def is_fine(found=faults):
            found[:] = layout_faults(watched)
            # Widths change over some frames: it is what stays that counts.
            watched.page.wait_for_timeout(100)
            found += layout_faults(watched)
            return not found

        try:
            watched.until(is_fine, 15)
        except AssertionError:
            pytest.fail(f"{width} pixels wide: {faults}")
    if widths is WIDTHS:
        watched.page.set_viewport_size({"width": NARROWEST, "height": 844})
        watched.until(watched.fits)
