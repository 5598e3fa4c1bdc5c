"""What of Panel, Bokeh and Tornado is touched that they call private, and why.

Each stands here with its reason; one that moves, or is touched and does not stand
here, fails.
"""

import ast
import inspect
from importlib import import_module
from pathlib import Path

from tests.each import each

HOUSE = Path(__file__).parents[2] / "explorer"
ASSETS = HOUSE.parent / "assets"
# By name: the module that has it, and why it is touched.
TOUCHED = {
    "_allows_none": ("panel_material_ui.widgets.select", "a lesson unticks an answer"),
    "_comm": ("panel.viewable", "a notebook's page is told when it is connected"),
    "_debounce": ("panel.reactive", "a field waits as sliders do"),
    "_event_coroutine": ("panel.reactive", "events of a session come in turn"),
    "_finished": ("tornado.web", "who was refused is not asked for a token"),
    "_get_location_params": ("panel.io.location", "odd addresses open the app too"),
    "_models": ("panel.viewable", "as `_comm`"),
    "_process_property_change": ("panel.reactive", "an answer not offered is none"),
    "_send_msg": ("panel.custom", "the browser keeps the session: Panel's own way"),
    "_template_variables": ("bokeh.document.document", "a notebook's fonts are found"),
    "_tornado": ("bokeh.server.server", "requests pass the gate first"),
    "_update_file": ("panel_material_ui.widgets.input", "an empty file is one too"),
    "_unstable_default_values": ("bokeh.core.has_props", "a page gives memory back"),
    "_views": ("panel.io.state", "as `_comm`"),
    "bokeh_app_": ("bokeh.application.handlers.code_runner", "whether a server asks"),
}
STANDARD = {"_exit"}  # of os


def trees():
    for path in HOUSE.rglob("*.py"):
        yield ast.parse(path.read_text("utf-8"))


def own_names():
    """What the house itself defines."""
    for tree in trees():
        for node in ast.walk(tree):
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    yield node.name
                case ast.Attribute(ctx=ast.Store(), value=ast.Name(id="self")):
                    yield node.attr
                case ast.Name(ctx=ast.Store()):
                    yield node.id


def test_no_other_private_name_is_touched():
    touched = {
        node.attr
        for tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
    }
    foreign = touched - {*own_names()} - STANDARD
    assert foreign <= {*TOUCHED}
    # Of those three the house has its own as well, or asks for it by a text.
    assert {*TOUCHED} - foreign <= {"_update_file", "_views", "bokeh_app_"}


@each("name", TOUCHED)
def test_a_private_name_is_where_it_was(name):
    assert name in inspect.getsource(import_module(TOUCHED[name][0]))


# In the browser, and why.
HEARD = {"_esm_watchers": "a control that was drawn late is told how things stand"}


def test_private_names_of_panel_s_scripts_are_these_and_still_there():
    ours = {path.name: path.read_text("utf-8") for path in ASSETS.glob("*.js")}
    panel = Path(import_module("panel").__file__).parent
    bundle = (panel / "dist" / "panel.min.js").read_text("utf-8")
    for name in HEARD:
        assert [file for file, text in ours.items() if name in text] == ["page_turn.js"]
        assert name in bundle, name
