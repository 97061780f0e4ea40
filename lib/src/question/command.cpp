// SPDX-License-Identifier: MIT
#include "question/command.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/ring/parse.hpp>

#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

/// `layer` under these values: "L+1" is "4" at L = 3, and entries without these symbols stay as typed.
std::string layer_at(std::string const& text, Bindings const& bindings) {
    std::string out;
    for (std::size_t start = 0; start <= text.size();) {
        std::size_t const comma = std::min(text.find(',', start), text.size());
        std::string entry = text.substr(start, comma - start);
        auto const formula = Expression::parse(entry, "layer");
        auto const symbols = formula.symbols();
        if (std::any_of(symbols.begin(), symbols.end(), [&](auto const& s) { return bindings.count(s) != 0; })) {
            try {
                entry = to_string(evaluate<RationalFunction>(formula, [&](std::string const& name) {
                    auto const at = bindings.find(name);
                    return at == bindings.end() ? RationalFunction::symbol(name) : RationalFunction(at->second);
                }));
            } catch (Error const& e) {
                throw DomainError("`layer` " + printable(text) + ": " + told(e), "layer");
            }
        }
        out += (start == 0 ? "" : ",") + entry;
        start = comma + 1;
    }
    return out;
}

}  // namespace

void evaluate_at(Bindings const& bindings, Task const& task, Session const& session, Answer& answer) {
    session.stop_if_told();
    if (!session.layer || bindings.empty()) {
        task.evaluate(session, bindings, answer);
        return;
    }
    Session here = session;
    here.layer = layer_at(*session.layer, bindings);
    task.evaluate(here, bindings, answer);
}

}  // namespace isserlis::quantity
