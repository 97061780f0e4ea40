#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes optimisers.json: parameters after ten full-batch steps of PyTorch's optimisers, in double.

The network is 2-4-3 with tanh and biases under cross-entropy. Weight decay is on weights only, by parameter groups.
Debian's python3-torch (1.13) is enough.

usage: optimisers.py > optimisers.json
"""
import json
import random

import torch
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)
random.seed(41)


def normals(*shape):
    return torch.tensor([random.gauss(0, 1) for _ in range(torch.Size(shape).numel())]).reshape(shape)


x, classes = normals(12, 2), [random.randrange(3) for _ in range(12)]
y = F.one_hot(torch.tensor(classes), 3).double()
start = [normals(4, 2), normals(3, 4), normals(4), normals(3)]  # W^1, W^2, b^1, b^2


def run(make, clip=None, l1=0.0, l2=0.0, rate_of_step=None, frozen_first=False, steps=10):
    theta = [p.clone().requires_grad_() for p in start]
    optimiser = make(theta)
    for step in range(steps):
        if rate_of_step:
            for group in optimiser.param_groups:
                group['lr'] = rate_of_step(step)
        optimiser.zero_grad()
        w1, w2, b1, b2 = theta
        z = torch.tanh(x @ w1.T + b1) @ w2.T + b2
        loss = -(y * F.log_softmax(z, 1)).sum(1).mean()
        loss = loss + l1 * (w1.abs().sum() + w2.abs().sum()) + l2 * ((w1 ** 2).sum() + (w2 ** 2).sum())
        loss.backward()
        if clip == 'coordinate':
            torch.nn.utils.clip_grad_value_(theta, 0.05)
        elif clip:
            length = torch.sqrt(sum((p.grad ** 2).sum() for p in theta))
            for p in theta:
                p.grad *= 0.1 / length if clip == 'fixed-norm' or length > 0.1 else 1
        if frozen_first:
            w1.grad = b1.grad = None
        optimiser.step()
    return torch.cat([p.detach().flatten() for p in theta]).tolist()


def groups(decay):
    return lambda theta: [{'params': theta[:2], 'weight_decay': decay}, {'params': theta[2:], 'weight_decay': 0.0}]


o = torch.optim
cases = {
    'descent': run(lambda t: o.SGD(t, lr=0.5)),
    'descent with decay': run(lambda t: o.SGD(groups(0.1)(t), lr=0.5)),
    'momentum': run(lambda t: o.SGD(t, lr=0.2, momentum=0.9)),
    'rmsprop': run(lambda t: o.RMSprop(t, lr=0.02, alpha=0.95, eps=1e-6)),
    'adam': run(lambda t: o.Adam(t, lr=0.05, betas=(0.8, 0.99), eps=1e-6)),
    'adam with decay': run(lambda t: o.AdamW(groups(0.1)(t), lr=0.05, betas=(0.8, 0.99), eps=1e-6)),
    'penalties': run(lambda t: o.SGD(t, lr=0.5), l1=0.01, l2=0.02),
    'coordinate': run(lambda t: o.SGD(t, lr=0.5), clip='coordinate'),
    'norm': run(lambda t: o.SGD(t, lr=0.5), clip='norm'),
    'fixed-norm': run(lambda t: o.SGD(t, lr=0.5), clip='fixed-norm'),
    'drop': run(lambda t: o.SGD(t, lr=0.5), rate_of_step=lambda i: 0.5 * 0.3 ** (i // 3)),
    'inverse': run(lambda t: o.SGD(t, lr=0.5), rate_of_step=lambda i: 0.5 / (1 + 0.2 * i)),
    'frozen first layer': run(lambda t: o.Adam(t, lr=0.05, betas=(0.8, 0.99), eps=1e-6), frozen_first=True),
}
print(json.dumps({'inputs': x.T.tolist(), 'targets': y.T.tolist(),
                  'start': torch.cat([p.flatten() for p in start]).tolist(), 'cases': cases}, indent=0))
