"""What longhaul refuses. Spent limits and graphs without any path are answers, never exceptions."""


class LonghaulError(Exception):
    """A request that cannot be carried out as asked: the base of all exceptions of this package."""


class NotInGraphError(LonghaulError, LookupError):
    """A node or an edge that was named is not in the graph."""


class TooLargeError(LonghaulError, ValueError):
    """The graph, or the sum of its weights, is beyond what longhaul takes."""


class ContradictionError(LonghaulError, ValueError):
    """Options that contradict each other, or an option out of its range."""


class GraphFormatError(LonghaulError, ValueError):
    """A graph, a file or a deck that cannot be read as one: the text says which edge or line, and what would be right."""
