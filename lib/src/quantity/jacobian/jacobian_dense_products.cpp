// SPDX-License-Identifier: MIT
#include "quantity/jacobian/jacobian_dense_products.hpp"

#include <isserlis/error.hpp>
#include <isserlis/formula/dense_limit.hpp>
#include <isserlis/report/answer.hpp>

#include "quantity/unchecked.hpp"
#include "question/readers.hpp"

namespace isserlis::quantity {
namespace {

constexpr std::uint64_t most_factors = 100'000;

bool is_open(WidthToken const& token, Bindings const& bindings) {
    return token.is_symbol && bindings.count(token.text) == 0;
}

RationalFunction evaluated(Expression const& e, Bindings const& bindings) {
    return evaluate<RationalFunction>(e, [&](std::string const& name) {
        auto const at = bindings.find(name);
        return at == bindings.end() ? RationalFunction::symbol(name) : RationalFunction(at->second);
    });
}

/// The one shape that has these products.
struct Shape {
    RationalFunction width;
    RationalFunction alpha = RationalFunction(1);
    RationalFunction squared_norm = RationalFunction(1);
    std::string depth;  ///< the number of layers, y^0 not counted
};

[[noreturn]] void not_this_shape(std::string const& what) {
    throw UnsupportedError(
        "a dense network needs a depth in numbers, but for ReLU at every layer (`head` activation), "
        "Gaussian weights with scheme he, one width and a sum from y^0, as n,n:L: " +
            what,
        "widths");
}

Shape shape_of(ModelText const& text, Bindings const& bindings) {
    if (text.activation != ActivationKind::relu) not_this_shape("the activation is another one");
    if (!text.gated_head) not_this_shape("the head is linear");
    if (text.scheme != Scheme::he) not_this_shape("the variances are others");
    if (!text.kurtoses.empty() || text.law.value_or(LawKind::gaussian) != LawKind::gaussian)
        not_this_shape("the law is another one");
    if (text.first_source != 0) not_this_shape("the sum starts at y^1");
    auto const token = [&](WidthToken const& t) { return evaluated(Expression::parse(t.text, "widths"), bindings); };
    Shape out{.width = token(text.widths.front().width), .depth = {}};
    for (auto const& item : text.widths) {
        if (!(token(item.width) == out.width)) not_this_shape("the widths differ");
    }
    bool const counted = text.widths.size() == 2 && text.widths[0].count.text == "1";
    if (!counted) not_this_shape("write it as n,n:L for L layers above the input");
    out.depth = text.widths[1].count.text;
    if (text.alpha) out.alpha = evaluated(*text.alpha, bindings);
    if (text.squared_norm) out.squared_norm = evaluated(*text.squared_norm, bindings);
    if (text.input) not_this_shape("give `input_squared_norm` in place of the input");
    for (auto const& symbol : text.symbols()) {
        if (symbol == "l" || symbol == "k")
            not_this_shape("l and k number the layers here; give the symbol " + symbol + " another name");
    }
    return out;
}

/// A factor times products, as text that SymPy reads.
Value product(RationalFunction const& factor, std::vector<std::string> const& parts) {
    std::string out = "(" + to_string(RationalFunction(factor.merged())) + ")";
    if (factor == RationalFunction(1) && !parts.empty()) out.clear();
    for (auto const& part : parts) out += (out.empty() ? "" : "*") + part;
    return Value::absent(out);
}

std::string over(RationalFunction const& factor, std::string const& first, std::string const& last) {
    return "Product(" + to_string(RationalFunction(factor.merged())) + ", (l, " + first + ", " + last + "))";
}

struct Layer {
    std::string label;
    RationalFunction number;
    bool last = false;
};

std::vector<Layer> layers_asked(JacobianCase const& c, std::string const& depth) {
    Layer const last{.label = depth, .number = RationalFunction::symbol(depth), .last = true};
    c.answer.declare({.symbol = "k", .most = depth + " - 1"}, SymbolRole::layer);
    if (!c.request.layer) return {{.label = "k", .number = RationalFunction::symbol("k")}, last};
    if (*c.request.layer == depth) return {last};
    if (*c.request.layer == "k") return {{.label = "k", .number = RationalFunction::symbol("k")}};
    std::uint64_t const k = parse_count(*c.request.layer, "layer", 1, most_factors);
    c.answer.declare({.symbol = depth, .least = std::to_string(k + 1)}, SymbolRole::depth);
    return {{.label = std::to_string(k), .number = RationalFunction(Rational(Integer(k)))}};
}

void add_finite(Shape const& s, JacobianCase const& c) {
    RationalFunction const l = RationalFunction::symbol("l");
    RationalFunction const& n = s.width;
    RationalFunction const& a = s.alpha;
    RationalFunction const one(1);
    RationalFunction const mean = one + (a - one) / l;
    RationalFunction const fourth = mean * mean + RationalFunction(5) * a * a / (n * l * l);
    RationalFunction const step = one + a / l;
    RationalFunction const rising = step * step + RationalFunction(5) * a * a / (n * l * l);
    RationalFunction const falling = step * step - a * a / (n * l * l);
    RationalFunction const q = one + RationalFunction(5) / n;
    RationalFunction const p = one - one / n;
    RationalFunction const square = s.squared_norm * s.squared_norm;
    std::string const& L = s.depth;
    auto add = [&](std::string const& name, std::vector<std::string> const& index, Value const& value) {
        c.answer.add(name, index, value, {}, not_sampled);
    };
    // E|y^L|^2 is a power of 1 at alpha = 1.
    auto with_mean = [&](RationalFunction const& factor) {
        return a == one ? Value(factor.merged()) : product(factor, {over(mean, "1", L)});
    };
    add("output_mean", {}, with_mean(s.squared_norm));
    add("output_second_moment", {}, product(square, {over(fourth, "1", L)}));
    for (auto const& layer : layers_asked(c, L)) {
        std::vector<std::string> const index{layer.label};
        RationalFunction const& k = layer.number;
        if (layer.last) {
            add("reduced_output_mean", index, with_mean(s.squared_norm));
            add("reduced_output_second_moment", index, product(square, {over(fourth, "1", L)}));
            add("jacobian_mean", index,
                with_mean(RationalFunction(s.squared_norm * n * k / (RationalFunction(2) * a))));
            add("jacobian_second_moment", index,
                product(RationalFunction(square * n * (n + one) / RationalFunction(4)),
                        {over(rising, "1", L + " - 1")}));
            continue;
        }
        RationalFunction const next = k + one;
        RationalFunction const shift = one + (a - one) / next;
        RationalFunction const left_out = shift * shift + RationalFunction(5) * a * a / (n * next * next);
        add("reduced_output_mean", index, with_mean(RationalFunction(s.squared_norm * a / (k + a))));
        add("reduced_output_second_moment", index,
            product(RationalFunction(square * a * a * q / (next * next * left_out)), {over(fourth, "1", L)}));
        add("jacobian_mean", index,
            with_mean(RationalFunction(s.squared_norm * n * k / (RationalFunction(2) * (k + a)))));
        RationalFunction const total = RationalFunction::symbol(L);
        std::string const from = to_string(next.merged());
        std::string const bracket =
            "((" + to_string(RationalFunction((q * q / RationalFunction(3)).merged())) + ")*" +
            over(rising, from, L + " - 1") + " + (" +
            to_string(RationalFunction((RationalFunction(2) * p * p / RationalFunction(3)).merged())) + ")*" +
            over(falling, from, L + " - 1") + ")";
        add("jacobian_second_moment", index,
            product(RationalFunction(square * n * n * a * a / (RationalFunction(4) * total * total)),
                    {over(rising, "1", to_string(RationalFunction((k - one).merged()))), bracket}));
    }
    c.answer.assume("products over layers in brackets, as SymPy writes them");
}

void add_deep(Shape const& s, JacobianCase const& c) {
    if (!s.width.is_numeric()) throw DomainError("`limit` deep: the width needs a value; give it by `set`", "limit");
    Surd const value = s.width.evaluate({});
    Integer const n = numerator_of(value.to_rational());
    c.answer.assume("limit of " + s.depth + " to infinity, the layer fixed");
    std::string const name = "relative_variance_limit";
    if (!s.alpha.is_numeric()) throw DomainError("`limit` deep: alpha needs a value; give it by `set`", "limit");
    Surd const a = s.alpha.evaluate({});
    if (sign(a) <= 0) throw DomainError("`alpha` = " + to_string(a) + "; it has to be positive", "alpha");
    std::string const output_form =
        "|Gamma(a)/Gamma(a + i a r)|^2 - 1, r = sqrt(5/" + to_string(n) + "), a = " + to_string(a);
    auto add = [&](std::string const& row, std::vector<std::string> const& index, auto const& limit,
                   std::string const& form) {
        c.answer.add_limit(
            row, index,
            Value::certified(
                [limit](unsigned bits) { return limit(bits + guard_bits) - Interval(1L, bits + guard_bits); }, form),
            {s.depth}, not_sampled);
    };
    add(
        "output_" + name, {}, [n, a](unsigned bits) { return dense_output_limit(n, a, bits); },
        a == Surd(1) ? "sinh(pi r)/(pi r) - 1, r = sqrt(5/" + to_string(n) + ")" : output_form);
    auto layers = layers_asked(c, s.depth);
    if (!c.request.layer) {
        layers = {{.label = "1", .number = RationalFunction(1)},
                  {.label = "2", .number = RationalFunction(2)},
                  layers.back()};
    }
    for (auto const& layer : layers) {
        if (layer.last) {
            add(
                name, {layer.label}, [n, a](unsigned bits) { return dense_last_jacobian_limit(n, a, bits); },
                "(1 + 1/n) prod T_5(l) - 1");
            continue;
        }
        if (!layer.number.is_numeric())
            throw DomainError("`limit` deep: `layer` takes a number or " + s.depth, "layer");
        auto const k = static_cast<std::uint64_t>(numerator_of(layer.number.evaluate({}).to_rational()));
        add(
            name, {layer.label}, [n, a, k](unsigned bits) { return dense_jacobian_limit(n, a, k, bits); },
            "products of T_5 and T_(-1), docs/formulas/dense_limit.md");
    }
}

}  // namespace

bool has_open_dense_depth(ModelText const& text, Bindings const& bindings) {
    if (text.wiring != Wiring::dense) return false;
    for (auto const& item : text.widths) {
        if (is_open(item.count, bindings)) return true;
    }
    return false;
}

void add_dense_products(JacobianCase const& c, Bindings const& bindings) {
    if (c.request.by_input || c.request.by_block || c.request.growth_bounds)
        throw UnsupportedError("`wrt` input, `block` and `bounds` need a dense network with a depth in numbers",
                               "widths");
    if (c.text.target_second)
        throw UnsupportedError("`target_second_moment`: gradients need a dense network with a depth in numbers",
                               "target_second_moment");
    Shape const shape = shape_of(c.text, bindings);
    if (!c.session.limit) {
        add_finite(shape, c);
    } else if (*c.session.limit == "deep") {
        add_deep(shape, c);
    } else {
        throw UnsupportedError("`limit` " + printable(*c.session.limit) + ": a dense network needs a depth in numbers",
                               "limit");
    }
}

}  // namespace isserlis::quantity
