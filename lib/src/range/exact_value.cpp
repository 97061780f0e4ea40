// SPDX-License-Identifier: MIT
#include "range/exact_value.hpp"

#include <isserlis/error.hpp>

namespace isserlis::quantity {

int ExactValue::sign_against(Surd const& target) const {
    constexpr unsigned most_bits = 1U << 14U;
    for (unsigned bits = 128; bits <= most_bits; bits *= 4) {
        try {
            Interval const gap = enclosure(bits) - enclose(target, bits);
            if (!gap.contains_zero()) return mpfr_sgn(gap.lower());
        } catch (DomainError const&) {
            break;  // a divisor or a root of something near 0
        }
    }
    return sign(exact() - target);
}

Value ExactValue::digits() const {
    constexpr int most_digits = 1000;
    return Value::certified([copy = *this](unsigned bits) { return copy.enclosure(bits + guard_bits); },
                            "too long to be written exactly", most_digits);
}

std::string ExactValue::shown() const {
    constexpr int few = 4;
    try {
        return *digits().decimal(few);
    } catch (Error const&) {
        return *value().decimal(few);  // halfway between two of these
    }
}

Surd ExactValue::exact() const {
    return evaluate<Surd>(formula_, [&](std::string const& name) { return Surd(values_.at(name)); });
}

}  // namespace isserlis::quantity
