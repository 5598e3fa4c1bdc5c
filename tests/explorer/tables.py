"""A table of a person, opened and changed as a person does."""

import numpy as np
import pandas as pd

from tests.waiting import until_idle


def csv(table):
    return table.to_csv(index=False).encode()


def own(n=120):
    rng = np.random.default_rng(0)
    age, pain = rng.normal(50, 9, n).round(1), rng.integers(1, 4, n)
    table = pd.DataFrame({"age": age, "pain": pain, "ward": np.arange(n) // 6})
    table.loc[:9, "age"] = np.nan
    ill = np.where(table["age"].fillna(50) + 9 * (pain == 2) > 52, "yes", "no")
    return table.assign(who=[f"p{k}" for k in range(n)], ill=ill)


def opened(dialog):
    dialog._open()
    until_idle(dialog.job)
    assert dialog.job.message == ""
    return dialog._context.session.dataset


def shown(editor, name):
    rows = editor.view.content["rows"]
    return next(row for row in rows if row["name"] == name)


def change(editor, name, key, value):
    editor.view._handle_msg({"op": "column", "name": name, "key": key, "value": value})
    until_idle(editor._job)
