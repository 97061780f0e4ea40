// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/answer.hpp>
#include <isserlis/report/value.hpp>
#include <isserlis/ring/asymptotics.hpp>
#include <isserlis/ring/exp_quotient.hpp>
#include <isserlis/ring/joint_limit.hpp>

#include <optional>
#include <string>
#include <vector>

namespace isserlis {

/// Where a value goes, and the leading order by which it goes there.
struct Tendency {
    JointLimit::Course course = JointLimit::Course::finite;
    Value leading;                        ///< the limit itself where that is finite
    std::optional<Value> expansion = {};  ///< with the orders below the leading one, where they were asked for
};

/// A series in 1/n has its first coefficient, or none for 0.
[[nodiscard]] Tendency tendency_of(JointLimit const& limit, std::string const& scale);
[[nodiscard]] Tendency tendency_of(PowerSeries const& series, std::string const& n);
/// Of a formula as n alone goes to infinity, in exponents too, to leading order.
[[nodiscard]] Tendency tendency_of(ExpQuotient const& x, std::string const& n);
/// Of a quotient, to leading order.
[[nodiscard]] Tendency tendency_of(JointLimit above, JointLimit below, std::string const& scale);

/// What stands beside (1/n)^power.
struct SeriesCoefficient {
    Rational power;
    Value value;
};

/// The leading order in 1/n and `order` below it, every other symbol fixed; none for 0.
/// Errors  UnsupportedError where no such series is known.
[[nodiscard]] std::vector<SeriesCoefficient> series_of(ExpQuotient const& x, std::string const& n, std::size_t order);

struct LimitNames {
    std::string limit;
    std::string leading;
};

/// A row for the limit, which has nothing that goes to infinity: 0 where it is 0, and where it is infinite, words that
/// say so. A row for how it is approached, where it is 0 or infinite or orders below the leading one were asked for.
void add_limit_rows(Answer& answer, LimitNames const& names, std::vector<std::string> const& index,
                    Tendency const& found, std::vector<std::string> const& endless, std::string const& unchecked);

}  // namespace isserlis
