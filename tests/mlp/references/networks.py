#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes networks.json: outputs, loss, gradient and Hessian product of small networks by PyTorch, in double.

Debian's python3-torch (1.13) is enough. The forward pass below is written from the book, in torch operations; all
derivatives are autograd's. softplus is spelt out, since torch.nn.functional.softplus is cut off at 20.

usage: networks.py > networks.json
"""
import json
import random

import torch
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)
random.seed(14)


def normals(*shape):
    return torch.tensor([random.gauss(0, 1) for _ in range(torch.Size(shape).numel())]).reshape(shape)


units = {
    'identity': lambda z, a: z,
    'crelu': lambda z, a: z,
    'relu': lambda z, a: F.relu(z),
    'leaky': lambda z, a: F.leaky_relu(z, a),
    'prelu': lambda z, a: torch.where(z > 0, z, a * z),
    'sigmoid': lambda z, a: torch.sigmoid(z),
    'tanh': lambda z, a: torch.tanh(z),
    'arctan': lambda z, a: torch.atan(z),
    'softsign': lambda z, a: z / (1 + z.abs()),
    'softplus': lambda z, a: F.relu(z) + torch.log1p(torch.exp(-z.abs())),
    'elu': lambda z, a: F.elu(z, a),
    'selu': lambda z, a: F.selu(z),
    'swish': lambda z, a: F.silu(z),
    'gelu': lambda z, a: F.gelu(z),
}

objectives = {
    'squared': lambda z, y: ((z - y) ** 2).sum(1).mean(),
    'half-squared': lambda z, y: ((z - y) ** 2).sum(1).mean() / 2,
    'cross-entropy': lambda z, y: -(y * F.log_softmax(z, 1)).sum(1).mean(),
    'binary-cross-entropy': lambda z, y: F.binary_cross_entropy_with_logits(z, y, reduction='none').sum(1).mean(),
    'hinge': lambda z, y: F.relu(1 - y * z).sum(1).mean(),
}


class Cursor:
    """Cuts the flat vector of parameters."""

    def __init__(self, theta):
        self.theta, self.at = theta, 0

    def take(self, *shape):
        count = torch.Size(shape).numel()
        self.at += count
        return self.theta[self.at - count:self.at].reshape(shape)


def forward(net, theta, x):
    """x has a row for each sample. Weights of all edges come first, then each node's bias, gain, shift and slope."""
    cursor = Cursor(theta)
    nodes, edges = net['nodes'], net['edges']
    weights = []
    for e in edges:
        shape = (nodes[e['to']]['width'], nodes[e['from']]['width'])
        weights.append([cursor.take(*shape) for _ in range(2 if net['sides'] else 1)] if e['weighted'] else None)
    h = []
    for v, node in enumerate(nodes):
        incoming = [(e, w) for e, w in zip(edges, weights) if e['to'] == v]
        if v == 0:
            z = x
        elif node['concatenation']:
            z = torch.cat([h[e['from']] for e, _ in incoming], 1)
        else:
            z = 0
            for e, w in incoming:
                below = h[e['from']]
                if w is None:
                    z = z + below
                elif net['sides']:
                    z = z + below.clamp(min=0) @ w[0].T + below.clamp(max=0) @ w[1].T
                else:
                    z = z + below @ w[0].T
        if node['bias']:
            z = z + cursor.take(node['width'])
        if node['batch_norm']:
            gain, shift = cursor.take(node['width']), cursor.take(node['width'])
            if net['moments']:
                mean, deviation = torch.tensor(node['mean']), torch.tensor(node['deviation'])
                z = (z - mean) / torch.sqrt(deviation ** 2 + node['epsilon']) * gain + shift
            else:
                z = F.batch_norm(z, None, None, gain, shift, True, 0, node['epsilon'])
        slope = cursor.take(1) if node['unit'] == 'prelu' else node['slope']
        a = units[node['unit']](z, slope)
        if node['softmax']:
            a = torch.softmax(a, 1)
        if node['keep'] < 1 and node['mask']:
            a = a * torch.tensor(node['mask']).T / node['keep']
        h.append(a)
    assert cursor.at == theta.numel()
    return h[-1]


def node(width, unit='identity', bias=False, batch_norm=False, keep=1.0, slope=0.01, concatenation=False, softmax=False):
    return {'width': width, 'unit': unit, 'bias': bias, 'batch_norm': batch_norm, 'epsilon': 1e-5, 'keep': keep,
            'slope': slope, 'concatenation': concatenation, 'softmax': softmax, 'mask': [], 'mean': [], 'deviation': []}


def edge(below, above, weighted=True):
    return {'from': below, 'to': above, 'weighted': weighted}


def chain(*nodes):
    return list(nodes), [edge(v, v + 1) for v in range(len(nodes) - 1)]


def parameters(nodes, edges, sides):
    out = sum(nodes[e['to']]['width'] * nodes[e['from']]['width'] * (2 if sides else 1) for e in edges if e['weighted'])
    for n in nodes:
        out += n['width'] * (n['bias'] + 2 * n['batch_norm']) + (n['unit'] == 'prelu')
    return out


def case(name, objective, wiring, samples=5, sides=False, moments=False):
    nodes, edges = wiring
    net = {'name': name, 'objective': objective, 'nodes': nodes, 'edges': edges, 'sides': sides, 'moments': moments}
    for n in nodes:
        if n['keep'] < 1:
            n['mask'] = [[float(random.random() < n['keep']) for _ in range(samples)] for _ in range(n['width'])]
        if n['batch_norm'] and moments:
            n['mean'] = normals(n['width']).tolist()
            n['deviation'] = (0.5 + normals(n['width']).abs()).tolist()
    count = parameters(nodes, edges, sides)
    theta = normals(count) * 0.7
    theta.requires_grad_()
    direction = normals(count)
    x = normals(samples, nodes[0]['width'])
    outputs = nodes[-1]['width']
    if objective == 'cross-entropy':
        y = F.one_hot(torch.tensor([random.randrange(outputs) for _ in range(samples)]), outputs).double()
    elif objective == 'binary-cross-entropy':
        y = torch.tensor([[float(random.randrange(2)) for _ in range(outputs)] for _ in range(samples)])
    elif objective == 'hinge':
        y = torch.tensor([[random.choice([-1.0, 1.0]) for _ in range(outputs)] for _ in range(samples)])
    else:
        y = normals(samples, outputs)
    z = forward(net, theta, x)
    loss = objectives[objective](z, y)
    gradient, = torch.autograd.grad(loss, theta, create_graph=True)
    product, = torch.autograd.grad(gradient @ direction, theta)
    net.update(parameters=theta.tolist(), direction=direction.tolist(), inputs=x.T.tolist(), targets=y.T.tolist(),
               outputs=z.T.tolist(), loss=loss.item(), gradient=gradient.tolist(), product=product.tolist())
    return net


def residual(unit):
    nodes = [node(3), node(4, unit, bias=True), node(3, bias=True), node(4, unit, batch_norm=True), node(3, unit),
             node(2, bias=True)]
    edges = [edge(0, 1), edge(1, 2), edge(0, 2, False), edge(2, 3), edge(3, 4), edge(2, 4, False), edge(1, 5), edge(4, 5)]
    return nodes, edges


def dense(unit):
    nodes = [node(2), node(3, unit, bias=True), node(5, concatenation=True), node(2, unit), node(7, concatenation=True),
             node(2, bias=True)]
    edges = [edge(0, 1), edge(0, 2, False), edge(1, 2, False), edge(2, 3), edge(2, 4, False), edge(3, 4, False),
             edge(4, 5)]
    return nodes, edges


cases = []
for i, unit in enumerate(u for u in units if u not in ('crelu', 'identity')):
    objective = list(objectives)[i % 4]
    cases.append(case('chain of ' + unit, objective,
                      chain(node(3), node(4, unit, bias=True, slope=0.3), node(3, unit, bias=True, slope=-0.2),
                            node(2, bias=True))))
cases.append(case('hinge over tanh', 'hinge', chain(node(3), node(4, 'tanh', bias=True), node(2, bias=True)), 9))
cases.append(case('sigmoid head', 'squared', chain(node(3), node(4, 'gelu', bias=True), node(2, 'sigmoid', bias=True))))
cases.append(case('crelu', 'cross-entropy', chain(node(3, 'crelu'), node(4, 'crelu', bias=True), node(3, 'crelu'),
                                                  node(3, 'crelu', bias=True)), sides=True))
cases.append(case('batch norm', 'half-squared',
                  chain(node(3), node(4, 'softplus', bias=True, batch_norm=True), node(3, 'prelu', batch_norm=True),
                        node(2, 'tanh', batch_norm=True)), 7))
cases.append(case('batch norm by given moments', 'cross-entropy',
                  chain(node(3), node(4, 'swish', bias=True, batch_norm=True), node(3, batch_norm=True)), 6,
                  moments=True))
cases.append(case('dropout', 'squared',
                  chain(node(4, keep=0.8), node(6, 'elu', bias=True, keep=0.5, slope=1.0),
                        node(5, 'prelu', batch_norm=True, keep=0.7), node(2, bias=True)), 8))
cases.append(case('residual', 'squared', residual('tanh'), 6))
cases.append(case('residual of prelu', 'cross-entropy', residual('prelu'), 6))
cases.append(case('dense', 'binary-cross-entropy', dense('arctan'), 6))
cases.append(case('softmax head', 'squared', chain(node(3), node(4, 'tanh', bias=True), node(3, bias=True, softmax=True))))
cases.append(case('softmax inside', 'half-squared',
                  chain(node(3), node(4, bias=True, batch_norm=True, keep=0.6, softmax=True), node(2, bias=True)), 6))
print('[' + ',\n'.join(map(json.dumps, cases)) + ']')
