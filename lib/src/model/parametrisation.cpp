// SPDX-License-Identifier: MIT
#include <isserlis/model/parametrisation.hpp>

#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/model/model.hpp>
#include <utility>
#include <vector>

namespace isserlis {
namespace {

std::vector<std::string> pieces_at(std::string const& text, char separator) {
    std::vector<std::string> out;
    std::size_t start = 0;
    while (true) {
        std::size_t const end = std::min(text.find(separator, start), text.size());
        out.push_back(text.substr(start, end - start));
        if (end == text.size()) return out;
        start = end + 1;
    }
}

[[noreturn]] void refuse_parametrisation(std::string const& text, std::string const& parameter) {
    std::string known;
    for (auto const& p : parametrisations) known += (known.empty() ? "" : ", ") + std::string(p.name);
    throw ParseError("`" + parameter + "`: '" + printable(text) + "' is none of " + known +
                         ", nor three exponents A,B,C of the width, each one number or input:hidden:output, such as " +
                         parametrisations.back().exponents,
                     parameter);
}

/// One exponent for all layers, or one for each kind.
std::array<Rational, 3> three_exponents(std::string const& text, std::string const& whole,
                                        std::string const& parameter) {
    auto const pieces = pieces_at(text, ':');
    if (pieces.size() != 1 && pieces.size() != 3) refuse_parametrisation(whole, parameter);
    std::array<Rational, 3> out;
    for (std::size_t k = 0; k < 3; ++k) {
        std::string const& piece = pieces[pieces.size() == 1 ? 0 : k];
        if (piece.empty()) refuse_parametrisation(whole, parameter);
        out[k] = parse_rational(piece, parameter);
        if (abs(out[k]) > largest_width_exponent)
            throw UnsupportedError("`" + parameter + "`: the exponent " + printable(piece) + "; up to " +
                                       std::to_string(largest_width_exponent) + " are served",
                                   parameter);
    }
    return out;
}

Parametrisation of_exponents(std::string const& text, std::string const& parameter) {
    auto const lists = pieces_at(text, ',');
    if (lists.size() != 3) refuse_parametrisation(text, parameter);
    auto const a = three_exponents(lists[0], text, parameter);
    auto const b = three_exponents(lists[1], text, parameter);
    auto const c = three_exponents(lists[2], text, parameter);
    Parametrisation out{.name = text, .exponents = {}};
    for (std::size_t k = 0; k < 3; ++k) out.exponents[k] = {.a = a[k], .b = b[k], .c = c[k]};
    return out;
}

template <class R>
R whole_power(R const& n, Rational const& exponent) {
    R const up = power(n, checked_count(abs(numerator_of(exponent))));
    return exponent < 0 ? R(R(1) / up) : up;
}

}  // namespace

Parametrisation parse_parametrisation(std::string const& text, std::string const& parameter) {
    for (auto const& known : parametrisations) {
        if (text != known.name) continue;
        auto out = of_exponents(known.exponents, parameter);
        out.name = text;
        out.unit_parameters = known.unit_parameters;
        return out;
    }
    return of_exponents(text, parameter);
}

std::string exponents_text(Parametrisation const& parametrisation, Rational WidthExponents::*which) {
    auto const& [input, hidden, output] = parametrisation.exponents;
    std::string const first = to_string(input.*which);
    if (input.*which == hidden.*which && hidden.*which == output.*which) return first;
    return first + ":" + to_string(hidden.*which) + ":" + to_string(output.*which);
}

double width_power(double n, Rational const& exponent) { return std::pow(n, to_double(Surd(exponent))); }

Surd width_power(Surd const& n, Rational const& exponent) {
    if (is_integer(exponent)) return whole_power(n, exponent);
    Rational const twice = 2 * exponent;
    if (!is_integer(twice))
        throw UnsupportedError(
            "`parametrisation`: " + to_string(n) + "^(" + to_string(exponent) +
                ") is no square root; this exponent, of 2 (A + B), 2 B or 2 A + C, has to be a multiple of 1/2",
            "parametrisation");
    return whole_power(sqrt(n), twice);
}

RationalFunction width_power(RationalFunction const& n, Rational const& exponent) {
    if (is_integer(exponent)) return whole_power(n, exponent);
    throw UnsupportedError("`parametrisation`: a width to the power " + to_string(exponent) +
                               " is no formula here; give the symbols numbers by `set`",
                           "parametrisation");
}

}  // namespace isserlis
