# SPDX-License-Identifier: MIT
"""The faults that isserlis.torch.check is for, at its usual cost, in modules of several kinds that are right without."""
import math

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402
from torch.nn import functional  # noqa: E402

import isserlis.torch  # noqa: E402


def he(module):
    for linear in (p for p in module.modules() if isinstance(p, nn.Linear)):
        nn.init.kaiming_normal_(linear.weight)
        nn.init.zeros_(linear.bias)


def he_by_outputs(module):
    for linear in (p for p in module.modules() if isinstance(p, nn.Linear)):
        nn.init.kaiming_normal_(linear.weight, mode="fan_out")
        nn.init.zeros_(linear.bias)


def chain(gate=nn.ReLU):
    return nn.Sequential(nn.Linear(10, 32), gate(), nn.Linear(32, 32), gate(), nn.Linear(32, 4))


def residual(gate=nn.ReLU, scale=0.5):
    def branch():
        return isserlis.torch.Residual(nn.Sequential(nn.Linear(16, 16), gate(), nn.Linear(16, 16)), scale)

    return nn.Sequential(nn.Linear(6, 16), branch(), branch(), nn.Linear(16, 3))


class Followed(nn.Module):
    """Branches, a skip and a concatenation, which torch.fx follows; says nothing of itself."""

    def __init__(self, slope=0.0, scale=0.5):
        super().__init__()
        self.left, self.right = nn.Linear(8, 16), nn.Linear(8, 16)
        self.block, self.out = nn.Linear(32, 32), nn.Linear(32, 3)
        self.slope, self.scale = slope, scale

    def forward(self, x):
        both = torch.cat([self._gate(self.left(x)), self._gate(self.right(x))], dim=-1)
        return self.out(both + self.scale * self.block(both))

    def _gate(self, z):
        return functional.leaky_relu(z, self.slope) if self.slope else functional.relu(z)


def modules():
    """What makes right modules, by name."""
    return {"chain": chain, "residual": residual, "followed": Followed}


def off(layer, share):
    """He's initialisation with the variance of one layer off by a factor."""

    def initialise(module):
        he(module)
        linears = [p for p in module.modules() if isinstance(p, nn.Linear)]
        linears[layer].weight.mul_(math.sqrt(share))

    return initialise


def leaky():
    return nn.LeakyReLU(0.1)


def check(module, initialise=he, **keywords):
    return lambda seed=1: isserlis.torch.check(module, initialise=initialise, seed=seed, **keywords)


#: {fault: its report under a seed}
FAULTS = {
    "chain, swapped fans": check(chain(), he_by_outputs),
    "residual, swapped fans": check(residual(), he_by_outputs),
    "followed, swapped fans": check(Followed(), he_by_outputs),
    "chain, slope 0.1 for 0": check(chain(leaky), activation="relu"),
    "residual, slope 0.1 for 0": check(residual(leaky), activation="relu"),
    "followed, slope 0.1 for 0": check(Followed(0.1), activation="relu"),
    "residual, scale missing": check(residual(scale=1.0), residual_scale=0.5),
    "followed, scale missing": check(Followed(scale=1.0), residual_scale=0.5),
    **{f"{name}, variance {share} of layer {layer + 1}": check(make(), off(layer, share))
       for name, make, layers in (("chain", chain, 3), ("residual", residual, 6), ("followed", Followed, 4))
       for layer in range(layers) for share in (0.9, 1.1)},
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_found(fault):
    report = FAULTS[fault]()
    assert not report.agrees, f"\n{report}"


@pytest.mark.parametrize("name", modules())
@pytest.mark.parametrize("quantity", ["norm", "ntk", "z[1;m]^2"])
def test_without_them_all_agrees(name, quantity):
    report = isserlis.torch.check(modules()[name](), quantity, initialise=he, samples=300)
    assert report.agrees, f"\n{report}"
