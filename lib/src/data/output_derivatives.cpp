// SPDX-License-Identifier: MIT
#include <isserlis/data/output_derivatives.hpp>

#include <isserlis/data/targets.hpp>
#include <isserlis/error.hpp>

#include <algorithm>

namespace isserlis {
namespace {

void fill_with_multiple_of_identity(OutputDerivatives& out, RealNumber const& x, std::size_t d) {
    out.hessian.assign(d, std::vector<RealNumber>(d, RealNumber(0)));
    for (std::size_t i = 0; i < d; ++i) out.hessian[i][i] = x;
}

/// c |z - y|^2
void fill_squared(OutputDerivatives& out, int twice_c, std::vector<Rational> const& z) {
    for (auto const& x : z) {
        out.at_zero.emplace_back(Rational(twice_c * x));
        out.at_one.emplace_back(Rational(twice_c * (x - 1)));
    }
    out.factor = -twice_c;
    fill_with_multiple_of_identity(out, twice_c, z.size());
}

/// 1 / sum_j exp(z_j - own): the softmax of `own` among the z_j, to full relative precision however small it is.
Interval softmax(Rational const& own, std::vector<Rational> const& z, unsigned bits) {
    Interval sum(bits);
    for (auto const& x : z) sum = sum + exp(Interval(Rational(x - own), bits));
    return Interval(1L, bits) / sum;
}

/// The sum of the softmax of some z_j, as a number.
RealNumber softmax_of(std::vector<Rational> const& some, std::vector<Rational> const& z) {
    if (std::all_of(z.begin(), z.end(), [&](Rational const& x) { return x == z.front(); }))
        return ratio(Integer(some.size()), Integer(z.size()));
    return RealNumber::enclosed(
        [=](unsigned bits) {
            Interval sum(bits);
            for (auto const& own : some) sum = sum + softmax(own, z, bits);
            return sum;
        },
        "a softmax");
}

RealNumber product(RealNumber const& a, RealNumber const& b, int sign) {
    if (a.exact() && b.exact()) return Surd(sign) * *a.exact() * *b.exact();
    return RealNumber::enclosed(
        [=](unsigned bits) { return Interval(static_cast<long>(sign), bits) * a.enclose(bits) * b.enclose(bits); },
        "a product of softmaxes");
}

RealNumber negative(RealNumber const& a) { return product(a, 1, -1); }

std::vector<Rational> without(std::vector<Rational> z, std::size_t i) {
    z.erase(z.begin() + static_cast<std::ptrdiff_t>(i));
    return z;
}

void require_moderate(std::vector<Rational> const& z) {
    constexpr int most = 1'000'000;
    for (auto const& x : z)
        if (abs(x) > most)
            throw UnsupportedError("`at_output`: " + to_string(x) + " for a cross-entropy; up to a million is served",
                                   "output");
}

/// p - y and diag(p) - p p', p = softmax(z); 1 - p is the sum of the others.
void fill_cross_entropy(OutputDerivatives& out, std::vector<Rational> const& z) {
    std::size_t const d = z.size();
    fill_with_multiple_of_identity(out, 0, d);
    for (std::size_t i = 0; i < d; ++i) {
        out.at_zero.push_back(softmax_of({z[i]}, z));
        out.at_one.push_back(negative(softmax_of(without(z, i), z)));
    }
    out.factor = -1;
    for (std::size_t i = 0; i < d; ++i) {
        for (std::size_t j = 0; j < d; ++j)
            out.hessian[i][j] = product(out.at_zero[i], i == j ? out.at_one[i] : out.at_zero[j], -1);
    }
}

/// The same of every output against 0, the logit of the other class.
void fill_binary_cross_entropy(OutputDerivatives& out, std::vector<Rational> const& z) {
    fill_with_multiple_of_identity(out, 0, z.size());
    for (std::size_t i = 0; i < z.size(); ++i) {
        std::vector<Rational> const both{z[i], 0};
        out.at_zero.push_back(softmax_of({z[i]}, both));
        out.at_one.push_back(negative(softmax_of({0}, both)));
        out.hessian[i][i] = product(out.at_zero[i], out.at_one[i], -1);
    }
    out.factor = -1;
}

void fill_from_loss(OutputDerivatives& out, LossKind loss, std::vector<Rational> const& z) {
    switch (loss) {
        case LossKind::squared: return fill_squared(out, 2, z);
        case LossKind::half_squared: return fill_squared(out, 1, z);
        case LossKind::cross_entropy: require_moderate(z); return fill_cross_entropy(out, z);
        case LossKind::binary_cross_entropy: break;
    }
    require_moderate(z);
    fill_binary_cross_entropy(out, z);
}

bool are_exact(std::vector<RealNumber> const& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](RealNumber const& x) { return x.exact().has_value(); });
}

Surd exact_surd(RealNumber const& x) {
    if (!x.exact()) throw UnsupportedError("`at_output`: " + x.text() + " is no sum of square roots", "output");
    return *x.exact();
}

/// The Hessians of the data, or multiples of that of the loss: `number` takes an entry into the ring.
template <class T, class Number>
std::vector<std::vector<std::vector<T>>> hessians_over(OutputDerivatives const& derivatives, Number const& number) {
    auto const over = [&](auto const& rows, Rational const& share) {
        std::vector<std::vector<T>> out;
        for (auto const& row : rows)
            for (out.emplace_back(); auto const& x : row) out.back().push_back(number(x, share));
        return out;
    };
    std::vector<std::vector<std::vector<T>>> out;
    for (auto const& h : derivatives.hessians) out.push_back(over(h, Rational(1)));
    if (!out.empty()) return out;
    auto const& shares = derivatives.shares;
    bool const alike =
        std::all_of(shares.begin(), shares.end(), [&](Rational const& x) { return x == shares.front(); });
    for (std::size_t k = 0; k < (alike ? 1 : shares.size()); ++k) out.push_back(over(derivatives.hessian, shares[k]));
    return out;
}

constexpr unsigned bits_before_rounding = 128;

double middle(Interval const& x) { return mpfr_get_d(x.lower(), MPFR_RNDN); }

}  // namespace

bool OutputDerivatives::is_exact() const {
    bool const gradient = !uses_targets() || are_exact(at_zero);
    return gradient && (!hessians.empty() || std::all_of(hessian.begin(), hessian.end(), are_exact));
}

OutputDerivatives output_derivatives(DataSet const& data, LossKind loss, std::vector<Rational> const& output) {
    if (output.size() != data.output_width())
        throw DomainError("`at_output`: it has " + std::to_string(output.size()) + " entries, " + data.place() +
                              " has " + std::to_string(data.output_width()) + " a sample",
                          "output");
    OutputDerivatives out;
    out.gradients = data.gradients;
    out.hessians = data.hessians;
    out.shares.assign(data.samples(), Rational(1));
    if (!out.gradients.empty() && !out.hessians.empty()) return out;
    if (out.uses_targets()) require_targets(data, loss);
    fill_from_loss(out, loss, output);
    return out;
}

std::vector<std::vector<Surd>> exact_gradients(DataSet const& data, OutputDerivatives const& derivatives) {
    std::vector<std::vector<Surd>> out;
    if (!derivatives.uses_targets()) {
        for (auto const& row : derivatives.gradients) out.emplace_back(row.begin(), row.end());
        return out;
    }
    out = exact_targets(data);
    for (std::size_t k = 0; k < out.size(); ++k) {
        for (std::size_t j = 0; j < out[k].size(); ++j)
            out[k][j] =
                Surd(derivatives.shares[k]) * exact_surd(derivatives.at_zero[j]) + Surd(derivatives.factor) * out[k][j];
    }
    return out;
}

std::vector<std::vector<std::vector<Surd>>> exact_hessians(OutputDerivatives const& derivatives) {
    return hessians_over<Surd>(derivatives,
                               [](RealNumber const& x, Rational const& share) { return Surd(share) * exact_surd(x); });
}

std::vector<std::vector<Enclosed>> enclosed_gradients(DataSet const& data, OutputDerivatives const& derivatives,
                                                      unsigned bits) {
    std::vector<std::vector<Enclosed>> out;
    for (auto const& row : derivatives.gradients) out.emplace_back(row.begin(), row.end());
    if (!derivatives.uses_targets()) return out;
    // In this form nothing cancels: 1 - p is known as well as p.
    auto const enclosed = [&](RealNumber const& x) -> Enclosed {
        if (x.exact() && x.exact()->is_rational()) return x.exact()->to_rational();
        return x.enclose(bits);
    };
    std::vector<Enclosed> at_zero;
    std::vector<Enclosed> at_one;
    for (auto const& x : derivatives.at_zero) at_zero.push_back(enclosed(x));
    for (auto const& x : derivatives.at_one) at_one.push_back(enclosed(x));
    for (std::size_t k = 0; k < data.samples(); ++k) {
        out.emplace_back();
        for (std::size_t j = 0; j < at_zero.size(); ++j) {
            Enclosed const y = enclosed(data.targets[k][j]);
            out.back().push_back((Enclosed(derivatives.shares[k]) - y) * at_zero[j] + y * at_one[j]);
        }
    }
    return out;
}

std::vector<std::vector<std::vector<Enclosed>>> enclosed_hessians(OutputDerivatives const& derivatives, unsigned bits) {
    return hessians_over<Enclosed>(derivatives, [&](RealNumber const& x, Rational const& share) -> Enclosed {
        if (x.exact() && x.exact()->is_rational()) return Rational(share * x.exact()->to_rational());
        return Enclosed(share) * Enclosed(x.enclose(bits));
    });
}

std::vector<std::vector<double>> gradient_doubles(DataSet const& data, OutputDerivatives const& derivatives) {
    std::vector<std::vector<double>> out;
    for (auto const& row : enclosed_gradients(data, derivatives, bits_before_rounding))
        for (out.emplace_back(); auto const& x : row) out.back().push_back(middle(x.enclose(bits_before_rounding)));
    return out;
}

std::vector<std::vector<std::vector<double>>> hessian_doubles(OutputDerivatives const& derivatives) {
    auto out = hessians_over<double>(derivatives, [](RealNumber const& x, Rational const& share) {
        return middle(Interval(share, bits_before_rounding) * x.enclose(bits_before_rounding));
    });
    out.resize(derivatives.shares.size(), out.front());
    return out;
}

}  // namespace isserlis
