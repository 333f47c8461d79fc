"""longhaul: the longest simple path of any graph, exact where anyone can be, anytime where not, and honest about which.

>>> import longhaul, networkx
>>> solution = longhaul.longest_path(networkx.krackhardt_kite_graph())
>>> solution.length, solution.status
(9, 'optimal')

Questions: :func:`longest_path`, :func:`longest_trail`, :func:`k_path`, :func:`structure`, :func:`count`,
:func:`distribution`, :func:`all_longest`, :func:`best`, :func:`samples`, :func:`maximum_clique`, :func:`uno`, :func:`uno_count`, :func:`maximal_cliques`,
:func:`rummy`, :func:`rummy_count`, :func:`rummy_configurations`, :func:`dobble`, :func:`check_dobble`.
Graphs: whatever :func:`read_graph` reads, once for many questions; :func:`read_file`.
"""

from ._answers import Clique, Path, PathCounts, Paths, Play, Progress, Solution, Stats, Structure
from ._errors import ContradictionError, GraphFormatError, LonghaulError, NotInGraphError, TooLargeError
from ._games import (
    BestMelding,
    DobbleDeck,
    Melding,
    MeldingCounts,
    check_dobble,
    dobble,
    maximal_cliques,
    rummy,
    rummy_configurations,
    rummy_count,
)
from ._graph import Graph
from ._longhaul import ENGINES, __version__
from ._questions import (
    all_longest,
    best,
    count,
    distribution,
    k_path,
    longest_path,
    longest_trail,
    maximum_clique,
    samples,
    structure,
    uno,
    uno_count,
)
from ._readers import read_file, read_graph

__all__ = [
    "ENGINES",
    "BestMelding",
    "Clique",
    "ContradictionError",
    "DobbleDeck",
    "Graph",
    "GraphFormatError",
    "LonghaulError",
    "Melding",
    "MeldingCounts",
    "NotInGraphError",
    "Path",
    "PathCounts",
    "Paths",
    "Play",
    "Progress",
    "Solution",
    "Stats",
    "Structure",
    "TooLargeError",
    "__version__",
    "all_longest",
    "best",
    "check_dobble",
    "count",
    "distribution",
    "dobble",
    "k_path",
    "longest_path",
    "longest_trail",
    "maximal_cliques",
    "maximum_clique",
    "read_file",
    "read_graph",
    "rummy",
    "rummy_configurations",
    "rummy_count",
    "samples",
    "structure",
    "uno",
    "uno_count",
]
