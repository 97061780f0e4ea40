// SPDX-License-Identifier: MIT
#include <isserlis/formula/hessian_norm.hpp>

#include <isserlis/ring/exponent.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <type_traits>

#include "formula/by_rationals.hpp"

namespace isserlis {

template <Field R, class Count>
HessianNorm<R> hessian_norm(FullyConnected<R, Count> const& net, R const& square, R const& target_second) {
    if constexpr (std::is_same_v<R, Surd>) {
        if (auto out = by_rationals([](auto const&... x) { return hessian_norm(x...); }, net, square, target_second))
            return *out;
    }
    LabelPairs<R> const pairs = label_pairs(net, square);
    R const outputs = net.output_width();
    R const functional = closed_over_outputs(pairs.parallel, outputs);
    return {.gauss_newton = closed_over_outputs(pairs.equal, outputs) + functional,
            .functional = functional,
            .cross = R(2) * closed_over_outputs(pairs.crossed, outputs),
            .target = target_second * pairs.distinct};
}

template <Field R>
std::vector<R> hessian_block_row(FullyConnected<R, std::uint64_t> const& net, R const& square, R const& target_second,
                                 std::size_t row) {
    if constexpr (std::is_same_v<R, Surd>) {
        auto const blocks = [&](auto const&... x) { return hessian_block_row(x..., row); };
        if (auto out = by_rationals(blocks, net, square, target_second)) return *out;
    }
    auto const pairs = label_pair_row(net, square, row);
    R const outputs = net.output_width();
    std::vector<R> out;
    for (std::size_t m = 0; m < pairs.size(); ++m) {
        R const parallel = closed_over_outputs(pairs[m].parallel, outputs);
        if (m + 1 == row) {
            out.push_back(parallel);  // d_mu d_nu z = 0 within a layer
            continue;
        }
        out.push_back(R(2) * parallel + R(2) * closed_over_outputs(pairs[m].crossed, outputs) +
                      target_second * pairs[m].distinct);
    }
    return out;
}

template HessianNorm<Rational> hessian_norm(FullyConnected<Rational, std::uint64_t> const&, Rational const&,
                                            Rational const&);
template std::vector<Rational> hessian_block_row(FullyConnected<Rational, std::uint64_t> const&, Rational const&,
                                                 Rational const&, std::size_t);
template HessianNorm<Surd> hessian_norm(FullyConnected<Surd, std::uint64_t> const&, Surd const&, Surd const&);
template std::vector<Surd> hessian_block_row(FullyConnected<Surd, std::uint64_t> const&, Surd const&, Surd const&,
                                             std::size_t);
template HessianNorm<RationalFunction> hessian_norm(FullyConnected<RationalFunction, std::uint64_t> const&,
                                                    RationalFunction const&, RationalFunction const&);
template std::vector<RationalFunction> hessian_block_row(FullyConnected<RationalFunction, std::uint64_t> const&,
                                                         RationalFunction const&, RationalFunction const&, std::size_t);
template HessianNorm<RationalFunction> hessian_norm(FullyConnected<RationalFunction, Exponent> const&,
                                                    RationalFunction const&, RationalFunction const&);
template HessianNorm<double> hessian_norm(FullyConnected<double, std::uint64_t> const&, double const&, double const&);
template std::vector<double> hessian_block_row(FullyConnected<double, std::uint64_t> const&, double const&,
                                               double const&, std::size_t);

}  // namespace isserlis
