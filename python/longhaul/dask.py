"""Questions for more than one process or machine, on Dask.

:func:`solve_many` asks many questions; ``client=`` of :func:`longhaul.longest_path` and :func:`longhaul.k_path` asks one of many workers.
A client is a ``distributed.Client`` of the caller's, or ``"local"``: then workers are started in this machine, one a core, and
ended with the call. Whatever a worker does may be done twice, so a worker that dies costs time and nothing else. With
``checkpoint=DIR`` what is done is kept in that folder; after the scheduler is lost the same call goes on from there.

Needs the package ``distributed``, which nothing else of longhaul does.
"""

from __future__ import annotations

import contextlib
import heapq
import pickle
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import distributed

from . import _answers, _errors, _pieces
from ._answers import Progress, Solution
from ._errors import ContradictionError, LonghaulError
from ._graph import Graph
from ._pieces import Ask
from ._readers import read_graph

__all__ = ["Client", "solve_many"]

#: A client of the caller's, or ``"local"``.
Client = Any

#: So many seconds a task works on cases before it tells what is left, and until the node at hand is done.
_SLICE = 0.5

#: The tree is begun anew after so many steps, and twice those of its root: with the cuts, and with what branchings cost, its first branchings
#: are better ones. So it is whenever all steps have doubled since: a tree that was begun badly takes no more than three like it.
_LEARNING = 20_000

#: What a checkpoint of cases is called: another name whenever cases of before would mean something else.
_CASES = "cases-of-cores"

#: Where there are no more states in a layer than this, one task takes it many steps on.
_SMALL_LAYER = 20_000
_SMALL_STRIDE = 8
_STRIDE = 2

#: A layer is never in more shards than this when it is found not to fit.
_MOST_SHARDS = 4096

#: Sweeps of more predicted states than this are left to cases.
_MOST_STATES = 3e10

#: How long this process looks for a path to begin with.
_LOCAL_SECONDS = 3.0

#: A question of a batch takes about so long for each node and edge, and a line of a file has about so many bytes.
_SECONDS_A_SIZE = 1e-4
_BYTES_AN_EDGE = 10

#: Questions of a batch are put together until they take so long, if that leaves so many tasks for every worker.
_SHARE_SECONDS = 0.3
_SHARES_A_WORKER = 8

#: Neighbours looked at for an order.
_ORDER_WORK = 40_000_000


class SchedulerLostError(LonghaulError):
    """The scheduler of a cluster is lost; with a checkpoint the same call goes on where it was."""


@contextlib.contextmanager
def _opened(client: Client) -> Iterator[distributed.Client]:
    """The caller's client, or one of workers of our own."""
    if client is not None and client != "local":
        yield client
        return
    with (
        distributed.LocalCluster(threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as own,
    ):
        yield own


@contextlib.contextmanager
def _scheduler_watched(client: distributed.Client, checkpoint: str | None) -> Iterator[None]:
    """Says so where the scheduler is lost, whatever that makes of a call to it."""
    try:
        yield
    except LonghaulError:
        raise
    except Exception as error:
        lost = isinstance(error, (distributed.CancelledError, distributed.comm.CommClosedError))
        if not lost and client.status == "running":
            raise
        kept = f"what was done is in {checkpoint}" if checkpoint else "nothing was kept, for there was no checkpoint"
        raise SchedulerLostError(f"the scheduler is lost; {kept}: {error}") from error


class _Tasks:
    """Tasks on their way: what they were given, and what comes back as it comes."""

    def __init__(self, client: distributed.Client) -> None:
        self.client = client
        self.given: dict[Any, Any] = {}

    def submit(self, given: Any, work: Callable[..., Any], *arguments: Any, worker: str | None = None) -> None:
        """To this worker if there is one and it is alive."""
        asked = {} if worker is None else {"workers": [worker], "allow_other_workers": True}
        future = self.client.submit(work, *arguments, pure=False, **asked)
        self.given[future] = given

    def __len__(self) -> int:
        return len(self.given)

    def next(self, timeout: float) -> list[tuple[Any, Any]]:
        """What has come back, with what it was given; nothing if the time is over first."""
        if not self.given:
            return []
        try:
            done = distributed.wait(list(self.given), timeout=timeout, return_when="FIRST_COMPLETED").done
        except (TimeoutError, distributed.TimeoutError):
            if self.client.status != "running":
                raise distributed.CancelledError("the client has no scheduler any more") from None
            return []
        return [(self.given.pop(future), future.result()) for future in done]

    def cancel(self) -> None:
        with contextlib.suppress(Exception):
            self.client.cancel(list(self.given), force=True)
        self.given.clear()


def _workers(client: distributed.Client) -> int:
    return max(1, sum(client.nthreads().values()))


def solve_many(
    graphs: Iterable[Any],
    client: Client = None,
    *,
    checkpoint: str | None = None,
    weight: Any = "weight",
    directed: bool | None = None,
    **options: Any,
) -> list[Solution]:
    """The longest paths of many graphs, each asked of one worker.

    Parameters
    ----------
    graphs
        Graphs of any kind, or names of files, which the workers must be able to read.
    client
        A ``distributed.Client``; workers of this machine if none is given.
    checkpoint
        A folder where answers are kept; the same call goes on from there.
    options
        Those of :func:`longhaul.longest_path`, the same for all.

    Returns
    -------
    list of Solution
        In the order of the graphs.

    Raises
    ------
    LonghaulError
        The first that a question raised, with the number of its graph.

    Examples
    --------
    >>> import networkx
    >>> from longhaul.dask import solve_many
    >>> if __name__ == "__main__":  # doctest: +SKIP
    ...     solve_many([networkx.petersen_graph(), networkx.cubical_graph()])
    [<Solution optimal: length 9, 10 nodes>, <Solution optimal: length 7, 8 nodes>]
    """
    for name in ("client", "checkpoint", "callback"):
        if options.get(name) is not None:
            raise ContradictionError(f"{name}=… is not for one of many questions")
    given = list(graphs)
    options = {**options, "weight": weight}
    questions: list[tuple[Graph | str, dict[str, Any]]] = []
    for graph in given:
        if isinstance(graph, str) or hasattr(graph, "__fspath__"):
            questions.append((str(graph), {**options, "directed": directed}))
        else:
            questions.append((read_graph(graph, weight=weight, directed=directed), options))
    answers: dict[int, Any] = {}
    store = _Store(checkpoint, "solve-many") if checkpoint else None
    keys = [_pieces.digest(_name(graph), sorted(asked.items(), key=lambda item: item[0])) for graph, asked in questions]
    if store:
        answers = {at: answer for at, key in enumerate(keys) if (answer := store.load(key)) is not None}
    waiting = [at for at in range(len(questions)) if at not in answers]
    if waiting:
        with _opened(client) as opened, _scheduler_watched(opened, checkpoint):
            tasks = _Tasks(opened)
            try:
                shares = _shares([(_predicted_seconds(questions[at][0]), at) for at in waiting], _workers(opened))
                most = _workers(opened)
                while shares or len(tasks):
                    while shares and len(tasks) < most:
                        share = shares.pop(0)
                        tasks.submit(share, _pieces.solve_each, [questions[at] for at in share])
                    for share, told in tasks.next(timeout=0.5):
                        for at, (kind, answer) in zip(share, told, strict=True):
                            if kind != "answer":
                                raise getattr(_errors, kind)(f"graph {at}: {answer}")
                            answers[at] = answer
                            if store:
                                store.save(keys[at], answer)
            finally:
                tasks.cancel()
    pictured = [graph if isinstance(graph, Graph) else None for graph, _ in questions]
    return [answers[at]._with(graph) for at, graph in enumerate(pictured)]


def _predicted_seconds(graph: Graph | str) -> float:
    """What a question takes, very roughly: what is known before anything is read is its size."""
    if isinstance(graph, Graph):
        size = graph.number_of_nodes() + graph.number_of_edges()
    else:
        try:
            size = Path(graph).stat().st_size // _BYTES_AN_EDGE
        except OSError:
            # Whoever reads it will say what is wrong.
            size = 0
    return size * _SECONDS_A_SIZE


def _shares(predicted: list[tuple[float, int]], workers: int) -> list[list[int]]:
    """The questions in tasks: the largest first, each alone; small ones together, so many that a task is worth its way, and that there
    are still some tasks for every worker."""
    whole = sum(seconds for seconds, _ in predicted)
    enough = min(_SHARE_SECONDS, whole / (_SHARES_A_WORKER * workers))
    shares: list[list[int]] = []
    filled = 0.0
    for seconds, at in sorted(predicted, key=lambda entry: (-entry[0], entry[1])):
        if not shares or filled + seconds > enough:
            shares.append([])
            filled = 0.0
        shares[-1].append(at)
        filled += seconds
    return shares


def _name(graph: Graph | str) -> Any:
    if isinstance(graph, str):
        return graph
    beside = (graph._ends, list(graph._prizes), graph._places)
    return graph._edges.__getnewargs__(), _pieces.digest(list(graph.nodes)), beside


class _Store:
    """A folder of what is done, a file a key, each written whole or not at all."""

    def __init__(self, folder: str, kind: str) -> None:
        self.folder = Path(folder) / kind
        self.folder.mkdir(parents=True, exist_ok=True)

    def load(self, key: str) -> Any:
        file = self.folder / f"{key}.done"
        return pickle.loads(_pieces.read_whole(file)) if file.exists() else None

    def save(self, key: str, value: Any) -> None:
        _pieces.write_whole(self.folder / f"{key}.done", pickle.dumps(value, protocol=4))


def k_path(graph: Graph, asked: dict[str, Any], client: Client, checkpoint: str | None) -> dict[str, Any]:
    """The answer to the same question as of :func:`longhaul.k_path`, in numbers, by independent searches."""
    began = time.monotonic()
    engine = asked["engine"]
    if engine == "auto":
        first = _pieces.ask_k_path(graph, {**asked, "time_limit": min(2.0, asked["time_limit"] or 2.0)})
        if first["stop"] != "time-limit":
            return first
        engine = first["stats"]["engine"] if first["stats"]["engine"] in ("sieve", "color-coding") else "color-coding"
    if engine not in ("sieve", "color-coding"):
        raise ContradictionError(f"the engine '{engine}' has no trials to share out; those that have are color-coding and sieve")
    with _opened(client) as opened, _scheduler_watched(opened, checkpoint):
        # Each search alone may miss with such a probability that all together miss with that asked for.
        count = _trials(engine, asked, _workers(opened))
        alone = asked["failure_probability"] ** (1 / count)
        store = _Store(checkpoint, "k-path") if checkpoint else None
        tasks = _Tasks(opened)
        answers = []
        waiting = []
        for trial in range(count):
            question = {**asked, "engine": engine, "failure_probability": alone, "seed": _seed(asked["seed"], trial)}
            key = _pieces.digest(graph._edges.__getnewargs__(), sorted(question.items()))
            done = store.load(key) if store else None
            if done is not None:
                answers.append(done)
            else:
                waiting.append((key, question))
        try:
            while (waiting or len(tasks)) and not _is_settled(answers, asked):
                while waiting and len(tasks) < _workers(opened):
                    key, question = waiting.pop(0)
                    if question["time_limit"] is not None:
                        question = {**question, "time_limit": max(0.0, question["time_limit"] - time.monotonic() + began)}
                    tasks.submit(key, _pieces.ask_k_path, graph, question)
                for key, answer in tasks.next(timeout=0.5):
                    answers.append(answer)
                    if store and answer["stop"] in ("finished", "exhausted"):
                        store.save(key, answer)
        finally:
            tasks.cancel()
    return _together(answers, asked, time.monotonic() - began)


def _trials(engine: str, asked: dict[str, Any], workers: int) -> int:
    """How many searches: as many as points of the sieve, or some for every worker."""
    import math

    if engine == "sieve":
        error = min(1.0, asked["k"] / 128)
        points = 1 if error >= 1 else math.ceil(math.log(asked["failure_probability"]) / math.log(error) - 1e-9)
        # As many for each worker as for every other.
        return max(1, -(-points // workers) * workers)
    return 4 * workers


def _seed(seed: int, trial: int) -> int:
    """Seeds of different trials have nothing to do with each other, whatever the caller's."""
    return int.from_bytes(bytes.fromhex(_pieces.digest("trial", seed, trial)[:16]), "little")


def _is_settled(answers: list[dict[str, Any]], asked: dict[str, Any]) -> bool:
    proved = any(answer["status"] in ("optimal", "infeasible") for answer in answers)
    return proved or (not asked["heaviest"] and any(answer["path"] for answer in answers))


def _together(answers: list[dict[str, Any]], asked: dict[str, Any], elapsed: float) -> dict[str, Any]:
    """One answer of several that don't depend on each other."""
    order = {"optimal": 0, "infeasible": 1, "feasible": 2, "unknown": 3}
    best = min(answers, key=lambda answer: (order[answer["status"]], -(answer["path"][2] if answer["path"] else 0)))
    missed = best["failure_probability"]
    if missed is not None:
        missed = 1.0
        for answer in answers:
            alone = answer["failure_probability"]
            missed *= 1.0 if alone is None else alone
    bounds = [answer["upper_bound"] for answer in answers if answer["upper_bound"] is not None]
    upper = min(bounds) if bounds and best["status"] != "infeasible" else best["upper_bound"]
    steps = sum(answer["stats"]["steps"] for answer in answers)
    decided = [*best["stats"]["decisions"], f"dask: {len(answers)} independent searches"]
    stats = {**best["stats"], "elapsed": elapsed, "steps": steps, "decisions": decided}
    return {**best, "failure_probability": missed, "upper_bound": upper, "stats": stats}


def longest_path(
    graph: Graph,
    asked: dict[str, Any],
    client: Client,
    checkpoint: str | None,
    callback: Callable[[Progress], object] | None,
    here: Callable[..., Solution],
) -> Solution:
    """The answer to the same question as of :func:`longhaul.longest_path`, by many workers; ``here`` asks this process."""
    source, target, cycle = asked["source"], asked["target"], asked["cycle"]
    return _Run(graph, Ask(graph, source, target, cycle), asked, client, checkpoint, callback, here).answer()


class _Run:
    """One question asked of many workers: what is known of it, and what is left."""

    def __init__(
        self,
        graph: Graph,
        ask: Ask,
        asked: dict[str, Any],
        client: Client,
        checkpoint: str | None,
        callback: Callable[[Progress], object] | None,
        here: Callable[..., Solution],
    ) -> None:
        self.here = here
        self.graph, self.ask, self.asked, self.client, self.checkpoint = graph, ask, asked, client, checkpoint
        self.callback = callback
        self.began = time.monotonic()
        self.best: tuple[list[int], int] | None = None
        self.upper: int | None = None
        self.stopped: str | None = None
        self.engine = "auto"
        self.decisions: list[str] = []
        self.steps = 0

    def answer(self) -> Solution:
        engine = self.asked["engine"]
        if engine not in ("auto", "branch-and-cut", "frontier"):
            raise ContradictionError(
                f"the engine '{engine}' can't be shared out; those that can are branch-and-cut (cases) and frontier (a sweep), "
                "and auto chooses"
            )
        first = self._locally()
        if first is not None:
            return first
        problem = self.ask.problem()
        with _opened(self.client) as opened, _scheduler_watched(opened, self.checkpoint):
            order, width, states = opened.submit(_pieces.find_order, self.ask, _ORDER_WORK, self.asked["seed"], pure=False).result()
            told = f"an order of width {width} predicts {states:.1e} states"
            sweeps = engine == "frontier" or (engine == "auto" and states <= _MOST_STATES)
            anywhere = self.asked["cycle"] and self.asked["source"] is None
            if (sweeps or anywhere) and self.ask.sweep(order) is not None:
                self._note("frontier", f"dask: a sweep, for {told}")
                _Layers(self, opened, order).run()
            elif anywhere:
                raise ContradictionError("the graph is too wide for a sweep, and cases of cycles need a node that all visit: give source")
            else:
                self._note("branch-and-cut", f"dask: cases, for {told}")
                _Cases(self, opened, problem).run()
        return self._told()

    def _locally(self) -> Solution | None:
        """A short run of this process for a path to begin with; its answer if that settles all."""
        limit = self.asked["time_limit"]
        seconds = _LOCAL_SECONDS if limit is None else min(_LOCAL_SECONDS, limit / 4)
        ends = {name: self.asked[name] for name in ("cycle", "engine", "memory_limit", "seed", "gap", "relative_gap")}
        nodes = self.graph.nodes
        source, target = (None if at is None else nodes[at] for at in (self.asked["source"], self.asked["target"]))
        first = self.here(self.graph, source, target, time_limit=seconds, callback=self.callback, **ends)
        self.decisions.extend(first.stats.decisions)
        if first.stop in ("finished", "gap", "interrupted"):
            return first
        if first.path is not None:
            self.best = (list(first._numbers), self.graph._units(first.length))
        self.upper = None if first.upper_bound is None else self.graph._units(first.upper_bound)
        return None

    @property
    def floor(self) -> int:
        """Only paths longer than this matter."""
        return -(2**62) if self.best is None else self.best[1]

    def found(self, path: list[int]) -> None:
        """A path that pieces made, checked."""
        _, length = self.ask.problem().check(path)
        if length > self.floor:
            self.best = (path, length)
            self._tell()

    def bounded(self, upper: int) -> None:
        """No path is longer than this, or than the best known."""
        upper = max(upper, self.floor)
        if self.upper is None or upper < self.upper:
            self.upper = upper
            self._tell()

    def _tell(self) -> None:
        if self.callback is None:
            return
        length = None if self.best is None else self.best[1]
        told = map(self.graph._length, (length, self.upper))
        if self.callback(Progress(time.monotonic() - self.began, *told, self.engine)):
            self.stopped = "interrupted"

    def left(self) -> float | None:
        """The seconds left, if they are limited."""
        limit = self.asked["time_limit"]
        return None if limit is None else max(0.0, limit - time.monotonic() + self.began)

    def over(self) -> bool:
        """Whether the run must end now."""
        if self.left() == 0.0:
            self.stopped = self.stopped or "time-limit"
        gap = max(self.graph._units(self.asked["gap"]), int(self.asked["relative_gap"] * abs(self.upper or 0)))
        if gap > 0 and self.best is not None and self.upper is not None and self.upper - self.best[1] <= gap:
            self.stopped = self.stopped or "gap"
        return self.stopped is not None

    def _note(self, engine: str, decision: str) -> None:
        self.engine = engine
        self.decisions.append(decision)

    def _told(self) -> Solution:
        path, status, upper = None, "unknown", self.upper
        if self.best is not None:
            edges, length = self.ask.problem().check(self.best[0])
            path = (self.best[0], edges, length)
            status = "optimal" if upper == length else "feasible"
        elif self.stopped is None:
            status, upper = "infeasible", None
        stats = {
            "engine": self.engine,
            "elapsed": time.monotonic() - self.began,
            "steps": self.steps,
            "peak_bytes": 0,
            "peak_states": 0,
            "state_bytes": 0,
            "decisions": self.decisions,
        }
        told = {
            "path": path,
            "upper_bound": upper,
            "status": status,
            "stop": self.stopped or "finished",
            "stats": stats,
            "failure_probability": None,
            "proof": None,
            "no_proof": "there are no proofs by many workers",
        }
        return _answers.solution(told, self.graph, cycle=self.asked["cycle"])


class _Cases:
    """The tree of branch and cut in pieces. What is waiting is here; what was handed out is still known here, and counts as waiting in a
    checkpoint. What a worker has learnt about the problem is told to all. Now and then the tree is begun anew: the branchings at its top count
    most, and were made when little was known."""

    def __init__(self, run: _Run, client: distributed.Client, problem: Any) -> None:
        self.run_, self.client, self.problem = run, client, problem
        self.waiting: list[tuple[int, int, bytes]] = []
        self.count = 0
        self.learnt = b""
        #: Which tree this is (what is left of tasks of an earlier one is in it again), the steps before a checkpoint, and after how many steps
        #: in all the tree is begun anew.
        self.tree, self.before = 0, 0
        self.anew: int | None = None
        self.store = _Store(run.checkpoint, _CASES) if run.checkpoint else None
        kept = self.store.load(run.ask.key) if self.store else None
        if kept is None:
            self.put([problem.whole()])
        else:
            best, open_, self.learnt, self.before, self.anew = kept
            run.decisions.append(f"dask: {len(open_)} cases of a checkpoint")
            if best is not None:
                run.found(best)
            self.put(open_)

    def put(self, cases: Iterable[tuple[int, bytes]]) -> None:
        for bound, case in cases:
            self.count += 1
            heapq.heappush(self.waiting, (-bound, self.count, case))

    def take(self, workers: int) -> list[tuple[int, bytes]]:
        """A worker's share of what is waiting: every so-manieth from the best on."""
        alive = [entry for entry in self.waiting if -entry[0] > self.run_.floor]
        alive.sort()
        share = alive[:: max(1, workers)]
        taken = set(entry[1] for entry in share)
        self.waiting = [entry for entry in alive if entry[1] not in taken]
        heapq.heapify(self.waiting)
        return [(-bound, case) for bound, _, case in share]

    def run(self) -> None:
        run = self.run_
        tasks = _Tasks(self.client)
        saved = time.monotonic()
        try:
            while not run.over():
                self.begin_anew()
                idle = self.idle(tasks)
                while idle and (share := self.take(len(idle))):
                    cases = [case for _, case in share]
                    left, memory = run.left(), run.asked["memory_limit"]
                    asked = (run.ask, cases, self.learnt, run.floor, _SLICE, left, memory)
                    worker = idle.pop()
                    tasks.submit((worker, share, self.tree), _pieces.work_on, *asked, worker=worker)
                if not len(tasks):
                    # Somebody was idle, so nothing is left.
                    run.bounded(run.floor)
                    break
                for (*_, tree), (path, open_, told, stop, steps) in tasks.next(timeout=0.5):
                    run.steps += steps
                    if stop == "memory-limit":
                        run.stopped = run.stopped or stop
                    if path is not None:
                        run.found(path[0])
                    if tree == self.tree:
                        self.put(open_)
                    self.learnt = self.problem.learn(self.learnt, told)
                given = [bound for _, share, _ in tasks.given.values() for bound, _ in share]
                run.bounded(max([*given, *(-bound for bound, *_ in self.waiting)], default=run.floor))
                if self.store and time.monotonic() - saved > 1.0:
                    saved = time.monotonic()
                    self.save(tasks)
        finally:
            if self.store:
                self.save(tasks)
            tasks.cancel()

    def begin_anew(self) -> None:
        """If it is time for that."""
        steps = self.before + self.run_.steps
        if self.anew is None and len(self.waiting) > 1:
            self.anew = max(_LEARNING, 2 * steps)
        if self.waiting and self.anew is not None and steps >= self.anew:
            self.tree, self.anew = self.tree + 1, 2 * steps
            self.waiting = []
            self.put([self.problem.whole()])

    def idle(self, tasks: _Tasks) -> list[str | None]:
        """The workers with nothing to do, once for each thread. What comes back from one goes there again, to the solver that has learnt
        about this part of the tree. While there are no workers at all a task waits for any."""
        given = Counter(worker for worker, *_ in tasks.given.values())
        threads = self.client.nthreads().items()
        idle = [worker for worker, count in threads for _ in range(count - given[worker])]
        return idle if idle or len(tasks) else [None]

    def save(self, tasks: _Tasks) -> None:
        assert self.store is not None
        open_ = [case for _, share, tree in tasks.given.values() if tree == self.tree for case in share]
        open_ += [(-bound, case) for bound, _, case in self.waiting]
        best = None if self.run_.best is None else self.run_.best[0]
        self.store.save(self.run_.ask.key, (best, open_, self.learnt, self.before + self.run_.steps, self.anew))


class _Layers:
    """A sweep whose layers lie in files, by shards: each layer is a checkpoint."""

    def __init__(self, run: _Run, client: distributed.Client, order: list[int]) -> None:
        self.run_, self.client = run, client
        sweep = run.ask.sweep(order)
        assert sweep is not None
        self.sweep = sweep
        self.memory = run.asked["memory_limit"]
        self.store = _Store(run.checkpoint, "sweep") if run.checkpoint else None
        self.own_folder = None if self.store else tempfile.mkdtemp(prefix="longhaul-")
        self.folder = str(self.store.folder / run.ask.key) if self.store else str(self.own_folder)
        kept = self.store.load(run.ask.key) if self.store else None
        if sweep.hidden is not None:
            run.found(sweep.hidden[0])
        #: Where each segment begins, in how many shards, and what its layer is called; and what was completed: segment, shard, step,
        #: length.
        self.segments: list[tuple[int, int, str]] = [(0, 1, "layer-0")]
        self.finish: tuple[int, int, int, int] | None = None
        self.states = 1
        if kept is None:
            self.order = order
            _pieces.write_whole(_pieces.shard_file(self.folder, "layer-0", 0, 0), sweep.start)
        else:
            best, self.order, self.segments, self.finish, self.states = kept
            self.sweep = run.ask.sweep(self.order) or sweep
            run.decisions.append(f"dask: a checkpoint at step {self.segments[-1][0]} of {self.sweep.steps}")
            if best is not None:
                run.found(best)

    @property
    def floor(self) -> int:
        return max(self.run_.floor, self.finish[3] if self.finish else self.run_.floor)

    def run(self) -> None:
        try:
            self.forwards()
            if not self.run_.over() and self.finish is not None and self.finish[3] > self.run_.floor:
                self.backwards()
            if not self.run_.over():
                self.run_.bounded(self.run_.floor)
        finally:
            if self.own_folder:
                shutil.rmtree(self.own_folder, ignore_errors=True)

    def forwards(self) -> None:
        workers = _workers(self.client)
        shards = 1
        while not self.run_.over():
            step, here, layer = self.segments[-1]
            if step == self.sweep.steps or self.states == 0:
                break
            small = self.states <= _SMALL_LAYER
            stride = _SMALL_STRIDE if small else _STRIDE
            shards = max(shards, 1 if small else 2 * workers)
            while True:
                to = min(step + stride, self.sweep.steps)
                # A name for what is made of what, so that nothing half done is ever taken for another layer.
                next_layer = f"layer-{to}-of-{layer.removeprefix('layer-').split('-')[0]}-{here}x{shards}"
                done = self.segment((step, to), (layer, next_layer), here, shards)
                if done is None:
                    return
                if all(stop is None for *_, stop in done.values()):
                    break
                # What doesn't fit is tried in smaller pieces: fewer steps, then more shards of the same layer.
                if stride > 1:
                    stride = 1
                elif here < _MOST_SHARDS:
                    here, layer = self.resharded(step, here, layer)
                    shards = max(shards, here)
                else:
                    self.run_.stopped = "memory-limit"
                    return
            for shard, (_, finish, _, _) in done.items():
                if finish is not None and finish[1] > self.floor:
                    self.finish = (len(self.segments) - 1, shard, *finish)
            self.segments[-1] = (step, here, layer)
            self.segments.append((to, shards, next_layer))
            self.states = sum(states for states, *_ in done.values())
            self.run_.steps += self.states
            if self.store:
                best = None if self.run_.best is None else self.run_.best[0]
                self.store.save(self.run_.ask.key, (best, self.order, self.segments, self.finish, self.states))

    def segment(
        self, steps: tuple[int, int], layers: tuple[str, str], here: int, shards: int
    ) -> dict[int, Any] | None:
        """All shards of a layer, some steps on; None if the run is over first."""
        run = self.run_
        tasks = _Tasks(self.client)
        done = {}
        try:
            for shard in range(here):
                place = (self.folder, *layers)
                tasks.submit(shard, _pieces.advance, run.ask, self.order, steps, shard, place, self.floor, shards, self.memory)
            while len(tasks):
                done.update(tasks.next(timeout=0.5))
                if run.over():
                    return None
        finally:
            tasks.cancel()
        return done

    def resharded(self, step: int, here: int, layer: str) -> tuple[int, str]:
        """The same layer in four times as many shards."""
        more = 4 * here
        split_layer = f"layer-{step}-split-{more}"
        for shard in range(here):
            for part, states in enumerate(_pieces.read_shard(self.folder, layer, shard)):
                split, *_ = self.sweep.advance((step, step), [states], -(2**62), more, _pieces.limits())
                for to, piece in enumerate(split):
                    _pieces.write_whole(_pieces.shard_file(self.folder, split_layer, to, shard * 1_000_000 + part), piece)
        return more, split_layer

    def backwards(self) -> None:
        """The path that was completed, segment after segment."""
        run = self.run_
        assert self.finish is not None
        segment, shard, step, length = self.finish
        first, _, layer = self.segments[segment]
        goal: tuple[int, int, bytes | None] = (step, length, None)
        shards = [shard]
        choices: list[tuple[int, list[int]]] = []
        while True:
            back = self.leading((first, layer), shards, goal, length)
            if back is None:
                return
            told, chosen = back
            choices.extend(chosen)
            if segment == 0:
                break
            goal = (first, int.from_bytes(told[-8:], "little", signed=True), told[:-8])
            segment -= 1
            first, count, layer = self.segments[segment]
            shards = list(range(count))
        run.found(self.sweep.path(choices))

    def leading(
        self, at: tuple[int, str], shards: list[int], goal: tuple[int, int, bytes | None], best: int
    ) -> tuple[bytes, list[tuple[int, list[int]]]] | None:
        run = self.run_
        tasks = _Tasks(self.client)
        try:
            for shard in shards:
                place = (self.folder, at[1])
                tasks.submit(shard, _pieces.way_back, run.ask, self.order, at[0], shard, place, goal, best, self.memory)
            while len(tasks):
                for _, back in tasks.next(timeout=0.5):
                    if back is not None:
                        return back
                if run.over():
                    return None
        finally:
            tasks.cancel()
        raise LonghaulError(f"no shard of {at[1]} leads on: the checkpoint in {self.folder} is not of this sweep")
