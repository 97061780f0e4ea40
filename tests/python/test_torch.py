# SPDX-License-Identifier: MIT
import math
import re
import statistics

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import isserlis  # noqa: E402
import isserlis.torch  # noqa: E402


def sequential(*widths, gate=nn.ReLU, bias=True):
    parts = []
    for a, b in zip(widths, widths[1:]):
        parts += [nn.Linear(a, b, bias=bias), gate()]
    return nn.Sequential(*parts[:-1])


def he(module, share=1.0, layer=0, mode="fan_in"):
    linears = [p for p in module.modules() if isinstance(p, nn.Linear)]
    for l, linear in enumerate(linears):
        nn.init.kaiming_normal_(linear.weight, mode=mode)
        if l == layer:
            linear.weight.mul_(math.sqrt(share))
        if linear.bias is not None:
            nn.init.zeros_(linear.bias)


def verdicts(report):
    return {(r.name, r.index) for r in report if r.verdict == "disagrees"}


def test_networks():
    net = isserlis.torch.network(nn.Sequential(sequential(4, 8, 8), nn.Identity(), nn.ReLU(), nn.Linear(8, 2)))
    assert (net.widths, net.activation, net.head) == ([4, 8, 8, 2], "relu", "linear")
    net = isserlis.torch.network(nn.Sequential(nn.Linear(4, 8), nn.LeakyReLU(0.1), nn.Linear(8, 2), nn.LeakyReLU(0.1)))
    assert (net.activation, net.head) == ("leaky:0.1", "activation")
    assert isserlis.torch.network(nn.Linear(3, 2)).activation == "linear"


@pytest.mark.parametrize(
    "module",
    [
        nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2)),
        nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.5), nn.Linear(8, 2)),
        nn.Sequential(nn.ReLU(), nn.Linear(8, 2)),
        nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.ReLU()),
        nn.Sequential(nn.Identity()),
        nn.Conv1d(1, 1, 1),
    ],
)
def test_what_is_not_served(module):
    with pytest.raises(isserlis.UnsupportedError) as caught:
        isserlis.torch.network(module)
    assert caught.value.parameter == "module"


def test_shared_weights_are_refused():
    linear = nn.Linear(4, 4)
    with pytest.raises(isserlis.UnsupportedError, match="share"):
        isserlis.torch.network(nn.Sequential(linear, nn.ReLU(), linear))


def test_exact_values_are_those_of_the_commands():
    report = isserlis.torch.check(sequential(2, 10, 10, 10, 1), samples=30, initialise=he, input=[1.0, 0.0])
    norm = isserlis.norm("2,10:3,1")  # |x|^2 = 1
    row = next(r for r in report if (r.name, r.index) == ("squared_norm", 4))
    assert row.exact == 1 and row.std_error == math.sqrt(float(norm["squared_norm_variance", 4]) / 30)
    report = isserlis.torch.check(sequential(4, 8, 8, 2), "ntk", samples=30, initialise=he, input=[1.0, 0, 0, 0])
    assert report[-1].exact == float(isserlis.ntk("4,8,8,2")["ntk_mean"])


@pytest.mark.parametrize("quantity", ["norm", "ntk"])
@pytest.mark.parametrize("gate", [nn.ReLU, lambda: nn.LeakyReLU(0.25), nn.Identity])
def test_right_modules_pass(quantity, gate):
    gains = {nn.ReLU: 2.0, nn.Identity: 1.0}

    def initialise(module):
        for linear in (p for p in module.modules() if isinstance(p, nn.Linear)):
            nn.init.normal_(linear.weight, std=math.sqrt(gains.get(gate, 2 / (1 + 0.0625)) / linear.in_features))

    module = sequential(6, 40, 40, 3, gate=gate, bias=False)
    report = isserlis.torch.check(module, quantity, samples=400, initialise=initialise, input=range(6))
    assert report.agrees and report, report


def test_pytorchs_own_initialisation_passes():
    assert isserlis.torch.check(sequential(10, 64, 64, 3)).agrees
    # Claimed to be He's, it does not.
    assert not isserlis.torch.check(sequential(10, 64, 64, 3), scheme="he").agrees


@pytest.mark.parametrize("layer", [0, 1, 2])
@pytest.mark.parametrize("share", [0.9, 1.1])
def test_a_variance_off_by_a_tenth_is_found(layer, share):
    module = sequential(10, 30, 30, 5)
    report = isserlis.torch.check(module, initialise=lambda m: he(m, share, layer))
    assert ("weight_variance", layer + 1) in verdicts(report)


def test_swapped_fans_are_found():
    report = isserlis.torch.check(sequential(10, 30, 30, 5), initialise=lambda m: he(m, mode="fan_out"))
    assert verdicts(report) >= {("weight_variance", 1), ("weight_variance", 3), ("squared_norm", 1)}


def test_another_slope_is_found():
    module = sequential(10, 30, 5, gate=lambda: nn.LeakyReLU(0.1))
    assert ("activation", "") in verdicts(isserlis.torch.check(module, initialise=he, activation="relu"))


def test_weights_that_depend_on_one_another_are_found():
    def same_rows(module):
        he(module)
        for linear in (p for p in module.modules() if isinstance(p, nn.Linear)):
            linear.weight.copy_(torch.randn(linear.in_features).mul(math.sqrt(2 / linear.in_features)).expand_as(linear.weight))

    assert not isserlis.torch.check(sequential(10, 30, 30, 5), initialise=same_rows).agrees


def test_biases_are_refused():
    def with_biases(module):
        for linear in (p for p in module.modules() if isinstance(p, nn.Linear)):
            linear.reset_parameters()

    with pytest.raises(isserlis.UnsupportedError, match="biases"):
        isserlis.torch.check(sequential(3, 4, 1), initialise=with_biases)


OWN_BIASES = {"bias_variance": "1/(3*fan_in)", "bias_law": "uniform"}


@pytest.mark.parametrize("quantity", ["norm", "ntk", "z[i]^2"])
def test_pytorchs_own_biases_pass(quantity):
    report = isserlis.torch.check(sequential(6, 20, 20, 3), quantity, input=range(6), samples=400, **OWN_BIASES)
    assert report.agrees and {"bias_mean", "bias_variance"} <= {row.name for row in report}, report


def test_gaussian_biases_pass_in_chains_and_residual_blocks():
    def initialise(module):
        he(module)
        for linear in (p for p in module.modules() if isinstance(p, nn.Linear)):
            nn.init.normal_(linear.bias, std=0.5)

    chain = sequential(4, 16, 16, 2)
    block = isserlis.torch.Residual(sequential(8, 8, 8), 0.5)
    for module in (chain, nn.Sequential(nn.Linear(4, 8), block, nn.Linear(8, 1))):
        report = isserlis.torch.check(module, initialise=initialise, bias_variance="1/4", samples=400)
        assert report.agrees, report
    report = isserlis.torch.check(chain, initialise=initialise, bias_variance="1/4", samples=30)
    norm = isserlis.norm([4, 16, 16, 2], bias_variance="1/4", input=[1, 1, 1, 1])
    assert next(r for r in report if (r.name, r.index) == ("squared_norm", 2)).exact == float(norm["squared_norm_mean", 2])


def test_biases_that_are_not_as_meant_are_found():
    module = sequential(6, 20, 20, 3)
    found = verdicts(isserlis.torch.check(module, bias_variance="1/fan_in", bias_law="uniform"))
    assert {("bias_variance", 1), ("bias_variance", 2), ("bias_variance", 3), ("squared_norm", 3)} <= found
    # Meant to have none in its last layer.
    assert ("bias_variance", 3) in verdicts(isserlis.torch.check(
        module, bias_variance=["1/(3*fan_in)", "1/(3*fan_in)", 0], bias_law="uniform"))
    with pytest.raises(isserlis.DomainError, match="2 values for 3 Linear"):
        isserlis.torch.check(module, bias_variance=[1, 2])
    with pytest.raises(isserlis.DomainError, match="without `bias_variance`"):
        isserlis.torch.check(module, bias_law="uniform")


def test_nothing_else_changes():
    module = sequential(3, 4, 1)
    module[0].weight.requires_grad_(False)
    before = {k: v.clone() for k, v in module.state_dict().items()}
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    first = isserlis.torch.check(module, "ntk", samples=50, initialise=he)
    assert torch.equal(torch.rand(2), expected)
    assert all(torch.equal(v, before[k]) for k, v in module.state_dict().items())
    assert not module[0].weight.requires_grad and module[2].weight.requires_grad
    assert first == isserlis.torch.check(module, "ntk", samples=50, initialise=he)
    assert first != isserlis.torch.check(module, "ntk", samples=50, initialise=he, seed=2)


def test_bad_arguments():
    module = sequential(3, 4, 1)
    for name, value in (("samples", 2), ("law", "cauchy"), ("input", [1.0]), ("scheme", "hee")):
        with pytest.raises(isserlis.Error) as caught:
            isserlis.torch.check(module, **{name: value})
        assert caught.value.parameter == name
    with pytest.raises(isserlis.DomainError):
        isserlis.torch.check(module, "jacobian")


def test_what_is_vague_is_called_so():
    report = isserlis.torch.check(sequential(2, *[3] * 12, 1), samples=100, initialise=he)
    assert next(r for r in report if (r.name, r.index) == ("squared_norm", 13)).verdict == "inconclusive"


def test_z_is_standard_normal_over_seeds():
    module = sequential(4, 16, 16, 2)
    rows = {}
    for seed in range(60):
        report = isserlis.torch.check(module, samples=60, initialise=he, seed=seed)
        assert report.agrees, report
        for r in report:
            rows.setdefault((r.name, r.index), []).append(r.z)
    for key, zs in rows.items():
        # 60 values: five standard errors of mean and of spread, the latter for kurtosis up to 6.
        assert abs(statistics.fmean(zs)) < 5 / math.sqrt(60), key
        assert abs(statistics.pvariance(zs) - 1) < 5 * math.sqrt(5 / 60), key
    # A standard error twice too large would be seen.
    assert statistics.fmean(z * z for zs in rows.values() for z in zs) > 0.7


def test_the_example_of_the_documentation(root):
    examples = re.findall(r"```python\n((?!>>>).*?)```", (root / "docs/python.md").read_text(), re.S)
    names = {}
    for example in examples:
        exec(example, names)
    tests = [names[n] for n in names if n.startswith("test_")]
    assert len(tests) == len(examples) == 3
    for test in tests:
        test()


def test_the_power_that_is_stated():
    module = sequential(10, 64, 3)
    found = sum(not isserlis.torch.check(module, samples=100, seed=seed, initialise=lambda m: he(
        m, 1 + 9 * math.sqrt(2 / (100 * 640)))).agrees for seed in range(40))
    assert found >= 39
