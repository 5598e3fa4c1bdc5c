"""Which rules of WCAG 2.1 AA a page breaks, once its colours have settled."""

import time

from axe_playwright_python.sync_playwright import Axe

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
OPTIONS = {
    "runOnly": {"type": "tag", "values": TAGS},
    # What is told of a place that breaks none is not read.
    "resultTypes": ["violations"],
    "selectors": False,
    # One rule asks for sound; style sheets, for which none asks, would be waited for
    # ten seconds.
    "preload": {"assets": ["media"]},
}
# What a theme changes.
COLOURS = OPTIONS | {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
# Colours fade over when the theme changes: on a busy machine that takes long.
SETTLE_SECONDS = 45
# So often none has to be on its way.
LOOKS = 5
# How many are on their way.
FADING = """() => {
  const count = root => [...root.querySelectorAll("*")].reduce(
    (sum, one) => sum + (one.shadowRoot ? count(one.shadowRoot) : 0),
    root.getAnimations().filter(one => one instanceof CSSTransition).length
  )
  return count(document)
}"""


def rules_broken_in_a_theme(watched):
    """Return what is broken in the theme that is shown, and in the other, left shown.

    Only what is said of colours can differ between the two.
    """
    found, session = {}, watched.explorer.session
    for dark, options in ((session.dark, OPTIONS), (not session.dark, COLOURS)):
        watched.do(lambda dark=dark: setattr(session, "dark", dark))
        watched.until(lambda dark=dark: watched.is_dark() == dark)
        for rule, places in broken_rules(watched, options).items():
            found[f"{rule}, {'dark' if dark else 'light'}"] = places
    return found


def broken_rules(watched, options=OPTIONS):
    """Return the rules that stay broken, with the places and what is said of them."""
    deadline = time.monotonic() + SETTLE_SECONDS
    # What the server sends begins to fade after what the browser knows itself.
    looks = LOOKS
    while looks and time.monotonic() < deadline:
        looks = LOOKS if watched.page.evaluate(FADING) else looks - 1
        watched.page.wait_for_timeout(75)
    broken = _found(watched.page, options)
    while broken and time.monotonic() < deadline:
        watched.page.wait_for_timeout(150)
        # What held is not looked at again: all rules take long.
        again = OPTIONS | {"runOnly": {"type": "rule", "values": [*broken]}}
        broken = _found(watched.page, again)
    return broken


def _found(page, options):
    return {
        rule["id"]: [
            (node["html"][:200], [check["message"] for check in node["any"]])
            for node in rule["nodes"]
        ]
        for rule in Axe().run(page, options=options).response["violations"]
    }
