// SPDX-License-Identifier: MIT
#include "quantity/jacobian/jacobian_typical.hpp"
#include "quantity/unchecked.hpp"

#include <algorithm>
#include <array>
#include <isserlis/loss_curve/curve_number.hpp>
#include <isserlis/verify/heavy_tails.hpp>

namespace isserlis::quantity {
namespace {

struct Share {
    char const* text;
    double value;
};
constexpr std::array<Share, 3> shares{{{"0.05", 0.05}, {"0.5", 0.5}, {"0.95", 0.95}}};

/// One Gaussian layer after another up to a single output, of variances and an input that are not 0.
bool is_product_of_layers(JacobianCase const& c, NumericModel const& model) {
    if (c.text.wiring != Wiring::vanilla || !model.is_gaussian() || sign(model.squared_norm) <= 0) return false;
    if (model.net().output_width() != Surd(1)) return false;
    bool const summed = model.net().activation.gate().negative * model.net().activation.gate().negative != Surd(1);
    return std::all_of(model.net().layers.begin(), model.net().layers.end(), [&](auto const& run) {
        return sign(run.variance) > 0 && (!summed || run.fan_out.to_rational() <= max_log_norm_width);
    });
}

/// Some gate is 0 on one side.
bool has_closing_gate(NumericModel const& model) {
    if (model.network.is_chain()) return model.net().activation.gate().negative.is_zero();
    auto const& stages = model.graph().stages;
    return std::any_of(stages.begin(), stages.end(), [](auto const& stage) {
        return std::any_of(stage.nodes.begin(), stage.nodes.end(),
                           [](auto const& node) { return node.gate && node.gate->negative.is_zero(); });
    });
}

}  // namespace

bool TypicalRows::is_one(Surd const& square) const {
    if (!model_.network.is_chain() || depth(model_.net()) > 1) return false;
    Surd const slope = model_.net().activation.gate().negative;
    Surd const head = model_.net().gated_head && !slope.is_zero() ? slope * slope : Surd(1);
    return square * square * head == Surd(1);
}

TypicalRows::TypicalRows(JacobianCase const& c, NumericModel const& model)
    : c_(c), model_(model), factors_(is_product_of_layers(c, model)), can_die_(has_closing_gate(model)) {}

void TypicalRows::sample(std::vector<std::vector<std::string>> const& indices, JacobianSampling const& sampling) {
    std::vector<double> asked;
    for (auto const& share : shares) asked.push_back(share.value);
    auto const sizes = sampling.typical_sizes(indices, asked);
    std::size_t const each = sizes.size() / std::max<std::size_t>(indices.size(), 1);
    if (!c_.text.kurtoses.empty())
        c_.answer.assume("sampled with a density of that kurtosis; logarithms and quantiles are its own");
    if (each > 1 && !model_.target_second.is_zero())
        c_.answer.assume("gradients of a typical size: sampled with targets of random signs and equal sizes");
    for (std::size_t k = 0; k < indices.size(); ++k) {
        Sampled of_matrix{.jacobian = sizes[each * k], .gradient = {}};
        if (each > 1) of_matrix.gradient = sizes[each * k + 1];
        sampled_.emplace(indices[k], std::move(of_matrix));
    }
}

Value TypicalRows::certified(Value::Enclosure const& enclosure, std::string const& form) const {
    if (c_.answer.options().digits > max_certified_digits)
        return Value::absent("served up to `digits` " + std::to_string(max_certified_digits));
    return Value::certified(enclosure, form);
}

void TypicalRows::add(Rows const& names, std::vector<std::string> const& index, std::optional<Value> const& exact,
                      monte_carlo::TypicalSize const* sampled) const {
    if (!exact && sampled == nullptr) return;
    if (can_die_)
        c_.answer.assume(names.log +
                         ": given that it is not the logarithm of 0, as in a network with a dead ReLU layer");
    std::optional<Check> check;
    if (exact && sampled != nullptr && sampled->log.samples > 1)
        check = compare_log_mean(exact->to_double(), sampled->log.mean, sampled->log.std_error, sampled->log.samples);
    if (exact) {
        c_.answer.add(names.log, index, *exact, check, "no exact value to check, or no network that is alive");
    } else {
        c_.answer.add(names.log, index, CurveNumber::sampled(sampled->log).value(), {}, is_sampled_itself);
    }
    if (sampled == nullptr) return;
    for (std::size_t k = 0; k < sampled->quantiles.size(); ++k) {
        auto const& quantile = sampled->quantiles[k];
        std::vector<std::string> at{shares[k].text};
        at.insert(at.end(), index.begin(), index.end());
        std::uint64_t const all = sampled->log.samples + sampled->zeros;
        Value value = Value::absent("too few networks for the error of a quantile");
        if (quantile.value == 0) {
            value = Value::absent("0 in " + std::to_string(sampled->zeros) + " of " + std::to_string(all) +
                                  " sampled networks: so is this quantile");
        } else if (quantile.std_error) {
            value = CurveNumber::sampled({.mean = quantile.value, .std_error = *quantile.std_error, .samples = all})
                        .value();
        }
        c_.answer.add(names.quantile, at, value, {}, is_sampled_itself);
    }
}

void TypicalRows::add_matrix(std::vector<std::string> const& index, Surd const& variance) const {
    auto const found = sampled_.find(index);
    Sampled const* const sampled = found == sampled_.end() ? nullptr : &found->second;
    std::optional<Value> jacobian;
    std::optional<Value> gradient;
    if (factors_) {
        bool const by_theta = c_.text.has_unit_parameters();
        auto const log_jacobian = [net = model_.net(), square = model_.squared_norm, variance, by_theta,
                                   memo = memo_](unsigned bits) {
            Interval const by_parameters =
                log(enclose(square, bits + 64)) + relative_log_jacobian_mean(net, bits + 64, *memo);
            return by_theta ? by_parameters : by_parameters - log(enclose(variance, bits + 64));
        };
        jacobian = is_one(by_theta ? Surd(model_.squared_norm * variance) : model_.squared_norm)
                       ? Value(Surd(0))
                       : certified(log_jacobian,
                                   "log|x|^2 + sum of log v of the other layers + E log of the hidden chi-squares");
        if (model_.target_second.is_zero() && !model_.net().gated_head) {
            // The gradient is z J: the logarithms add, whether z and J depend on each other or not.
            gradient = certified(
                [log_jacobian, net = model_.net(), square = model_.squared_norm, memo = memo_](unsigned bits) {
                    return log_jacobian(bits) + log(enclose(square, bits + 64)) +
                           relative_log_norm_mean(net, Reading::preactivation, bits + 64, *memo);
                },
                "E log ||J||^2 + E log z^2");
        }
    }
    add({.log = "log_jacobian_mean", .quantile = "jacobian_quantile"}, index, jacobian,
        sampled == nullptr ? nullptr : &sampled->jacobian);
    add({.log = "log_gradient_mean", .quantile = "gradient_quantile"}, index, gradient,
        sampled == nullptr || !sampled->gradient ? nullptr : &*sampled->gradient);
}

void TypicalRows::add_input() const {
    if (!factors_) return;
    auto const log_jacobian = [net = model_.net(), memo = memo_](unsigned bits) {
        Integer const inputs = numerator_of(net.input_width().to_rational());
        return relative_log_jacobian_mean(net, bits + 64, *memo) + log_chi_square_mean(inputs, bits + 64);
    };
    add({.log = "log_jacobian_mean", .quantile = "jacobian_quantile"}, {},
        certified(log_jacobian, "sum of log v + E log of the chi-squares of input and hidden layers"), nullptr);
}

}  // namespace isserlis::quantity
