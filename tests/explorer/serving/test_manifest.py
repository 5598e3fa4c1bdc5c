"""What a browser needs to install the app: whole, and drawn by our own code."""

import base64
import io
import json
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from docs.icons import ico, pixels, svg
from explorer.serving import manifest as installing
from explorer.widgets.assets import asset, asset_folder

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
