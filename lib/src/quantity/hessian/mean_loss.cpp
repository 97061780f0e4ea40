// SPDX-License-Identifier: MIT
#include "quantity/hessian/mean_loss.hpp"

#include <isserlis/formula/mean_loss_hessian.hpp>
#include <isserlis/model/chains.hpp>
#include <isserlis/report/tidy.hpp>

#include "quantity/hessian/sharpness.hpp"
#include "quantity/mean_over_inputs.hpp"
#include "quantity/pair_products.hpp"

namespace isserlis::quantity {
namespace {

constexpr std::size_t most_samples = 500;  ///< half a minute

MeanLossNorm unknown(std::string const& why) {
    Value const none = Value::absent(why);
    return {.value = none, .root = none, .over_root = none, .is_known = false};
}

template <class R>
MeanLossNorm in_ring(R const& total) {
    return {.value = tidy(total),
            .root = root(total, "sqrt(hessian_mean_loss)"),
            .over_root = reciprocal_sharpness(total, "2/sqrt(hessian_mean_loss)")};
}

/// y_k.y_l of targets at different inputs, which are independent.
template <class R, class Count>
R product_of_targets(Model<R, Count> const& model, R const& target_mean) {
    return R(model.graph().output_width()) * target_mean * target_mean;
}

/// Without gates, at any depth: by strands, since E|H|_F^2 is the mean of <H_k, H_l> over inputs k and l; `product` is
/// E y_k.y_l of two.
template <class R, class Count>
R linear_norm(Model<R, Count> const& model, InputRows const& inputs, R const& product) {
    auto const products = gram(inputs);
    Rational lengths = 0;
    Rational squares = 0;
    Rational sums = 0;
    for (std::size_t k = 0; k < products.size(); ++k) {
        lengths += products[k][k];
        for (auto const& x : products[k]) {
            squares += x * x;
            sums += x;
        }
    }
    Rational const count{Integer(inputs.size())};
    Rational const pairs = count * count;
    InputMeans<R> const of_outputs{{{{0, 0}, {1, 1}}, R(Rational(lengths * lengths / pairs))},
                                   {{{0, 1}, {0, 1}}, R(Rational(squares / pairs))}};
    R const one = model.target_second * R(Rational(lengths / pairs));
    R const two = product * R(Rational((sums - lengths) / pairs));
    InputMeans<R> const of_targets{{{{0, 1}}, one + two}};
    auto const mean = [&](char const* query) { return mean_over_inputs(query, model, {"k", "l"}, of_outputs); };
    return mean("z[i;m]@k z[i;n]@k z[j;m]@l z[j;n]@l") + mean("z[i]@k z[i;m,n]@k z[j]@l z[j;m,n]@l") +
           R(2) * mean("z[i;m]@k z[i;n]@k z[j]@l z[j;m,n]@l") +
           mean_over_inputs("z[1;m,n]@k z[1;m,n]@l", model, {"k", "l"}, of_targets);
}

template <class R, class Count, class Irrational>
MeanLossNorm norm_of(Model<R, Count> const& model, InputRows const& inputs, R const& target_mean,
                     Irrational const& irrational) {
    if (inputs.size() > most_samples) return unknown("it is served up to " + std::to_string(most_samples) + " inputs");
    auto const net = layer_by_layer(model.net(), 2);
    bool const is_deep = !net || net->layers.size() != 2;
    if (is_deep && model.net().activation.is_linear() && model.is_gaussian())
        return in_ring(linear_norm(model, inputs, product_of_targets(model, target_mean)));
    if (is_deep)
        return unknown(
            "it is closed for one hidden layer, and for linear units; others have the bound, beside which `check` sets "
            "what networks in numbers have");
    if (net->activation.is_concatenated()) return unknown("it is closed for relu, leaky and linear units");
    auto const products = gram(inputs);
    auto const targets = alike_products(inputs.size(), model.target_second, product_of_targets(model, target_mean));
    if (auto const exact = exact_mean_loss_hessian(*net, products, targets.exact)) return in_ring(exact->total());
    std::string const why = why_open(*net);
    return why.empty() ? irrational(*net, products, targets) : unknown(why);
}

}  // namespace

MeanLossNorm mean_loss_norm(NumericModel const& model, InputRows const& inputs, Surd const& target_mean) {
    return norm_of(
        model, inputs, target_mean, [](auto const& net, auto const& products, auto const& targets) -> MeanLossNorm {
            auto const norm = [net, products, targets](unsigned bits) {
                return mean_loss_hessian(net, products, targets.enclosed(bits), bits).total();
            };
            auto const total = [norm](unsigned bits) { return norm(bits + guard_bits).enclose(bits + guard_bits); };
            constexpr unsigned few_bits = 64;
            auto const rough = norm(few_bits);
            if (auto const* exact = rough.exact()) return in_ring(Surd(*exact));
            return {.value = Value::certified(total, "sums over the angles of pairs of inputs"),
                    .root = Value::certified([total](unsigned bits) { return sqrt(total(bits)); },
                                             "sqrt(hessian_mean_loss)"),
                    .over_root = Value::certified(
                        [total](unsigned bits) { return Interval(2L, bits + guard_bits) / sqrt(total(bits)); },
                        "2/sqrt(hessian_mean_loss)")};
        });
}

MeanLossNorm mean_loss_norm(SymbolicModel const& model, InputRows const& inputs, RationalFunction const& target_mean) {
    return norm_of(model, inputs, target_mean, [](auto const&, auto const&, auto const&) {
        return unknown("an angle of two inputs makes it irrational; give the symbols numbers by `set`");
    });
}

}  // namespace isserlis::quantity
