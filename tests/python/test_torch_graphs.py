# SPDX-License-Identifier: MIT
"""Modules that are no chains: residual ones, with protocol or without; what is meant and what is done; expressions."""
import math
import pickle
import statistics
from fractions import Fraction

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402
from torch.nn import functional  # noqa: E402

import isserlis  # noqa: E402
import isserlis.torch  # noqa: E402


def he(module):
    for linear in (p for p in module.modules() if isinstance(p, nn.Linear)):
        nn.init.kaiming_normal_(linear.weight)
        if linear.bias is not None:
            nn.init.zeros_(linear.bias)


class Block(nn.Module):
    """x + scale W2 relu(W1 x)."""

    def __init__(self, n, scale=0.5):
        super().__init__()
        self.first, self.second, self.scale = nn.Linear(n, n), nn.Linear(n, n), scale

    def forward(self, x):
        return x + self.scale * self.second(functional.relu(self.first(x)))


class Stated(Block):
    """Does one thing in forward, and says another."""

    slope, done = 0.0, 0.5

    def forward(self, x):
        return x + self.done * self.second(functional.leaky_relu(self.first(x), self.slope))

    def isserlis_forward(self, x):
        return x + self.scale * self.second(torch.relu(self.first(x)))


class Wide(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.out = nn.Linear(3, 4), nn.Linear(3, 5), nn.Linear(9, 2)

    def forward(self, x):
        return self.out(torch.cat([torch.relu(self.a(x)), functional.leaky_relu(self.b(x / 2), 0.5)], dim=1))


def residual(block, depth=3, n=12):
    return nn.Sequential(nn.Linear(4, n), *(block(n) for _ in range(depth)), nn.Linear(n, 2))


def disagreeing(report):
    return {(r.name, r.index) for r in report if r.verdict == "disagrees"}


def test_a_residual_block_by_hand():
    graph = isserlis.torch.network(Block(3, math.sqrt(0.5))).graph(["2/3", "2/3"])
    # y = x + a W2 relu(W1 x): E|y|^2 = |x|^2 (1 + a^2 3 v (3 v)/2), where v = 2/3 and a^2 = 1/2.
    assert isserlis.expect("h[i]^2", network=graph, input_squared_norm=1)["value"].exact == Fraction(2)


@pytest.mark.parametrize("module", [
    residual(Block), residual(Stated), Wide(),
    nn.Sequential(nn.Linear(4, 8), isserlis.torch.Residual(nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8)), 0.25)),
    nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 8), nn.Linear(8, 2)),
], ids=["block", "stated", "wide", "residual", "gaps"])
@pytest.mark.parametrize("quantity", ["norm", "ntk", "z[i]^2", "z[1;m]^2", "3*(z[1]^2 - 1/2)^2"])
def test_right_code_passes(module, quantity):
    variance = "2/fan_in" if isinstance(module, Wide) else None
    if quantity == "ntk" and isinstance(module[-1] if isinstance(module, nn.Sequential) else None, isserlis.torch.Residual):
        with pytest.raises(isserlis.UnsupportedError, match="outputs"):
            isserlis.torch.check(module, quantity, initialise=he)
        return
    report = isserlis.torch.check(module, quantity, initialise=he, variance=variance, samples=300)
    assert report and len(report) > 4, report
    assert all(abs(r.z) < 6 for r in report)


def test_wrong_factors_of_variances_in_graphs_are_found():
    def initialise(module):
        he(module)
        with torch.no_grad():
            module[2].second.weight.mul_(math.sqrt(1.1))

    assert ("weight_variance", 5) in disagreeing(isserlis.torch.check(residual(Block, n=24), initialise=initialise))


def test_a_missing_scale_is_found():
    module = residual(lambda n: Block(n, 1.0))
    assert isserlis.torch.check(module, initialise=he)
    report = isserlis.torch.check(module, initialise=he, residual_scale=Fraction(1, 2))
    assert ("wiring", 4) in disagreeing(report)
    forgotten = residual(Stated)
    for block in forgotten[1:4]:
        block.done = 1.0
    assert ("wiring", 4) in disagreeing(isserlis.torch.check(forgotten, initialise=he))


def test_a_slope_that_is_not_the_stated_one_is_found():
    module = residual(Stated)
    module[1].slope = 0.1
    assert ("wiring", 3) in disagreeing(isserlis.torch.check(module, initialise=he))


def test_shared_and_unreadable_modules_are_refused():
    class Twice(Block):
        def forward(self, x):
            return self.first(torch.relu(self.first(x)))

    class Branching(Block):
        def forward(self, x):
            return self.first(x) if x.sum() > 0 else self.second(x)

    class Gated(Block):
        def forward(self, x):
            return torch.relu(x + self.second(self.first(x)))

    for module in (Twice(3), Branching(3), Gated(3), nn.Sequential(nn.Linear(3, 3), nn.Softmax(dim=1))):
        with pytest.raises(isserlis.UnsupportedError) as caught:
            isserlis.torch.network(module)
        assert caught.value.parameter == "module"


def test_expressions_have_the_exact_values_of_the_program():
    module = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
    row = isserlis.torch.check(module, "z[1;m]^2", initialise=he, input=[1.0, 0.0])[-1]
    assert row.exact == float(isserlis.expect("z[1;m]^2", "2,3,1")["value"])
    for text in ("loss^2", "w[i]*z[i]", "E[z^2]^2", "z^2 where m in 2"):
        with pytest.raises(isserlis.UnsupportedError):
            isserlis.torch.check(module, text, initialise=he)
    with pytest.raises(isserlis.DomainError):
        isserlis.torch.check(module, "norms", initialise=he)


def test_assert_initialisation_draws_what_its_power_takes():
    module = nn.Sequential(nn.Linear(10, 30), nn.ReLU(), nn.Linear(30, 5))
    report = isserlis.torch.assert_initialisation(module, initialise=he, detects=0.1)
    assert all(r.detects <= 0.1 for r in report if r.name == "weight_variance")

    def wrong(m):
        he(m)
        with torch.no_grad():
            m[2].weight.mul_(math.sqrt(1.1))

    found = 0
    for seed in range(30):
        try:
            isserlis.torch.assert_initialisation(module, initialise=wrong, detects=0.1, seed=seed)
        except AssertionError as error:
            found += "weight_variance" in str(error)
    assert found >= 29
    with pytest.raises(isserlis.DomainError):
        isserlis.torch.assert_initialisation(module, detects=0)


def test_z_of_graphs_is_standard_normal_over_seeds():
    module, rows = residual(Block, 2, 8), {}
    for seed in range(60):
        for r in isserlis.torch.check(module, samples=60, initialise=he, seed=seed):
            rows.setdefault((r.name, r.index), []).append(r.z)
    for key, zs in rows.items():
        if key[0] != "wiring":
            assert abs(statistics.fmean(zs)) < 5 / math.sqrt(60), key
    assert 0.7 < statistics.fmean(z * z for k, zs in rows.items() if k[0] != "wiring" for z in zs) < 1.3


def test_reports_and_networks_pickle():
    report = isserlis.torch.check(residual(Block), samples=30, initialise=he)
    assert pickle.loads(pickle.dumps(report)) == report


def test_measured_steps_agree_with_exact_ones():
    def factory(n):
        module = nn.Sequential(nn.Linear(4, n, bias=False), nn.ReLU(), nn.Linear(n, n, bias=False), nn.ReLU(),
                               nn.Linear(n, 1, bias=False))
        he(module)
        return module

    torch.manual_seed(9)
    expected = torch.rand(1)
    torch.manual_seed(9)
    run = isserlis.torch.measure(factory, [8, 16], samples=400)
    assert torch.equal(torch.rand(1), expected)
    answer = isserlis.coord_check("4,n,n,1", measured=run, input_squared_norm=4, scheme="he", eta="1/100")
    assert answer.agrees and len(answer.results) == 36
    roots = [r.check for r in answer.results if r.name.endswith("_rms")]
    assert len(roots) == 18 and all(abs(c.z) < 4.5 for c in roots)
    assert sum(c.verdict == "agrees" for c in roots) >= 12  # changes of narrow layers are inconclusive
    # Another rate is another step.
    assert not isserlis.coord_check("4,n,n,1", measured=run, input_squared_norm=4, scheme="he", eta="1/50").agrees
    with pytest.raises(isserlis.DomainError):
        isserlis.torch.measure(factory, [8], samples=1)
