// SPDX-License-Identifier: MIT
#include <isserlis/report/answer.hpp>
#include <isserlis/utf8.hpp>
#include <isserlis/version.hpp>
#include <nlohmann/json.hpp>

#include <cmath>

namespace isserlis {
namespace {

using Json = nlohmann::ordered_json;

Json index_entry(std::string const& entry) {
    std::size_t const digits = entry.starts_with('-') ? 1 : 0;
    bool const number = entry.size() > digits && entry.size() < 18 &&
                        entry.find_first_not_of("0123456789", digits) == std::string::npos;
    return number ? Json(std::stoll(entry)) : Json(entry);
}

/// Where a result holds: an object for each symbol, and one for each expression that must not be 0.
Json range_json(Result const& r) {
    Json out = Json::array();
    for (auto const& s : r.range.symbols) {
        Json one{{"symbol", s.symbol}, {"values", s.whole ? "whole" : "real"}};
        if (!s.least.empty()) one[s.open ? "above" : "least"] = s.least;
        if (!s.most.empty()) one["most"] = s.most;
        if (!s.without.empty()) one["without"] = s.without;
        out.push_back(std::move(one));
    }
    for (auto const& e : r.range.nonzero) out.push_back({{"nonzero", e}});
    for (auto const& e : r.range.positive) out.push_back({{"positive", e}});
    for (auto const& e : r.range.not_negative) out.push_back({{"not_negative", e}});
    for (auto const& symbol : r.endless) out.push_back({{"symbol", symbol}, {"to", "infinity"}});
    return out;
}

Json to_json_value(std::optional<std::string> const& text) { return text ? Json(*text) : Json(nullptr); }

/// What is not visible is escaped: names of files and nodes may turn the direction of a line, or obey a terminal.
std::string text_of(Json const& json, int indent) {
    auto const dumped = json.dump(indent, ' ', false, Json::error_handler_t::replace);
    return with_hidden(dumped,
                       [](std::string_view hidden) {
                           std::string const escaped = Json(std::string(hidden)).dump(-1, ' ', true);
                           return escaped.substr(1, escaped.size() - 2);
                       }) +
           "\n";
}

Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json check_json(Check const& c) {
    Json out{{"mean", finite(c.mean)},
             {"std_error", finite(c.std_error)},
             {"std_error_kind", name(c.std_error_kind)},
             {"z", finite(c.z)},
             {"samples", c.samples},
             {"verdict", name(c.verdict)}};
    if (c.power) out["power"] = *c.power;
    if (c.sampled_error) out["sampled_error"] = *c.sampled_error;
    return out;
}

}  // namespace

std::string to_json(Answer const& answer) {
    Json out;
    out["schema"] = 1;
    out["command"] = answer.command();
    out["version"] = version;
    out["command_line"] = answer.title();
    out["inputs"] = Json::object();
    for (auto const& [name, value] : answer.inputs()) out["inputs"][name] = value;
    out["assumptions"] = answer.assumptions();
    out["results"] = Json::array();
    for (auto const& r : answer.results()) {
        Json one;
        one["name"] = r.name;
        one["index"] = Json::array();
        for (auto const& i : r.index) one["index"].push_back(index_entry(i));
        one["exact"] = to_json_value(r.exact);
        one["decimal"] = to_json_value(r.decimal);
        if (!r.form.empty()) one["form"] = r.form;
        if (!r.range.empty() || !r.endless.empty()) one["range"] = range_json(r);
        if (r.bound) one["bound"] = name(*r.bound);
        if (answer.options().checking) {
            one["check"] = r.check ? check_json(*r.check) : Json(nullptr);
            if (!r.check && !r.unchecked.empty()) one["unchecked"] = r.unchecked;
        }
        out["results"].push_back(std::move(one));
    }
    if (!answer.entries().empty()) out["quantities"] = Json::array();
    for (auto const& q : answer.entries()) {
        out["quantities"].push_back({{"name", q.name},
                                     {"index", q.index},
                                     {"command", q.command},
                                     {"formula", q.formula},
                                     {"source", q.source},
                                     {"assumptions", q.assumptions},
                                     {"summary", q.summary}});
    }
    if (!answer.explanations().empty()) out["explanations"] = answer.explanations();
    out["warnings"] = answer.warnings();
    return text_of(out, 2);
}

std::string error_to_json(std::string const& kind, std::string const& message, std::string const& argument) {
    Json const out = {{"error", {{"kind", kind}, {"message", message}, {"argument", argument}}}};
    return text_of(out, -1);
}

}  // namespace isserlis
