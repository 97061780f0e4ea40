# SPDX-License-Identifier: MIT
"""T8 over PyTorch: the step of ../training_step_bench.cpp, of 784,256,256,10 at 128 samples. The check value is the loss
after 10 steps."""
import numpy as np
import torch
from measure import measure

SAMPLES, CLASSES = 128, 10


class Training:
    def __init__(self, dtype):
        layers = [torch.nn.Linear(a, b) for a, b in ((784, 256), (256, 256), (256, CLASSES))]
        self.net = torch.nn.Sequential(layers[0], torch.nn.ReLU(), layers[1], torch.nn.ReLU(), layers[2]).to(dtype)
        at = 0
        with torch.no_grad():  # all weights, then all biases
            for p in [layer.weight for layer in layers] + [layer.bias for layer in layers]:
                values = 0.3 * np.sin(np.arange(at, at + p.numel(), dtype=np.float64))
                p.copy_(torch.from_numpy(values.reshape(tuple(p.shape))))
                at += p.numel()
        inputs = np.sin(3 * np.arange(784 * SAMPLES, dtype=np.float64)).reshape(784, SAMPLES).T
        self.inputs = torch.from_numpy(inputs.copy()).to(dtype)
        self.classes = torch.arange(SAMPLES) % CLASSES
        self.optimiser = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def step(self):
        self.optimiser.zero_grad()
        loss = torch.nn.functional.cross_entropy(self.net(self.inputs), self.classes)
        loss.backward()
        self.optimiser.step()
        return loss.item()


def main():
    torch.set_num_threads(1)
    for case, dtype in (("double", torch.float64), ("float", torch.float32)):
        checked = Training(dtype)
        for _ in range(10):
            checked.step()
        value = f"{checked.step():.3f}"
        measure("T8 training step", case, "PyTorch", Training(dtype).step, lambda _, v=value: v)


if __name__ == "__main__":
    main()
