// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/error.hpp>
#include <isserlis/observable/statistic.hpp>
#include <isserlis/ring/rational.hpp>

#include <functional>
#include <map>
#include <string>
#include <utility>

namespace isserlis {

/// The value of a statistic from expectations of observables.
///
/// Law     Var[a] = E[a^2] - E[a]^2 and Cov[a, b] = E[a b] - E[a] E[b].
/// Shape   `mean` is asked once for each observable; V has + - * /, and is made of an Integer.
/// Units   those of the statistic.
/// Errors  those of `mean`, which say in which expectation; DomainError for a division by 0.
/// Source  the definitions
template <class V>
class StatisticValue {
public:
    using Mean = std::function<V(Query const&)>;
    using Parameter = std::function<V(std::string const& name)>;

    StatisticValue(StatisticQuery const& query, Parameter parameter, Mean mean)
        : query_(query), parameter_(std::move(parameter)), mean_(std::move(mean)) {}

    V operator()() { return value(query_.statistic); }

private:
    using Kind = Statistic::Kind;

    V value(Statistic const& s) {
        switch (s.kind) {
            case Kind::number: return V(parse_integer(s.text, "query"));
            case Kind::parameter: return parameter_(s.text);
            case Kind::mean:
            case Kind::whole_query: return mean(s.arguments[0]);
            case Kind::variance: return second_moment(s.arguments[0], s.arguments[0]);
            case Kind::covariance: return second_moment(s.arguments[0], s.arguments[1]);
            case Kind::group: return value(s.operands[0]);
            case Kind::power: return power_of(value(s.operands[0]), s.exponent);
            case Kind::product: return product(s);
            case Kind::sum: break;
        }
        V out = V(Integer(0));
        for (std::size_t k = 0; k < s.operands.size(); ++k) {
            V const operand = value(s.operands[k]);
            out = s.signs[k] < 0 ? V(out - operand) : V(out + operand);
        }
        return out;
    }

    V second_moment(Observable const& a, Observable const& b) {
        return V(mean(product_of(a, b)) - V(mean(a) * mean(b)));
    }

    V product(Statistic const& s) {
        V out = value(s.operands[0]);
        for (std::size_t k = 1; k < s.operands.size(); ++k) {
            V const operand = value(s.operands[k]);
            if (s.signs[k] < 0 && operand == V(Integer(0)))
                throw DomainError("`query`: division by 0: " + to_string(s.operands[k]) + " is 0", "query");
            out = s.signs[k] < 0 ? V(out / operand) : V(out * operand);
        }
        return out;
    }

    static V power_of(V const& base, unsigned exponent) {
        V out = V(Integer(1));
        for (unsigned k = 0; k < exponent; ++k) out = V(out * base);
        return out;
    }

    V mean(Observable const& observable) {
        Query const query = query_.restricted(observable);
        auto const [at, is_new] = means_.try_emplace(to_string(query), V(Integer(0)));
        if (is_new) at->second = named_mean(query);
        return at->second;
    }

    /// With several expectations, a refusal has to say which one it is about.
    V named_mean(Query const& query) {
        if (query_.single_mean() != nullptr) return mean_(query);
        try {
            return mean_(query);
        } catch (UnsupportedError const& e) {
            std::string const message = e.what();
            std::string const prefix = "`query`: ";
            std::string const rest = message.starts_with(prefix) ? message.substr(prefix.size()) : message;
            throw UnsupportedError(prefix + "in E[" + to_string(query.observable) + "]: " + rest, e.argument());
        }
    }

    StatisticQuery const& query_;
    Parameter parameter_;
    Mean mean_;
    std::map<std::string, V> means_;
};

}  // namespace isserlis
