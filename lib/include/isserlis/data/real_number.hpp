// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/interval.hpp>
#include <isserlis/ring/surd.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace isserlis {

/// A real number of a data set: a surd, the cosine of a rational part of a turn, which mostly is none, or a number
/// known through enclosures alone.
///
/// Law     none.
/// Shape   one number. Cosines of multiples of 15 and of 36 degrees become surds.
/// Units   any; an angle is in turns, so t = 1 is 2 pi.
/// Errors  none.
/// Source  this library
class RealNumber {
public:
    RealNumber(Surd value) : exact_(std::move(value)) {}            // NOLINT(google-explicit-constructor)
    RealNumber(Rational const& value) : RealNumber(Surd(value)) {}  // NOLINT(google-explicit-constructor)
    RealNumber(int value) : RealNumber(Surd(value)) {}              // NOLINT(google-explicit-constructor)
    /// cos(2 pi t).
    static RealNumber cosine_of_turns(Rational const& t);
    /// `enclosure(bits)` holds the number, ever more narrowly; `text` says which it is.
    static RealNumber enclosed(std::function<Interval(unsigned bits)> enclosure, std::string text);

    /// The value where it is a sum of square roots known here.
    [[nodiscard]] std::optional<Surd> const& exact() const { return exact_; }
    /// t of cos(2 pi t), folded into [0, 1/2], if it was made as a cosine.
    [[nodiscard]] std::optional<Rational> const& turns() const { return turns_; }
    /// Certain bounds, about 2^(2 - bits) apart relative to 1 for a cosine.
    [[nodiscard]] Interval enclose(unsigned bits) const;
    /// Within one unit in the last place.
    [[nodiscard]] double to_double() const;
    /// SymPy text: a surd, or cos(pi*p/q); or the text that it was made with.
    [[nodiscard]] std::string text() const;

private:
    std::optional<Surd> exact_;
    std::optional<Rational> turns_;
    struct Known {
        std::function<Interval(unsigned bits)> enclosure;
        std::string text;
    };
    std::shared_ptr<Known const> known_;  ///< of a number that is neither
};

}  // namespace isserlis
