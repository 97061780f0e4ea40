# SPDX-License-Identifier: MIT
"""A module drawn again and again, and what is measured on each draw."""
import torch

from . import UnsupportedError
from ._torch_expression import Values

#: How far what a layer reads may be from what the layers before it make, in single precision.
WIRING = 1e-4


class Measure:
    """Values of the drawn networks, by `net`, which says what the module is meant to be."""

    def __init__(self, module, net, x, with_kernel, expression, with_gradients, with_biases):
        self.module, self.net, self.x = module, net, x
        self.with_kernel, self.expression = with_kernel, expression
        self.with_gradients = with_kernel or with_gradients
        self.with_biases = with_biases
        self.linears = net.linears
        self.norms = {index: [] for index in [t.source for t in self.linears if t.source] + [len(net.nodes) - 1]}
        self.sums = [0.0] * len(self.linears)
        self.squares = [0.0] * len(self.linears)
        self.bias_sums = [0.0] * len(self.linears)
        self.bias_squares = [0.0] * len(self.linears)
        self.values = []
        self.samples = 0
        self.off = None  # (index, deviation) of what first is not as meant

    def _run(self):
        """What each Linear read and returned, and the output of the module."""
        seen = {}

        def keep(linear, given, out):
            seen[linear] = (given[0].reshape(-1), out.reshape(-1))

        hooks = [t.linear.register_forward_hook(keep) for t in self.linears]
        try:
            out = self.module(self.x.reshape(1, -1)).reshape(-1)
        finally:
            for hook in hooks:
                hook.remove()
        return seen, out

    def _neurons(self, seen):
        """z and h of each node, as the network that is meant makes them of what the Linears returned."""
        z, h = [self.x], [self.x]
        for node in self.net.nodes[1:]:
            if node.parts:
                total = torch.cat([h[p] for p in node.parts])
            else:
                total = 0
                for t in node.terms:
                    total = total + (h[t.source] if t.linear is None else t.factor / t.before * seen[t.linear][1])
            z.append(total)
            h.append(total if node.slope == 1 else torch.where(total > 0, total, node.slope * total))
        return z, h

    def _compare(self, index, got, wanted):
        """Notes the first place, as the network runs, where a value is not what it is meant to be."""
        gap, size = float((got - wanted).detach().norm()), float(wanted.detach().norm())
        # Next to nothing stays next to nothing: what is left of a sum that cancels.
        if gap > WIRING * max(size, 1e-3 * float(self.x.norm())) and self.off is None:
            self.off = (index, gap / size if size else float("inf"))

    def take(self):
        self.samples += 1
        for t in self.linears if not self.with_biases else []:
            if t.linear.bias is not None and bool((t.linear.bias != 0).any()):
                raise UnsupportedError("module: it has biases other than 0; say their variance by `bias_variance`, or let "
                                       "`initialise` zero them", "module")
        with torch.set_grad_enabled(self.with_gradients):
            seen, out = self._run()
            if any(t.linear not in seen for t in self.linears):
                raise UnsupportedError("module: its forward leaves out a Linear that it was read to have", "module")
            z, h = self._neurons(seen)
            for l, t in enumerate(self.linears):
                got, wanted = seen[t.linear][0], t.before * h[t.source]
                self._compare(l + 1, got, wanted)
                if t.source and len(self.norms[t.source]) < self.samples:
                    self.norms[t.source].append(float(got.detach().double().square().sum()) / t.before**2)
            self._compare("output", out, h[-1])
            self.norms[len(self.net.nodes) - 1].append(float(out.detach().double().square().sum()))
            weights = [t.linear.weight for t in self.linears]
            if self.with_kernel:
                gradients = torch.autograd.grad(out[0], weights, allow_unused=True)
                self.values.append(sum(float(g.double().square().sum()) for g in gradients if g is not None))
            elif self.expression is not None:
                self.values.append(Values(self._named(z, h, out), weights).of(self.expression))
        for l, w in enumerate(weights):
            w = w.detach().double()
            self.sums[l] += float(w.sum())
            self.squares[l] += float(w.square().sum())
            if (b := self.linears[l].linear.bias) is not None:
                self.bias_sums[l] += float(b.detach().double().sum())
                self.bias_squares[l] += float(b.detach().double().square().sum())

    def _named(self, z, h, out):
        named = {("z", None): z[-1], ("h", None): out}
        if self.net.nodes[-1].slope == 1:
            named["z", None] = out
        for index, node in enumerate(self.net.nodes):
            name = str(index) if self.net.is_chain else node.name
            named["z", name], named["h", name] = z[index], h[index]
        return named


def draw(module, initialise, samples, seed, measure):
    """Takes `samples` measures of the module drawn anew; the module and torch's random numbers are left as they were."""
    before = {k: v.clone() for k, v in module.state_dict().items()}
    weights = [t.linear.weight for t in measure.linears]
    needed = [w.requires_grad for w in weights]
    devices = sorted({w.device.index or 0 for w in weights if w.device.type == "cuda"})
    try:
        with torch.random.fork_rng(devices=devices):
            torch.manual_seed(seed)
            for _ in range(samples):
                with torch.no_grad():
                    initialise(module)
                for w in weights:
                    w.requires_grad_(True)
                measure.take()
    finally:
        module.load_state_dict(before)
        for w, need in zip(weights, needed):
            w.requires_grad_(need)
