// SPDX-License-Identifier: MIT
#include "quantity/expression/expect_setting.hpp"

#include <isserlis/model/sampling_model.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/strand/target_shift.hpp>

#include "question/spelling.hpp"

namespace isserlis::quantity {

namespace {

template <class R>
void require_moments(ObservableSetting<R> const& setting, R const& n) {
    R const& m = setting.target_mean;
    auto const below = [](R const& x, R const& least) { return sign_of(R(x - least)).value_or(0) < 0; };
    auto const refuse = [&](char const* parameter, R const& x, std::string const& why) {
        throw DomainError(named(parameter) + " = " + to_string(x) + "; with `target_mean` " + to_string(m) + " " + why,
                          parameter);
    };
    TargetShift<R> const shift{.mean = m, .outputs = n};
    R const least = n * m * m;
    if (below(setting.target_second, least))
        refuse("target_second_moment", setting.target_second,
               "E|y|^2, by default 1, is at least the number of outputs times its square, " + to_string(least));
    // About the mean: second, third and fourth moments v, t and f have f >= v^2/n + t^2/v.
    R const v = shift.second_about_mean(setting.target_second);
    std::optional<R> t;
    if (setting.target_third) t = *setting.target_third - shift.third_of_even(setting.target_second);
    if (is_certainly_zero(v)) {
        R const third = m * least;
        if (t && sign_of(*t).value_or(0) != 0)
            refuse("target_third_moment", *setting.target_third,
                   "targets of no variance have sum_i E y_i^3 = " + to_string(third));
        if (setting.target_fourth && sign_of(R(*setting.target_fourth - m * third)).value_or(0) != 0)
            refuse("target_fourth_moment", *setting.target_fourth,
                   "targets of no variance have sum_i E y_i^4 = " + to_string(R(m * third)));
        return;
    }
    if (!setting.target_fourth) return;
    // Without a third moment every t is allowed: f = F - 4 m t - 6 m^2 v - n m^4 >= v^2/n + t^2/v at t = -2 m v.
    R const at = t.value_or(R(R(-2) * m * v));
    R const fourth = v * v / n + at * at / v + shift.fourth_beyond(v, at);
    if (below(*setting.target_fourth, fourth))
        refuse("target_fourth_moment", *setting.target_fourth,
               "and these moments sum_i E y_i^4 is at least " + to_string(fourth));
}

}  // namespace

void require_target_moments(ObservableSetting<Surd> const& setting, Surd const& outputs) {
    require_moments(setting, outputs);
}
void require_target_moments(ObservableSetting<RationalFunction> const& setting, RationalFunction const& outputs) {
    require_moments(setting, outputs);
}

ModelText model_of(ExpectRequest const& request) {
    ModelText out = request.model;
    if (!request.target_mean) return out;
    out.target_third.reset();
    out.target_fourth.reset();
    return out;
}

monte_carlo::ObservableSettings sampling_settings(ExpectRequest const& request, NumericModel const& model,
                                                  ObservableSetting<Surd> const& setting) {
    auto doubles = [](std::vector<Surd> const& row) {
        std::vector<double> out;
        for (auto const& x : row) out.push_back(to_double(x));
        return out;
    };
    monte_carlo::ObservableSettings out;
    if (!setting.inputs.gram.empty())
        throw UnsupportedError("`check`: a Gram matrix is no input that a network could read; give the vectors",
                               "check");
    for (std::size_t a = 0; a < setting.inputs.names.size(); ++a)
        out.inputs[setting.inputs.names[a]] = doubles(setting.inputs.vectors[a]);
    auto const width = static_cast<std::size_t>(numerator_of(model.graph().input_width.to_rational()));
    out.inputs[""] = setting.inputs.names.empty() ? sampling_input(model, width) : doubles(setting.inputs.vectors[0]);
    for (auto const& [name, value] : setting.parameters) out.parameters[name] = to_double(value);
    for (auto const& [name, rows] : setting.constants) {
        if (request.with.is_matrix(name)) {
            for (auto const& row : rows) out.matrices[name].push_back(doubles(row));
        } else {
            out.vectors[name] = doubles(rows.front());
        }
    }
    double const outputs = to_double(model.graph().output_width());
    out.target_mean = to_double(setting.target_mean);
    out.target_second_moment = to_double(setting.target_second) / outputs;
    if (setting.target_third) out.target_third_moment = to_double(*setting.target_third) / outputs;
    if (setting.target_fourth) out.target_fourth_moment = to_double(*setting.target_fourth) / outputs;
    return out;
}

}  // namespace isserlis::quantity
