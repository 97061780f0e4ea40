// SPDX-License-Identifier: MIT
#include "quantity/hessian/norm_values.hpp"

#include <isserlis/formula/mean_loss_hessian.hpp>
#include <isserlis/loss_curve/curve_number.hpp>
#include <isserlis/model/chains.hpp>
#include <isserlis/network/graph.hpp>
#include <map>
#include <memory>
#include <string>
#include <tuple>

namespace isserlis::quantity {
namespace {

constexpr char const* over_angles = "sums over the angles of pairs of samples";

/// Through one hidden layer of biases, which no power of |x_k|^2 comes out of.
template <class R>
std::optional<HessianNorm<SampleNumber<R>>> biased_norm_of_one(FullyConnected<R, std::uint64_t> const& net,
                                                               StepSamples<R> const& samples) {
    HessianNorm<SampleNumber<R>> mean{R(0), R(0), R(0), R(0)};
    R const n = from_count<R>(samples.inputs.size());
    for (std::size_t k = 0; k < samples.inputs.size(); ++k) {
        auto const one = biased_hessian(net, samples.inputs[k][k], R(1));
        if (!one) return std::nullopt;
        mean.gauss_newton = mean.gauss_newton + one->gauss_newton / n;
        mean.functional = mean.functional + one->functional / n;
        mean.cross = mean.cross + one->cross / n;
        mean.target = mean.target + R(one->target / n) * samples.target_norms[k];
    }
    return mean;
}

template <class R, class Count>
std::optional<HessianNorm<SampleNumber<R>>> norm_of_one(Model<R, Count> const& model, StepSamples<R> const& samples) {
    if (samples.target_norms.empty()) return std::nullopt;
    if (has_biases(model.graph())) return biased_norm_of_one(*layer_by_layer(model.net(), 2), samples);
    R fourth(0);
    SampleNumber<R> with_target(R(0));
    for (std::size_t k = 0; k < samples.inputs.size(); ++k) {
        R const& square = samples.inputs[k][k];
        fourth = fourth + square * square;
        with_target = with_target + square * samples.target_norms[k];
    }
    R const n = from_count<R>(samples.inputs.size());
    fourth = fourth / n;
    auto const parts = hessian_norm(model.net(), R(1), R(1));
    return HessianNorm<SampleNumber<R>>{.gauss_newton = R(fourth * parts.gauss_newton),
                                        .functional = R(fourth * parts.functional),
                                        .cross = R(fourth * parts.cross),
                                        .target = R(parts.target / n) * with_target};
}

template <class R, class Count, class Irrational>
NormValues norm_over_pairs(Model<R, Count> const& model, StepSamples<R> const& samples,
                           TargetProducts<R> const& targets, R const& share, Irrational const& irrational) {
    if (samples.inputs.size() == 1 &&
        !has_biases(model.graph())) {  // at any depth: the mean loss is that of the sample
        if (auto const one = norm_of_one(model, samples)) return NormValues::exact(*one);
    }
    auto const net = layer_by_layer(model.net(), 2);
    if (!net || net->layers.size() != 2)
        return NormValues::unknown(
            "it is closed for one hidden layer, and for linear units; others have the bound, beside which `check` sets "
            "what networks in numbers have");
    if (net->activation.is_concatenated()) return NormValues::unknown("it is closed for relu, leaky and linear units");
    auto const products = rational_products(samples.inputs, has_biases(model.graph()));
    if (!products) return NormValues::unknown("through gates products of inputs have to be rational numbers");
    std::string const why = why_open(*net);
    if (!targets.exact.empty() && bias_in_products(*net)) {
        if (auto const exact = exact_mean_loss_hessian(*net, *products, targets.exact))
            return NormValues::exact(PairNorms<R>{.apart = *exact, .one = norm_of_one(model, samples)}.mixed(share));
    }
    return why.empty() ? irrational(*net, *products) : NormValues::unknown(why);
}

}  // namespace

NormValues NormValues::unknown(std::string const& why) {
    Value const none = Value::absent(why);
    return {.total = none,
            .gauss_newton = none,
            .functional = none,
            .cross = none,
            .target = none,
            .root = none,
            .over_root = none,
            .is_known = false};
}

NormValues NormValues::certified(std::function<HessianNorm<Enclosed>(unsigned bits)> const& parts) {
    auto known = std::make_shared<std::map<unsigned, HessianNorm<Enclosed>>>();  // each is a sum over pairs
    auto const at = [parts, known](unsigned bits) -> HessianNorm<Enclosed> const& {
        auto const found = known->find(bits);
        return found != known->end() ? found->second : known->emplace(bits, parts(bits)).first->second;
    };
    auto const value = [&](auto const& of) {
        auto const number =
            CurveNumber::enclosed([at, of](unsigned bits) { return of(at(bits + guard_bits)); }, over_angles);
        return number.is_absent() ? Value::absent("it cannot be told from 0") : number.value();
    };
    auto const total = [at](unsigned bits) { return at(bits + guard_bits).total().enclose(bits + guard_bits); };
    return {.total = value([](auto const& p) { return p.total(); }),
            .gauss_newton = value([](auto const& p) { return p.gauss_newton; }),
            .functional = value([](auto const& p) { return p.functional; }),
            .cross = value([](auto const& p) { return p.cross; }),
            .target = value([](auto const& p) { return p.target; }),
            .root = Value::certified([total](unsigned bits) { return sqrt(total(bits)); }, "sqrt(hessian_mean_loss)"),
            .over_root =
                Value::certified([total](unsigned bits) { return Interval(2L, bits + guard_bits) / sqrt(total(bits)); },
                                 "2/sqrt(hessian_mean_loss)")};
}

std::optional<HessianNorm<TargetForm>> gated_norm_of_one(NumericModel const& model, StepSamples<Surd> const& samples) {
    return norm_of_one(model, samples);
}
std::optional<HessianNorm<RationalFunction>> gated_norm_of_one(SymbolicModel const& model,
                                                               StepSamples<RationalFunction> const& samples) {
    return norm_of_one(model, samples);
}

NormValues gated_norm(NumericModel const& model, StepSamples<Surd> const& samples, TargetProducts<Surd> const& targets,
                      Surd const& share) {
    return norm_over_pairs(model, samples, targets, share, [&](auto const& net, auto const& products) -> NormValues {
        auto const one = norm_of_one(model, samples);
        auto const parts = [net, products, of_targets = targets.enclosed, share, one](unsigned bits) {
            auto const all = mean_loss_hessian(net, products, of_targets(bits), bits);
            if (share.is_zero()) return all;
            auto const of = [bits](TargetForm const& x) {
                return x.exact() != nullptr ? isserlis::enclosed(*x.exact(), bits) : Enclosed(x.enclose(bits));
            };
            HessianNorm<Enclosed> const of_one{.gauss_newton = of(one->gauss_newton),
                                               .functional = of(one->functional),
                                               .cross = of(one->cross),
                                               .target = of(one->target)};
            return PairNorms<Enclosed>{.apart = all, .one = of_one}.mixed(of(share));
        };
        constexpr unsigned few_bits = 64;
        auto const rough = parts(few_bits).total();
        if (rough.is_zero()) return NormValues::exact(HessianNorm<Surd>{0, 0, 0, 0});
        return NormValues::certified(parts);
    });
}

NormValues gated_norm(SymbolicModel const& model, StepSamples<RationalFunction> const& samples,
                      TargetProducts<RationalFunction> const& targets, RationalFunction const& share) {
    return norm_over_pairs(model, samples, targets, share, [](auto const&, auto const&) {
        return NormValues::unknown("an angle of two samples makes it irrational; give the symbols numbers by `set`");
    });
}

}  // namespace isserlis::quantity
