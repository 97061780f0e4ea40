// SPDX-License-Identifier: MIT
#include "quantity/jacobian/jacobian_budget.hpp"

#include <isserlis/error.hpp>
#include <isserlis/ring/bisection.hpp>

#include "quantity/jacobian/jacobian_quantity.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* a_comparison = "a comparison of networks, with nothing to sample";

/// What stays the same: both ends and the number of weight matrices.
struct Frame {
    Integer first;
    Integer last;
    std::uint64_t matrices = 1;
};

struct Architecture {
    char const* name;
    Wiring wiring;
    ActivationKind activation;
    int coefficient;  ///< c of a gate: a vanilla layer of width n multiplies E|y|^4/(E|y|^2)^2 by 1 + c/n
};

constexpr std::size_t branch = 2;  ///< matrices of a residual branch
constexpr Architecture architectures[] = {
    // NOLINT(modernize-avoid-c-arrays): its length is that of the list
    {"vanilla", Wiring::vanilla, ActivationKind::relu, 5},
    {"crelu", Wiring::vanilla, ActivationKind::crelu, 2},
    {"resnet:2", Wiring::residual, ActivationKind::relu, 5},
    {"densenet", Wiring::dense, ActivationKind::relu, 5},
};

std::uint64_t blocks_of_branches(Frame const& frame) { return std::max<std::uint64_t>(frame.matrices / branch, 1); }

Integer parameters(Architecture const& a, Frame const& f, Integer const& width) {
    Integer const hidden = f.matrices - 1;
    if (a.wiring == Wiring::residual) return Integer(blocks_of_branches(f) * branch) * width * width;
    if (f.matrices == 1) return f.first * f.last * (a.activation == ActivationKind::crelu ? 2 : 1);
    if (a.wiring == Wiring::dense) {
        // Layer l reads n_0 + (l - 1) n.
        Integer const below = hidden * f.first + width * (hidden * (hidden - 1) / 2);
        return below * width + (f.first + hidden * width) * f.last;
    }
    Integer const single = f.first * width + (hidden - 1) * width * width + width * f.last;
    return a.activation == ActivationKind::crelu ? Integer(2 * single) : single;
}

WidthItem item(Integer const& width, Integer const& count) {
    return {.width = {.text = to_string(width), .is_symbol = false},
            .count = {.text = to_string(count), .is_symbol = false}};
}

ModelText described(ModelText const& reference, Architecture const& a, Frame const& f, Integer const& width) {
    ModelText out = reference;
    out.wiring = a.wiring;
    out.activation = a.activation;
    out.branch_matrices = branch;
    if (sides_of(a.activation) != WeightSides::one) out.gated_head = false;
    if (!out.scheme) out.scheme = Scheme::he;
    if (a.wiring == Wiring::residual) {
        out.widths = {item(width, Integer(blocks_of_branches(f) + 1))};
        return out;
    }
    out.widths = {item(f.first, 1)};
    if (f.matrices > 1) out.widths.push_back(item(width, Integer(f.matrices - 1)));
    out.widths.push_back(item(f.last, 1));
    return out;
}

/// The name in the index. A residual network has one width: where the others have other ends, the row says which it
/// has.
std::string label(Architecture const& a, Frame const& f, Integer const& width, Answer& answer) {
    if (a.wiring != Wiring::residual || (f.first == width && f.last == width)) return a.name;
    std::string const ends = to_string(width);
    std::string out = std::string(a.name) + "[" + ends + "-" + ends + "]";
    answer.warn(out + ": a residual network keeps its width, so that it has " + ends + " inputs and " + ends +
                " outputs, not " + to_string(f.first) + " and " + to_string(f.last) +
                "; its output is another one, and only its growth with depth compares with the others");
    return out;
}

void add_architecture(ModelText const& text, Architecture const& a, Frame const& f, Integer const& width,
                      Answer& answer) {
    std::string const name = label(a, f, width, answer);
    auto add = [&](char const* quantity, std::vector<std::string> rest, Surd const& value) {
        rest.insert(rest.begin(), name);
        answer.add(quantity, std::move(rest), value, {}, a_comparison);
    };
    add("budget_width", {}, Rational(width));
    add("budget_parameters", {}, Rational(parameters(a, f, width)));
    if (a.wiring == Wiring::vanilla) add("budget_growth_rate", {}, Rational(a.coefficient) / Rational(width));
    JacobianRequest request;
    add("budget_output_mean", {}, network_quantity("output_mean", text, request, {}));
    add("budget_output_relative_variance", {}, network_quantity("output_relative_variance", text, request, {}));
    bool const residual = a.wiring == Wiring::residual;
    std::uint64_t const last = residual ? blocks_of_branches(f) : f.matrices;
    for (bool const at_end : {false, true}) {
        if (at_end && f.matrices == 1) continue;
        request.layer = std::to_string(at_end ? last : 1);
        if (residual) request.matrix = at_end ? branch : 1;
        std::vector<std::string> index{*request.layer};
        if (residual) index.front() += "." + std::to_string(*request.matrix);
        add("budget_jacobian_relative_variance", index, network_quantity("relative_variance", text, request, {}));
    }
}

}  // namespace

void add_budget(ModelText const& text, Bindings const& bindings, Answer& answer) {
    for (auto const& symbol : text.symbols()) {
        if (bindings.count(symbol) == 0)
            throw UnsupportedError("`budget`: " + symbol + " needs a value; give it by `set`", "budget");
    }
    auto const model = numeric_model(text, bindings);
    auto const& layers = model.net().layers;
    auto whole = [](Surd const& x) { return numerator_of(x.to_rational()); };
    Frame frame{.first = whole(layers.front().fan_in), .last = whole(layers.back().fan_out), .matrices = 0};
    Integer budget = 0;
    std::optional<Integer> width;
    bool constant = true;
    for (auto const& run : layers) {
        frame.matrices += run.count;
        budget += whole(run.fan_in) * whole(run.fan_out) * Integer(run.count);
        for (auto const* end : {&run.fan_in, &run.fan_out}) {
            bool const outer =
                (end == &run.fan_in && &run == &layers.front()) || (end == &run.fan_out && &run == &layers.back());
            if (outer && run.count == 1) continue;
            constant = constant && (!width || *width == whole(*end));
            width = whole(*end);
        }
    }
    if (!constant || !width) {
        throw DomainError("`budget`: one hidden width is required, as in 784,100:10,10", "widths");
    }
    constexpr std::uint64_t most_matrices = 2000;
    if (frame.matrices > most_matrices)
        throw UnsupportedError("`budget`: " + std::to_string(frame.matrices) + " matrices; at most " +
                                   std::to_string(most_matrices) + " are compared",
                               "budget");
    answer.assume(
        "as many weight matrices as `widths`, the greatest hidden width whose parameters do not exceed those of "
        "the ReLU network `widths`; residual: that width at both ends too, blocks of 2 matrices, one matrix fewer of "
        "an odd number");
    if (text.gated_head) answer.assume("the heads of crelu and of residual networks are linear");
    answer.assume("scheme " + std::string(info(text.scheme.value_or(Scheme::he)).name) +
                  "; relative variances of the first and of the last matrix");
    for (auto const& a : architectures) {
        bool const given = a.wiring == Wiring::vanilla && a.activation == ActivationKind::relu;
        constexpr std::uint64_t limit = std::uint64_t{1} << 40U;
        auto const too_wide = [&](std::uint64_t n) { return parameters(a, frame, Integer(n)) > budget; };
        auto const above = given ? std::nullopt : least_that(too_wide, 1, limit);
        if (!given && (!above || *above == 1)) {
            answer.add("budget_width", {a.name},
                       Value::absent(above ? "width 1 has more parameters already" : "no width exceeds the budget"), {},
                       a_comparison);
            continue;
        }
        Integer const fitting = given ? *width : Integer(*above - 1);
        add_architecture(described(text, a, frame, fitting), a, frame, fitting, answer);
    }
}

}  // namespace isserlis::quantity
