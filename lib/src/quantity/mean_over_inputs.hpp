// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/model/model.hpp>
#include <isserlis/observable/observable.hpp>
#include <isserlis/strand/expectation.hpp>

#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace isserlis::quantity {

/// Of inputs drawn together: the mean of a product of inner products, by the inputs that meet, each pair sorted, and all.
template <class R>
using InputMeans = std::map<std::vector<std::vector<unsigned>>, R>;

/// E of an observable over the weights of a network without gates and over its inputs, which `names` lists; in symbols a sum of
/// powers in the depth.
template <class R, class Count>
[[nodiscard]] auto mean_by_powers(std::string const& query, Model<R, Count> const& model,
                                  std::vector<std::string> const& names, InputMeans<R> const& means) {
    ObservableSetting<R> setting;
    setting.inputs.names = names;
    setting.inputs.means = means;
    return expectation(parse_query(query), model.graph(), setting);
}
template <class R, class Count>
[[nodiscard]] R mean_over_inputs(std::string const& query, Model<R, Count> const& model,
                                 std::vector<std::string> const& names, InputMeans<R> const& means) {
    auto const mean = mean_by_powers(query, model, names, means);
    if constexpr (std::is_same_v<R, RationalFunction>) {
        return mean.formula();
    } else {
        return mean;
    }
}

}  // namespace isserlis::quantity
