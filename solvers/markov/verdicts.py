"""The paper's claims as tests on curves: from mean costs to a verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .comparison import MethodSummary

__all__ = ["FIGURE_1", "FIGURE_2", "FIGURE_3", "WARM", "Claim", "Costs", "judged"]

WARM = "MN (2006)"

# Value of what is varied, then method.
Costs: TypeAlias = Mapping[float, Mapping[str, MethodSummary]]


@dataclass(frozen=True)
class Claim:
    """One sentence of the paper, and what came out here.

    Parameters
    ----------
    where : str
        Where the paper says it.
    sentence : str
        What it says.
    published : str
        Its numbers.
    measured : str
        Ours.
    verdict : {"reproduces", "does not reproduce"}
        Whether ours say the same.
    """

    where: str
    sentence: str
    published: str
    measured: str
    verdict: Literal["reproduces", "does not reproduce"]


def judged(
    where: str, sentence: str, published: str, measured: str, holds: bool
) -> Claim:
    """Return a claim with its verdict.

    Parameters
    ----------
    where, sentence, published, measured : str
        As for `Claim`.
    holds : bool
        Whether what was measured says what was published.

    Returns
    -------
    Claim
    """
    verdict: Literal["reproduces", "does not reproduce"] = (
        "reproduces" if holds else "does not reproduce"
    )
    return Claim(where, sentence, published, measured, verdict)


def _costs(figure: Costs, method: str, values: tuple[float, ...] = ()) -> str:
    chosen = values or tuple(figure)
    return " ".join(f"{figure[value][method].cost:.0f}" for value in chosen)


def _saving(figure: Costs, value: float, method: str, rival: str) -> float:
    """Return by which share a method is cheaper than another; negative if dearer."""
    paid, rivals = figure[value][method].cost, figure[value][rival].cost
    if rivals == 0.0:  # a rival without a mistake: nothing is saved on nothing
        return 0.0 if paid == 0.0 else float("-inf")
    return 1.0 - paid / rivals


def _lists(values: tuple[float, ...]) -> str:
    return ", ".join(f"{value:g}" for value in values)


def _structure_helps(figure: Costs) -> Claim:
    last = max(figure)
    return judged(
        "Figure 1",
        "Structured classifiers use links that agree to pay less than LOGREG.",
        "from about ρ = 0.7",
        f"at ρ = {last:g}: LOGREG {_costs(figure, 'LOGREG', (last,))}, MN "
        f"{_costs(figure, 'MN', (last,))}, CSMN {_costs(figure, 'CSMN', (last,))}",
        all(_saving(figure, last, method, "LOGREG") > 0 for method in ("MN", "CSMN")),
    )


def _beats_mn_at_every_agreement(figure: Costs) -> Claim:
    won = [rho for rho in figure if _saving(figure, rho, "CSMN", "MN") > 0]
    won_warm = [rho for rho in figure if _saving(figure, rho, "CSMN", WARM) > 0]
    return judged(
        "Figure 1",
        "CSMN pays less than MN at every ρ.",
        "at every ρ",
        f"less than MN at ρ = {_lists(tuple(won)) or 'none'}; less than MN trained as "
        f"in 2006 at ρ = {_lists(tuple(won_warm)) or 'none'}",
        len(won) == len(figure) or len(won_warm) == len(figure),
    )


def _saving_grows(figure: Costs) -> Claim:
    early, late = (_saving(figure, rho, "CSMN", "LOGREG") for rho in (0.8, 1.0))
    return judged(
        "Figure 1",
        "CSMN's saving over LOGREG grows from ρ = 0.8 to 1.",
        "8.2% to 38.9%",
        f"{early:.1%} to {late:.1%}",
        0 < early < late,
    )


def _size_of_saving(figure: Costs) -> Claim:
    late = _saving(figure, 1.0, "CSMN", "LOGREG")
    return judged(
        "Figure 1",
        "CSMN saves 39% over LOGREG at ρ = 1 (within 10 points).",
        "38.9%",
        f"{late:.1%}",
        abs(late - 0.3887) < 0.1,
    )


def _better_than_logreg_without_agreement(figure: Costs) -> Claim:
    saving = _saving(figure, 0.5, "CSMN", "LOGREG")
    return judged(
        "Figure 1",
        "CSMN pays no more than LOGREG even where links say nothing, at ρ = 0.5.",
        "the curves meet",
        f"{-saving:+.1%}",
        saving >= -0.01,
    )


def _accuracy_is_not_cost(figure: Costs) -> Claim:
    csmn, network = figure[0.75]["CSMN"], figure[0.75]["MN"]
    opposed = (csmn.accuracy - network.accuracy) * (csmn.cost - network.cost) > 0
    return judged(
        "Section 6.2",
        "At ρ = 0.75 the classifier of higher accuracy is the dearer one.",
        "CSMN 80.4%, MN 81.9%; CSMN cheaper",
        f"CSMN {csmn.accuracy:.1%} at {csmn.cost:.0f}, MN {network.accuracy:.1%} at "
        f"{network.cost:.0f}",
        opposed,
    )


def _inference_needs_costs(figure: Costs) -> Claim:
    values = (0.7, 0.8)
    return judged(
        "Figure 1",
        "Without costs in inference CSMN is poor at ρ = 0.7 and 0.8.",
        "poor",
        f"with {_costs(figure, 'CSMN', values)}, without "
        f"{_costs(figure, 'CSMN w/o CSINF', values)}",
        all(_saving(figure, rho, "CSMN", "CSMN w/o CSINF") > 0 for rho in values),
    )


def _inference_needs_costs_at_one(figure: Costs) -> Claim:
    return judged(
        "Figure 1",
        "Without costs in inference CSMN is poor at high ρ too.",
        "poor throughout",
        f"at ρ = 1 with {_costs(figure, 'CSMN', (1.0,))}, without "
        f"{_costs(figure, 'CSMN w/o CSINF', (1.0,))}",
        _saving(figure, 1.0, "CSMN", "CSMN w/o CSINF") > 0,
    )


def _mn_collapses(figure: Costs) -> Claim:
    above = [rho for rho in figure if _saving(figure, rho, WARM, "LOGREG") < -0.1]
    return judged(
        "Figure 1",
        "MN can pay far more than LOGREG.",
        "from ρ = 0.85",
        f"trained as in 2006 at ρ = {_lists(tuple(above)) or 'none'}",
        bool(above),
    )


def _mn_collapses_late(figure: Costs) -> Claim:
    late = [rho for rho in figure if rho >= 0.85]
    return judged(
        "Figure 1",
        "MN is dearest at ρ = 0.85 and above.",
        "very high cost",
        f"trained as in 2006: {_costs(figure, WARM)} at ρ = {_lists(tuple(figure))}",
        max(figure, key=lambda rho: figure[rho][WARM].cost) in late,
    )


def _beats_mn_at_every_density(figure: Costs) -> Claim:
    won = [alpha for alpha in figure if _saving(figure, alpha, "CSMN", "MN") > 0]
    won_warm = [alpha for alpha in figure if _saving(figure, alpha, "CSMN", WARM) > 0]
    return judged(
        "Figure 2",
        "CSMN pays less than MN at every α.",
        "at every α",
        f"less than MN at α = {_lists(tuple(won)) or 'none'}; less than MN trained as "
        f"in 2006 at α = {_lists(tuple(won_warm)) or 'none'}",
        len(won) == len(figure) or len(won_warm) == len(figure),
    )


def _mn_collapses_with_density(figure: Costs) -> Claim:
    return judged(
        "Figure 2",
        "MN degrades as links become denser; CSMN is far below it at α = 0.4.",
        "63.5% below",
        f"2006 training: {_costs(figure, WARM)} at α = {_lists(tuple(figure))}; CSMN "
        f"{_saving(figure, 0.4, 'CSMN', WARM):.0%} below at 0.4",
        figure[0.4][WARM].cost > figure[0.0][WARM].cost
        and _saving(figure, 0.4, "CSMN", WARM) > 0.3,
    )


def _logreg_good_on_forests(figure: Costs) -> Claim:
    saving = _saving(figure, 0.0, "LOGREG", "CSMN")
    return judged(
        "Figure 2",
        "LOGREG does well at α = 0 against structured classifiers.",
        "performs well",
        f"LOGREG {_costs(figure, 'LOGREG', (0.0,))}, MN "
        f"{_costs(figure, 'MN', (0.0,))}, CSMN {_costs(figure, 'CSMN', (0.0,))}",
        saving > -0.1,
    )


def _sensor_savings(figure: Costs) -> Claim:
    over_nodes = _saving(figure, 1.0, "CSMN", "LOGREG")
    over_network = _saving(figure, 1.0, "CSMN", "MN")
    return judged(
        "Figure 3",
        "At γ = 1 CSMN pays less than LOGREG and than MN (made-up sensors here).",
        "30.2% and 9.9% less",
        f"{over_nodes:.1%} and {over_network:.1%} less",
        over_nodes > 0 and over_network > 0,
    )


def _csmn_cheapest_on_sensors(figure: Costs) -> Claim:
    cheapest = {
        cost: min(found.values(), key=lambda summary: summary.cost).method
        for cost, found in figure.items()
    }
    said = "; ".join(f"γ = {cost:g}: {name}" for cost, name in cheapest.items())
    return judged(
        "Figure 3",
        "CSMN pays least at every γ.",
        "at every γ",
        f"cheapest {said}",
        set(cheapest.values()) == {"CSMN"},
    )


Judge: TypeAlias = Callable[[Costs], Claim]
FIGURE_1: tuple[Judge, ...] = (
    _structure_helps,
    _beats_mn_at_every_agreement,
    _saving_grows,
    _size_of_saving,
    _better_than_logreg_without_agreement,
    _accuracy_is_not_cost,
    _inference_needs_costs,
    _inference_needs_costs_at_one,
    _mn_collapses,
    _mn_collapses_late,
)
FIGURE_2: tuple[Judge, ...] = (
    _beats_mn_at_every_density,
    _mn_collapses_with_density,
    _logreg_good_on_forests,
)
FIGURE_3: tuple[Judge, ...] = (_sensor_savings, _csmn_cheapest_on_sensors)
