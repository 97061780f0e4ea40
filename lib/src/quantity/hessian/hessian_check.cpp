// SPDX-License-Identifier: MIT
#include "quantity/hessian/hessian_check.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/verify/feasible.hpp>
#include <isserlis/verify/observable.hpp>

#include <isserlis/model/sampling_model.hpp>
#include "quantity/observable_check.hpp"
#include "question/model_statement.hpp"

namespace isserlis::quantity {

using monte_carlo::HessianNormSampler;

HessianCheck::HessianCheck(NumericModel const& model, Session const& session, Answer& answer)
    : model_(model), session_(session), answer_(answer) {
    if (!session.samples) return;
    monte_carlo::HessianNormSettings settings;
    settings.target_second_moment = to_double(model.target_second);
    for (auto const& run : model.net().layers) {
        if (layers_ += run.count; layers_ > 100'000) return;
    }
    settings.label_factors = sampling_factors(model);
    std::optional<HessianNormSampler> sampler;
    try {
        sampler.emplace(sampling_model(model), settings);
    } catch (UnsupportedError const& e) {
        if (e.argument() == "widths") throw;
        return;  // a concatenated ReLU, ties: one by one
    }
    require_feasible_sampler(*sampler, *session.samples, session.run_control());
    state_sampled_input(model, answer);
    if (!model.target_second.is_zero()) answer.assume("samples are averaged over the targets exactly");
    estimates_ = sample_hessian_norm(*sampler, *session.samples, session.seed, session.run_control());
}

std::optional<Check> HessianCheck::part(Part part, std::string const& query, Surd const& exact,
                                        Surd const& factor) const {
    if (!session_.samples || factor.is_zero()) return std::nullopt;
    if (estimates_.empty()) return scaled_check(query, model_, exact, factor, session_, answer_);
    auto const second = exact_second_moment(query, model_, answer_);
    return check_estimate(to_double(exact), second ? std::optional(to_double(*second * factor * factor)) : std::nullopt,
                          estimates_[part]);
}

std::optional<Check> HessianCheck::total(Surd const& exact) const {
    return with_targets(HessianNormSampler::total, "", exact);
}

std::optional<Check> HessianCheck::block(std::size_t l, std::size_t k, Surd const& exact) const {
    auto const [low, high] = std::minmax({l - 1, k - 1});
    return with_targets(HessianNormSampler::block(layers_, low, high),
                        " where m in " + std::to_string(l) + ", n in " + std::to_string(k), exact);
}

std::optional<Check> HessianCheck::with_targets(std::size_t place, std::string const& where, Surd const& exact) const {
    if (!session_.samples) return std::nullopt;
    if (estimates_.empty()) return observable_check("(D[m,n] loss)^2" + where, model_, exact, session_, answer_);
    // What is left of the targets once they are averaged.
    Surd const each = model_.target_second / model_.net().output_width();
    std::string const query = "(D[m,n] (z[k]^2))^2/4 + " + to_string(each) + "*z[i;m,n]^2" + where;
    auto const second = each.is_rational() ? exact_second_moment(query, model_, answer_) : std::nullopt;
    return check_estimate(to_double(exact), second ? std::optional(to_double(*second)) : std::nullopt,
                          estimates_[place]);
}

}  // namespace isserlis::quantity
