"""Every loader of files from people, with a file that it reads."""

import io
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import parquet
from sklearn.linear_model import LogisticRegression
from skops import io as skops_io

from explorer.export import load_estimator
from explorer.session.saved import read_session
from solvers.bayes.readers import read_model
from tests.bayes.test_files import BIF, NET, UAI, XMLBIF
from tests.explorer.worlds import DECLARED, World, own_table
from tests.fuzz import test_files, test_networks


class Loader(NamedTuple):
    """A loader, and a file to break."""

    seed: bytes
    read: Callable[[bytes], Any]
    is_text: bool = True  # whether its words can be told apart


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


def _network(name: str) -> Callable[[bytes], Any]:
    return lambda data: read_model(data, name)


def loaders() -> dict[str, Loader]:
    """Return every loader by name."""
    binary = ("parquet", "parquet plain")
    return {
        **{
            name: Loader(seed, read, name not in binary)
            for name, (seed, read) in test_files.SEEDS.items()
        },
        **{
            name: Loader(seed, read)
            for name, (seed, read) in test_networks.READERS.items()
        },
        "parquet nested": Loader(_nested(), test_files.read_any_table, False),
        "bif": Loader(BIF.encode(), _network("a.bif")),
        "xmlbif": Loader(XMLBIF.encode(), _network("a.xml")),
        "net": Loader(NET.encode(), _network("a.net")),
        "uai of a file": Loader(UAI.encode(), _network("a.uai")),
        "skops": Loader(_model(), load_estimator, False),
        "session": Loader(
            json.dumps(json.loads(World(own_table()).autosave.text())).encode(),
            lambda data: read_session(data, DECLARED),
        ),
    }
