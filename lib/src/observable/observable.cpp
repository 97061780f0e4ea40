// SPDX-License-Identifier: MIT
#include <isserlis/observable/observable.hpp>

#include <algorithm>
#include <functional>
#include <set>

namespace isserlis {
namespace {

using Kind = Observable::Kind;

std::string joined(std::vector<std::string> const& words) {
    std::string out;
    for (auto const& w : words) out += (out.empty() ? "" : ",") + w;
    return out;
}

std::string text_of(NeuronIndex const& index) {
    return index.letter.empty() ? std::to_string(index.fixed) : index.letter;
}

std::string entry_text(Observable const& o) {
    bool const digits = std::all_of(o.node.begin(), o.node.end(), [](char c) { return c >= '0' && c <= '9'; });
    std::string out = o.name;
    if (!o.node.empty()) out += o.name == "W" && digits ? o.node : "{" + o.node + "}";
    if (!o.input.empty()) out += "@" + o.input;
    return out + "[" + text_of(o.indices[0]) + "," + text_of(o.indices[1]) + "]";
}

std::string output_text(Observable const& o) {
    std::string out = o.activated ? "h" : "z";
    if (!o.node.empty()) out += "{" + o.node + "}";
    if (!o.indices.empty() || !o.labels.empty()) {
        out += "[";
        if (!o.indices.empty()) out += text_of(o.indices.front());
        if (!o.labels.empty()) out += ";" + joined(o.labels);
        out += "]";
    }
    return o.input.empty() ? out : out + "@" + o.input;
}

void visit(Observable const& o, std::function<void(Observable const&)> const& f) {
    f(o);
    for (auto const& operand : o.operands) visit(operand, f);
}

std::vector<std::string> names(Observable const& o, Kind kind, std::string Observable::*name) {
    std::set<std::string> out;
    visit(o, [&](Observable const& x) {
        if (x.kind == kind && !(x.*name).empty()) out.insert(x.*name);
    });
    return {out.begin(), out.end()};
}

}  // namespace

std::string to_string(Observable const& o) {
    std::string out;
    switch (o.kind) {
        case Kind::number: return o.number;
        case Kind::parameter: return o.name;
        case Kind::loss: return "loss";
        case Kind::output: return output_text(o);
        case Kind::entry: return entry_text(o);
        case Kind::trace: return o.name;
        case Kind::target: return o.indices.empty() ? "y" : "y[" + text_of(o.indices.front()) + "]";
        case Kind::constant:
            for (auto const& index : o.indices) out += (out.empty() ? "" : ",") + text_of(index);
            return o.name + "[" + out + "]";
        case Kind::derivative: return "D[" + joined(o.labels) + "] " + to_string(o.operands.front());
        case Kind::group: return "(" + to_string(o.operands.front()) + ")";
        case Kind::power: return to_string(o.operands.front()) + "^" + std::to_string(o.exponent);
        case Kind::product:
            for (auto const& factor : o.operands) {
                if (factor.kind == Kind::number && factor.number.starts_with("1/") && !out.empty()) {
                    out += factor.number.substr(1);
                } else {
                    out += (out.empty() ? "" : "*") + to_string(factor);
                }
            }
            return out;
        case Kind::sum: break;
    }
    for (std::size_t k = 0; k < o.operands.size(); ++k) {
        bool const minus = o.signs[k] < 0;
        out += out.empty() ? (minus ? "-" : "") : (minus ? " - " : " + ");
        out += to_string(o.operands[k]);
    }
    return out;
}

std::string to_string(std::vector<LabelRestriction> const& restrictions) {
    std::string out;
    for (auto const& r : restrictions) {
        out += (out.empty() ? " where " : ", ") + r.label + " in " + r.first;
        // A name that ends in a dot keeps its distance, so that the range is read where it is written.
        if (r.last != r.first) out += (r.first.ends_with('.') ? " .." : "..") + r.last;
    }
    return out;
}

std::string to_string(Query const& query) { return to_string(query.observable) + to_string(query.restrictions); }

Query squared(Query const& query) {
    Query out = query;
    Observable group;
    group.kind = Kind::group;
    group.operands = {query.observable};
    out.observable = Observable{};
    out.observable.kind = Kind::power;
    out.observable.exponent = 2;
    out.observable.operands = {std::move(group)};
    return out;
}

std::vector<std::string> parameters_of(Observable const& o) { return names(o, Kind::parameter, &Observable::name); }
std::vector<std::string> constants_of(Observable const& o) { return names(o, Kind::constant, &Observable::name); }
std::vector<std::string> inputs_of(Observable const& o) {
    auto out = names(o, Kind::output, &Observable::input);
    auto const of_entries = names(o, Kind::entry, &Observable::input);
    out.insert(out.end(), of_entries.begin(), of_entries.end());
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace isserlis
