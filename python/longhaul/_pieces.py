"""What is done with the pieces of a question in some process: plain functions of bytes and numbers, which may be called twice.

Nothing here knows of Dask. Whatever is dear to make again (a problem read, a sweep prepared) is kept in the process by its key.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import tempfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import _longhaul
from ._errors import LonghaulError
from ._graph import Graph

#: So many prepared problems and sweeps are kept in a process.
_MOST_KEPT = 8

_kept: OrderedDict[Any, Any] = OrderedDict()

#: Solvers of cases that are not at work, by the key of their problem: as many as there were threads at work on it.
_solvers: dict[str, list[_longhaul.CaseSolver]] = {}


def _keep(key: Any, make: Callable[[], Any]) -> Any:
    if key not in _kept:
        _kept[key] = make()
        while len(_kept) > _MOST_KEPT:
            _kept.popitem(last=False)
    _kept.move_to_end(key)
    return _kept[key]


class Ask:
    """A question for the longest path of a graph, to be sent to other processes."""

    def __init__(self, graph: Graph, source: int | None, target: int | None, cycle: bool) -> None:
        self.graph = Graph(graph._edges, range(graph.number_of_nodes()))
        self.ends = (source, target, cycle)
        self.key = digest(self.graph._edges.__getnewargs__(), self.ends)

    def problem(self) -> _longhaul.Problem:
        return _keep(self.key, lambda: _longhaul.Problem(self.graph._edges, *self.ends))

    def sweep(self, order: list[int]) -> _longhaul.Sweep | None:
        key = (self.key, digest(order))
        return _keep(key, lambda: _longhaul.Sweep.along(self.problem(), order, limits()))


def digest(*things: Any) -> str:
    """A name for what these are."""
    return hashlib.blake2b(pickle.dumps(things, protocol=4), digest_size=16).hexdigest()


def limits(time: float | None = None, memory: int | None = None, seed: int = 0) -> dict[str, Any]:
    return {"time_limit": time, "memory_limit": memory, "threads": 1, "seed": seed}


def solve(graph: Graph | str, options: dict[str, Any]) -> tuple[str, Any]:
    """One whole question: its answer, or the kind and the text of an exception."""
    from . import longest_path

    try:
        return "answer", longest_path(graph, **options)._with(None)
    except LonghaulError as error:
        return type(error).__name__, str(error)


def solve_each(questions: list[tuple[Graph | str, dict[str, Any]]]) -> list[tuple[str, Any]]:
    """Whole questions, one after the other."""
    return [solve(graph, options) for graph, options in questions]


def ask_k_path(graph: Graph, asked: dict[str, Any]) -> dict[str, Any]:
    """One independent search for a path of so many nodes."""
    return _longhaul.k_path(graph._edges, asked, None)


def work_on(
    ask: Ask, cases: list[bytes], learnt: bytes, floor: int, seconds: float, time: float | None, memory: int | None
) -> Any:
    """Some cases, for so many seconds and until the node at hand is done, or to a limit. A solver goes on learning about its problem, so
    it is kept until another problem is asked about; one that raises is not."""
    for other in list(_solvers):
        if other != ask.key:
            _solvers.pop(other, None)
    idle = _solvers.setdefault(ask.key, [])
    try:
        solver = idle.pop()
    except IndexError:
        solver = _longhaul.CaseSolver(ask.problem())
    done = solver.work_on(cases, learnt, floor, seconds, limits(time, memory))
    idle.append(solver)
    return done


def find_order(ask: Ask, work: int, seed: int) -> tuple[list[int], int, float]:
    """An order for a sweep."""
    return ask.problem().order(work, limits(seed=seed))


def advance(
    ask: Ask,
    order: list[int],
    steps: tuple[int, int],
    shard: int,
    place: tuple[str, str, str],
    floor: int,
    shards: int,
    memory: int | None,
) -> tuple[int, tuple[int, int] | None, int, str | None]:
    """Takes a shard of a layer to a later one, in a folder, each called by a name. Both are files: those of the later one are written
    whole or not at all, so that it does no harm to do it twice. Tells how many states there are, what was completed, the memory held, and the limit spent."""
    sweep = ask.sweep(order)
    assert sweep is not None, "whoever asks has prepared the same sweep"
    folder, layer, next_layer = place
    parts = read_shard(folder, layer, shard)
    done, finish, _, peak, stop = sweep.advance(steps, parts, floor, shards, limits(memory=memory))
    if stop is not None:
        return 0, None, peak, stop
    for to, states in enumerate(done):
        write_whole(shard_file(folder, next_layer, to, shard), states)
    return sum(map(len, done)) // sweep.state_bytes, finish, peak, None


def way_back(
    ask: Ask,
    order: list[int],
    first: int,
    shard: int,
    place: tuple[str, str],
    goal: tuple[int, int, bytes | None],
    best: int,
    memory: int | None,
) -> tuple[bytes, list[tuple[int, list[int]]]] | None:
    """How a shard of a layer leads to a goal, if it does."""
    sweep = ask.sweep(order)
    assert sweep is not None, "whoever asks has prepared the same sweep"
    return sweep.way_back(first, read_shard(*place, shard), goal, best, limits(memory=memory))


def shard_file(folder: str, layer: str, to: int, by: int) -> Path:
    return Path(folder) / layer / f"{to}-{by}.states"


def read_shard(folder: str, layer: str, shard: int) -> list[bytes]:
    """What all others made for this shard of a layer."""
    files = sorted((Path(folder) / layer).glob(f"{shard}-*.states"))
    return [read_whole(file) for file in files]


def write_whole(file: Path, data: bytes) -> None:
    """Writes a file with its checksum, whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".new")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(hashlib.blake2b(data, digest_size=16).digest())
            out.write(data)
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise


def read_whole(file: Path) -> bytes:
    """What such a file holds.

    Raises :class:`LonghaulError` if it is not as it was written.
    """
    data = file.read_bytes()
    if hashlib.blake2b(data[16:], digest_size=16).digest() != data[:16]:
        raise LonghaulError(f"{file} is not as it was written; remove the checkpoint and begin anew")
    return data[16:]
