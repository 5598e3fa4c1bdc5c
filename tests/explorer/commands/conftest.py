"""A table to run commands on."""

import pandas as pd
import pytest

from explorer.session.state import bundled


@pytest.fixture
def table(tmp_path):
    data = bundled("breast_cancer")
    frame = pd.DataFrame(data.X, columns=data.feature_names).assign(label=data.y)
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    return path
