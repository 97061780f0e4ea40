// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "model_statement.hpp"

namespace isserlis::cli {

void for_each_network(Session const& session, Bindings const& bindings, ModelOptions const& options, Answer& answer,
                      std::string const& kurtosis_option, std::function<void(ModelText const&)> const& fill,
                      bool any_wiring) {
    auto const& widths = session.arguments.positionals;
    if (widths.empty()) {
        throw ParseError("WIDTHS is missing; list the layers from the input on, such as isserlis " +
                             session.arguments.command + " 2,10:3,1",
                         "WIDTHS");
    }
    std::vector<ModelText> networks;
    std::set<std::string> symbols;
    for (auto const& w : widths) {
        networks.push_back(read_model(session.arguments, w, kurtosis_option, any_wiring));
        symbols.merge(networks.back().symbols());
    }
    check_bindings(symbols, session);
    auto const prefix = session.sweep_prefix(bindings);
    for (std::size_t k = 0; k < networks.size(); ++k) {
        if (networks.size() > 1) {
            auto longer = prefix;
            longer.push_back(std::to_string(k + 1));
            answer.set_index_prefix(longer);
            answer.warn("several networks: the first index is the network");
        }
        state_assumptions(networks[k], options, answer);
        state_symbols(networks[k].symbols(), networks[k], bindings, answer);
        fill(networks[k]);
    }
}

}  // namespace isserlis::cli
