"""People at their sliders: Bokeh's own protocol over raw websockets, no browser."""
