"""Addresses beside the app give what is meant, and nothing that lies beside it."""

import re
import sys

import pytest
import requests
from panel_material_ui.base import DIST_PATH

from explorer.serving.manifest import MANIFEST, _served
from explorer.serving.routes import routes
from tests.explorer.serving.conftest import answering

FONTS = "static/extensions/panel-material-ui/material-icons.css"


@pytest.fixture(scope="module")
def address():
    was_served = MANIFEST in _served
    with answering(routes()) as root:
        yield root
    if not was_served:
        _served.discard(MANIFEST)


def test_fonts_of_text_are_left_to_the_file_that_says_which_characters_they_have(
    address,
):
    given = requests.get(f"{address}/{FONTS}", timeout=30)
    assert given.headers["Content-Type"] == "text/css"
    families = re.findall(r'font-family: "([^"]*)"', given.text)
    assert families == ["Material Icons", "Material Icons Outlined"]
    for file in re.findall(r'url\("\./([^"]*)"\)', given.text):
        assert (DIST_PATH / file).exists()
    bundle = (DIST_PATH / "panel-material-ui.bundle.css").read_text(encoding="utf-8")
    of_text = [rule for rule in re.findall(r"@font-face\{[^}]*\}", bundle)]
    assert any("roboto-latin-400" in rule for rule in of_text)
    assert all("unicode-range" in rule for rule in of_text if "Roboto" in rule)


def test_a_component_that_is_loaded_is_looked_into_and_no_other_module(
    address, monkeypatch
):
    for module in ("colorsys", "this", "os/../colorsys"):
        monkeypatch.delitem(sys.modules, module, raising=False)
        asked = f"{address}/components/{module}/X/__css__/x"
        assert requests.get(asked, timeout=30).status_code == 404
        assert module not in sys.modules


@pytest.mark.parametrize("path", ["icon.svg", "icon-192.png"])
def test_icons_are_given(address, path):
    assert requests.get(f"{address}/icons/{path}", timeout=30).status_code == 200
