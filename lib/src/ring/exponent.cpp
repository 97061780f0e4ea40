// SPDX-License-Identifier: MIT
#include <isserlis/ring/exponent.hpp>

#include <isserlis/error.hpp>

#include <algorithm>

namespace isserlis {

void require_symbol_name(std::string const& text) {
    constexpr char const* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    bool const digit_first = !text.empty() && text.front() >= '0' && text.front() <= '9';
    if (!text.empty() && !digit_first && text.find_first_not_of(letters) == std::string::npos) return;
    throw ParseError("symbol: '" + printable(text) + "' is no name; letters, digits and _ are, a letter or _ first",
                     "symbol");
}

Exponent Exponent::symbol(std::string name) {
    require_symbol_name(name);
    Exponent out;
    out.symbols_.emplace_back(std::move(name), Rational(1));
    return out;
}

int Exponent::leading_sign() const { return symbols_.empty() ? constant_.sign() : symbols_.front().second.sign(); }

Exponent operator+(Exponent const& a, Exponent const& b) {
    Exponent out(Rational(a.constant_ + b.constant_));
    auto x = a.symbols_.begin();
    auto y = b.symbols_.begin();
    while (x != a.symbols_.end() || y != b.symbols_.end()) {
        if (y == b.symbols_.end() || (x != a.symbols_.end() && x->first < y->first)) {
            out.symbols_.push_back(*x++);
        } else if (x == a.symbols_.end() || y->first < x->first) {
            out.symbols_.push_back(*y++);
        } else {
            Rational const sum = x->second + y->second;
            if (!sum.is_zero()) out.symbols_.emplace_back(x->first, sum);
            ++x;
            ++y;
        }
    }
    return out;
}

Exponent operator*(Exponent const& a, Exponent const& b) {
    if (!a.is_constant() && !b.is_constant()) {
        throw UnsupportedError("the exponent (" + to_string(a) + ")*(" + to_string(b) +
                               ") is not linear in its symbols");
    }
    Exponent const& linear = a.is_constant() ? b : a;
    Rational const& factor = a.is_constant() ? a.constant_ : b.constant_;
    Exponent out(Rational(linear.constant_ * factor));
    if (factor.is_zero()) return out;
    for (auto const& [name, coefficient] : linear.symbols_) out.symbols_.emplace_back(name, coefficient * factor);
    return out;
}

Exponent operator-(Exponent const& a, Exponent const& b) { return a + Exponent(-1) * b; }

std::string to_string(Exponent const& e) {
    std::string out;
    auto append = [&out](Rational const& value, std::string const& symbol) {
        bool const negative = value < 0;
        Rational const size = negative ? Rational(-value) : value;
        if (out.empty()) {
            out += negative ? "-" : "";
        } else {
            out += negative ? " - " : " + ";
        }
        if (symbol.empty()) {
            out += to_string(size);
            return;
        }
        if (numerator_of(size) != 1) out += to_string(numerator_of(size)) + "*";
        out += symbol;
        if (!is_integer(size)) out += "/" + to_string(denominator_of(size));
    };
    // "d - c", not "-c + d".
    auto const& symbols = e.symbols();
    auto const first = std::find_if(symbols.begin(), symbols.end(), [](auto const& s) { return s.second > 0; });
    if (first != symbols.end()) append(first->second, first->first);
    for (auto const& [name, coefficient] : symbols) {
        if (first == symbols.end() || name != first->first) append(coefficient, name);
    }
    if (!e.constant().is_zero() || e.is_constant()) append(e.constant(), "");
    return out;
}

}  // namespace isserlis
