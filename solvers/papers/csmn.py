"""The paper's claims as tests on curves: from costs paired by seed to a verdict.

A claim holds, or does not, by two paired standard errors; else it is within noise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..markov.comparison import MethodSummary
from .verdict import Claim, Outcome, all_hold, any_holds, paired_verdict

WARM = "MN (2006)"
# Results of one seed follow each other; they share training graphs, and count as one.
N_FOLDS = 3

# Value of what is varied, then method.
Costs: TypeAlias = Mapping[float, Mapping[str, MethodSummary]]


def _by_seed(results: tuple[float, ...]) -> NDArray[np.float64]:
    """Return the mean of each seed's folds."""
    if len(results) % N_FOLDS:
        return np.array(results)
    return np.reshape(results, (-1, N_FOLDS)).mean(axis=1)


def _paid(figure: Costs, value: float, method: str) -> NDArray[np.float64]:
    return _by_seed(figure[value][method].costs)


def _saves(
    figure: Costs, value: float, method: str, rival: str, share: float = 0.0
) -> Outcome:
    """Return whether a method saves more than a share of what its rival pays."""
    paid, rivals = _paid(figure, value, method), _paid(figure, value, rival)
    return paired_verdict((1.0 - share) * rivals - paid).outcome


def _savings(figure: Costs, value: float) -> NDArray[np.float64]:
    """Return the share that CSMN saves, seed by seed; of nothing, nothing."""
    paid, rivals = (_paid(figure, value, method) for method in ("CSMN", "LOGREG"))
    return 1.0 - np.divide(paid, rivals, out=np.ones_like(paid), where=rivals > 0)


def _wins(figure: Costs, rival: str) -> str:
    """Return, in words, where CSMN is cheaper than a rival beyond noise."""
    won = [value for value in figure if _saves(figure, value, "CSMN", rival) == "holds"]
    return _lists(tuple(won)) or "none"


def _costs(figure: Costs, method: str, values: tuple[float, ...] = ()) -> str:
    chosen = values or tuple(figure)
    return " ".join(f"{figure[value][method].cost:.0f}" for value in chosen)


def _saving(figure: Costs, value: float, rival: str = "LOGREG") -> float:
    """Return by which share CSMN is cheaper than a rival; negative if costlier."""
    paid, rivals = figure[value]["CSMN"].cost, figure[value][rival].cost
    if rivals == 0.0:  # a rival without a mistake: nothing is saved on nothing
        return 0.0 if paid == 0.0 else float("-inf")
    return 1.0 - paid / rivals


def _lists(values: tuple[float, ...]) -> str:
    return ", ".join(f"{value:g}" for value in values)


def _structure_helps(figure: Costs) -> Claim:
    last = max(figure)
    return Claim(
        "Structured classifiers use links that agree to pay less than LOGREG.",
        "from about ρ = 0.7",
        f"at ρ = {last:g}: LOGREG {_costs(figure, 'LOGREG', (last,))}, MN "
        f"{_costs(figure, 'MN', (last,))}, CSMN {_costs(figure, 'CSMN', (last,))}",
        all_hold(_saves(figure, last, method, "LOGREG") for method in ("MN", "CSMN")),
        "Figure 1",
    )


def _beats_mn(what: str, where: str, figure: Costs) -> Claim:
    """Judge whether CSMN beats MN at every value, however MN is trained."""
    return Claim(
        f"CSMN pays less than MN at every {what}.",
        f"at every {what}",
        f"less than MN at {what} = {_wins(figure, 'MN')}; less than MN trained as in "
        f"2006 at {what} = {_wins(figure, WARM)}",
        any_holds(
            all_hold(_saves(figure, value, "CSMN", rival) for value in figure)
            for rival in ("MN", WARM)
        ),
        where,
    )


def _saving_grows(figure: Costs) -> Claim:
    early, late = (_saving(figure, rho) for rho in (0.8, 1.0))
    return Claim(
        "CSMN's saving over LOGREG grows from ρ = 0.8 to 1.",
        "8.2% to 38.9%",
        f"{early:.1%} to {late:.1%}",
        all_hold(
            [
                _saves(figure, 0.8, "CSMN", "LOGREG"),
                paired_verdict(_savings(figure, 1.0) - _savings(figure, 0.8)).outcome,
            ]
        ),
        "Figure 1",
    )


def _size_of_saving(figure: Costs) -> Claim:
    late = _saving(figure, 1.0)
    saved = _savings(figure, 1.0)
    return Claim(
        "CSMN saves 39% over LOGREG at ρ = 1 (within 10 points).",
        "38.9%",
        f"{late:.1%}",
        all_hold(
            [
                paired_verdict(saved, margin=0.3887 - 0.1).outcome,
                paired_verdict(-saved, margin=-0.3887 - 0.1).outcome,
            ]
        ),
        "Figure 1",
    )


def _better_than_logreg_without_agreement(figure: Costs) -> Claim:
    saving = _saving(figure, 0.5)
    return Claim(
        "CSMN pays no more than LOGREG even where links say nothing, at ρ = 0.5.",
        "the curves meet",
        f"{-saving:+.1%}",
        _saves(figure, 0.5, "CSMN", "LOGREG", -0.01),
        "Figure 1",
    )


def _accuracy_is_not_cost(figure: Costs) -> Claim:
    csmn, network = figure[0.75]["CSMN"], figure[0.75]["MN"]
    cheaper = _by_seed(network.costs) - _by_seed(csmn.costs)
    righter = _by_seed(network.accuracies) - _by_seed(csmn.accuracies)
    opposed = any_holds(
        all_hold(paired_verdict(sign * part).outcome for part in (cheaper, righter))
        for sign in (1, -1)
    )
    return Claim(
        "At ρ = 0.75 the classifier of higher accuracy is the costlier one.",
        "CSMN 80.4%, MN 81.9%; CSMN cheaper",
        f"CSMN {csmn.accuracy:.1%} at {csmn.cost:.0f}, MN {network.accuracy:.1%} at "
        f"{network.cost:.0f}",
        opposed,
        "Section 6.2",
    )


def _inference_needs_costs(
    where: str, published: str, values: tuple[float, ...], figure: Costs
) -> Claim:
    with_costs, without = (
        _costs(figure, method, values) for method in ("CSMN", "CSMN w/o CSINF")
    )
    at = f"at ρ = {values[0]:g} " if len(values) == 1 else ""
    return Claim(
        f"Without costs in inference CSMN is poor at {where}.",
        published,
        f"{at}with {with_costs}, without {without}",
        all_hold(_saves(figure, rho, "CSMN", "CSMN w/o CSINF") for rho in values),
        "Figure 1",
    )


def _mn_collapses(figure: Costs) -> Claim:
    far = {rho: _saves(figure, rho, "LOGREG", WARM, 1 - 1 / 1.1) for rho in figure}
    above = [rho for rho, outcome in far.items() if outcome == "holds"]
    return Claim(
        "MN can pay far more than LOGREG.",
        "from ρ = 0.85",
        f"trained as in 2006 at ρ = {_lists(tuple(above)) or 'none'}",
        any_holds(far.values()),
        "Figure 1",
    )


def _mn_collapses_late(figure: Costs) -> Claim:
    late = [rho for rho in figure if rho >= 0.85]
    return Claim(
        "MN is costliest at ρ = 0.85 and above.",
        "very high cost",
        f"trained as in 2006: {_costs(figure, WARM)} at ρ = {_lists(tuple(figure))}",
        any_holds(
            all_hold(
                paired_verdict(
                    _paid(figure, rho, WARM) - _paid(figure, other, WARM)
                ).outcome
                for other in figure
                if other not in late
            )
            for rho in late
        ),
        "Figure 1",
    )


def _mn_collapses_with_density(figure: Costs) -> Claim:
    return Claim(
        "MN degrades as links become denser; CSMN is far below it at α = 0.4.",
        "63.5% below",
        f"2006 training: {_costs(figure, WARM)} at α = {_lists(tuple(figure))}; CSMN "
        f"{_saving(figure, 0.4, WARM):.0%} below at 0.4",
        all_hold(
            [
                paired_verdict(
                    _paid(figure, 0.4, WARM) - _paid(figure, 0.0, WARM)
                ).outcome,
                _saves(figure, 0.4, "CSMN", WARM, 0.3),
            ]
        ),
        "Figure 2",
    )


def _logreg_good_on_forests(figure: Costs) -> Claim:
    return Claim(
        "LOGREG does well at α = 0 against structured classifiers.",
        "performs well",
        f"LOGREG {_costs(figure, 'LOGREG', (0.0,))}, MN "
        f"{_costs(figure, 'MN', (0.0,))}, CSMN {_costs(figure, 'CSMN', (0.0,))}",
        _saves(figure, 0.0, "LOGREG", "CSMN", -0.1),
        "Figure 2",
    )


def _sensor_savings(figure: Costs) -> Claim:
    over_nodes = _saving(figure, 1.0)
    over_network = _saving(figure, 1.0, "MN")
    return Claim(
        "At γ = 1 CSMN pays less than LOGREG and than MN (made-up sensors here).",
        "30.2% and 9.9% less",
        f"{over_nodes:.1%} and {over_network:.1%} less",
        all_hold(_saves(figure, 1.0, "CSMN", rival) for rival in ("LOGREG", "MN")),
        "Figure 3",
    )


def _csmn_cheapest_on_sensors(figure: Costs) -> Claim:
    cheapest = {
        cost: min(found.values(), key=lambda summary: summary.cost).method
        for cost, found in figure.items()
    }
    said = "; ".join(f"γ = {cost:g}: {name}" for cost, name in cheapest.items())
    return Claim(
        "CSMN pays least at every γ.",
        "at every γ",
        f"cheapest {said}",
        all_hold(
            _saves(figure, cost, "CSMN", rival)
            for cost, found in figure.items()
            for rival in found
            if rival != "CSMN"
        ),
        "Figure 3",
    )


Check: TypeAlias = Callable[[Costs], Claim]
FIGURE_1: tuple[Check, ...] = (
    _structure_helps,
    partial(_beats_mn, "ρ", "Figure 1"),
    _saving_grows,
    _size_of_saving,
    _better_than_logreg_without_agreement,
    _accuracy_is_not_cost,
    partial(_inference_needs_costs, "ρ = 0.7 and 0.8", "poor", (0.7, 0.8)),
    partial(_inference_needs_costs, "high ρ too", "poor throughout", (1.0,)),
    _mn_collapses,
    _mn_collapses_late,
)
FIGURE_2: tuple[Check, ...] = (
    partial(_beats_mn, "α", "Figure 2"),
    _mn_collapses_with_density,
    _logreg_good_on_forests,
)
FIGURE_3: tuple[Check, ...] = (_sensor_savings, _csmn_cheapest_on_sensors)
