"""A script comes by the data that are on screen, or says that there are none."""

import dataclasses

import numpy as np
import pytest

from explorer.export.call import script
from explorer.export.files import hypergraph_hif
from explorer.export.loading import HYPERGRAPH, loading
from explorer.session.state import bundled
from solvers.errors import DataError
from tests.explorer.pages.run_script import run


def loaded(call):
    return run(script("Load.", dataset=call))[0]["dataset"]


def test_bundled_data_are_made_by_name():
    data = bundled("breast_cancer")
    assert np.array_equal(loaded(loading(data)).X, data.X)


def test_costs_that_were_edited_come_from_a_file(tmp_path, monkeypatch):
    data = bundled("breast_cancer")
    priced = data.hypergraph.set_cost(data.hypergraph.components[0], 99.0)
    edited = dataclasses.replace(data, hypergraph=priced)
    monkeypatch.chdir(tmp_path)
    (tmp_path / HYPERGRAPH).write_text(hypergraph_hif(edited), encoding="utf-8")
    assert loaded(loading(edited)).hypergraph.equals(priced)
    assert "has this file beside its script.\n" in script("Load.", d=loading(edited))


def test_without_data_there_is_no_script():
    with pytest.raises(DataError, match="There are no data yet; open"):
        loading(None)
