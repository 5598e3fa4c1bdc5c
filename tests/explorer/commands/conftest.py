"""A table to run commands on."""

import pandas as pd
import pytest

from explorer.session.state import bundled


@pytest.fixture
def table(tmp_path):
    data = bundled("breast_cancer")
    frame = pd.DataFrame(data.X[:, :8], columns=data.feature_names[:8])
    frame["label"] = data.y
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    return path
