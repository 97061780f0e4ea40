// SPDX-License-Identifier: MIT
#include "quantity/hessian/mean_loss.hpp"

#include <isserlis/formula/mean_loss_hessian.hpp>
#include <isserlis/model/chains.hpp>
#include <isserlis/report/tidy.hpp>

namespace isserlis::quantity {
namespace {

constexpr std::size_t most_inputs = 500;  ///< half a minute
constexpr unsigned guard_bits = 32;

MeanLossNorm unknown(std::string const& why) {
    Value const none = Value::absent(why);
    return {.value = none, .root = none, .over_root = none, .is_known = false};
}

template <class R>
MeanLossNorm in_ring(R const& total) {
    return {.value = tidy(total),
            .root = root(total, "sqrt(hessian_mean_loss)"),
            .over_root =
                total == R(0) ? Value::absent("the Hessian is 0") : over_root(2, total, "2/sqrt(hessian_mean_loss)")};
}

template <class R, class Count, class Irrational>
MeanLossNorm norm_of(Model<R, Count> const& model, InputRows const& inputs, Irrational const& irrational) {
    auto const net = layer_by_layer(model.net(), 2);
    if (!net || net->layers.size() != 2)
        return unknown(
            "it is closed for one hidden layer; of others there are the bound, and its sampled mean with `check`");
    if (net->activation.is_concatenated()) return unknown("it is closed for relu, leaky and linear units");
    if (inputs.size() > most_inputs) return unknown("it is served up to " + std::to_string(most_inputs) + " inputs");
    auto const products = gram(inputs);
    if (auto const exact = exact_mean_loss_hessian(*net, products, model.target_second)) return in_ring(exact->total());
    return irrational(*net, products);
}

}  // namespace

MeanLossNorm mean_loss_norm(NumericModel const& model, InputRows const& inputs) {
    return norm_of(model, inputs, [&](auto const& net, auto const& products) -> MeanLossNorm {
        auto const total = [net, products, second = model.target_second](unsigned bits) {
            return mean_loss_hessian(net, products, second, bits + guard_bits).total().enclose(bits + guard_bits);
        };
        constexpr unsigned few_bits = 64;
        auto const rough = mean_loss_hessian(net, products, model.target_second, few_bits).total();
        if (auto const* exact = rough.exact()) return in_ring(Surd(*exact));
        return {
            .value = Value::certified(total, "sums over the angles of pairs of inputs"),
            .root = Value::certified([total](unsigned bits) { return sqrt(total(bits)); }, "sqrt(hessian_mean_loss)"),
            .over_root =
                Value::certified([total](unsigned bits) { return Interval(2L, bits + guard_bits) / sqrt(total(bits)); },
                                 "2/sqrt(hessian_mean_loss)")};
    });
}

MeanLossNorm mean_loss_norm(SymbolicModel const& model, InputRows const& inputs) {
    return norm_of(model, inputs, [](auto const&, auto const&) {
        return unknown("an angle of two inputs makes it irrational; give the symbols numbers by `set`");
    });
}

}  // namespace isserlis::quantity
