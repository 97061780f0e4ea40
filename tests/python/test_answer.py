# SPDX-License-Identifier: MIT
import html.parser
import json
import math
import pickle
from decimal import Decimal
from fractions import Fraction

import isserlis
import pytest


@pytest.fixture(scope="module")
def formulas():
    return isserlis.norm("n0,n:L,1")


@pytest.fixture(scope="module")
def numbers():
    return isserlis.norm("2,10:3,1")


def test_results_by_name_and_index(numbers):
    # 3 (1 + 5/10)^3 - 1 = 73/8: README, and docs/formulas/squared_norm.md.
    r = numbers["squared_norm_variance", 4]
    assert r.exact == Fraction(73, 8) and r.decimal == Decimal("9.125") and float(r) == 9.125
    assert r is numbers["squared_norm_variance", (4,)] is numbers["squared_norm_variance", "4"]
    assert ("squared_norm_variance", (4,)) in list(numbers)
    assert ("squared_norm_variance", 4) in numbers and ("squared_norm_variance", 5) not in numbers
    assert len(numbers) == len(set(numbers)) <= len(numbers.results)
    with pytest.raises(KeyError, match="has the indices 1; 2; 3; 4"):
        numbers["squared_norm_variance", 9]
    with pytest.raises(KeyError, match="there is squared_norm_mean"):
        numbers["variance"]


def test_a_name_alone_is_enough_for_one_result():
    assert isserlis.report("2,10:3,1")["parameters"].exact == 230


def test_what_a_result_says_of_itself(formulas):
    r = formulas["squared_norm_variance", "L + 1"]
    assert r.text == "4*(3*(n + 5)^L - n^L)/(n^L*n0^2)"
    assert r.symbols == ["L", "n", "n0"]
    assert "[Residual 2019" in r.source and "zero biases" in r.assumptions and r.formula and r.summary
    assert str(r.range) == "n0 >= 1, n >= 1, L >= 1"
    assert "\\frac" in r.latex and r._repr_latex_().startswith("$")
    assert r.decimal is None and r.check is None and not r.certified
    with pytest.raises(isserlis.DomainError, match="L, n, n0"):
        float(r)


def test_values_outside_the_exact_rings(numbers):
    r = numbers["log_squared_norm_mean", 4]
    assert r.exact is None and r.certified and float(r) == -2.1927458775370497 and "digamma" in r.form
    with pytest.raises(isserlis.UnsupportedError):
        r.subs(n=2)


def test_surds_become_sympy():
    sympy = pytest.importorskip("sympy")
    r = isserlis.scaling_factor("2,10:3,1")["scaling_factor", 1]
    assert r.exact == sympy.Rational(216, 125) * sympy.sqrt(10) + sympy.Rational(432, 125) * sympy.sqrt(5) + sympy.Rational(864, 25)
    assert float(r) == float(r.decimal)


def test_formulas_become_sympy_with_positive_symbols(formulas):
    sympy = pytest.importorskip("sympy")
    n, n0, L = sympy.symbols("n n0 L", positive=True)
    assert sympy.simplify(formulas["squared_norm_variance", "L + 1"].exact - (12 * (1 + 5 / n) ** L - 4) / n0**2) == 0


def test_subs_gives_the_number_of_the_network(formulas, numbers):
    r = formulas["squared_norm_variance", "L + 1"]
    assert r.subs(n0=2, n=10, L=3) == r.subs({"n0": 2.0, "n": "10", "L": Fraction(3)}) == Fraction(73, 8)
    sympy = pytest.importorskip("sympy")
    n0 = sympy.Symbol("n0", positive=True)
    assert sympy.simplify(r.subs(n=10, L=3) - sympy.Rational(73, 2) / n0**2) == 0
    assert r.subs({n0: 2, sympy.Symbol("n"): sympy.Integer(10), "L": 3}) == Fraction(73, 8)


def test_values_outside_the_range_are_refused(formulas):
    r = formulas["squared_norm_variance", "L + 1"]
    for values, name in (({"L": 0}, "L"), ({"n": Fraction(1, 2)}, "n"), ({"n0": -1}, "n0"), ({"m": 2}, "m")):
        with pytest.raises(isserlis.DomainError) as caught:
            r.subs(values)
        assert caught.value.parameter == name
    with pytest.raises(isserlis.DomainError):
        r.subs(n=math.nan)
    with pytest.raises(isserlis.DomainError):
        r.lambdify()(0, 10, 2)


def test_lambdify_is_right_to_the_last_digit(formulas):
    r = formulas["squared_norm_variance", "L + 1"]
    f = r.lambdify()
    for width, depth in ((10, 3), (1000, 50), (10**8, 10**4)):
        exact = Fraction(12) * Fraction(width + 5, width) ** depth - 4
        assert f(depth, width, 1) == float(exact)
    assert r.lambdify("n", "L", "n0")(10, 3, 2) == 9.125
    with pytest.raises(TypeError):
        f(1)
    with pytest.raises(isserlis.DomainError):
        r.lambdify("n")


def test_lambdify_takes_arrays(formulas):
    numpy = pytest.importorskip("numpy")
    f = formulas["squared_norm_variance", "L + 1"].lambdify("n", "L", "n0")
    grid = f(numpy.array([[10], [20]]), [1, 2, 3], 2)
    assert grid.shape == (2, 3) and grid[0, 2] == 9.125 and grid.dtype == float


def test_frames():
    pandas = pytest.importorskip("pandas")
    frame = isserlis.norm("n,n:L,1", input_squared_norm="n", table={"n": [8, 16], "L": range(1, 4)}).to_frame()
    assert list(frame.columns) == ["n", "L", "name", "index", "exact", "value"]
    row = frame[(frame.n == 16) & (frame.L == 2) & (frame.name == "squared_norm_variance") & (frame["index"] == "3")]
    # 12 (1 + 5/n)^L - 4 with |x|^2 = n.
    assert row.value.item() == float(12 * Fraction(21, 16) ** 2 - 4) and row.exact.item() == "1067/64"
    checked = isserlis.norm("2,10:3,1", check=1000).to_frame()
    assert {"mean", "std_error", "z", "verdict"} <= set(checked.columns) and isinstance(checked, pandas.DataFrame)
    assert isserlis.norm("n0,n:L,1").to_frame().value.isna().any()


def test_plots(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    ax = isserlis.norm("2,10:3,1").plot("squared_norm_variance", ax=plt.figure().gca())
    (line,) = ax.get_lines()
    assert list(line.get_xdata()) == [1, 2, 3, 4] and line.get_ydata()[-1] == 9.125
    ax.figure.savefig(tmp_path / "a.png")
    assert ax.get_xlabel() == "layer"
    ax = isserlis.norm("2,10:3,1", "2,20:3,1").plot("relative_variance", ax=plt.figure().gca())
    assert ax.get_xlabel() == "layer" and [list(line.get_xdata()) for line in ax.get_lines()] == [[1, 2, 3, 4]] * 2
    assert isserlis.train("2,4,1", data="cos", epochs=2).plot("loss", ax=plt.figure().gca()).get_xlabel() == "epoch"
    assert isserlis.ntk("2,n,1", table={"n": [1, 2]}).plot("ntk_mean", ax=plt.figure().gca()).get_xlabel() == "n"
    with pytest.raises(ValueError, match="nothing to draw"):
        isserlis.norm("n0,n:L,1").plot()


def test_plots_name_the_parts_of_an_index():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    def drawn(answer, name):
        ax = answer.plot(name, ax=plt.figure().gca())
        return ax.get_xlabel(), [line.get_label() for line in ax.get_lines()]

    data = "text:x1,x2,y1;1,2,1;0,1,2"
    assert drawn(isserlis.kernel("relu", data=data, depth=3), "kernel") == (
        "layer", [f"kernel, samples {pair}, unit relu" for pair in ("1,1", "1,2", "2,2")])
    assert drawn(isserlis.ntk("3,3,1", data=data, activation="linear"), "ntk_mean") == (
        "sample", ["ntk_mean, with sample 1", "ntk_mean, with sample 2"])
    assert drawn(isserlis.hessian("2,3,1"), "block") == ("layer", ["block, with layer 1", "block, with layer 2"])
    assert drawn(isserlis.norm("3:3", network="resnet:2"), "squared_norm_mean") == (
        "layer k", ["squared_norm_mean, layer k.1", "squared_norm_mean, layer k"])
    assert drawn(isserlis.norm("2,4,1", "2,5,1"), "relative_variance") == (
        "layer", ["relative_variance, 2,4,1", "relative_variance, 2,5,1"])


class _Balanced(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_notebooks_see_tables(formulas, numbers):
    for answer in (formulas, numbers, isserlis.norm("2,3,1", check=100), isserlis.list("ntk_mean")):
        reader = _Balanced()
        reader.feed(answer._repr_html_())
        assert reader.open == []
    assert formulas._repr_latex_().startswith("\\begin{align*}")
    long = isserlis.moments("2,3:80,1")
    assert long._repr_html_().count("<tr>") == 201 and f"and {len(long.results) - 200} more" in long._repr_html_()
    assert "n &gt;= 1" in formulas._repr_html_()


def test_what_is_rendered_is_what_the_format_asks(numbers):
    assert str(numbers) == numbers.render("text")
    assert str(isserlis.norm("2,3,1", format="cpp")).startswith("// isserlis norm 2,3,1 --format cpp")
    assert json.loads(numbers.render("json"))["command"] == "norm"
    with pytest.raises(isserlis.ParseError) as caught:
        numbers.render("yaml")
    assert caught.value.parameter == "format"
    test = isserlis.norm("2,3,1", emit_test="pytorch")
    assert "import torch" in test.document and str(test) == test.document


def test_answers_survive_pickling():
    answer = isserlis.norm("2,10:3,1", check=1000, seed=7)
    again = pickle.loads(pickle.dumps(answer))
    assert again == answer and again["squared_norm_mean", 4].check == answer["squared_norm_mean", 4].check
    assert str(again) == str(answer) and again.render("csv") == answer.render("csv")
    result = pickle.loads(pickle.dumps(answer["squared_norm_mean", 4]))
    assert result.exact == 1 and result.range.symbols == [] and "[Residual" in result.source


def test_checks():
    answer = isserlis.norm("2,10:3,1", check=20000, threads=2)
    check = answer["squared_norm_mean", 4].check
    assert check.samples == 20000 and abs(check.z) < 5 and check.verdict == "agrees" and answer.agrees
    assert check == isserlis.norm("2,10:3,1", check=20000, threads=1)["squared_norm_mean", 4].check
