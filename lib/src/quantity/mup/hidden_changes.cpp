// SPDX-License-Identifier: MIT
#include "quantity/mup/hidden_changes.hpp"

#include <isserlis/formula/batch_step.hpp>
#include <isserlis/report/tidy.hpp>
#include <isserlis/ring/power.hpp>

#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "quantity/mup/unmoved.hpp"

namespace isserlis::quantity {
namespace {

constexpr unsigned few_bits = 128;
constexpr char const* over_pairs_of_inputs = "sums over the angles of pairs of inputs";

template <class T>
BatchChange<T> mean_of(std::vector<BatchChange<T>> const& at) {
    BatchChange<T> out{T(0), T(0)};
    for (auto const& x : at) {
        out.a = out.a + x.a;
        out.b = out.b + x.b;
    }
    T const n{Rational(Integer(at.size()))};
    return {.a = out.a / n, .b = out.b / n};
}

template <class R>
HiddenChanges exact_changes(std::vector<BatchChange<R>> const& known, std::string const& rate_form) {
    auto const parts = [](BatchChange<R> const& x) {
        return HiddenChanges::Parts{.change = tidy(x.change_squared()), .outputs = tidy(x.a), .targets = tidy(x.b)};
    };
    auto const mean = mean_of(known);
    R const change = mean.change_squared();
    HiddenChanges out{
        .at = {}, .mean = parts(mean), .rate = is_certainly_zero(change) ? unmoved() : over_root(1, change, rate_form)};
    for (auto const& x : known) out.at.push_back(parts(x));
    return out;
}

/// The changes at each precision, found once.
class Enclosures {
public:
    using Changes = std::vector<BatchChange<Enclosed>>;
    using At = std::function<Changes(unsigned bits)>;
    explicit Enclosures(At at) : at_(std::move(at)), known_(std::make_shared<std::map<unsigned, Changes>>()) {}

    [[nodiscard]] Changes const& at(unsigned bits) const {
        auto const found = known_->find(bits);
        return found != known_->end() ? found->second : known_->emplace(bits, at_(bits)).first->second;
    }

private:
    At at_;
    std::shared_ptr<std::map<unsigned, Changes>> known_;
};

Value certified_rate(Enclosures const& enclosures, std::string const& form) {
    auto const change = [enclosures](unsigned bits) { return mean_of(enclosures.at(bits)).change_squared(); };
    Enclosed const rough = change(few_bits);
    if (auto const* exact = rough.exact()) return *exact == 0 ? unmoved() : over_root(1, Surd(*exact), form);
    return Value::certified(
        [change](unsigned bits) {
            unsigned const work = bits + guard_bits;
            return Interval(1L, work) / sqrt(change(work).enclose(work));
        },
        form);
}

HiddenChanges certified_changes(Enclosures const& enclosures, std::string const& rate_form) {
    auto const value = [&](auto const& of) -> Value {
        Enclosed const rough = of(enclosures.at(few_bits));
        if (auto const* exact = rough.exact()) return Surd(*exact);
        return Value::certified(
            [enclosures, of](unsigned bits) {
                unsigned const work = bits + guard_bits;
                return of(enclosures.at(work)).enclose(work);
            },
            over_pairs_of_inputs);
    };
    auto const parts = [&](auto const& of) {
        return HiddenChanges::Parts{.change = value([of](auto const& all) { return of(all).change_squared(); }),
                                    .outputs = value([of](auto const& all) { return of(all).a; }),
                                    .targets = value([of](auto const& all) { return of(all).b; })};
    };
    HiddenChanges out{.at = {},
                      .mean = parts([](Enclosures::Changes const& all) { return mean_of(all); }),
                      .rate = certified_rate(enclosures, rate_form)};
    for (std::size_t k = 0; k < enclosures.at(few_bits).size(); ++k)
        out.at.push_back(parts([k](Enclosures::Changes const& all) { return all[k]; }));
    return out;
}

}  // namespace

std::optional<HiddenChanges> hidden_changes(FullyConnected<Surd, std::uint64_t> const& net, Rows<Rational> const& gram,
                                            TargetProducts<Surd> const& targets, Rational const& share,
                                            std::string const& rate_form) {
    if (!bias_in_products(net)) return std::nullopt;
    if (!targets.exact.empty()) {
        if (auto const exact = exact_batch_step(net, gram, targets.exact, share))
            return exact_changes(*exact, rate_form);
    }
    if (!why_open(net).empty()) return std::nullopt;
    return certified_changes(Enclosures([net, gram, of_targets = targets.enclosed, share](unsigned bits) {
                                 return batch_step(net, gram, of_targets(bits), share, bits);
                             }),
                             rate_form);
}

std::optional<HiddenChanges> hidden_changes(FullyConnected<RationalFunction, std::uint64_t> const& net,
                                            Rows<Rational> const& gram, TargetProducts<RationalFunction> const& targets,
                                            Rational const& share, std::string const& rate_form) {
    if (targets.exact.empty() || !bias_in_products(net)) return std::nullopt;
    auto const exact = exact_batch_step(net, gram, targets.exact, share);
    return exact ? std::optional(exact_changes(*exact, rate_form)) : std::nullopt;
}

}  // namespace isserlis::quantity
