// SPDX-License-Identifier: MIT
#include <isserlis/network/scheme.hpp>
#include <isserlis/report/quantities.hpp>

#include <algorithm>
#include <cstdio>
#include <string>

#include "commands.hpp"

namespace isserlis::cli {

Command list_command() {
    Command out;
    out.text = {
        .name = "list",
        .summary = "Every quantity: name, formula, source, assumptions, command",
        .positional = "NAME",
        .positional_help = "Only these quantities",
        .most_positionals = 1000,
        .options = {},
        .examples = "Examples:\n  isserlis list\n  isserlis list tau eta\n  isserlis list --format json\n",
    };
    out.evaluate = [](Session const& session, Bindings const&, Answer& answer) {
        for (char const* option : {"--check", "--layer", "--set", "--table", "--digits", "--explain"}) {
            if (session.arguments.has(option))
                throw ParseError(std::string(option) + " means nothing to list, which evaluates nothing", option);
        }
        auto const& wanted = session.arguments.positionals;
        for (auto const& name : wanted) {
            if (find_quantity(name) == nullptr)
                throw ParseError("list: '" + name + "' is not a quantity; isserlis list shows them all", name);
        }
        for (auto const& q : quantities()) {
            if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), q.name) == wanted.end()) continue;
            answer.add_entry(q);
        }
        if (!wanted.empty()) return;
        for (auto const& s : schemes)
            answer.explain(std::string("--scheme ") + s.name + ": variance " + s.variance + "  " + s.source);
    };
    return out;
}

}  // namespace isserlis::cli
