// SPDX-License-Identifier: MIT
#include "question/check_together.hpp"

#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/question/nearest_name.hpp>

#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

std::vector<Parameter> all_parameters(CommandText const& command) {
    std::vector<Parameter> out = common_parameters();
    out.insert(out.end(), command.parameters.begin(), command.parameters.end());
    return out;
}

}  // namespace

void check_known(CommandText const& command, Question const& question) {
    auto const known = all_parameters(command);
    for (auto const& [name, values] : question.parameters) {
        auto const at =
            std::find_if(known.begin(), known.end(), [&wanted = name](auto const& p) { return p.name == wanted; });
        if (at == known.end()) {
            std::vector<std::string> names;
            for (auto const& p : known) names.push_back(p.name);
            auto const near = nearest_name(name, names);
            throw ParseError(named(name) + " is not a parameter of " + command.name +
                                 (near ? "; did you mean " + named(*near) + "?" : ""),
                             name);
        }
        if (!at->is_flag() && values.empty()) throw ParseError(named(name) + ": " + at->value + " is missing", name);
        bool const may_repeat = name == "set" || name == "table";
        if (!may_repeat && values.size() > 1) throw ParseError(named(name) + " is given twice", name);
    }
    if (question.words.size() > command.most_positionals)
        throw ParseError("too many words: '" + printable(question.words[command.most_positionals]) + "'", command.name);
}

void check_together(CommandText const& command, Question const& question) {
    // What chooses a number of samples stands in the place of the number.
    auto const given_as = [&](std::string const& name) -> std::string {
        for (std::string const own : {name.c_str(), "time", "until"}) {
            if ((own == name || name == "check") && question.parameters.count(own) != 0) return own;
        }
        return "";
    };
    auto const given = [&](std::string const& name) { return !given_as(name).empty(); };
    auto const refuse = [&](Refusal const& refusal) {
        for (auto const& stated : refusal.parameters) {
            std::string const other = given_as(stated);
            if (other.empty()) continue;
            std::string why = refusal.why;
            if (auto const at = why.find("{}"); at != std::string::npos) why.replace(at, 2, named(other));
            throw ParseError(why, other);
        }
    };
    for (auto const& refusal : command.refusals) refuse(refusal);
    for (auto const& p : all_parameters(command)) {
        if (!given(p.name)) continue;
        auto const met = [&](std::string const& need) {
            return given(need) ||
                   std::find(command.needless.begin(), command.needless.end(), need) != command.needless.end();
        };
        if (!p.needs.empty() && std::none_of(p.needs.begin(), p.needs.end(), met)) {
            std::string all;
            for (auto const& need : p.needs) all += (all.empty() ? "" : " or ") + named(need);
            throw ParseError(named(p.name) + " means nothing without " + all, p.name);
        }
        for (auto const& refusal : p.refusals) refuse(refusal);
    }
}

}  // namespace isserlis::quantity
