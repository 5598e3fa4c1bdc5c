"""A table to run commands on."""

import pandas as pd
import pytest

from explorer.figures import saving
from explorer.session.state import bundled


@pytest.fixture(scope="module", autouse=True)
def nothing_is_printed():
    """A figure takes longer than all else of a small run; one test draws it."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(saving, "printed", lambda figure, name: {})
        yield


@pytest.fixture
def table(tmp_path):
    data = bundled("breast_cancer")
    frame = pd.DataFrame(data.X[:, :8], columns=data.feature_names[:8])
    frame["label"] = data.y
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    return path
