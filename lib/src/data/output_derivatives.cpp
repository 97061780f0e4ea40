// SPDX-License-Identifier: MIT
#include <isserlis/data/output_derivatives.hpp>
#include <isserlis/data/targets.hpp>
#include <isserlis/error.hpp>

#include <algorithm>

namespace isserlis {
namespace {

using RationalMatrix = std::vector<std::vector<Rational>>;

/// softmax(z), sigmoid(z) or what stands for them: the gradient is p + factor y.
struct AtOutput {
    std::vector<Rational> p;
    Rational factor;
    RationalMatrix hessian;
};

RationalMatrix multiple_of_identity(Rational const& x, std::size_t d) {
    RationalMatrix out(d, std::vector<Rational>(d));
    for (std::size_t i = 0; i < d; ++i) out[i][i] = x;
    return out;
}

[[noreturn]] void fail_transcendental(LossKind loss, char const* takes) {
    throw UnsupportedError(std::string("output_derivatives: the gradient of ") + name(loss) +
                               " at this output is not rational; exact ones need " + takes,
                           "output");
}

AtOutput at_output(LossKind loss, std::vector<Rational> const& z) {
    std::size_t const d = z.size();
    switch (loss) {
        case LossKind::squared: {
            AtOutput out{.p = {}, .factor = -2, .hessian = multiple_of_identity(2, d)};
            for (auto const& x : z) out.p.emplace_back(2 * x);
            return out;
        }
        case LossKind::half_squared: return {.p = z, .factor = -1, .hessian = multiple_of_identity(1, d)};
        case LossKind::cross_entropy: {
            if (std::any_of(z.begin(), z.end(), [&](Rational const& x) { return x != z.front(); }))
                fail_transcendental(loss, "equal entries, such as 0");
            Rational const p = ratio(1, Integer(d));
            RationalMatrix hessian = multiple_of_identity(p, d);
            for (auto& row : hessian)
                for (auto& h : row) h -= p * p;
            return {.p = std::vector<Rational>(d, p), .factor = -1, .hessian = hessian};
        }
        case LossKind::binary_cross_entropy: break;
    }
    if (std::any_of(z.begin(), z.end(), [](Rational const& x) { return x != 0; })) fail_transcendental(loss, "0");
    return {.p = std::vector<Rational>(d, ratio(1, 2)), .factor = -1, .hessian = multiple_of_identity(ratio(1, 4), d)};
}

/// f(offset, y) for every gradient, where y is null if the targets have no part in it.
template <class T, class F>
std::vector<std::vector<T>> gradients_by(DataSet const& data, OutputDerivatives const& derivatives, F const& f) {
    std::vector<std::vector<T>> out;
    for (std::size_t k = 0; k < derivatives.offsets.size(); ++k) {
        out.emplace_back();
        for (std::size_t j = 0; j < derivatives.offsets[k].size(); ++j)
            out.back().push_back(f(derivatives.offsets[k][j], derivatives.factor == 0 ? nullptr : &data.targets[k][j]));
    }
    return out;
}

}  // namespace

OutputDerivatives output_derivatives(DataSet const& data, LossKind loss, std::vector<Rational> const& output) {
    if (output.size() != data.output_width())
        throw DomainError("output_derivatives: the output has " + std::to_string(output.size()) + " entries, " +
                              data.place() + " has " + std::to_string(data.output_width()) + " a sample",
                          "output");
    OutputDerivatives out{.offsets = data.gradients, .factor = 0, .hessians = data.hessians};
    if (!out.offsets.empty() && !out.hessians.empty()) return out;
    AtOutput const at = at_output(loss, output);
    if (out.hessians.empty()) out.hessians.assign(data.samples(), at.hessian);
    if (!out.offsets.empty()) return out;
    require_targets(data, loss);
    out.offsets.assign(data.samples(), at.p);
    out.factor = at.factor;
    return out;
}

std::vector<std::vector<Surd>> exact_gradients(DataSet const& data, OutputDerivatives const& derivatives) {
    // Throws where a target is no surd.
    if (derivatives.factor != 0) static_cast<void>(exact_targets(data));
    return gradients_by<Surd>(data, derivatives, [&](Rational const& offset, RealNumber const* y) {
        return y == nullptr ? Surd(offset) : Surd(offset) + Surd(derivatives.factor) * *y->exact();
    });
}

std::vector<std::vector<Interval>> enclosed_gradients(DataSet const& data, OutputDerivatives const& derivatives,
                                                      unsigned bits) {
    return gradients_by<Interval>(data, derivatives, [&](Rational const& offset, RealNumber const* y) {
        Interval const start(offset, bits);
        return y == nullptr ? start : start + Interval(derivatives.factor, bits) * y->enclose(bits);
    });
}

std::vector<std::vector<double>> gradient_doubles(DataSet const& data, OutputDerivatives const& derivatives) {
    return gradients_by<double>(data, derivatives, [&](Rational const& offset, RealNumber const* y) {
        double const start = offset.convert_to<double>();
        return y == nullptr ? start : start + derivatives.factor.convert_to<double>() * y->to_double();
    });
}

std::vector<std::vector<std::vector<double>>> hessian_doubles(OutputDerivatives const& derivatives) {
    std::vector<std::vector<std::vector<double>>> out;
    for (auto const& hessian : derivatives.hessians) {
        out.emplace_back();
        for (auto const& row : hessian)
            for (out.back().emplace_back(); auto const& h : row) out.back().back().push_back(h.convert_to<double>());
    }
    return out;
}

}  // namespace isserlis
