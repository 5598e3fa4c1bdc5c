"""Addresses beside the app give what is meant and what installs it, nothing else."""

import base64
import io
import json
import re
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import requests
from panel_material_ui.base import DIST_PATH
from PIL import Image

from docs.icons import ico, pixels, svg
from explorer.serving import routes as installing
from explorer.serving.routes import MANIFEST, _served, routes
from explorer.widgets.assets import asset, asset_folder
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


REQUEST = SimpleNamespace(protocol="https", host="a.org:8080", path="/pre/app")


@pytest.fixture
def elsewhere(monkeypatch):
    """As under ``panel serve``: no server has the manifest."""
    monkeypatch.setattr(installing, "_served", set())


@pytest.mark.parametrize("width", [180, 192, 512])
def test_the_icons_are_what_the_code_draws(width):
    with Image.open(asset_folder() / "icons" / f"icon-{width}.png") as image:
        assert np.array_equal(np.asarray(image), pixels(width))


def test_the_drawing_and_the_small_icon_are_what_the_code_draws():
    assert asset("icons/icon.svg") == svg()
    stored = (asset_folder() / "icons" / "favicon.ico").read_bytes()
    shown = Image.open(io.BytesIO(stored)).convert("RGBA")
    drawn = Image.open(io.BytesIO(ico(48))).convert("RGBA")
    assert np.array_equal(np.asarray(shown), np.asarray(drawn))


def test_the_manifest_names_icons_that_are_there():
    for icon in installing.manifest()["icons"]:
        assert (asset_folder() / icon["src"]).is_file()


def test_a_page_of_another_server_carries_the_whole_manifest(elsewhere):
    kind, content = installing.manifest_link(REQUEST).split(",")
    assert kind == "data:application/manifest+json;base64"
    whole = json.loads(base64.b64decode(content))
    assert whole["start_url"] == "https://a.org:8080/pre/app"
    assert whole["scope"] == "https://a.org:8080/pre/"
    assert all(icon["src"].startswith("data:image/") for icon in whole["icons"])


def test_a_server_that_warms_up_needs_no_manifest(elsewhere):
    assert installing.manifest_link(SimpleNamespace()) == ""
