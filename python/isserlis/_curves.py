# SPDX-License-Identifier: MIT
"""What `Answer.plot` draws: curves of results, and what the axis and they are called. As `plot=` of the program does."""
import itertools

from ._result import index_entry, number_of


def _axis(names, before, swept):
    """Which part of an index the axis shows. Samples are in no order: beside layers they tell curves apart."""
    if swept:
        return 0
    return next((i for i in range(before, len(names)) if names[i] != "sample"), before)


def _node(value):
    """Node "1.2", inside block 1 of a residual network, is point 1 of a curve of its own, ".2"."""
    layer, dot, rest = str(value).partition(".")
    return index_entry(layer), dot + rest


def _words(parts):
    """["samples 1,2", "unit relu"]: together what follows one another under one name."""
    groups = itertools.groupby(parts, key=lambda part: part[0])
    together = [(name, [str(value) for _, value in group]) for name, group in groups]
    return [f"{name}{'s' if len(values) > 1 else ''} {','.join(values)}" for name, values in together]


def _label(result, names, axis, before, node):
    """What the axis does not show: "kernel, samples 1,2, unit relu"."""
    others = [(i, n, v) for i, (n, v) in enumerate(zip(names, result.index)) if i != axis]
    values = [f"{n} = {v}" for i, n, v in others if i < before]
    # Of two layers or samples the axis shows one.
    own = [(("with " if n == names[axis] else "") + n, v) for i, n, v in others if i >= before]
    return ", ".join([result.name, *values, *node, *_words(own)])


def curves(results, sweeps, prefix_names):
    """Points by label, and what the axis is called."""
    before = len(sweeps) + len(prefix_names)
    drawn = []
    for r in results:
        names = r._plain["index_names"]
        axis = _axis(names, before, bool(sweeps))
        value = number_of(r)
        if axis >= len(names) or value != value:
            continue
        of_layer = axis >= before and names[axis] == "layer"
        x, node = _node(r.index[axis]) if of_layer else (r.index[axis], None)
        if isinstance(x, int):
            drawn.append((r, names, axis, x, value, node))
    nodes = any(node for *_, node in drawn)
    lines, x_names = {}, {}
    for r, names, axis, x, value, node in drawn:
        of_node = nodes and node is not None
        label = _label(r, names, axis, before, ["layer k" + node] if of_node else [])
        lines.setdefault(label, []).append((x, value))
        x_names[names[axis] + (" k" if of_node else "")] = None
    return lines, list(x_names)
