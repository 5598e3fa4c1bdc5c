"""What a browser is sent once of all exits gives what the server draws of each."""

import json
import subprocess
from html import escape

import numpy as np

from explorer.pages.cascade.all_exits import (
    MOVED,
    SHARES,
    SLIDERS,
    AllExits,
    all_exits,
    stages_of,
)
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


def moved_by_both(state):
    """What the browser draws at each place of the slider, and the server's views."""
    name = SLIDERS[state.way]
    views = [
        CascadeStages(state=state, method=state.way),
        CascadeTradeoff(state=state),
        CascadeSummary(state=state, method=state.way),
    ]
    (table,) = all_exits(stages_of(state))
    between = 0.3217
    found = drawn_by_browser(table | {"followed": state.row}, [*SHARES, between])
    assert found.pop() is None  # which is left to the server
    for share, moved in zip(SHARES, found, strict=True):
        setattr(state, name, share)
        yield share, moved, *drawn_by_server(views)


@each("chosen", [{}, {"confidence": "gap", "cap": 0.4}, {"way": "hypergraph"}])
def test_at_every_place_the_browser_draws_what_the_server_draws(state, items, chosen):
    state.take(items[-1])
    state.param.update(row=3, **chosen)
    mine, n_left = stages_of(state), 0
    for share, moved, layers, answer in moved_by_both(state):
        if stages_of(state) != mine:  # another cascade's: the server draws
            assert moved is None
            n_left += 1
            continue
        assert moved.pop("answer") == answer
        assert moved.keys() == layers.keys()
        for name, columns in moved.items():
            for key, column in columns.items():
                # To the last bit.
                assert column == plain(layers[name][key]), (share, name, key)
    assert n_left < len(SHARES) / 2


class Wired:
    """Figures whose rows a browser moves, and what they were sent since."""

    def __init__(self, state):
        self.state, work = state, []
        job = type("Job", (), {"submit": lambda _, *asked: work.append(asked)})()
        self.exits = AllExits(state, state.way, job, lambda callback: callback())
        self.work = work
        self.stages = CascadeStages(state=state, method=state.way)
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


def test_rows_that_a_budget_moves_are_sent_where_stages_are_others_only(state, items):
    state.take(items[-1])
    state.param.update(way="hypergraph", budget=0.6)
    wired = Wired(state)
    wired.exits._ask()
    wired.take()
    assert wired.move(budget=0.8) == set()
    assert wired.move(budget=0.1) == {*MOVED}
    wired.take()
    assert wired.move(row=4) == set()
    assert wired.exits.source.data["followed"] == [4]


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
