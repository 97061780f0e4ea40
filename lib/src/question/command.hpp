// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "question/parameter_set.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// A command whose parameters and files have been read.
struct Task {
    /// Fills the answer under given values of the symbols.
    std::function<void(Session const&, Bindings const&, Answer&)> evaluate;
    /// What is done with the whole answer before it is printed; none for most commands.
    std::function<void(Session const&, Answer&)> finish = {};
    bool checks = false;  ///< there are measured means, whether or not `check` is given
};

/// A command: what the user sees, and what reads its parameters, once.
struct Command {
    CommandText text;
    std::function<Task(Session const&)> read;
    /// Its results, those of other commands, have their ranges already.
    bool has_ranges = false;
    /// Which of the rows of `expansion_parameters` are its own, that is, asked of its whole answer.
    std::vector<std::string> expansions = {};
    /// What `solve` finds by itself, if anything.
    std::vector<std::string> solves = {};
};

/// A command whose parameters fill a request.
template <class Request>
struct CommandOf {
    CommandText text;  ///< with the parameters that are the session's
    ParameterSet<Request> parameters = {};
    /// Checks and completes what was given: widths, files, what depends on several parameters.
    void (*complete)(Request&, Session const&) = nullptr;
    void (*evaluate)(Request const&, Session const&, Bindings const&, Answer&) = nullptr;
    void (*finish)(Request const&, Session const&, Answer&) = nullptr;
    bool has_ranges = false;
    bool expands = false;  ///< its formulas have the expansions that it has no row of its own for, and solutions
    std::vector<std::string> solves = {};  ///< words of `solve` that it answers itself
};

template <class Request>
[[nodiscard]] Command bound(CommandOf<Request> parts) {
    Command out{.text = parts.text, .read = {}, .has_ranges = parts.has_ranges};
    auto own = parts.parameters.texts();
    out.text.parameters.insert(out.text.parameters.begin(), own.begin(), own.end());
    if (!out.text.charted.empty()) {
        auto const charts = chart_parameters(out.text.charted);
        out.text.parameters.insert(out.text.parameters.end(), charts.begin(), charts.end());
    }
    for (auto const& row : expansion_parameters()) {
        auto const same = [&](Parameter const& p) { return p.name == row.name; };
        if (!parts.expands || std::any_of(own.begin(), own.end(), same)) continue;
        out.text.parameters.push_back(row);
        out.expansions.push_back(row.name);
    }
    if (parts.expands) {
        auto const rows = solution_parameters(parts.solves);
        out.text.parameters.insert(out.text.parameters.end(), rows.begin(), rows.end());
    }
    out.solves = parts.solves;
    out.read = [parts = std::move(parts)](Session const& session) {
        auto request = std::make_shared<Request>();
        parts.parameters.read(session.question, *request);
        if (parts.complete != nullptr) parts.complete(*request, session);
        Task task;
        task.evaluate = [request, evaluate = parts.evaluate](Session const& here, Bindings const& bindings,
                                                             Answer& answer) {
            evaluate(*request, here, bindings, answer);
        };
        if (parts.finish != nullptr) {
            task.finish = [request, finish = parts.finish](Session const& here, Answer& answer) {
                finish(*request, here, answer);
            };
        }
        if constexpr (requires { request->measured; }) task.checks = request->measured.has_value();
        return task;
    };
    return out;
}

/// One answer, under given values of the symbols.
void evaluate_at(Bindings const& bindings, Task const& task, Session const& session, Answer& answer);

}  // namespace isserlis::quantity
