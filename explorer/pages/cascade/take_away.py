"""The cascade that is shown as what runs elsewhere, as downloads."""

from __future__ import annotations

from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from solvers import Dataset
from solvers.checks import versions
from solvers.errors import DataError
from solvers.papers.cascades import budget_cascade, threshold_cascade

from ...export.call import Call, script
from ...export.deployed import DeployForm, as_download, deployed_files, fingerprint
from ...export.loading import bundled_data, loading
from ...session.footprint import Deployable
from ...session.take_away import policy_downloads, take_away_view
from ...widgets.text import cost_text
from .hypergraph_result import PolicyResult
from .state import CascadeState
from .tefe_result import ThresholdResult
from .training import MAX_ROWS


def take_away(state: CascadeState) -> Any:
    """Return the downloads of the cascade page: of the exit rule that is shown."""

    def deployed(form: DeployForm) -> str | bytes:
        result = shown_result(state)
        if result is None:
            raise DataError("No cascade is trained yet; wait until it is.")
        name, notes = result.dataset.name, cascade_notes(result)
        files = deployed_files(cascade_estimator(result), form, notes, name)
        return as_download(files, form)

    return take_away_view(policy_downloads(deployed), "The cascade")


def shown_result(state: CascadeState) -> PolicyResult | ThresholdResult | None:
    """Return what the exit rule that is shown does; None before it is trained."""
    is_tefe = state.way == "tefe"
    return state.threshold_result() if is_tefe else state.policy_result()


def deployable(state: CascadeState) -> Deployable | None:
    """Return the cascade that is shown, and the test rows."""
    result = shown_result(state)
    if result is None:
        return None
    return cascade_estimator(result), result.dataset.X[result.split.rows["test"]]


def cascade_estimator(result: PolicyResult | ThresholdResult) -> Any:
    """Return what takes rows as the table has them: stages saw them prepared."""
    encoder = result.split.encoder
    steps: list[tuple[str, Any]] = [] if encoder is None else [("columns", encoder)]
    if isinstance(result, PolicyResult):
        model = result.trained.at(result.number)
    else:
        cascade, model, scaler = result.picture.cascade, result.model, StandardScaler()
        scaler.mean_, scaler.scale_ = cascade.centre, cascade.width
        scaler.n_features_in_ = len(cascade.centre)
        steps.append(("scale", scaler))
    return Pipeline([*steps, ("cascade", model)]) if steps else model


def cascade_notes(result: PolicyResult | ThresholdResult) -> list[str]:
    """Return what the file says of the cascade's cost, accuracy and data."""
    data = result.dataset
    return [
        f"Data: {data.name}; fingerprint {fingerprint(data)}.",
        f"Accuracy on {result.n_rows} test rows: {result.accuracy:.3f}.",
        f"Cost on test rows: {cost_text(result.cost, data.unit)} in the mean.",
        f"Thriftscope {versions()['thriftscope']}.",
    ]


def cascade_script(state: CascadeState) -> str:
    """Return a script that prints what the cascade on screen costs and is worth."""
    given = _loading(state.source, state.session_dataset)
    if state.way == "tefe":
        outcome = Call(
            threshold_cascade,
            given,
            quantile=float(state.share),
            C=float(state.C),
            order=state.order,
            confidence=state.confidence,
            cap=float(state.cap),
            max_rows=MAX_ROWS,
        )
    else:
        outcome = Call(
            budget_cascade,
            given,
            share=float(state.budget),
            order=state.buying,
            model=state.model,
            routing=state.routing or None,
            objective=state.objective,
            max_rows=MAX_ROWS,
        )
    return script("Compute a cascade of Thriftscope again.", outcome=outcome)


def _loading(source: str, dataset: Dataset | None) -> Call:
    if source == "scenes_published":
        return bundled_data("scenes", {"costs": "published"})
    return loading(dataset) if source == "session" else bundled_data(source, {})
