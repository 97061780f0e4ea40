# SPDX-License-Identifier: MIT
import inspect
import pathlib
from decimal import Decimal
from fractions import Fraction

import isserlis
import pytest
from isserlis import _arguments


def line(answer):
    return answer.command_line


def test_each_command_is_a_function(program):
    import subprocess

    listed = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    commands = [row.split()[0] for row in listed.split("Commands:")[1].split("Options of")[0].splitlines()
                if row.startswith("  ") and row[2] != " "]
    # Scripts for shells and pages for man are about the program.
    assert {c.replace("-", "_") for c in commands} - {"completion", "manual"} == set(isserlis.commands)
    for name in isserlis.commands:
        function = getattr(isserlis, name)
        signature = inspect.signature(function)
        assert "digits" in signature.parameters and function.__doc__.count("\n") > 20
        for keyword in signature.parameters:
            assert keyword.isidentifier() and keyword in function.__doc__


def test_docstrings_say_what_results_are():
    doc = isserlis.ntk.__doc__
    assert "ntk_mean" in doc and "formula: E K_oo" in doc and "source: docs/formulas/ntk_moments.md" in doc


@pytest.mark.parametrize("widths", ["4,8,8,2", [4, 8, 8, 2], (4, 8, 8, 2), ["4", "8:2", 2]])
def test_widths(widths):
    assert isserlis.ntk(widths, scheme="ntk")["ntk_mean"].exact == Fraction(3, 16)


def test_several_networks():
    assert line(isserlis.scaling_factor([2, 10, 1], "2,20,1")) == "isserlis scaling-factor 2,10,1 2,20,1"


def test_symbols_of_sympy():
    sympy = pytest.importorskip("sympy")
    n, L, s = sympy.symbols("n L s")
    answer = isserlis.norm([n, f"{n}:{L}", 1], input_squared_norm=n**2 / 2, variance=1 / n)
    assert line(answer) == "isserlis norm n,n:L,1 --input-squared-norm 'n^2/2' --variance 1/n"


@pytest.mark.parametrize("value, text", [(2, "2"), (0.1, "0.1"), (1e-7, "1e-07"), (Fraction(1, 3), "1/3"),
                                         (Decimal("2.50"), "2.50"), (Decimal("1E+3"), "1e3"), (1e22, "1e+22"), ("3/4", "3/4")])
def test_numbers_are_taken_exactly(value, text):
    answer = isserlis.norm("2,3,1", input_squared_norm=value)
    assert answer.inputs["input_squared_norm"] == text
    # The mean of |z|^2 is |x|^2 * 2/2 for one output of a network 2,3,1.
    assert answer["squared_norm_mean", 2].exact == Fraction(Decimal(str(value)) if isinstance(value, float) else value)


def test_arrays():
    numpy = pytest.importorskip("numpy")
    assert isserlis.norm("2,3,1", input=numpy.array([0.5, 2]))["squared_norm_mean", 2].exact == Fraction(17, 4)
    assert isserlis.norm("2,3,1", input=numpy.array([1, 2]))["squared_norm_mean", 2].exact == 5
    assert isserlis.norm(numpy.array([2, 3, 1]), input_squared_norm=numpy.float64(0.1)).inputs["input_squared_norm"] == "0.1"
    several = isserlis.hessian("2,3,1", input=[[1, 2], [Fraction(1, 3), 0.5]])
    assert any("2 inputs" in a or "inputs" in a for a in several.assumptions)


def test_dictionaries_and_ranges():
    assert line(isserlis.norm("n,n:L,1", set={"n": 4, "L": Fraction(3)}, layer="L+1")).startswith(
        "isserlis norm n,n:L,1 ")
    assert isserlis.norm("n,n:L,1", set={"n": 10, "L": 3})["squared_norm_variance", 4].exact == Fraction(73, 200)
    answer = isserlis.norm("n,n:L,1", table={"n": range(2, 9, 3), "L": [1, 2]})
    assert answer.to_frame().n.unique().tolist() == [2, 5, 8]
    answer = isserlis.trace("tr(A A^T B B^T)", shape={"A": ("a", "b"), "B": ("a", 2)}, law={"A": "gaussian", "B": "uniform"})
    # E tr(A A^T B B^T) = sum of E (A A^T)_ij E (B B^T)_ji = a b 2.
    assert answer["value"].text == "2*a*b"
    assert line(isserlis.mup(depths=range(2, 5), width_list=[16, 32])) == "isserlis mup --depths 2..4 --widths 16,32"


def test_flags():
    assert "--effective" in line(isserlis.hessian("4,8,2", effective=True))
    assert "--effective" not in line(isserlis.hessian("4,8,2", effective=False))
    with pytest.raises(TypeError, match="effective: True or False"):
        isserlis.hessian("4,8,2", effective="yes")


def test_dictionaries_as_json():
    # x^T B^T B y with i = 1 and all else as in docs/library.md.
    given = {"i": 1, "x": [1, 2], "y": [-1, 3], "w": [1, -2], "v": [3, 1]}
    assert isserlis.form("A.9", "2,3,2", with_=given)["value"].exact == 15


def test_data(tmp_path):
    numpy = pytest.importorskip("numpy")
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "d.csv"
    path.write_text("x1,x2,y1\n0.5,1/3,2\n-1,2e-2,0.25\n3,4,1\n")
    options = dict(activation="linear", gradient="random")
    expected = isserlis.loss_curve("3,4,1", data=path, **options).results
    frame = pandas.DataFrame({"x1": [0.5, -1, 3], "x2": [Fraction(1, 3), 0.02, 4], "y1": [2, 0.25, 1]})
    assert isserlis.loss_curve("3,4,1", data=frame, **options).results == expected
    columns = {"x1": [0.5, -1, 3], "x2": ["1/3", 0.02, 4], "y1": numpy.array([2, 0.25, 1])}
    assert isserlis.loss_curve("3,4,1", data=columns, **options).results == expected
    pair = ([[0.5, Fraction(1, 3)], [-1, 0.02], [3, 4]], [2, 0.25, 1])
    assert isserlis.loss_curve("3,4,1", data=pair, **options).results == expected
    arrays = (numpy.array([[1.5, 2], [3, 4]]), numpy.array([1.0, 2]))
    assert isserlis.loss_curve("3,4,1", data=arrays, **options)["slope", 1].exact is not None
    with pytest.raises(isserlis.DomainError, match="3 inputs, but 1 targets"):
        isserlis.loss_curve("3,4,1", data=([[1], [2], [3]], [1]), **options)
    with pytest.raises(TypeError, match="data: a file"):
        isserlis.loss_curve("3,4,1", data=3, **options)


def test_paths(tmp_path):
    saved = tmp_path / "w.json"
    isserlis.train("2,4,1", data="cos", epochs=2, save=saved)
    assert saved.exists()
    assert isserlis.loss_curve(weights=saved, data="cos", gradient="random").results


def test_files_are_gone_after_the_call():
    with _arguments.Files() as files:
        path = pathlib.Path(files.write("a.csv", "x"))
        assert path.read_text() == "x"
    assert not path.parent.exists()


@pytest.mark.parametrize(
    "kind, parameter, call",
    [
        (isserlis.DomainError, "order", lambda: isserlis.norm("2,3,1", order=0)),
        (isserlis.ParseError, "activation", lambda: isserlis.norm("2,3,1", activation="rlu")),
        (isserlis.DomainError, "input", lambda: isserlis.norm("2,3,1", input=[1, 2, 3])),
        (isserlis.DomainError, "input_squared_norm", lambda: isserlis.norm("2,3,1", input_squared_norm=float("nan"))),
        (isserlis.ParseError, "query", lambda: isserlis.expect("z[", "2,3,1")),
        (isserlis.ParseError, "widths", lambda: isserlis.norm()),
        (isserlis.ParseError, "with_", lambda: isserlis.form("A.9", "2,3,2", with_="no such file")),
        (isserlis.UnsupportedError, "network", lambda: isserlis.normalised("2,2,2", network="densenet")),
    ],
)
def test_errors_name_the_keyword(kind, parameter, call):
    with pytest.raises(kind) as caught:
        call()
    assert caught.value.parameter == parameter and isinstance(caught.value, isserlis.Error)
    assert "--" not in str(caught.value)


def test_wrong_calls():
    with pytest.raises(TypeError, match="widht"):
        isserlis.norm("2,3,1", widht=3)
    with pytest.raises(TypeError, match="query"):
        isserlis.expect()
    with pytest.raises(TypeError, match="order: a number or text is required, not True"):
        isserlis.norm("2,3,1", order=True)
    with pytest.raises(TypeError, match="order: object is no number"):
        isserlis.norm("2,3,1", order=object())
