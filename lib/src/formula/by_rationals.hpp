// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/members.hpp>
#include <isserlis/ring/rational.hpp>
#include <isserlis/ring/surd.hpp>

#include <optional>

namespace isserlis {

/// The same over the rationals; none where there is a root.
template <class T>
[[nodiscard]] auto in_rationals(T const& x) {
    auto const convert = [&] { return converted<Rational>(x, [](Surd const& y) { return y.to_rational(); }); };
    bool const has_no_root = all_numbers(x, [](Surd const& y) { return y.is_rational(); });
    return has_no_root ? std::optional(convert()) : std::nullopt;
}

/// f of a network and its numbers by the rationals, which is the cheaper ring; none where there is a root.
template <class F, class Net, class... Numbers>
auto by_rationals(F const& f, Net const& net, Numbers const&... numbers) {
    using Out = decltype(converted<Surd>(f(*in_rationals(net), *in_rationals(numbers)...)));
    auto const in = [](auto const&... x) { return (x && ...); };
    auto const of = [&](auto const&... x) {
        return in(x...) ? std::optional<Out>(converted<Surd>(f(*x...))) : std::nullopt;
    };
    return of(in_rationals(net), in_rationals(numbers)...);
}

}  // namespace isserlis
