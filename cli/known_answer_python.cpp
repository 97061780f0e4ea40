// SPDX-License-Identifier: MIT
#include "known_answer.hpp"

namespace isserlis::cli {
namespace {

constexpr char const* head = R"("""Known-answer test, written by `{{TITLE}}`.

Draws {{SAMPLES}} random networks and compares means with values that are exact at this width and depth. A test fails
beyond {{ERRORS}} standard errors; the seed is fixed. Run it by pytest or as a program.
"""
import math

{{IMPORT}}

WIDTHS = [{{WIDTHS}}]
VARIANCES = [{{VARIANCES}}]  # of the weights of each layer, N(0, variance)
FACTORS = [{{FACTORS}}]  # {{FACTOR_MEANING}}
SLOPE = {{SLOPE}}  # of the activation below 0; linear output layer, no biases
INPUT = [{{INPUT}}]
TARGET_SECOND_MOMENT = {{TARGET}}  # E|y|^2 over all outputs; y_k are random signs of equal size
SAMPLES = {{SAMPLES}}
STANDARD_ERRORS = {{ERRORS}}
# position in statistics(), name, exact mean, standard deviation of one sample
EXACT = [
{{EXACT}}]

)";

constexpr char const* tail = R"(

def test_known_answer():
    sums = [0.0] * len(EXACT)
    for sample in range(SAMPLES):
        values = statistics(sample)
        for i, (position, *_) in enumerate(EXACT):
            sums[i] += float(values[position])
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

constexpr char const* pytorch_network = R"(torch.manual_seed(1)
X = torch.tensor(INPUT, dtype=torch.float64)


def draw():
    shapes = zip(WIDTHS[1:], WIDTHS[:-1], VARIANCES)
    weights = [torch.randn(o, i, dtype=torch.float64) * math.sqrt(v) for o, i, v in shapes]
    signs = torch.randint(0, 2, (WIDTHS[-1],)).to(torch.float64) * 2 - 1
    return weights, signs * math.sqrt(TARGET_SECOND_MOMENT / WIDTHS[-1])


def preactivations(*weights):
    out, h = [], X
    for w in weights:
        z = w @ h
        out.append(z)
        h = torch.where(z > 0, z, SLOPE * z)
    return tuple(out)


)";

constexpr char const* pytorch_hessian = R"(def statistics(_):
    weights, y = draw()
    sizes = [w.numel() for w in weights]

    def loss(flat):
        parts = [p.reshape(w.shape) for p, w in zip(torch.split(flat, sizes), weights)]
        return 0.5 * ((preactivations(*parts)[-1] - y) ** 2).sum()

    flat = torch.cat([w.reshape(-1) for w in weights])
    hessian = torch.autograd.functional.hessian(loss, flat)
    factor = torch.cat([torch.full((s,), f, dtype=torch.float64) for s, f in zip(sizes, FACTORS)])
    return [float((factor[:, None] * factor[None, :] * hessian**2).sum())]
)";

constexpr char const* pytorch_ntk = R"(def statistics(_):
    weights, _ = draw()
    weights = [w.requires_grad_() for w in weights]
    gradients = torch.autograd.grad(preactivations(*weights)[-1][0], weights)
    kernel = sum(f * float((g**2).sum()) for f, g in zip(FACTORS, gradients))
    return [kernel, kernel**2]
)";

constexpr char const* pytorch_mup = R"(def statistics(_):
    weights, y = draw()
    weights = [w.requires_grad_() for w in weights]
    loss = 0.5 * ((preactivations(*weights)[-1] - y) ** 2).sum()
    gradients = torch.autograd.grad(loss, weights)
    step = tuple(-f * g for f, g in zip(FACTORS, gradients))
    values, changes = torch.autograd.functional.jvp(preactivations, tuple(weights), step)
    out = []
    for z, change in list(zip(values, changes))[:-1]:  # the hidden layers
        out += [float((change**2).mean()), float((z * change).mean())]
    return out
)";

constexpr char const* jax_network = R"(jax.config.update("jax_enable_x64", True)
X = jnp.array(INPUT)


def draw(sample):
    keys = jax.random.split(jax.random.fold_in(jax.random.PRNGKey(1), sample), len(WIDTHS))
    shapes = zip(keys, WIDTHS[1:], WIDTHS[:-1], VARIANCES)
    weights = [jax.random.normal(k, (o, i)) * math.sqrt(v) for k, o, i, v in shapes]
    signs = jax.random.rademacher(keys[-1], (WIDTHS[-1],), dtype=X.dtype)
    return weights, signs * math.sqrt(TARGET_SECOND_MOMENT / WIDTHS[-1])


def preactivations(weights):
    out, h = [], X
    for w in weights:
        z = w @ h
        out.append(z)
        h = jnp.where(z > 0, z, SLOPE * z)
    return out


)";

constexpr char const* jax_hessian = R"(@jax.jit
def statistics(sample):
    weights, y = draw(sample)
    flat, shaped = jax.flatten_util.ravel_pytree(weights)
    hessian = jax.hessian(lambda w: 0.5 * ((preactivations(shaped(w))[-1] - y) ** 2).sum())(flat)
    factor = jnp.concatenate([jnp.full(w.size, f) for w, f in zip(weights, FACTORS)])
    return [(factor[:, None] * factor[None, :] * hessian**2).sum()]
)";

constexpr char const* jax_ntk = R"(@jax.jit
def statistics(sample):
    weights, _ = draw(sample)
    gradients = jax.grad(lambda w: preactivations(w)[-1][0])(weights)
    kernel = sum(f * (g**2).sum() for f, g in zip(FACTORS, gradients))
    return [kernel, kernel**2]
)";

constexpr char const* jax_mup = R"(@jax.jit
def statistics(sample):
    weights, y = draw(sample)
    gradients = jax.grad(lambda w: 0.5 * ((preactivations(w)[-1] - y) ** 2).sum())(weights)
    step = [-f * g for f, g in zip(FACTORS, gradients)]
    values, changes = jax.jvp(preactivations, (weights,), (step,))
    out = []
    for z, change in list(zip(values, changes))[:-1]:  # the hidden layers
        out += [(change**2).mean(), (z * change).mean()]
    return out
)";

std::string python_test(KnownAnswer const& known, std::string const& imports, std::string const& body) {
    std::string exact;
    for (auto const& s : known.statistics) {
        exact += "    (" + std::to_string(s.position) + ", \"" + s.name + "\", " + number_text(s.exact) + ", " +
                 number_text(s.deviation) + "),";
        exact += s.sampled ? "  # the deviation is sampled\n" : "\n";
    }
    for (auto const& name : known.left_out) exact += "    # left out: " + name + "\n";
    bool const rates = known.kind == KnownAnswer::Kind::mup;
    return filled(std::string(head) + body + tail,
                  {{"TITLE", known.title},
                   {"IMPORT", imports},
                   {"WIDTHS", listed(known.widths)},
                   {"VARIANCES", listed(known.variances)},
                   {"FACTORS", listed(known.factors)},
                   {"FACTOR_MEANING",
                    rates ? "learning rate of each layer" : "what multiplies a summed pair of derivatives, by layer"},
                   {"SLOPE", number_text(known.slope)},
                   {"INPUT", listed(known.input)},
                   {"TARGET", number_text(known.target_second)},
                   {"SAMPLES", std::to_string(known.samples)},
                   {"ERRORS", std::to_string(tolerated_errors)},
                   {"EXACT", exact}});
}

char const* choose(KnownAnswer::Kind kind, char const* hessian, char const* ntk, char const* mup) {
    switch (kind) {
        case KnownAnswer::Kind::hessian: return hessian;
        case KnownAnswer::Kind::ntk: return ntk;
        case KnownAnswer::Kind::mup: break;
    }
    return mup;
}

}  // namespace

std::string pytorch_test(KnownAnswer const& known) {
    return python_test(known, "import torch",
                       std::string(pytorch_network) + choose(known.kind, pytorch_hessian, pytorch_ntk, pytorch_mup));
}

std::string jax_test(KnownAnswer const& known) {
    return python_test(known, "import jax\nimport jax.flatten_util\nimport jax.numpy as jnp",
                       std::string(jax_network) + choose(known.kind, jax_hessian, jax_ntk, jax_mup));
}

}  // namespace isserlis::cli
