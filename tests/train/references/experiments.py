#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes experiments.json: softmax regression and Hessian eigenvalues of small networks by PyTorch, in double.

The classifier is trained by Newton's method on torch.autograd's Hessian, to a gradient below 1e-13. Eigenvalues are
those of the full Hessian of the mean loss by all parameters, W^1, W^2, b^1, b^2 row by row; of the scaled one, with
label factors by layer. Debian's python3-torch (1.13) is enough.

usage: experiments.py > experiments.json
"""
import json
import random

import torch
from torch.autograd.functional import hessian
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)
random.seed(43)


def normals(*shape):
    return torch.tensor([random.gauss(0, 1) for _ in range(torch.Size(shape).numel())]).reshape(shape)


x, classes = normals(30, 3), [random.randrange(4) for _ in range(30)]
y = F.one_hot(torch.tensor(classes), 4).double()


def cross_entropy(z):
    return -(y * F.log_softmax(z, 1)).sum(1).mean()


def regression(theta):
    return cross_entropy(x @ theta[:12].reshape(4, 3).T + theta[12:])


theta = torch.zeros(16)
for _ in range(50):
    g = torch.autograd.functional.jacobian(regression, theta)
    theta = theta - torch.linalg.pinv(hessian(regression, theta), hermitian=True) @ g
assert torch.autograd.functional.jacobian(regression, theta).norm() < 1e-13
right = (x @ theta[:12].reshape(4, 3).T + theta[12:]).argmax(1).tolist()
accuracy = sum(a == b for a, b in zip(right, classes)) / 30

units = {'tanh': torch.tanh, 'softplus': F.softplus, 'relu': F.relu, 'gelu': F.gelu}
losses = {'cross-entropy': cross_entropy,
          'squared': lambda z: ((z - y) ** 2).sum(1).mean(),
          'binary-cross-entropy': lambda z: F.binary_cross_entropy_with_logits(z, y, reduction='none').sum(1).mean()}
start = normals(15 + 20 + 5 + 4)  # W^1 5 x 3, W^2 4 x 5, b^1, b^2
factors = torch.tensor([0.25] * 15 + [2.0] * 20 + [0.25] * 5 + [2.0] * 4)
eigenvalues = {}
for unit, f in units.items():
    for loss, of in losses.items():
        def value(p):
            w1, w2, b1, b2 = p[:15].reshape(5, 3), p[15:35].reshape(4, 5), p[35:40], p[40:]
            return of(f(x @ w1.T + b1) @ w2.T + b2)
        h = hessian(value, start)
        root = factors.sqrt()
        ends = [torch.linalg.eigvalsh(m)[[0, -1]].tolist() for m in (h, root[:, None] * h * root)]
        eigenvalues[unit + ' ' + loss] = ends[0] + ends[1]

print(json.dumps({'inputs': x.T.tolist(), 'targets': y.T.tolist(), 'start': start.tolist(),
                  'regression': {'loss': regression(theta).item(), 'accuracy': accuracy},
                  'eigenvalues': eigenvalues}, indent=0))
