"""Every loader of files from people, with a file that it reads."""

import io
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import feather, parquet
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from skops import io as skops_io

from explorer.export import load_estimator
from explorer.session.saved import read_session
from solvers import preview_table, read_table
from solvers.bayes.readers import read_model
from tests.bayes.small_files import BIF, NET, UAI, XMLBIF
from tests.explorer.worlds import DECLARED, World, own_table
from tests.fuzz import test_files, test_networks
from tests.fuzz.containers import refooted, remessaged, repacked, revalued
from tests.fuzz.grammars import rearranged


class Loader(NamedTuple):
    """A loader, and a file to break."""

    seed: bytes
    read: Callable[[bytes], Any]
    # Breaks it and keeps its grammar; every other file is broken byte by byte
    rearrange: Callable[[bytes, np.random.Generator], bytes] = rearranged


def _model() -> bytes:
    X = np.arange(12.0).reshape(6, 2)
    return skops_io.dumps(LogisticRegression().fit(X, [0, 1] * 3))


def _nested() -> bytes:
    """A Parquet file with nested, dated and packed columns."""
    frame = pd.DataFrame(
        {
            "number": np.arange(12.0),
            "list": [[1.0, 2.0], None, []] * 4,
            "day": pd.Timestamp("1970-01-01"),
            "word": pd.Categorical(["a", "b", None] * 4),
            "kind": ["good", "bad"] * 6,
        }
    )
    buffer = io.BytesIO()
    parquet.write_table(pa.Table.from_pandas(frame), buffer, compression="gzip")
    return buffer.getvalue()


def _arrow() -> bytes:
    buffer = io.BytesIO()
    feather.write_feather(test_files.TABLE, buffer, compression="uncompressed")
    return buffer.getvalue()


def _npz() -> bytes:
    buffer = io.BytesIO()
    rows = sparse.csr_array(np.arange(60).reshape(12, 5) % 3)
    parts = {"data": rows.data, "indices": rows.indices, "indptr": rows.indptr}
    np.savez(buffer, format="csr", shape=rows.shape, label=[0, 1] * 6, **parts)
    return buffer.getvalue()


def _labelled(data: bytes) -> Any:
    preview_table(data)
    return read_table(data, "label")


def _workbook() -> bytes:
    buffer = io.BytesIO()
    test_files.TABLE.to_excel(buffer, index=False)
    return buffer.getvalue()


def _network(name: str) -> Callable[[bytes], Any]:
    return lambda data: read_model(data, name)


def loaders() -> dict[str, Loader]:
    """Return every loader by name."""
    read_kinds = test_files.read_any_table
    return {
        **{
            name: Loader(seed, read, refooted if "parquet" in name else rearranged)
            for name, (seed, read) in test_files.SEEDS.items()
        },
        "arrow": Loader(_arrow(), read_kinds, remessaged),
        "excel": Loader(_workbook(), read_kinds, repacked),
        "npz": Loader(_npz(), _labelled, repacked),
        "svmlight": Loader(b"1 1:0.5 7:2\n-1 3:1\n" * 6, _labelled),
        **{
            name: Loader(seed, read)
            for name, (seed, read) in test_networks.READERS.items()
        },
        "parquet nested": Loader(_nested(), read_kinds, refooted),
        "bif": Loader(BIF.encode(), _network("a.bif")),
        "xmlbif": Loader(XMLBIF.encode(), _network("a.xml")),
        "net": Loader(NET.encode(), _network("a.net")),
        "uai of a file": Loader(UAI.encode(), _network("a.uai")),
        "skops": Loader(_model(), load_estimator, repacked),
        "session": Loader(
            json.dumps(json.loads(World(own_table()).autosave.text())).encode(),
            lambda data: read_session(data, DECLARED),
            revalued,
        ),
    }
