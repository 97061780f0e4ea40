// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/data/data_set.hpp>
#include <isserlis/report/value.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/ring/surd.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace isserlis::quantity {

/// A number that is exact but for the |y_k|^2 of samples whose targets are no sums of square roots: c + sum_k c_k |y_k|^2.
class TargetForm {
public:
    TargetForm(Surd x = Surd(0)) : constant_(std::move(x)) {}  // NOLINT(google-explicit-constructor)
    /// |y_k|^2 of each sample.
    [[nodiscard]] static std::vector<TargetForm> squares(DataSet const& data);

    /// The number where none of the |y_k|^2 is in it.
    [[nodiscard]] Surd const* exact() const { return coefficients_.empty() ? &constant_ : nullptr; }
    [[nodiscard]] Interval enclose(unsigned bits) const;

    friend TargetForm operator+(TargetForm a, TargetForm const& b);
    friend TargetForm operator*(Surd const& factor, TargetForm x);
    friend TargetForm operator/(TargetForm const& x, Surd const& divisor) { return (Surd(1) / divisor) * x; }

private:
    class Squares;
    Surd constant_;
    std::map<std::size_t, Surd> coefficients_;  ///< by sample, none of them 0
    std::shared_ptr<Squares const> squares_;
};

/// A number over the field R in which squares of targets are.
template <class R>
using SampleNumber = std::conditional_t<std::is_same_v<R, Surd>, TargetForm, R>;

[[nodiscard]] Value tidy(TargetForm const& x);
[[nodiscard]] Value root(TargetForm const& square, std::string const& form);
[[nodiscard]] Value over_root(int factor, TargetForm const& square, std::string const& form);
[[nodiscard]] inline bool is_certainly_zero(TargetForm const& x) {
    return x.exact() != nullptr && x.exact()->is_zero();
}
[[nodiscard]] double to_double(TargetForm const& x);
/// For what asks for a number of the field.
/// Errors  UnsupportedError naming `batch` where it is none.
[[nodiscard]] Surd const& in_field(TargetForm const& x);
[[nodiscard]] inline RationalFunction const& in_field(RationalFunction const& x) { return x; }

}  // namespace isserlis::quantity
