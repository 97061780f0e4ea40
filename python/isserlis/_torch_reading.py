# SPDX-License-Identifier: MIT
"""PyTorch modules read as graphs of layers.

A module's own forward is followed with symbols in place of numbers, by torch.fx; or its `isserlis_forward`, where it
has one, which says by operations that are served what the module is meant to do.
"""
import operator

import torch
from torch import fx, nn
from torch.nn import functional

from . import DomainError
from ._torch_network import Node, Term, described, refuse


class _Sum:
    """A value that is being read: a sum of terms that has not become a node yet."""

    def __init__(self, terms, width):
        self.terms, self.width = terms, width


def _slope_of(gate):
    return 0.0 if isinstance(gate, nn.ReLU) else float(gate.negative_slope)


class _Reader:
    def __init__(self, width):
        self.nodes = [Node("x", width)]
        self.taken = {"x"}
        self.seen = []

    def name(self, wished):
        wished = wished.replace(",", "_").replace("{", "_").replace("}", "_") or "out"
        name, k = wished, 1
        while name in self.taken:
            k += 1
            name = f"{wished}~{k}"
        self.taken.add(name)
        return name

    def source(self):
        return _Sum([Term(None, "", 0, 1.0)], self.nodes[0].width)

    def settled(self, value, slope=1.0):
        """The index of the node that a sum is, with that gate behind it."""
        if slope == 1 and len(value.terms) == 1 and value.terms[0].linear is None and value.terms[0].factor == 1:
            return value.terms[0].source
        skips = [t for t in value.terms if t.linear is None]
        if any(t.factor != 1 for t in skips):
            refuse("a skip times a factor other than 1 meets a sum, a gate or the output")
        if len({t.source for t in skips}) < len(skips):
            refuse("the same value is added twice")
        if slope != 1 and skips:
            refuse("a gate that no Linear alone leads into, such as one behind a sum with a skip")
        path = next((t.path for t in value.terms if t.linear is not None), "sum")
        path = path if not skips else path + "+"
        self.nodes.append(Node(self.name(path), value.width, list(value.terms), slope=slope))
        return len(self.nodes) - 1

    def of_node(self, index):
        return _Sum([Term(None, "", index, 1.0)], self.nodes[index].width)

    def linear(self, module, path, value):
        if value.width != module.in_features:
            raise DomainError(f"module: {path or 'Linear'} reads {module.in_features} values, {value.width} come", "module")
        if any(module is m or module.weight is m.weight for m in self.seen):
            refuse("two layers share their weights")
        self.seen.append(module)
        factor, only = 1.0, value.terms[0]
        if len(value.terms) == 1 and only.linear is None:
            source, factor = only.source, only.factor
        else:
            source = self.settled(value)
        return _Sum([Term(module, path, source, factor, factor)], module.out_features)

    def gate(self, value, slope):
        return value if slope == 1 else self.of_node(self.settled(value, slope))

    def total(self, a, b, sign=1):
        if not isinstance(a, _Sum) or not isinstance(b, _Sum):
            if isinstance(a, _Sum) and b == 0:
                return a
            if isinstance(b, _Sum) and a == 0 and sign == 1:
                return b
            refuse("a number is added to neurons")
        if a.width != b.width:
            raise DomainError(f"module: {a.width} values are added to {b.width}", "module")
        return _Sum([*a.terms, *self.scaled(b, sign).terms], a.width)

    def scaled(self, value, factor):
        if isinstance(factor, torch.Tensor) and factor.numel() == 1:
            factor = float(factor)
        if not isinstance(value, _Sum) or isinstance(factor, _Sum) or not isinstance(factor, (int, float)):
            refuse("a product of two values of neurons")
        return _Sum([Term(t.linear, t.path, t.source, t.factor * factor, t.before) for t in value.terms], value.width)

    def concatenation(self, values, dim):
        if dim not in (-1, 1):
            refuse("a concatenation over another axis than that of the neurons")
        parts = [self.settled(v) for v in values]
        self.nodes.append(Node(self.name("cat"), sum(v.width for v in values), parts=parts))
        return self.of_node(len(self.nodes) - 1)


class _Tracer(fx.Tracer):
    def is_leaf_module(self, module, name):
        if getattr(module, "isserlis_forward", None) is not None:
            return False
        # Parts of PyTorch itself are read by their names, but for those that only hold others.
        return module.__module__.startswith("torch.nn") and not isinstance(module, nn.Sequential)

    def call_module(self, module, forward, args, kwargs):
        own = getattr(module, "isserlis_forward", None)
        return super().call_module(module, own or forward, args, kwargs)


class _Held(nn.Module):
    """So that the module itself is called as its parts are, and may say itself what it is."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        return self.module(x)


def _inputs(module):
    """The width of the input: that of what the first Linear reads."""
    first = next((m for m in module.modules() if isinstance(m, nn.Linear)), None)
    if first is None:
        refuse("there is no Linear")
    return first.in_features


def _module_value(reader, part, path, value):
    if type(part) is nn.Linear:
        return reader.linear(part, path, value)
    if type(part) in (nn.ReLU, nn.LeakyReLU):
        return reader.gate(value, _slope_of(part))
    if type(part) in (nn.Identity, nn.Flatten) or isinstance(part, nn.Dropout) and (part.p == 0 or not part.training):
        return value
    return refuse(f"{type(part).__name__} has no exact values here")


def _function_value(reader, target, args, kwargs):
    names = {operator.add: "add", operator.iadd: "add", torch.add: "add", operator.sub: "sub", torch.sub: "sub",
             operator.mul: "mul", torch.mul: "mul", operator.truediv: "div", torch.div: "div", operator.neg: "neg",
             torch.relu: "relu", functional.relu: "relu", functional.leaky_relu: "leaky_relu", torch.cat: "cat",
             torch.flatten: "flatten"}
    name = target if isinstance(target, str) else names.get(target)
    if name in ("add", "sub", "add_", "sub_") and not (set(kwargs) - {"alpha"}):
        sign = (1 if name.startswith("add") else -1) * kwargs.get("alpha", 1)
        return reader.total(*args, sign)
    if name in ("mul", "mul_"):
        return reader.scaled(*(args if isinstance(args[0], _Sum) else args[::-1]))
    if name in ("div", "div_") and isinstance(args[1], (int, float)) and args[1] != 0:
        return reader.scaled(args[0], 1 / args[1])
    if name == "neg":
        return reader.scaled(args[0], -1)
    if name in ("relu", "relu_"):
        return reader.gate(args[0], 0.0)
    if name == "leaky_relu":
        return reader.gate(args[0], float(kwargs.get("negative_slope", args[1] if len(args) > 1 else 0.01)))
    if name == "cat":
        return reader.concatenation(args[0], kwargs.get("dim", args[1] if len(args) > 1 else 0))
    if name == "flatten":
        return args[0]
    return refuse(f"{getattr(target, '__name__', target)} has no exact values here")


def network(module):
    """The network that a module is, by its own `forward`, or by `isserlis_forward` of it or of its parts.

    Errors  UnsupportedError for what is not served.
    """
    reader, values = _Reader(_inputs(module)), {}
    held = _Held(module)
    try:
        traced = _Tracer().trace(held)
    except (fx.proxy.TraceError, TypeError, RuntimeError) as error:
        refuse(f"its forward cannot be followed ({error}); `isserlis_forward` may say what it does")
    parts = dict(held.named_modules())
    output = None
    for node in traced.nodes:
        args, kwargs = fx.node.map_arg((node.args, node.kwargs), lambda n: values[n])
        if node.op == "placeholder":
            values[node] = reader.source()
        elif node.op == "call_module":
            path = str(node.target)[len("module."):] if str(node.target).startswith("module.") else ""
            values[node] = _module_value(reader, parts[node.target], path, *args)
        elif node.op in ("call_function", "call_method"):
            values[node] = _function_value(reader, node.target, args, kwargs)
        elif node.op == "get_attr":
            value = held
            for name in str(node.target).split("."):
                value = getattr(value, name)
            values[node] = value
        else:
            output = args[0]
        if len(node.users) > 1 and isinstance(values.get(node), _Sum):
            values[node] = reader.of_node(reader.settled(values[node]))  # one node, however many read it
    if not isinstance(output, _Sum) or not reader.seen:
        refuse("there is no Linear, or its output is no vector of neurons")
    last = reader.settled(output)
    if last != len(reader.nodes) - 1:
        refuse("its output is not the last of its layers")
    return described(reader.nodes)
