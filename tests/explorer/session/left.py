"""Sessions as they are left, and opened again."""

import json
from dataclasses import replace

from explorer.document.recipes import DataRecipe, made
from explorer.session.saved import sent_session
from explorer.session.state import bundled
from tests.explorer.worlds import DECLARED, World


def restored(world):
    """Return a session as it is read where it was too long to be read on the spot."""
    (sent,) = sent_session(world.autosave.text().encode(), DECLARED)
    return sent.whole()


def priced_here():
    """A session on rows that were priced on this machine."""
    data = bundled("digit_images")
    priced = data.hypergraph.set_cost("enlarged", 99.0)
    mine = replace(
        data, X=data.X.copy(), hypergraph=priced, costs_note="Measured here."
    )
    return World(made(mine, DataRecipe("digit_images"), as_priced=False))


def changed(**parts):
    """The text of a session in which something was changed by hand."""
    return json.dumps({**World().autosave.document(), **parts})
