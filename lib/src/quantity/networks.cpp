// SPDX-License-Identifier: MIT
#include "quantity/commands.hpp"
#include "question/model_statement.hpp"

namespace isserlis::quantity {

void for_each_network(std::vector<ModelText> const& networks, Session const& session, Bindings const& bindings,
                      ModelParameters const& offered, Answer& answer,
                      std::function<void(ModelText const&)> const& fill) {
    auto const prefix = session.sweep_prefix(bindings);
    for (std::size_t k = 0; k < networks.size(); ++k) {
        if (networks.size() > 1) {
            auto longer = prefix;
            longer.push_back(std::to_string(k + 1));
            answer.set_index_prefix(longer);
            answer.name_index_prefix("network");
            answer.warn("several networks: the first index is the network");
        }
        state_assumptions(networks[k], offered, answer);
        state_symbols(networks[k].symbols(), networks[k], bindings, answer);
        fill(networks[k]);
    }
}

}  // namespace isserlis::quantity
