# SPDX-License-Identifier: MIT
"""What a command answers."""
from collections.abc import Mapping

from ._result import Result, index_entry, number_of

_SHOWN = 200  # rows of a table in a notebook


class Answer(Mapping):
    """Results by name and index: `answer["phi", 1, 4]`, `answer["parameters"]`.

    Keys are pairs (name, index). A name alone is enough where it has one result. Where several results share a key,
    for instance one for each range of a symbol, the mapping gives the first; `results` has all of them.
    """

    def __init__(self, native):
        self._native = native
        self._texts = {}
        self._plain = native.plain()
        self._read()

    def _read(self):
        self._results = [Result(r, self._plain["command"]) for r in self._plain["results"]]
        self._by_key = {}
        for r in self._results:
            self._by_key.setdefault((r.name, r.index), r)

    @property
    def command(self):
        return self._plain["command"]

    @property
    def command_line(self):
        """The command line that asks the same question."""
        return self._plain["title"]

    @property
    def results(self):
        return list(self._results)

    @property
    def inputs(self):
        return {name.strip("`"): value for name, value in self._plain["inputs"]}

    @property
    def assumptions(self):
        return list(self._plain["assumptions"])

    @property
    def warnings(self):
        return list(self._plain["warnings"])

    @property
    def explanations(self):
        return list(self._plain["explanations"])

    @property
    def quantities(self):
        """What `list` found: a dictionary for each quantity."""
        return [dict(q) for q in self._plain["entries"]]

    @property
    def document(self):
        """A whole text in place of results: the program that `emit_test` writes; else None."""
        return self._plain["document"]

    @property
    def agrees(self):
        """False where a sampled value refutes an exact one."""
        return not self._plain["disagrees"]

    def render(self, format=None):
        """The answer as the program prints it: text, json, csv, latex or cpp; without a word as `format` asked for."""
        format = format or self._plain["format"]
        if format not in self._texts:
            if self._native is None:
                raise ValueError(f"an answer that was pickled has no {format!r} any more; it has {sorted(self._texts)}")
            self._texts[format] = _rendered(self._native, format)
        return self._texts[format]

    def _find(self, key):
        if isinstance(key, str):
            if (key, ()) in self._by_key:
                return (key, ())
            of_name = [k for k in self._by_key if k[0] == key]
            return of_name[0] if len(of_name) == 1 else None
        if isinstance(key, tuple) and key and isinstance(key[0], str):
            index = key[1] if len(key) == 2 and isinstance(key[1], tuple) else key[1:]
            canonical = (key[0], tuple(index_entry(i) if isinstance(i, str) else i for i in index))
            return canonical if canonical in self._by_key else None
        return None

    def __getitem__(self, key):
        found = self._find(key)
        if found is None:
            name = key[0] if isinstance(key, tuple) and key else key
            there = [",".join(map(str, k[1])) for k in self._by_key if k[0] == name]
            names = list(dict.fromkeys(k[0] for k in self._by_key))
            raise KeyError(f"{key!r}: " + (f"{name} has the indices {'; '.join(there[:8])}" if there
                                          else f"there is {', '.join(names[:12])}"))
        return self._by_key[found]

    def __contains__(self, key):
        return self._find(key) is not None

    def __iter__(self):
        return iter(self._by_key)

    def __len__(self):
        return len(self._by_key)

    def _sweeps(self):
        return self._plain["sweeps"]

    def to_frame(self):
        """A pandas frame with a row for each result, and a column for each swept symbol.

        Columns: swept symbols, name, index, exact (text), value (float, NaN for formulas), and where values were
        sampled mean, std_error, z, verdict, power.
        """
        import pandas

        swept = self._sweeps()
        checked = any(r.check is not None for r in self._results)
        rows = []
        for r in self._results:
            row = dict(zip(swept, r.index))
            rest = r.index[len(swept):]
            row.update(name=r.name, index=",".join(map(str, rest)), exact=r.text, value=number_of(r))
            if checked:
                check = r.check
                row.update(mean=check.mean if check else float("nan"),
                           std_error=check.std_error if check else float("nan"),
                           z=check.z if check else float("nan"), verdict=check.verdict if check else None,
                           power=check.power if check and check.power is not None else float("nan"))
            rows.append(row)
        columns = [*swept, "name", "index", "exact", "value"]
        if checked:
            columns += ["mean", "std_error", "z", "verdict", "power"]
        return pandas.DataFrame(rows, columns=columns)

    def plot(self, name=None, ax=None):
        """Draws values by matplotlib against the first swept symbol, or against their layer, epoch, order ..

        `name` chooses one quantity or several; all that have several values otherwise. Returns the axes.
        """
        import matplotlib.pyplot

        names = {name} if isinstance(name, str) else set(name) if name is not None else None
        chosen = [r for r in self._results if names is None or r.name in names]
        lines, x_names = {}, {}
        for r in chosen:
            x, axis, curve = r._plain["place"]
            value = number_of(r)
            if x is not None and value == value:
                lines.setdefault(r.name + (f", {curve}" if curve else ""), []).append((x, value))
                x_names[axis] = None
        if names is None:
            lines = {label: points for label, points in lines.items() if len(points) > 1}
        if not lines:
            raise ValueError("nothing to draw: no result has numbers at several indices; symbols take values by `set`")
        ax = ax if ax is not None else matplotlib.pyplot.gca()
        for label, points in lines.items():
            ax.plot(*zip(*sorted(points)), marker="o", label=label)
        values = [v for points in lines.values() for _, v in points]
        if min(values) > 0 and max(values) > 100 * min(values):
            ax.set_yscale("log")
        ax.set_xlabel(", ".join(x_names))
        ax.set_title(self.command_line)
        ax.legend()
        return ax

    def __str__(self):
        return self.render()

    def __repr__(self):
        return f"<Answer of {self.command_line}: {len(self._results)} results>"

    def _repr_html_(self):
        import html

        out = [f"<p><code>{html.escape(self.command_line)}</code></p>"]
        if self.document is not None:
            return out[0] + f"<pre>{html.escape(self.document)}</pre>"
        out.append("<table><thead><tr><th>quantity</th><th>value</th><th>decimal</th><th>for</th></tr></thead><tbody>")
        for r in self._results[:_SHOWN]:
            value = f"$\\displaystyle {html.escape(r.latex)}$" if r.text is not None else html.escape(r.form)
            number = "" if r.decimal is None else str(r.decimal)
            where = html.escape(str(r.range))
            out.append(f"<tr><td>{html.escape(r._label())}</td><td>{value}</td><td>{number}</td><td>{where}</td></tr>")
        out.append("</tbody></table>")
        if len(self._results) > _SHOWN:
            out.append(f"<p>and {len(self._results) - _SHOWN} more: <code>to_frame()</code></p>")
        for heading, texts in (("Assumptions", self.assumptions), ("Warnings", self.warnings)):
            if texts:
                items = "".join(f"<li>{html.escape(t)}</li>" for t in texts)
                out.append(f"<p>{heading}</p><ul>{items}</ul>")
        return "".join(out)

    def _repr_latex_(self):
        text = self.render("latex")
        begin = text.find("\\begin{align*}")
        return text[begin:] if begin >= 0 else None

    def __getstate__(self):
        for format in {"text", "json", "csv", "latex", self._plain["format"]}:
            self.render(format)
        return {"plain": self._plain, "texts": self._texts}

    def __setstate__(self, state):
        self._native, self._plain, self._texts = None, state["plain"], state["texts"]
        self._read()

    def __eq__(self, other):
        return isinstance(other, Answer) and self._plain == other._plain

    __hash__ = None


def _rendered(native, format):
    from ._call import library_errors

    with library_errors():
        return native.render(format)
