# SPDX-License-Identifier: MIT
"""Networks as objects: any graph of layers, for every command with a keyword `network`.

>>> import isserlis
>>> from isserlis.graph import Graph, Weights
>>> g = Graph("n")
>>> a = g.layer(g.input, width="n", activation="relu", name="a")
>>> b = g.layer(Weights(a, variance="1/(4*n)"), skip=g.input, name="b")
>>> out = g.layer(b, width=1, name="out")
>>> print(g)
node  width  kind    from
x     n      input
a     n      relu    x
b     n      linear  a (variance 1/(4*n)), x (skip)
out   1      linear  b
>>> print(isserlis.expect("h{b}[i]^2", network=g)["value"].text)
5/4

"""
import json
from dataclasses import dataclass

from ._arguments import scalar_text
from ._errors import DomainError


@dataclass(frozen=True)
class Node:
    """A node of a graph, by its name."""

    name: str
    width: object

    def __str__(self):
        return self.name


@dataclass(frozen=True)
class Weights:
    """A weight matrix that reads `source`, with what is to be said of its entries."""

    source: Node
    variance: object = None
    law: str = None
    kurtosis: object = None
    label_factor: object = None
    name: str = None

    def edge(self, target):
        out = {"from": _name(self.source), "to": target}
        for key in ("name", "variance", "law", "kurtosis", "label_factor"):
            value = getattr(self, key)
            if value is not None:
                out[key] = value if key in ("name", "law") else _formula(value, key)
        return out


def _name(node):
    return node.name if isinstance(node, Node) else str(node)


def _formula(value, what):
    return value if isinstance(value, int) and not isinstance(value, bool) else scalar_text(value, what)


def _several(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


class Graph:
    """A network file as an object: `input`, then `layer` and `concatenate` from the input to the output.

    `document` is what the file holds, by docs/networks.md; what is no network is refused by the commands that read it.
    """

    def __init__(self, width, name="x"):
        self._nodes = [{"name": str(name), "width": _formula(width, "width")}]
        self._edges = []

    @property
    def input(self):
        """The node of the input."""
        return self[self._nodes[0]["name"]]

    @property
    def nodes(self):
        return [self[n["name"]] for n in self._nodes]

    @property
    def document(self):
        return {"nodes": [dict(n) for n in self._nodes], "edges": [dict(e) for e in self._edges]}

    @classmethod
    def read(cls, document):
        """The graph of a file, or of its content as a dictionary."""
        if not isinstance(document, dict):
            with open(document, encoding="utf-8") as file:
                document = json.load(file)
        out = cls.__new__(cls)
        out._nodes = [dict(n) for n in document["nodes"]]
        out._edges = [dict(e) for e in document["edges"]]
        return out

    def __getitem__(self, name):
        for n in self._nodes:
            if n["name"] == name:
                return Node(name, n["width"])
        raise KeyError(name)

    def __eq__(self, other):
        return isinstance(other, Graph) and self.document == other.document

    __hash__ = None

    def _add(self, node):
        if any(n["name"] == node["name"] for n in self._nodes):
            raise DomainError(f"network: two nodes are called {node['name']}", "network")
        self._nodes.append(node)
        return self[node["name"]]

    def layer(self, *sources, width=None, activation="linear", skip=(), name=None, bias_variance=None, bias_law=None):
        """A layer: the sum of weights times what its sources send, and of `skip` as it is; behind it the activation.

        Sources are nodes, or Weights; its width is that of the first skip unless given. With a variance a random bias is
        added to the sum. Returns the node.
        """
        skips = _several(skip)
        if width is None:
            if not skips:
                raise DomainError("width: a layer without a skip needs one", "width")
            width = self[_name(skips[0])].width
        node = {"name": str(len(self._nodes)) if name is None else str(name), "width": _formula(width, "width")}
        if activation != "linear":
            node["activation"] = activation
        if bias_variance is not None:
            node["bias_variance"] = _formula(bias_variance, "bias_variance")
        if bias_law is not None:
            node["bias_law"] = bias_law
        edges = [(s if isinstance(s, Weights) else Weights(s)).edge(node["name"]) for s in sources]
        edges += [{"from": _name(s), "to": node["name"], "skip": True} for s in skips]
        return self._join(node, edges)

    def concatenate(self, *sources, name=None):
        """What its sources send, one after the other. Returns the node."""
        widths = [self[_name(s)].width for s in sources]
        whole = all(isinstance(w, int) for w in widths)
        width = sum(widths) if whole else " + ".join(f"({w})" if "-" in str(w) else str(w) for w in widths)
        node = {"name": str(len(self._nodes)) if name is None else str(name), "width": width, "kind": "concatenation"}
        return self._join(node, [{"from": _name(s), "to": node["name"]} for s in sources])

    def _join(self, node, edges):
        for e in edges:
            if all(n["name"] != e["from"] for n in self._nodes):
                raise DomainError(f"network: no node is called {e['from']}", "network")
        added = self._add(node)
        self._edges += edges
        return added

    def save(self, path):
        """Writes the file that `--network` of the program reads."""
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.document, file, indent=2)
            file.write("\n")

    def _sources(self, node):
        out = []
        for e in self._edges:
            if e["to"] == node["name"]:
                said = ["skip"] if e.get("skip") else []
                said += [f"{k.replace('_', ' ')} {e[k]}" for k in ("variance", "law", "kurtosis", "label_factor") if k in e]
                out.append(e["from"] + (f" ({', '.join(said)})" if said else ""))
        if "bias_variance" in node:
            out.append(f"bias (variance {node['bias_variance']}{', ' + node['bias_law'] if 'bias_law' in node else ''})")
        return ", ".join(out)

    def _kind(self, node):
        if node is self._nodes[0]:
            return "input"
        return "concatenation" if node.get("kind") == "concatenation" else node.get("activation", "linear")

    def __str__(self):
        rows = [("node", "width", "kind", "from")]
        rows += [(n["name"], str(n["width"]), self._kind(n), self._sources(n)) for n in self._nodes]
        wide = [max(len(r[c]) for r in rows) for c in range(3)]
        return "\n".join("  ".join([*(r[c].ljust(wide[c]) for c in range(3)), r[3]]).rstrip() for r in rows)

    def __repr__(self):
        return f"<Graph of {len(self._nodes)} nodes, {len(self._edges)} edges>"

    def _places(self):
        """{name: (depth, row)}: the longest way from the input, and a row of its own in its column."""
        depth = {}
        for n in self._nodes:
            depth[n["name"]] = max((depth[e["from"]] + 1 for e in self._edges if e["to"] == n["name"]), default=0)
        columns = {}
        for name, d in depth.items():
            columns.setdefault(d, []).append(name)
        return {name: (d, (len(names) - 1) / 2 - names.index(name)) for d, names in columns.items() for name in names}

    def plot(self, ax=None):
        """Draws the graph by Matplotlib, skips dashed. Returns the axes."""
        if ax is None:
            import matplotlib.pyplot

            ax = matplotlib.pyplot.subplots(figsize=(1.6 * max(len(self._nodes), 3), 3))[1]
        places = self._places()
        for e in self._edges:
            (x0, y0), (x1, y1) = places[e["from"]], places[e["to"]]
            bend = 0.4 if x1 - x0 > 1 and y0 == y1 else 0
            ax.annotate("", (x1, y1), (x0, y0), arrowprops={
                "arrowstyle": "->", "linestyle": "--" if e.get("skip") else "-", "shrinkA": 18, "shrinkB": 18,
                "connectionstyle": f"arc3,rad={-bend}"})
        for n in self._nodes:
            x, y = places[n["name"]]
            ax.text(x, y, f"{n['name']}\n{n['width']} {self._kind(n)}", ha="center", va="center", fontsize=8,
                    bbox={"boxstyle": "round", "facecolor": "white"})
        ax.set_xlim(-0.6, max(x for x, _ in places.values()) + 0.6)
        ax.set_ylim(min(y for _, y in places.values()) - 0.8, max(y for _, y in places.values()) + 0.8)
        ax.axis("off")
        return ax
