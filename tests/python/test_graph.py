# SPDX-License-Identifier: MIT
"""Graphs write the network files of the documentation; observables write what the language reads."""
import json
import pickle
from fractions import Fraction

import isserlis
import pytest
from conftest import ROOT
from isserlis.graph import Graph, Weights
from isserlis.observable import Cov, D, E, Var, constant, h, loss, parameter, y, z


def branches():
    g = Graph("n")
    left = g.layer(g.input, width="n", activation="relu", name="left")
    right = g.layer(Weights(g.input, variance="v/n"), width="n", activation="leaky:1/2", name="right")
    total = g.layer(Weights(left, variance="1/n"), Weights(right, variance="1/n", label_factor="q"), skip=g.input, name="sum")
    g.layer(total, width=1, name="out")
    return g


def concatenation():
    g = Graph(2)
    a = g.layer(g.input, width="n", activation="relu", name="a")
    both = g.concatenate(g.input, a, name="both")
    g.layer(Weights(both, law="uniform"), width=1, name="out")
    return g


def same_edges(document):
    return sorted(json.dumps(e, sort_keys=True) for e in document["edges"])


def test_a_graph_is_the_file_of_the_documentation(tmp_path):
    g, file = branches(), ROOT / "docs/examples/branches.json"
    assert g.document["nodes"] == json.loads(file.read_text())["nodes"]
    assert same_edges(g.document) == same_edges(json.loads(file.read_text()))
    keywords = {"input_squared_norm": "n"}
    assert isserlis.expect("z^2", network=g, **keywords)["value"].text == isserlis.expect("z^2", network=file, **keywords)["value"].text
    g.save(tmp_path / "g.json")
    assert Graph.read(tmp_path / "g.json") == g == pickle.loads(pickle.dumps(g))
    assert Graph.read(file).document == json.loads(file.read_text())


def test_a_concatenation_by_hand():
    # |x|^2 = 1; a has n neurons of variance 1/(2/2) |x|^2 = 1, |relu|^2 = n/2; E z^2 = (1 + n/2)/(n + 2).
    value = isserlis.expect("z^2", network=concatenation(), input_squared_norm=1)["value"]
    assert value.exact == Fraction(1, 2)


def test_what_is_no_graph_is_refused():
    g = Graph(3)
    with pytest.raises(isserlis.DomainError) as caught:
        g.layer("nowhere", width=2)
    assert caught.value.parameter == "network"
    with pytest.raises(isserlis.DomainError):
        g.layer(g.input)
    with pytest.raises(isserlis.DomainError):
        g.layer(g.input, width=2, name="x")
    assert g.document == Graph(3).document
    with pytest.raises(isserlis.Error):  # no layer: the command says so
        isserlis.expect("z^2", network=g)


def test_graphs_are_drawn():
    pytest.importorskip("matplotlib").use("Agg")
    axes = branches().plot()
    assert {t.get_text().split("\n")[0] for t in axes.texts if t.get_text()} == {"x", "left", "right", "sum", "out"}


@pytest.mark.parametrize("made, text", [
    (z["i"] ** 2, "z[i]^2"),
    (2 * parameter("a") * z**2 - Fraction(1, 2), "2*a*z^2 - (1/2)"),
    (-((z + h) ** 2) / 3, "(-(z + h)^2)/3"),
    (z - (h - z), "z - (h - z)"),
    (z["i", "m"] * z["i", "m"], "z[i;m]*z[i;m]"),
    (D("m")(z["i"] ** 2), "D[m] (z[i]^2)"),
    (D("m")(z["i"]) ** 2, "(D[m] z[i])^2"),
    (constant("P")["i", "j"] * z["i"] * z["j"], "P[i,j]*z[i]*z[j]"),
    (z.of("2").at("a")["i"] * z.of("2").at("b")["i"], "z{2}[i]@a*z{2}[i]@b"),
    (y["i"] * z["i"], "y[i]*z[i]"),
    (1 - Cov(z**2, h**2) / Var(loss), "1 - Cov[z^2, h^2]/Var[loss]"),
    ((D("m")(loss) ** 2).where(m="2"), "(D[m] loss)^2 where m in 2"),
])
def test_operators_write_the_language(made, text):
    assert str(made) == text


def test_operators_and_text_have_equal_values():
    for made, text in ((E(z**4) / E(z**2) ** 2, "E[z^4]/E[z^2]^2"), (-(z**2) / 3 + 1, "1 - z^2/3"),
                       ((D("m")(loss) ** 2).where(m="2"), "(D[m] loss)^2 where m in 2"),
                       (Fraction(1, 2) * z**2, "z^2/2"), ((z["i", "m"]) ** 2, "z[i;m]^2")):
        assert isserlis.expect(made, "2,3,1")["value"].text == isserlis.expect(text, "2,3,1")["value"].text
    with pytest.raises(TypeError):
        z**0.5
    with pytest.raises(TypeError):
        z + object()
