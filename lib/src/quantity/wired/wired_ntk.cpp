// SPDX-License-Identifier: MIT
#include <isserlis/report/tidy.hpp>

#include "quantity/observable_check.hpp"
#include "quantity/unchecked.hpp"
#include "quantity/wired/wired.hpp"

namespace isserlis::quantity {
namespace {

/// A moment of the kernel: `factor` times the mean of a query.
template <class R>
struct KernelMoment {
    char const* name;
    char const* query;
    R factor;
    R mean = R(0);  ///< of the query
};

template <class R, class Count>
std::vector<KernelMoment<R>> kernel_moments(Model<R, Count> const& model) {
    R const one_output = R(1) / model.graph().output_width();
    std::vector<KernelMoment<R>> out{{"ntk_mean", "z[i;m]^2", one_output},
                                     {"ntk_second_moment", "z[i;m]^2 z[i;n]^2", one_output},
                                     {"ntk_trace_mean", "z[i;m]^2", R(1)},
                                     {"ntk_trace_second_moment", "z[i;m]^2 z[j;n]^2", R(1)},
                                     {"ntk_squared_trace_mean", "z[i;m] z[j;m] z[i;n] z[j;n]", R(1)}};
    std::size_t const different = model.graph().output_width() == R(1) ? 2 : out.size();
    for (std::size_t k = 0; k < out.size(); ++k)
        out[k].mean = k < different ? exact_mean(out[k].query, model) : out[k == 2 ? 0 : 1].mean;
    return out;
}

template <class R>
void add_moments(std::vector<KernelMoment<R>> const& moments, std::vector<std::optional<Check>> const& checks,
                 std::string const& why, Answer& answer) {
    answer.assume(
        "ntk_mean and ntk_second_moment are means over the outputs o of E K_oo and E K_oo^2; ntk_variance is the "
        "variance of K_oo of an output o drawn at random");
    for (std::size_t k = 0; k < moments.size(); ++k) {
        auto const& [name, query, factor, mean] = moments[k];
        answer.add(name, {}, tidy(R(factor * mean)), checks.empty() ? std::nullopt : checks[k], why);
        if (k != 1) continue;
        R const first = moments[0].factor * moments[0].mean;
        answer.add("ntk_variance", {}, tidy(R(factor * mean - first * first)), {},
                   why.empty() ? "computed from the mean and the second moment" : why);
    }
}

}  // namespace

void add_wired_ntk(NumericModel const& model, Session const& session, Answer& answer) {
    auto const moments = kernel_moments(model);
    std::vector<AskedMean> asked;
    for (auto const& moment : moments)
        asked.push_back({.query = moment.query, .exact = to_double(moment.mean), .factor = moment.factor});
    add_moments(moments, observable_checks(asked, model, session, answer), "", answer);
}

void add_wired_ntk(SymbolicModel const& model, Session const&, Answer& answer) {
    declare_orthogonal(model, 2, answer);
    add_moments(kernel_moments(model), {}, not_numeric, answer);
}

}  // namespace isserlis::quantity
