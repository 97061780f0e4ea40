// SPDX-License-Identifier: MIT
#include "program_text.hpp"

namespace isserlis {

using namespace emit;

namespace {

constexpr char const* head = R"(# {{TITLE}}
"""Known-answer test, written by the command above.

Draws {{SAMPLES}} random networks and compares means with values that are exact at this width and depth. A test fails
beyond {{ERRORS}} standard errors, which is the share of each value noted beside it: of a value that is off by so much every
second seed fails, of one that is off by twice as much all but one in a million, as far as the mean of so many networks
is normal. The generator is the test's own, its seed is fixed. Run it by pytest or as a program. To test your own network, put it in place of `draw` and
`preactivations`.
"""
import math

{{IMPORT}}

WIDTHS = [{{ALL_WIDTHS}}]
VARIANCES = [{{VARIANCES}}]  # of the weights of each layer, N(0, variance)
SCALES = [{{SCALES}}]  # a layer acts as this times its weights; derivatives are by the weights
FACTORS = [{{FACTORS}}]  # {{FACTOR_MEANING}}
SLOPE = {{SLOPE}}  # of the activation below 0; no biases
{{READ_AT}}INPUT = [{{INPUT}}]
TARGET_SECOND_MOMENT = {{TARGET}}  # E|y|^2 over all outputs; y_k are random signs of equal size
SAMPLES = {{SAMPLES}}
BATCH = {{BATCH}}  # networks that are drawn together
STANDARD_ERRORS = {{ERRORS}}
# position in statistics(), name, exact mean, standard deviation of one sample
EXACT = [
{{EXACT}}]

)";

constexpr char const* tail = R"(

def test_known_answer():
    sums = [0.0] * len(EXACT)
    {{GENERATOR}}
    for start in range(0, SAMPLES, BATCH):
        values = {{VALUES}}
        for i, (position, *_) in enumerate(EXACT):
            sums[i] += float(values[position].sum())
    wrong = []
    for (_, name, exact, deviation), total in zip(EXACT, sums):
        mean = total / SAMPLES
        tolerance = STANDARD_ERRORS * deviation / math.sqrt(SAMPLES) + 1e-9 * abs(exact)
        print(f"{name}: exact {exact:.8g}, mean {mean:.8g}, tolerance {tolerance:.3g}")
        if not abs(mean - exact) <= tolerance:
            wrong.append(name)
    assert not wrong, wrong


if __name__ == "__main__":
    test_known_answer()
)";

constexpr char const* pytorch_network = R"(
def draw(generator, count):
    """The weights of `count` networks, each (count, fan_out, fan_in), and their targets."""
    shapes = zip(WIDTHS[1:], WIDTHS[:-1], VARIANCES)
    weights = [
        torch.randn(count, o, i, generator=generator, dtype=torch.float64) * math.sqrt(v) for o, i, v in shapes
    ]
    signs = torch.randint(0, 2, (count, WIDTHS[-1]), generator=generator).to(torch.float64) * 2 - 1
    return weights, signs * math.sqrt(TARGET_SECOND_MOMENT / WIDTHS[-1])


def activation(z):
    return torch.where(z > 0, z, SLOPE * z)


def preactivations(*weights):
    """z of each layer, (count, fan_out)."""
    out, h = [], torch.tensor(INPUT, dtype=torch.float64).expand(weights[0].shape[0], -1)
    for w, scale in zip(weights, SCALES):
        z = scale * torch.bmm(w, h.unsqueeze(2)).squeeze(2)
        out.append(z)
        h = activation(z)
    return tuple(out)


)";

constexpr char const* pytorch_hessian = R"(def statistics(generator, count):
    weights, y = draw(generator, count)
    weights = [w.requires_grad_() for w in weights]
    loss = 0.5 * ((preactivations(*weights)[-1] - y) ** 2).sum()
    gradients = torch.autograd.grad(loss, weights, create_graph=True)
    total = torch.zeros(count, dtype=torch.float64)
    for factor, gradient in zip(FACTORS, gradients):
        for entry in gradient.reshape(count, -1).unbind(1):  # a row of all Hessians at a time
            row = torch.autograd.grad(entry.sum(), weights, retain_graph=True, allow_unused=True)
            for other, part in zip(FACTORS, row):
                if part is not None:
                    total += factor * other * (part**2).sum((1, 2))
    return [total]
)";

constexpr char const* pytorch_ntk = R"(def statistics(generator, count):
    weights, _ = draw(generator, count)
    weights = [w.requires_grad_() for w in weights]
    gradients = torch.autograd.grad(preactivations(*weights)[-1][:, 0].sum(), weights)
    kernel = sum(f * (g**2).sum((1, 2)) for f, g in zip(FACTORS, gradients))
    return [kernel, kernel**2]
)";

constexpr char const* pytorch_step = R"(def step(generator, count):
    """z of each layer, and what one step of gradient descent adds to it, to first order."""
    weights, y = draw(generator, count)
    weights = [w.requires_grad_() for w in weights]
    loss = 0.5 * ((preactivations(*weights)[-1] - y) ** 2).sum()
    gradients = torch.autograd.grad(loss, weights)
    change = tuple(-f * g for f, g in zip(FACTORS, gradients))
    values, changes = torch.autograd.functional.jvp(preactivations, tuple(weights), change)
    return list(zip(values, changes))


)";

constexpr char const* pytorch_mup = R"(def statistics(generator, count):
    out = []
    for z, change in step(generator, count)[:-1]:  # the hidden layers
        out += [(change**2).mean(1), (z * change).mean(1)]
    return out
)";

constexpr char const* pytorch_steps = R"(def statistics(generator, count):
    out = []
    for z, change in step(generator, count):
        out += [(z**2).mean(1), (change**2).mean(1), (z * change).mean(1)]
    return out
)";

constexpr char const* pytorch_norm = R"(def statistics(generator, count):
    out = []
    for z, activated in zip(preactivations(*draw(generator, count)[0]), ACTIVATED):
        square = ((activation(z) if activated else z) ** 2).sum(1)
        out += [square**p for p in range(1, {{ORDER}} + 1)]
    return out
)";

constexpr char const* pytorch_init = R"(def statistics(generator, count):
    weights, _ = draw(generator, count)
    z = preactivations(*weights)[-1]
    squares = [((scale * w) ** 2).mean((1, 2)) for w, scale in zip(weights, SCALES)]
    return squares + [((activation(z) if ACTIVATED[-1] else z) ** 2).mean(1)]
)";

constexpr char const* pytorch_jacobian = R"(def statistics(generator, count):
    weights, _ = draw(generator, count)
    weights = [w.requires_grad_() for w in weights]
    z = preactivations(*weights)[-1]
    norms = [torch.zeros(count, dtype=torch.float64) for _ in weights]
    for output in z.unbind(1):
        gradients = torch.autograd.grad(output.sum(), weights, retain_graph=True)
        norms = [n + (g**2).sum((1, 2)) for n, g in zip(norms, gradients)]
    norms.append((z.detach() ** 2).sum(1))
    return [n**p for n in norms for p in (1, 2)]
)";

constexpr char const* pytorch_observable = R"(def number(x):
    return Part("", lambda w, y: torch.tensor(x, dtype=torch.float64))


def layers_of(w):
    """z of each layer as a function of the flat weights of one network."""
    shapes = [(1, o, i) for o, i in zip(WIDTHS[1:], WIDTHS[:-1])]
    parts = w.split([math.prod(s) for s in shapes])
    return [z[0] for z in preactivations(*[p.reshape(s) for p, s in zip(parts, shapes)])]


def jacobian(of, w):
    return torch.autograd.functional.jacobian(of, w, create_graph=True)


einsum = torch.einsum


def by_weight(values):
    """Of each weight, the value of its layer."""
    sizes = [o * i for o, i in zip(WIDTHS[1:], WIDTHS[:-1])]
    return torch.cat([torch.full((n,), float(v), dtype=torch.float64) for n, v in zip(sizes, values)])

{{OBSERVABLE}}

def statistics(generator, count):
    weights, y = draw(generator, count)
    flat = torch.cat([w.reshape(count, -1) for w in weights], 1)
    return [torch.stack([OBSERVABLE.value(w, t).detach() for w, t in zip(flat, y)])]
)";

/// An observable as it is written: derivatives of everything by all weights, contracted.
constexpr char const* observable = R"(
class Part:
    """A function of the weights and the targets; a letter names each axis of its value."""

    def __init__(self, axes, value):
        self.axes, self.value = axes, value


def at(neuron, vector):
    """A letter keeps the axis; a number, from 1, picks an entry."""
    if isinstance(neuron, str):
        return Part(neuron, vector)
    return Part("", lambda w, y: vector(w, y)[neuron - 1])


def output(layer, activated, neuron):
    z = lambda w: layers_of(w)[layer - 1]
    return at(neuron, lambda w, y: activation(z(w)) if activated else z(w))


def target(neuron):
    return at(neuron, lambda w, y: y)


def loss():
    return Part("", lambda w, y: 0.5 * ((layers_of(w)[-1] - y) ** 2).sum())


def derivative(labels, part):
    for label in labels:
        part = Part(part.axes + label, lambda w, y, label=label, part=part: slope(label, part, w, y))
    return part


def slope(label, part, w, y):
    first, last = PLACES.get(label, (1, len(FACTORS)))
    return jacobian(lambda v: part.value(v, y), w) * by_weight([first <= l + 1 <= last for l in range(len(FACTORS))])


def product(*parts):
    """Letters that occur twice or more are summed, those of derivatives with FACTORS."""
    letters = "".join(p.axes for p in parts)
    rest = "".join(a for a in dict.fromkeys(letters) if letters.count(a) == 1)
    pairs = [a for a in LABELS if letters.count(a) > 1]
    form = ",".join([p.axes for p in parts] + pairs) + "->" + rest
    return Part(rest, lambda w, y: einsum(form, *[p.value(w, y) for p in parts], *[by_weight(FACTORS) for _ in pairs]))


def total(signs, *parts):
    axes = parts[0].axes
    return Part(axes, lambda w, y: sum(s * einsum(p.axes + "->" + axes, p.value(w, y)) for s, p in zip(signs, parts)))


PLACES = {{{PLACES}}}  # the layers of a label
LABELS = "{{LABELS}}"
OBSERVABLE = {{PROGRAM}}
)";

constexpr char const* jax_network = R"(jax.config.update("jax_enable_x64", True)


def draw(sample):
    keys = jax.random.split(jax.random.fold_in(jax.random.PRNGKey(1), sample), len(WIDTHS))
    shapes = zip(keys, WIDTHS[1:], WIDTHS[:-1], VARIANCES)
    weights = [jax.random.normal(k, (o, i), dtype=jnp.float64) * math.sqrt(v) for k, o, i, v in shapes]
    signs = jax.random.rademacher(keys[-1], (WIDTHS[-1],), dtype=jnp.float64)
    return weights, signs * math.sqrt(TARGET_SECOND_MOMENT / WIDTHS[-1])


def activation(z):
    return jnp.where(z > 0, z, SLOPE * z)


def preactivations(weights):
    out, h = [], jnp.array(INPUT)
    for w, scale in zip(weights, SCALES):
        z = scale * (w @ h)
        out.append(z)
        h = activation(z)
    return out


)";

constexpr char const* jax_hessian = R"(def statistics(sample):
    weights, y = draw(sample)
    flat, shaped = jax.flatten_util.ravel_pytree(weights)
    hessian = jax.hessian(lambda w: 0.5 * ((preactivations(shaped(w))[-1] - y) ** 2).sum())(flat)
    factor = jnp.concatenate([jnp.full(w.size, f) for w, f in zip(weights, FACTORS)])
    return [(factor[:, None] * factor[None, :] * hessian**2).sum()]
)";

constexpr char const* jax_ntk = R"(def statistics(sample):
    weights, _ = draw(sample)
    gradients = jax.grad(lambda w: preactivations(w)[-1][0])(weights)
    kernel = sum(f * (g**2).sum() for f, g in zip(FACTORS, gradients))
    return [kernel, kernel**2]
)";

constexpr char const* jax_step = R"(def step(sample):
    """z of each layer, and what one step of gradient descent adds to it, to first order."""
    weights, y = draw(sample)
    gradients = jax.grad(lambda w: 0.5 * ((preactivations(w)[-1] - y) ** 2).sum())(weights)
    change = [-f * g for f, g in zip(FACTORS, gradients)]
    values, changes = jax.jvp(preactivations, (weights,), (change,))
    return list(zip(values, changes))


)";

constexpr char const* jax_mup = R"(def statistics(sample):
    out = []
    for z, change in step(sample)[:-1]:  # the hidden layers
        out += [(change**2).mean(), (z * change).mean()]
    return out
)";

constexpr char const* jax_steps = R"(def statistics(sample):
    out = []
    for z, change in step(sample):
        out += [(z**2).mean(), (change**2).mean(), (z * change).mean()]
    return out
)";

constexpr char const* jax_norm = R"(def statistics(sample):
    out = []
    for z, activated in zip(preactivations(draw(sample)[0]), ACTIVATED):
        square = ((activation(z) if activated else z) ** 2).sum()
        out += [square**p for p in range(1, {{ORDER}} + 1)]
    return out
)";

constexpr char const* jax_init = R"(def statistics(sample):
    weights, _ = draw(sample)
    z = preactivations(weights)[-1]
    squares = [((scale * w) ** 2).mean() for w, scale in zip(weights, SCALES)]
    return squares + [((activation(z) if ACTIVATED[-1] else z) ** 2).mean()]
)";

constexpr char const* jax_jacobian = R"(def statistics(sample):
    weights, _ = draw(sample)
    jacobians = jax.jacrev(lambda w: preactivations(w)[-1])(weights)
    norms = [(j**2).sum() for j in jacobians] + [(preactivations(weights)[-1] ** 2).sum()]
    return [n**p for n in norms for p in (1, 2)]
)";

constexpr char const* jax_observable = R"(def number(x):
    return Part("", lambda w, y: jnp.array(float(x)))


def layers_of(w):
    """z of each layer as a function of the flat weights of one network."""
    weights = []
    for o, i in zip(WIDTHS[1:], WIDTHS[:-1]):
        weights.append(w[: o * i].reshape(o, i))
        w = w[o * i :]
    return preactivations(weights)


def jacobian(of, w):
    return jax.jacrev(of)(w)


einsum = jnp.einsum


def by_weight(values):
    """Of each weight, the value of its layer."""
    sizes = [o * i for o, i in zip(WIDTHS[1:], WIDTHS[:-1])]
    return jnp.concatenate([jnp.full(n, float(v)) for n, v in zip(sizes, values)])

{{OBSERVABLE}}

def statistics(sample):
    weights, y = draw(sample)
    return [OBSERVABLE.value(jnp.concatenate([w.ravel() for w in weights]), y)]
)";

/// What differs between the languages, besides the names of functions.
struct Python {
    char const* import;
    char const* network;
    char const* step;
    char const* generator;  ///< made once in the test
    char const* values;     ///< of one batch
};

std::string python_test(KnownAnswer const& known, Python const& language, std::string const& statistics) {
    bool const steps = known.kind == KnownAnswer::Kind::mup || known.kind == KnownAnswer::Kind::steps;
    std::vector<std::pair<std::string, std::string>> values{
        {"OBSERVABLE", observable}, {"PROGRAM", known.program},  {"PLACES", known.places},
        {"LABELS", known.labels},   {"IMPORT", language.import}, {"GENERATOR", language.generator},
        {"VALUES", language.values}};
    auto const shared = shared_values(known, {.yes = "True",
                                              .no = "False",
                                              .mark = "#",
                                              .open = "(",
                                              .close = ")",
                                              .read_at = "ACTIVATED = [",
                                              .end_of_list = "]"});
    values.insert(values.end(), shared.begin(), shared.end());
    return filled(std::string(head) + language.network + (steps ? language.step : "") + statistics + tail, values);
}

using Kind = KnownAnswer::Kind;

char const* pytorch_statistics(Kind kind) {
    switch (kind) {
        case Kind::hessian: return pytorch_hessian;
        case Kind::ntk: return pytorch_ntk;
        case Kind::mup: return pytorch_mup;
        case Kind::steps: return pytorch_steps;
        case Kind::norm: return pytorch_norm;
        case Kind::init: return pytorch_init;
        case Kind::jacobian: return pytorch_jacobian;
        case Kind::expect: break;
    }
    return pytorch_observable;
}

char const* jax_statistics(Kind kind) {
    switch (kind) {
        case Kind::hessian: return jax_hessian;
        case Kind::ntk: return jax_ntk;
        case Kind::mup: return jax_mup;
        case Kind::steps: return jax_steps;
        case Kind::norm: return jax_norm;
        case Kind::init: return jax_init;
        case Kind::jacobian: return jax_jacobian;
        case Kind::expect: break;
    }
    return jax_observable;
}

}  // namespace

std::string pytorch_test(KnownAnswer const& known) {
    return python_test(known,
                       {.import = "import torch",
                        .network = pytorch_network,
                        .step = pytorch_step,
                        .generator = "generator = torch.Generator().manual_seed(1)",
                        .values = "statistics(generator, min(BATCH, SAMPLES - start))"},
                       pytorch_statistics(known.kind));
}

std::string jax_test(KnownAnswer const& known) {
    return python_test(known,
                       {.import = "import jax\nimport jax.flatten_util\nimport jax.numpy as jnp",
                        .network = jax_network,
                        .step = jax_step,
                        .generator = "batch = jax.jit(jax.vmap(statistics))",
                        .values = "batch(jnp.arange(start, min(start + BATCH, SAMPLES)))"},
                       jax_statistics(known.kind));
}

}  // namespace isserlis
