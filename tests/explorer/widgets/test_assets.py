"""Files of the browser are found in the repository."""

from pathlib import Path

import pytest

from explorer.widgets.assets import asset, asset_folder


def test_every_file_of_the_folder_can_be_read():
    assert asset_folder().is_dir()
    texts = [*asset_folder().rglob("*.js"), *asset_folder().rglob("*.css")]
    assert texts
    for path in texts:
        name = path.relative_to(asset_folder()).as_posix()
        assert asset(name) == Path(path).read_text("utf-8")


def test_a_file_that_is_not_there_is_no_empty_text():
    with pytest.raises(FileNotFoundError):
        asset("gone.js")
