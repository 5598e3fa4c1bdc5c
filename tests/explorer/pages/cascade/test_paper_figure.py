"""What the figures of TEFE's paper send to the browser."""

from dataclasses import replace

import numpy as np
from bokeh.document import Document
from bokeh.document.events import ColumnDataChangedEvent

from explorer.pages.cascade.paper_figure import CascadeFigure
from explorer.pages.cascade.state import CascadeState
from solvers.papers.cascades import Figure, Series


def test_a_figure_that_is_new_is_not_written_on_its_way_to_the_browser():
    series = (Series("TEFE", "tefe", np.array([1.0, 2.0]), np.array([0.5, 0.9])),)
    found = Figure("fig8", "Figure 8", "cost", "accuracy", "measured", series)
    state = CascadeState(source="session")
    view, document, events = CascadeFigure(state=state), Document(), []
    document.add_root(view.__panel__().get_root(document))
    document.on_change(events.append)

    def written():
        return sum(isinstance(event, ColumnDataChangedEvent) for event in events)

    state.figure = found
    view.dark = True
    assert document.get_model_by_name("paper") is not None
    assert written() == 0
    state.figure = replace(found, share=1.0)
    assert written() == 1
