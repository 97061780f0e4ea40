// SPDX-License-Identifier: MIT
#include <isserlis/observable/statistic.hpp>

#include <algorithm>
#include <functional>
#include <set>

namespace isserlis {
namespace {

/// Calls f with the statistic and all its parts, from left to right.
void visit(auto& statistic, auto const& f) {
    f(statistic);
    for (auto& operand : statistic.operands) visit(operand, f);
}

template <class Pointer>
std::vector<Pointer> gathered(auto& statistic) {
    std::vector<Pointer> out;
    visit(statistic, [&](auto& s) {
        for (auto& argument : s.arguments) out.push_back(&argument);
    });
    return out;
}

bool carries(Observable const& o, std::string const& label) {
    return std::find(o.labels.begin(), o.labels.end(), label) != o.labels.end() ||
           std::any_of(o.operands.begin(), o.operands.end(), [&](auto const& part) { return carries(part, label); });
}

std::string product_text(Statistic const& s) {
    std::string out;
    for (std::size_t k = 0; k < s.operands.size(); ++k)
        out += (k == 0 ? "" : s.signs[k] < 0 ? "/" : "*") + to_string(s.operands[k]);
    return out;
}

std::string sum_text(Statistic const& s) {
    std::string out;
    for (std::size_t k = 0; k < s.operands.size(); ++k) {
        bool const minus = s.signs[k] < 0;
        out += k == 0 ? (minus ? "-" : "") : (minus ? " - " : " + ");
        out += to_string(s.operands[k]);
    }
    return out;
}

}  // namespace

std::string to_string(Statistic const& s) {
    switch (s.kind) {
        case Statistic::Kind::number:
        case Statistic::Kind::parameter: return s.text;
        case Statistic::Kind::mean: return "E[" + to_string(s.arguments[0]) + "]";
        case Statistic::Kind::variance: return "Var[" + to_string(s.arguments[0]) + "]";
        case Statistic::Kind::covariance:
            return "Cov[" + to_string(s.arguments[0]) + ", " + to_string(s.arguments[1]) + "]";
        case Statistic::Kind::group: return "(" + to_string(s.operands[0]) + ")";
        case Statistic::Kind::power: return to_string(s.operands[0]) + "^" + std::to_string(s.exponent);
        case Statistic::Kind::product: return product_text(s);
        case Statistic::Kind::sum: return sum_text(s);
        case Statistic::Kind::whole_query: break;
    }
    return to_string(s.arguments[0]);
}

std::string to_string(StatisticQuery const& query) {
    return to_string(query.statistic) + to_string(query.restrictions);
}

Observable const* StatisticQuery::single_mean() const {
    bool const single = statistic.kind == Statistic::Kind::mean || statistic.kind == Statistic::Kind::whole_query;
    return single ? &statistic.arguments.front() : nullptr;
}

Query StatisticQuery::restricted(Observable const& observable) const {
    Query out{.observable = observable, .restrictions = {}};
    for (auto const& r : restrictions) {
        if (carries(observable, r.label)) out.restrictions.push_back(r);
    }
    return out;
}

std::vector<Observable const*> arguments_of(Statistic const& statistic) {
    return gathered<Observable const*>(statistic);
}

std::vector<Observable*> arguments_of(Statistic& statistic) { return gathered<Observable*>(statistic); }

std::vector<std::string> parameters_of(Statistic const& statistic) {
    std::set<std::string> out;
    visit(statistic, [&](Statistic const& s) {
        if (s.kind == Statistic::Kind::parameter) out.insert(s.text);
        for (auto const& argument : s.arguments) {
            for (auto const& name : parameters_of(argument)) out.insert(name);
        }
    });
    return {out.begin(), out.end()};
}

Observable product_of(Observable const& a, Observable const& b) {
    Observable out;
    out.kind = Observable::Kind::product;
    for (auto const* factor : {&a, &b}) {
        Observable group;
        group.kind = Observable::Kind::group;
        group.position = factor->position;
        group.operands = {*factor};
        out.operands.push_back(std::move(group));
    }
    return out;
}

}  // namespace isserlis
