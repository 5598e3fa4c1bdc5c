"""What of a page lies over something else, or is cut where nobody can scroll to it."""

from pathlib import Path

__all__ = ["layout_faults"]

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def layout_faults(watched):
    """Frames that overlap and text that is cut, a sentence each."""
    return watched.page.evaluate(SCRIPT[SCRIPT.index("() =>") :])
