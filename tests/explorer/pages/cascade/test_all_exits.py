"""What a browser is sent once of all exits gives what the server draws of each."""

import json
import subprocess
from html import escape

import numpy as np

from explorer.pages.cascade.all_exits import MOVED, SHARES, AllExits, all_exits
from explorer.pages.cascade.curves import CascadeTradeoff
from explorer.pages.cascade.stages import CascadeStages
from explorer.pages.cascade.text import CascadeSummary
from explorer.widgets.assets import asset
from tests.each import each


def plain(one):
    return one.tolist() if hasattr(one, "tolist") else one


def drawn_by_browser(table, shares):
    """What `assets/exits.js` makes of it at these places."""
    asked = json.dumps([{name: plain(one) for name, one in table.items()}, shares])
    script = f"""{asset("exits.js")}
    const [table, shares] = JSON.parse(require("fs").readFileSync(0, "utf8"))
    console.log(JSON.stringify(shares.map(share => exitsAt(table, share))))"""
    ran = subprocess.run(
        ["node", "-e", script], input=asked, capture_output=True, text=True, check=True
    )
    return json.loads(ran.stdout)


def drawn_by_server(views):
    """The columns that move, as the server draws them, and the answer."""
    stages, tradeoff, summary = views
    drawn = {layer.name: layer.columns for layer in stages.scene().layers}
    chosen = next(one for one in tradeoff.scene().layers if one.name == "here")
    answer = escape(summary._markup())
    return {**{name: drawn[name] for name in MOVED}, "chosen": chosen.columns}, answer


@each("confidence, cap", [("distance", 1.0), ("gap", 0.4)])
def test_at_every_place_the_browser_draws_what_the_server_draws(state, confidence, cap):
    state.param.update(confidence=confidence, cap=cap, row=3)
    views = [view(state=state) for view in (CascadeStages, CascadeTradeoff)]
    views.append(CascadeSummary(state=state))
    (table,) = all_exits(state.picture)
    between = 0.3217
    found = drawn_by_browser(table | {"followed": 3}, [*SHARES, between])
    assert found.pop() is None  # which is left to the server
    for share, moved in zip(SHARES, found, strict=True):
        state.share = share
        layers, answer = drawn_by_server(views)
        assert moved.pop("answer") == answer
        assert moved.keys() == layers.keys()
        for name, columns in moved.items():
            for key, column in columns.items():
                # To the last bit.
                assert column == plain(layers[name][key]), (share, name, key)


class Wired:
    """Figures whose rows a browser moves, and what they were sent since."""

    def __init__(self, state):
        self.state, work = state, []
        job = type("Job", (), {"submit": lambda _, *asked: work.append(asked)})()
        self.exits, self.work = AllExits(state, job, lambda callback: callback()), work
        self.stages = CascadeStages(state=state)
        self.sources = self.stages.hand_over(MOVED, self.exits.is_drawn)
        self.told = set()
        for name, source in self.sources.items():
            source.on_change("data", self.noting(name))

    def noting(self, name):
        return lambda attr, old, new: self.told.add(name)

    def take(self):
        """Let what was asked for come, and the browser say that it is there."""
        ask, arrived = self.work.pop()
        arrived([*ask()])
        self.exits.source.tags = [self.exits.source.data["number"][0]]

    def move(self, **choice):
        """Which layers are sent when something is chosen."""
        self.told.clear()
        self.state.param.update(**choice)
        return {*self.told}


def test_rows_are_sent_while_the_browser_does_not_move_them_and_not_else(state):
    wired = Wired(state)
    move = wired.move
    assert move(share=0.4) == {*MOVED}
    state.confidence = "gap"
    wired.take()
    for choice in ({"share": 0.6}, {"row": 5}, {"share": 0.0}):
        assert move(**choice) == set()
        # Known here, all the same.
        shown = {layer.name: layer for layer in wired.stages.scene().layers}
        for name, source in wired.sources.items():
            for key, column in shown[name].columns.items():
                assert np.array_equal(source.data[key], column), (name, key)
    assert wired.exits.source.data["followed"] == [5]
    # Between the places of the slider, and of another picture: whole.
    assert move(share=0.3217) == {*MOVED}
    assert move(share=0.5) == set()
    assert move(confidence="raw") == {*MOVED}
    assert wired.exits.source.data == {}
    assert move(share=0.6) == {*MOVED}
    wired.take()
    assert move(share=0.7) == set()
    state.way = "hypergraph"
    assert move(share=0.8) == {*MOVED}
