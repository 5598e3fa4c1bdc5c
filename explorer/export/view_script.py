"""The Python script that reproduces a view, with nothing but public names."""

from __future__ import annotations

import inspect
import keyword
import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, get_args

import numpy as np

import solvers.datasets
from solvers import Knob, Number, Switch, ThriftscopeError, all_methods, read_table
from solvers.costs.interchange import shown
from solvers.datasets import all_datasets
from solvers.decisions.row_costs import Accounting
from solvers.decisions.scores import SCORES
from solvers.frontier.evaluation import ThresholdRule
from solvers.frontier.frontier import Charge

# What a script imports, by module.
_Names: TypeAlias = defaultdict[str, list[str]]

_REPORT = """\
def report(title, point):
    score = point.scores["test"][SCORE]
    print(f"{title}: {point.method}, {SCORE} {score:.3f} on test rows, "
          f"{point.cost[ACCOUNTING]:.6g} {dataset.unit} ({ACCOUNTING})")
    print(f"parameters: {dict(point.params)}, threshold {point.threshold:.6g}")
    needed = dataset.hypergraph.required_components(point.features)
    print("features:")
    for j in point.features.nonzero()[0]:
        print("   ", dataset.feature_names[j])
    print("components:")
    for i in needed.nonzero()[0]:
        print("   ", dataset.hypergraph.components[i])
"""

_BEST = """\
points = []
for name, params in METHODS.items():
    traced = trace_frontier(
        all_methods()[name](**params),
        dataset,
        threshold=THRESHOLD,
        random_state=RANDOM_STATE,
    )
    points.extend(tqdm(traced, name, unit=" points"))
frontier = Frontier(
    points,
    ACCOUNTING,
    SCORE,
    charge=CHARGE,
    unit=dataset.unit,
    confidence=CONFIDENCE,
    limits=LIMITS,
)
point = frontier.best_within(BUDGET)
if point is None:
    print(f"No point costs {BUDGET:g} {dataset.unit} or less.")
elif BUDGET == float("inf"):
    report("Best of all", point)
else:
    report(f"Best within {BUDGET:g} {dataset.unit}", point)
"""

_SPLITS = """\
runs = {}
for name, params in METHODS.items():
    runs[name] = []
    seeds = range(RANDOM_STATE, RANDOM_STATE + N_SPLITS)
    for seed in tqdm(seeds, name, unit=" splits"):
        traced = trace_frontier(
            all_methods()[name](**params),
            dataset,
            threshold=THRESHOLD,
            random_state=seed,
        )
        runs[name].append(frontier.holding(traced))

# What a budget that buys nothing is worth: for F1 calling every row positive.
share = np.mean(dataset.y == dataset.positive) if dataset.positive is not None else 0.0
floor = 2 * share / (1 + share)
if SCORE != "f1":
    floor = free_scores(split_dataset(dataset, RANDOM_STATE), SCORE)["test"]
bands = {
    name: frontier_band(found, [BUDGET], floor=floor) for name, found in runs.items()
}
for name, band in bands.items():
    print(f"{name} on {N_SPLITS} splits: {SCORE} {band.mean[0]:.3f} "
          f"+- {band.standard_error[0]:.3f} within the budget")
if len(bands) > 1:
    first, second = sorted(bands, key=lambda name: -bands[name].mean[0])[:2]
    train, _, test = dataset.fractions
    difference = compare_bands(bands[first], bands[second], overlap=test / train)
    titles = [all_methods()[name].title for name in (first, second)]
    print(difference.sentence(BUDGET, *titles, dataset.unit))
"""

_EXTRACTOR = """\
def answering(point):
    \"\"\"Return what answers from raw samples: it computes what the point needs.\"\"\"
    names = [dataset.feature_names[j] for j in point.features.nonzero()[0]]
    extractor = dataset.pipeline.trim(names)
    columns = [dataset.feature_names.index(name) for name in extractor.features]

    def answer(samples):
        table = np.zeros((len(samples), dataset.n_features))
        table[:, columns] = extractor.extract(samples)
        if THRESHOLD == "default" or len(dataset.classes) > 2:
            return point.model.predict(table)
        first, second = point.model.classes_
        toward_second = point.model.decision_function(table)
        if second == dataset.positive:
            return np.where(toward_second >= point.threshold, second, first)
        return np.where(-toward_second >= point.threshold, first, second)

    timing = extractor.measure(dataset.samples)
    print(f"trimmed extractor: {len(extractor.components)} components, "
          f"{timing.seconds * 1e6:.3g} us measured per sample on this machine")
    return answer


if point is not None:
    answer = answering(point)
    answers = answer(dataset.samples)
    for label, count in zip(*np.unique(answers, return_counts=True), strict=True):
        print(f"{count} of {len(answers)} raw samples answered with {label}")
"""

_CHOSEN = """\
split = split_dataset(dataset, RANDOM_STATE)
chosen = all_methods()[CHOSEN_METHOD](hypergraph=split.hypergraph, **CHOSEN_PARAMS)
chosen.fit(
    split.X("train"), split.y("train"), split.weight("train"),
    groups=split.groups("train"),
)
point = evaluate(chosen, split, name=CHOSEN_METHOD, threshold=THRESHOLD)
report("Chosen", point)
"""


@dataclass(frozen=True, eq=False)
class ViewDescription:
    """What a person looks at, in as much detail as it takes to compute it again."""

    #: Parameters of each method that is traced, by its name in ``all_methods()``
    methods: Mapping[str, Mapping[str, Any]]
    #: A bundled data set: ``"x"`` is made by ``solvers.datasets.make_x``
    dataset_name: str | None = None
    table_file: str | None = None  #: Instead, the path of a table
    label: str | None = None  #: The column of the table that holds the labels
    #: Further arguments of the maker, or of ``read_table``
    dataset_options: Mapping[str, Any] = field(default_factory=dict)
    #: Path of a hypergraph to use instead of the data set's own
    hypergraph_file: str | None = None
    accounting: Accounting = "mean"  #: Which cost over rows counts
    score: str = "f1"  #: Which score counts
    #: Whether deciding is charged, as ``Frontier`` takes it
    charge: Charge = "features"
    confidence: float = 0.0  #: Of staying within the budget, as ``Frontier`` takes it
    threshold_rule: ThresholdRule = "tuned"  #: Rule for the decision threshold
    #: Runtime budget, in the hypergraph's unit; none by default
    budget: float | None = None
    #: The price that is charged instead of the hypergraph's own
    price: str | None = None
    #: The most that may be paid of further prices, as ``Frontier`` takes it
    limits: Mapping[str, float] = field(default_factory=dict)
    #: A method and its parameters, fitted by itself
    chosen: tuple[str, Mapping[str, Any]] | None = None
    random_state: int | None = 0  #: Seed of the split and of the methods
    #: On how many splits, with seeds from `random_state` on, methods are compared
    n_splits: int = 1
    #: Whether the data set comes with its feature functions: then the script cuts them
    #: down to the point, times them and answers from raw samples
    has_pipeline: bool = False


def script(view: ViewDescription) -> str:
    """Return a Python script that prints the best point within the budget of a view.

    Parameters
    ----------
    view : ViewDescription
        What to compute again.

    Returns
    -------
    str
        Text from people stands in it as string literals only.

    Raises
    ------
    ThriftscopeError
        If the view names a data set, a method or a parameter that there is not.
    """
    _check(view)
    names: _Names = defaultdict(list)
    names["solvers"] += ["Frontier", "all_methods", "trace_frontier"]
    names["tqdm"].append("tqdm")
    dataset = _dataset(view, names)
    if view.chosen:
        names["solvers"] += ["evaluate", "split_dataset"]
    if view.n_splits > 1:
        names["solvers"] += ["free_scores", "split_dataset"]
        names["solvers.frontier.bands"] += ["compare_bands", "frontier_band"]
    budget = math.inf if view.budget is None else float(view.budget)
    constants: dict[str, Any] = {
        "METHODS": {
            name: _typed(name, params) for name, params in view.methods.items()
        },
        "ACCOUNTING": view.accounting,
        "SCORE": view.score,
        "CHARGE": view.charge,
        "CONFIDENCE": float(view.confidence),
        "THRESHOLD": view.threshold_rule,
        "BUDGET": budget,
        "LIMITS": {name: float(limit) for name, limit in view.limits.items()},
        "RANDOM_STATE": view.random_state,
    }
    if view.n_splits > 1:
        constants["N_SPLITS"] = view.n_splits
    if view.chosen:
        method, params = view.chosen
        constants["CHOSEN_METHOD"] = method
        constants["CHOSEN_PARAMS"] = {**_told(method, view), **_typed(method, params)}
    parts = [
        '"""Compute a view of Thriftscope again."""',
        _imports(view, names),
        "\n".join(f"{key} = {_literal(value)}" for key, value in constants.items()),
        dataset,
        f"\n{_REPORT}",
        _BEST,
    ]
    parts += [_CHOSEN] if view.chosen else []
    parts += [_SPLITS] if view.n_splits > 1 else []
    parts += [_EXTRACTOR] if view.has_pipeline else []
    return "\n\n".join(parts)


def _check(view: ViewDescription) -> None:
    if (view.dataset_name is None) == (view.table_file is None):
        raise ThriftscopeError(
            "A view is of a bundled data set or of a table file; name one of them."
        )
    if view.table_file is not None and view.label is None:
        raise ThriftscopeError(
            f"The table {shown(view.table_file)} has no label column; name one."
        )
    for value, allowed in [
        (view.accounting, get_args(Accounting)),
        (view.charge, get_args(Charge)),
        (view.score, SCORES),
        (view.threshold_rule, get_args(ThresholdRule)),
    ]:
        if value not in allowed:
            raise ThriftscopeError(
                f"There is no option {shown(value)}; use one of {', '.join(allowed)}."
            )
    chosen = dict([view.chosen]) if view.chosen else {}
    for name, params in [*view.methods.items(), *chosen.items()]:
        _check_method(name, params)


def _check_method(name: str, params: Mapping[str, Any]) -> None:
    methods = all_methods()
    if name not in methods:
        raise ThriftscopeError(
            f"There is no method {shown(name)}; choose from {', '.join(methods)}."
        )
    _check_arguments(methods[name], params, name)


def _check_arguments(
    function: Callable[..., Any], arguments: Mapping[str, Any], what: str
) -> None:
    known = inspect.signature(function).parameters
    for name in arguments:
        if name not in known or not name.isidentifier() or keyword.iskeyword(name):
            raise ThriftscopeError(
                f"{what} takes no {shown(name)}; choose from {', '.join(known)}."
            )


def _typed(method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters in the types of their knobs: a point keeps all as floats."""
    knobs = all_methods()[method].knobs
    return {name: _knob_value(knobs.get(name), value) for name, value in params.items()}


def _knob_value(knob: Knob | None, value: Any) -> Any:
    if isinstance(knob, Switch) and value in (0, 1):
        return bool(value)
    whole = isinstance(value, float) and value.is_integer()
    return int(value) if isinstance(knob, Number) and knob.integer and whole else value


def _told(method: str, view: ViewDescription) -> dict[str, Any]:
    """Return the seed, as ``trace_frontier`` tells a method that can be told."""
    known = inspect.signature(all_methods()[method]).parameters
    return {"random_state": view.random_state} if "random_state" in known else {}


def _dataset(view: ViewDescription, names: _Names) -> str:
    """Return the statements that make the data set, and note what they call."""
    loaded = f"read_hypergraph({_literal(view.hypergraph_file)}).hypergraph"
    is_priced = view.hypergraph_file is not None
    names["solvers"] += ["read_hypergraph"] if is_priced else []
    options = [f"{key}={_literal(said)}" for key, said in view.dataset_options.items()]
    if view.table_file is not None:
        names["solvers"].append("read_table")
        _check_arguments(read_table, view.dataset_options, "read_table")
        given = [_literal(str(view.table_file)), _literal(view.label), *options]
        given += [f"hypergraph={loaded}"] if is_priced else []
        lines = [_call("dataset", "read_table", given)]
    else:
        lines = [_call("dataset", _maker(view, names), options)]
        if is_priced:
            made = f"dataclasses.replace(dataset, hypergraph={loaded})"
            lines.append(f"dataset = {made}")
    if view.price is not None:
        names["solvers.datasets"].append("charging")
        lines.append(f"dataset = charging(dataset, {_literal(view.price)})")
    if view.limits:
        names["solvers.datasets"].append("within_limits")
        lines.append("dataset = within_limits(dataset, LIMITS)")
    return "\n".join(lines)


def _maker(view: ViewDescription, names: _Names) -> str:
    """Return what makes a bundled data set, and note where it is."""
    maker = f"make_{view.dataset_name}"
    # In the package, or in a file of its own that nothing else names.
    function: Any = getattr(solvers.datasets, maker, None)
    home = solvers.datasets.__name__
    if function is None and view.dataset_name in all_datasets():
        function = all_datasets()[view.dataset_name]
        home = function.__module__
    if not maker.isidentifier() or function is None:
        raise ThriftscopeError(
            f"There is no bundled data set {shown(view.dataset_name)}; name one, or "
            "give a table file."
        )
    _check_arguments(function, view.dataset_options, maker)
    names[home].append(maker)
    return maker


def _imports(view: ViewDescription, names: _Names) -> str:
    is_repriced = view.dataset_name is not None and view.hypergraph_file is not None
    lines = ["import dataclasses\n"] if is_repriced else []
    if view.has_pipeline or view.n_splits > 1:
        lines.append("import numpy as np\n")
    return "\n".join([*lines, *(_import(home, names[home]) for home in sorted(names))])


def _import(module: str, names: list[str]) -> str:
    # As isort does: classes before functions.
    chosen = sorted({*names}, key=lambda name: (name[0].islower(), name))
    if len(chosen) == 1:
        return f"from {module} import {chosen[0]}"
    lines = "".join(f"    {name},\n" for name in chosen)
    return f"from {module} import (\n{lines})"


def _call(target: str, function: str, arguments: list[str]) -> str:
    if not arguments:
        return f"{target} = {function}()"
    lines = "".join(f"    {argument},\n" for argument in arguments)
    return f"{target} = {function}(\n{lines})"


def _literal(value: Any) -> str:
    """Return the Python literal of a plain value, whatever its text holds."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool):
        return repr(value)
    if isinstance(value, str):
        return repr(str(value))
    if isinstance(value, int):
        return repr(int(value))
    if isinstance(value, float):
        finite = math.isfinite(value)
        return repr(float(value)) if finite else f'float("{float(value)}")'
    if isinstance(value, Mapping):
        pairs = (f"{_literal(k)}: {_literal(v)}" for k, v in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        return f"[{', '.join(map(_literal, items))}]"
    raise ThriftscopeError(
        f"A script cannot hold {shown(value)} of type {type(value).__name__}; give "
        "numbers, text, lists or mappings."
    )
