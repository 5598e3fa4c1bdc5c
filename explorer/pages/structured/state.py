"""What is asked of the structured-costs page, and what it has found."""

from __future__ import annotations

import threading
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import replace
from typing import Any

import param
from cachetools import LRUCache

from ...session.declared import kept, linked, open_panels
from ...session.own_files import OpenedFile
from .runs import (
    METHODS,
    Curve,
    CurvePlan,
    CurvePoint,
    MethodResults,
    Run,
    method_title,
    scene_methods,
)
from .scenes import (
    GRAPH,
    LABELS_BY_SCENE,
    MAX_SNAPSHOTS,
    N_FOLDS,
    SENSORS,
    OwnGraph,
    OwnSensors,
    Setting,
    World,
    make_world,
)

SCENES = ("growth", "small", "sensors", "own")
NO_RIVAL = "none"
CURVE_KNOBS = ("label_agreement", "extra_links", "attribute_strength")
CURVE_VALUES = {
    "label_agreement": tuple(round(0.5 + 0.05 * k, 2) for k in range(11)),
    "extra_links": tuple(round(0.05 * k, 2) for k in range(9)),
    "attribute_strength": tuple(round(0.05 * k, 2) for k in range(1, 9)),
    "occupant_cost": (0.1, 0.2, 0.5, 1.0, 2.0, 4.0),
}
GROWTH = ("label_agreement", "extra_links", "attribute_strength", "n_nodes")
MAX_NODES = 5000
MAX_SMALL = 60
# Those on screen, and those of the seeds of a curve
KEPT_WORLDS = 4

# What a scene opens with.
OPENING: dict[str, dict[str, Any]] = {
    "growth": {
        "n_nodes": 300,
        "extra_links": 0.25,
        "methods": ["LOGREG", "CSMN", "CSMN w/o CSINF", "MN", "MN (2006)"],
        "method": "CSMN",
    },
    "small": {
        "n_nodes": 40,
        "extra_links": 0.0,
        "methods": ["LOGREG", "CSMN (exact)", "CSMN w/o CSINF", "MN", "MN (exact)"],
        "method": "CSMN (exact)",
    },
    "sensors": {
        "methods": [
            "LOGREG",
            "LOGREG with edges",
            "MN (pseudo-likelihood)",
            "CSMN",
            "CSMN w/o CSINF",
            "Always 0",
            "Always 2",
        ],
        "method": "CSMN",
        "shown": 7,  # in the evening, when all three levels occur
    },
    "own": {
        "methods": ["LOGREG", "LOGREG with edges", "MN", "CSMN", "CSMN w/o CSINF"],
        "method": "CSMN",
    },
}


class StructuredState(param.Parameterized):
    """One person's graphs, methods and choices."""

    # Choices, those that others depend on first: a scene opens with choices of its own.
    files: Any = param.List(
        default=[],
        item_type=OpenedFile,
        label="Own data",
        doc="A person's files.",
        metadata=kept(),
    )
    scene = param.Selector(
        default="growth", objects=list(SCENES), metadata=linked("scene")
    )
    label_agreement = param.Number(
        default=0.85, bounds=(0, 1), label="Label agreement ρ", metadata=linked("rho")
    )
    extra_links = param.Number(
        default=0.25, bounds=(0, 0.6), label="Extra links α", metadata=linked("alpha")
    )
    attribute_strength = param.Number(
        default=0.25,
        bounds=(0, 0.5),
        label="Attribute strength δ",
        metadata=linked("delta"),
    )
    n_nodes = param.Integer(
        default=300, bounds=(20, MAX_NODES), doc="Of a graph.", metadata=linked("nodes")
    )
    seed = param.Integer(
        default=0, bounds=(0, 9999), doc="Seed of the graphs.", metadata=linked("seed")
    )
    attachment = param.Selector(
        default="in", objects=["in", "out"], metadata=linked("attachment")
    )
    occupant_cost = param.Number(
        default=1.0, bounds=(0, 5), label="Occupant cost γ", metadata=linked("gamma")
    )
    methods = param.ListSelector(
        default=OPENING["growth"]["methods"],
        objects=list(METHODS),
        doc="Ticked.",
        metadata=linked("compared"),
    )
    method = param.Selector(
        default="CSMN", objects=list(METHODS), doc="Drawn.", metadata=linked("method")
    )
    rival = param.Selector(
        default=NO_RIVAL,
        objects=[NO_RIVAL, *METHODS],
        doc="What it is compared with.",
        metadata=linked("rival"),
    )
    shown = param.Integer(
        default=0,
        bounds=(0, 11),
        doc="Number of the test graph.",
        metadata=linked("graph"),
    )
    averaged = param.Boolean(
        default=False,
        doc="Averaged cost-sensitive inference.",
        metadata=linked("averaged"),
    )
    curve_over = param.Selector(
        default="label_agreement", objects=list(CURVE_KNOBS), metadata=linked("curve")
    )
    n_seeds = param.Integer(
        default=2, bounds=(1, 8), label="Seeds of the curve", metadata=linked("seeds")
    )
    unfolded: Any = open_panels("Rare controls, the numbers of the curve, claims.")
    own = param.ClassSelector(class_=OwnGraph, doc="A person's graph.")
    own_sensors = param.ClassSelector(class_=OwnSensors, doc="A person's readings.")
    run: Any = param.ClassSelector(class_=Run, doc="Results of the setting.")
    curve: Any = param.ClassSelector(class_=Curve, doc="Costs over a knob.")
    picked = param.Tuple(default=None, length=2, doc="('node' or 'edge', number).")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._worlds: MutableMapping[Setting, World] = LRUCache(KEPT_WORLDS)
        self._making = threading.Lock()
        self._coming: Run | None = None
        self.param.watch(lambda *_: self._enter_scene(), "scene")
        self.param.watch(lambda *_: self._drop_what_files_gave(), "files")

    # ----------------------------------------------------------------------- choices

    @property
    def waits(self) -> str:
        """What its views wait for, in words; empty once it is there."""
        if self.run is not None:
            return ""
        return (
            "trained methods: COMPARED.answer(state), of "
            "explorer.pages.structured.queries"
        )

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the labels."""
        if self.scene == "own":
            return self.own.labels if self.own else ()
        return LABELS_BY_SCENE[self.scene]

    @property
    def choices(self) -> tuple[str, ...]:
        """The methods that can be run in this scene."""
        return scene_methods(self.scene, max(2, len(self.labels)))

    @property
    def computed(self) -> tuple[str, ...]:
        """The methods that are run: what is drawn first, then those that are ticked."""
        wanted = [self.method, self.rival, *self.methods]
        return tuple(dict.fromkeys(name for name in wanted if name in self.choices))

    def title(self, method: str) -> str:
        """Return what a method is called here."""
        return method_title(method, self.labels)

    def use_own_graph(self, own: OwnGraph) -> None:
        """Classify a person's graph."""
        with param.parameterized.batch_call_watchers(self):
            self.own = own
            self.files = [*own.files, *self.files_of(SENSORS)]
            if self.scene == "own":
                self._enter_scene()
            self.scene = "own"

    def use_sensors(self, own: OwnSensors | None) -> None:
        """Classify a person's sensors."""
        with param.parameterized.batch_call_watchers(self):
            self.own_sensors = own
            self.files = [*self.files_of(GRAPH), *(own.files if own else ())]
            self.scene = "sensors"

    def files_of(self, roles: Sequence[str]) -> tuple[OpenedFile, ...]:
        """Return the person's files of some roles."""
        return tuple(file for file in self.files if file.role in roles)

    def unread(self) -> tuple[OpenedFile, ...]:
        """Return the files that this scene is about and that are still to be read."""
        if self.scene == "own":
            files, read = self.files_of(GRAPH), self.own
        elif self.scene == "sensors":
            files, read = self.files_of(SENSORS), self.own_sensors
        else:
            return ()
        return () if read is not None and read.files == files else files

    def take_read(self, own: OwnGraph | OwnSensors) -> None:
        """Take what was read of files that a session brought."""
        if isinstance(own, OwnGraph):
            self.own = own
        else:
            self.own_sensors = own

    def _drop_what_files_gave(self) -> None:
        """Forget what was read of files that are not there any more."""
        for name, roles in (("own", GRAPH), ("own_sensors", SENSORS)):
            read = getattr(self, name)
            if read is not None and read.files and not self.files_of(roles):
                setattr(self, name, None)

    def _enter_scene(self) -> None:
        opening = OPENING[self.scene]
        self.param.update(**{"shown": 0, "picked": None, "rival": NO_RIVAL, **opening})

    # --------------------------------------------------------------------- the setting

    @property
    def max_nodes(self) -> int:
        """Largest size of a graph: exact inference needs small ones."""
        return MAX_SMALL if self.scene == "small" else MAX_NODES

    @property
    def n_tests(self) -> int:
        """How many test graphs there are."""
        if self.scene != "sensors":
            return N_FOLDS
        own = self.own_sensors
        return len(own.snapshots) if own else MAX_SNAPSHOTS

    def setting(self) -> Setting | None:
        """Return what methods are compared on; None where own data are to come."""
        if self.unread() or (self.scene == "own" and self.own is None):
            return None
        if self.scene == "own":
            return Setting("own", averaged=self.averaged, own=self.own)
        if self.scene == "sensors":
            own, seed = self.own_sensors, 0 if self.own_sensors else self.seed
            return Setting("sensors", (), seed, self.occupant_cost, self.averaged, own)
        growth = {name: getattr(self, name) for name in (*GROWTH, "attachment")}
        growth["n_nodes"] = min(self.n_nodes, self.max_nodes)
        growth_items = tuple(sorted(growth.items()))
        return Setting(self.scene, growth_items, self.seed, averaged=self.averaged)

    def world(self, setting: Setting) -> World:
        """Return the graphs of a setting, made once while they are used."""
        with self._making:
            if setting not in self._worlds:
                self._worlds[setting] = make_world(setting)
            return self._worlds[setting]

    def show_tested(self, tested: Mapping[str, MethodResults]) -> None:
        """Show what methods decided.

        The old run stays until what is drawn has arrived, so that nothing flickers.
        """
        told = next(iter(tested.values()))
        if self._coming is None or self._coming.setting != told.setting:
            self._coming = Run(told.setting, told.world, ())
        run = self._coming = self._coming.with_tested(self.computed, tested.values())
        drawn = {self.method, self.rival} & {*run.methods}
        is_drawn = all(run.decision(name, self.shown) is not None for name in drawn)
        if is_drawn and not run.is_like(self.run):
            self._take(run)

    def _take(self, run: Run) -> None:
        changed = self.run is not None and self.run.setting != run.setting
        is_lost = self.picked is not None and not _is_in(self.picked, run, self.shown)
        # A link's number means another link once the graph has grown anew.
        if is_lost or (changed and self.picked and self.picked[0] == "edge"):
            self.param.update(run=run, picked=None)
        else:
            self.run = run

    # ----------------------------------------------------------------------- the curve

    @property
    def curve_knob(self) -> str | None:
        """What the curve varies; None where a graph cannot be grown anew."""
        if self.scene == "own":
            return None
        return "occupant_cost" if self.scene == "sensors" else self.curve_over

    def curve_plan(self) -> CurvePlan | None:
        """Return the curve that is asked for; None where there can be none."""
        base, knob = self.setting(), self.curve_knob
        if base is None or knob is None:
            return None
        n_seeds = 1 if base.own is not None else self.n_seeds
        seeds = tuple(base.seed + 1000 * k for k in range(n_seeds))
        return CurvePlan(base, knob, CURVE_VALUES[knob], seeds)

    @property
    def is_curve_of_this(self) -> bool:
        """Whether the curve that is shown is that of the setting."""
        curve, plan = self.curve, self.curve_plan()
        return curve is not None and plan is not None and _is_along(curve, plan)

    def show_curve(self, found: Mapping[CurvePoint, MethodResults]) -> None:
        """Show points of the curve that is asked for, beside those that are there."""
        plan = self.curve_plan()
        if plan is None:
            return
        curve = self.curve if self.is_curve_of_this else Curve(plan.knob, plan.setting)
        known = curve.points
        if any(known.get(point) is not tested for point, tested in found.items()):
            self.curve = replace(curve, points={**known, **found})


def _is_along(curve: Curve, plan: CurvePlan) -> bool:
    return (curve.knob, curve.setting) == (plan.knob, plan.setting)


def _is_in(picked: tuple[str, int], run: Run, shown: int) -> bool:
    graph = run.graph(shown)
    return picked[1] < (graph.n_nodes if picked[0] == "node" else graph.n_edges)


def knob_title(name: str) -> str:
    """Return what a knob is called within a sentence."""
    label: str = StructuredState.param[name].label
    return label[0].lower() + label[1:]
