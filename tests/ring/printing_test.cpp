// SPDX-License-Identifier: MIT
// Exact strings are promised to be SymPy, and PARI/GP where exponents are whole: both programs read them here.
#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <isserlis/ring/decimal.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <map>
#include <vector>

#include "show.hpp"

using isserlis::Exponent;
using isserlis::Integer;
using isserlis::power;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Surd;
using isserlis::to_string;

namespace {

struct Sample {
    std::string text;
    std::map<std::string, Rational> values;
    std::string expected;  ///< 40 digits of the value there, from our exact evaluation
    bool pari = true;      ///< whole exponents only
};

Sample sample(RationalFunction const& f, std::map<std::string, Rational> const& values, bool pari = true) {
    return {
        .text = to_string(f), .values = values, .expected = isserlis::decimal(f.evaluate(values), 40), .pari = pari};
}
Sample sample(Surd const& x) { return {.text = to_string(x), .values = {}, .expected = isserlis::decimal(x, 40)}; }

/// The shapes that occur in answers: rationals, surds, Laurent, quotients, half powers, symbolic depth.
std::vector<Sample> samples() {
    std::vector<Sample> out;
    for (auto const& x : {Rational(0), Rational(-7), ratio(-9, 5), ratio(1, 3), Rational(power(Integer(10), 60) + 1),
                          ratio(power(Integer(3), 80), power(Integer(7), 40))}) {
        out.push_back(sample(Surd(x)));
    }
    Surd const r2 = isserlis::sqrt(Rational(2));
    Surd const r5 = isserlis::sqrt(Rational(5));
    for (auto const& x :
         {r2, -r2, Surd(3) * r2 / Surd(7), r2 + r5, Surd(1) - r2 * r5, r2 - r5 + Surd(ratio(-1, 3)), Surd(1) / r2}) {
        out.push_back(sample(x));
    }
    auto const n = RationalFunction::symbol("n");
    auto const m = RationalFunction::symbol("m_1");
    auto const d = RationalFunction::symbol("d0");
    std::map<std::string, Rational> const at = {
        {"n", ratio(7, 3)}, {"m_1", ratio(11, 4)}, {"d0", Rational(5)}, {"L", Rational(6)}, {"K", Rational(3)}};
    auto const one = RationalFunction(1);
    for (auto const& f : {n,
                          -n,
                          n - 1,
                          1 - n,
                          -(n + 1),
                          one / n,
                          -one / (n + 1),
                          (n + 2) / n,
                          (n - m) / (n + m),
                          n / (m * d),
                          n / m / d,
                          n / (m / d),
                          (n + 5) * (n - 4) / (3 * n * n),
                          power(n + m, 3) - n,
                          one / (n + 1) - one / (m + 1),
                          ratio(-3, 4) * n * n + ratio(1, 6) * m,
                          (2 * (n + 2) * (m + 2) + (n - 1) * (m - 1)) / (3 * n * m),
                          n - (m - d),
                          -(n - m) * (d - 1),
                          power(n - 4, 2) / power(m + 1, 3),
                          n * (n + 4) * (n + 11) / 8,
                          power(n + m + d, 4) - power(n, 4)}) {
        out.push_back(sample(f, at));
    }
    for (auto const& f : {sqrt(n), one / sqrt(n), sqrt(n * m), sqrt(n) * (n + 1), n * sqrt(d) - m / sqrt(n),
                          sqrt(n / (n + 1)), sqrt(RationalFunction(2) * n), sqrt(RationalFunction(ratio(2, 3))) * n,
                          RationalFunction(r2 - r5) * n, -sqrt(n + 1) / (n - 1), (sqrt(n) + 1) / (sqrt(n) - 3),
                          power(sqrt(n) - sqrt(m), 3), d - sqrt(n) * (m - 1), power(n + 1, Exponent(ratio(-3, 2)))}) {
        out.push_back(sample(f, at, false));
    }
    Exponent const L = Exponent::symbol("L");
    Exponent const K = Exponent::symbol("K");
    for (auto const& f :
         {power(n, L), power((n + 2) / n, L - Exponent(1)), one / power(n, L), power(n, Exponent(-1) * L),
          power(n, Exponent(1) - L), power(RationalFunction(2), L) * n, power(ratio(2, 3) * n, L + K),
          power(n, Exponent(ratio(1, 2)) * L), power(n + 5, L - Exponent(1)) * d / (4 * power(n, L)),
          (2 * power((n + 2) / n, L) + power((n - 1) / n, L)) / 3,
          power(n, L) - power(m, K) * RationalFunction::symbol("L"),
          (RationalFunction::symbol("L") - 1) * n - power(n + 1, L - Exponent(2)),
          power(n, L * Exponent(2) - Exponent(ratio(1, 2)))}) {
        out.push_back(sample(f, at, false));
    }
    return out;
}

/// Standard output of a shell command; nothing when it fails.
std::optional<std::string> output_of(std::string const& command) {
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return std::nullopt;
    std::string out;
    std::array<char, 4096> buffer{};
    while (std::size_t const got = std::fread(buffer.data(), 1, buffer.size(), pipe)) out.append(buffer.data(), got);
    if (pclose(pipe) != 0) return std::nullopt;
    return out;
}

/// A script in a file of its own that is gone afterwards.
class Script {
public:
    explicit Script(std::string const& text) {
        int const file = mkstemp(path_.data());
        REQUIRE(file >= 0);
        close(file);
        std::ofstream(path_) << text;
    }
    Script(Script const&) = delete;
    Script& operator=(Script const&) = delete;
    ~Script() { std::remove(path_.c_str()); }
    [[nodiscard]] std::string const& path() const { return path_; }

private:
    std::string path_ = "/tmp/isserlis_printing_XXXXXX";
};

/// One line per sample is expected: "ok", or what went wrong.
void check_lines(std::string const& output, std::vector<Sample> const& asked) {
    std::istringstream lines(output);
    std::size_t read = 0;
    for (std::string line; std::getline(lines, line); ++read) {
        REQUIRE(read < asked.size());
        INFO(asked[read].text);
        CHECK(line == "ok");
    }
    CHECK(read == asked.size());
}

}  // namespace

TEST_SUITE("ring/printing") {
    TEST_CASE("SymPy reads every printed value as the value it is") {
        if (!output_of("python3 -c 'import sympy' 2>/dev/null")) {
            MESSAGE("skipped: python3 with sympy is not installed");
            return;
        }
        auto const all = samples();
        std::string script =
            "from sympy import sympify, Rational, Symbol, Float\n"
            "def look(text, values, expected):\n"
            "    f = sympify(text)\n"
            "    if {str(s) for s in f.free_symbols} - set(values): return 'unknown symbols in ' + str(f)\n"
            "    v = f.subs({Symbol(k): Rational(x) for k, x in values.items()}).evalf(45)\n"
            "    e = Float(expected, 45)\n"
            "    return 'ok' if abs(v - e) <= Float('1e-35') * max(1, abs(e)) else f'{v} is not {e}'\n";
        for (auto const& s : all) {
            script += "print(look('" + s.text + "', {";
            for (auto const& [name, value] : s.values) script += "'" + name + "': '" + to_string(value) + "', ";
            script += "}, '" + s.expected + "'))\n";
        }
        Script const file(script);
        auto const output = output_of("python3 " + file.path() + " 2>&1");
        REQUIRE(output.has_value());
        check_lines(*output, all);
    }

    TEST_CASE("PARI/GP reads every printed value with whole exponents as the value it is") {
        if (!output_of("echo 1 | gp -q -f 2>/dev/null")) {
            MESSAGE("skipped: gp (PARI/GP) is not installed");
            return;
        }
        std::vector<Sample> asked;
        std::string script =
            "default(realprecision, 50);\n"
            "look(v, e) = print(if (abs(v - e) <= 1e-35 * max(1, abs(e)), \"ok\", Str(v, \" is not \", e)));\n";
        for (auto const& s : samples()) {
            if (!s.pari) continue;
            asked.push_back(s);
            for (auto const& [name, value] : s.values) script += name + " = " + to_string(value) + ";\n";
            script += "look(" + s.text + ", " + s.expected + ");\n";
        }
        Script const file(script);
        auto const output = output_of("gp -q -f " + file.path() + " </dev/null 2>&1");
        REQUIRE(output.has_value());
        check_lines(*output, asked);
    }

    TEST_CASE("there are at least forty samples, of every shape") {
        auto const all = samples();
        CHECK(all.size() >= 40);
        CHECK(std::count_if(all.begin(), all.end(), [](Sample const& s) { return s.pari; }) >= 20);
        CHECK(std::any_of(all.begin(), all.end(),
                          [](Sample const& s) { return s.text.find("sqrt(n") != std::string::npos; }));
        CHECK(std::any_of(all.begin(), all.end(),
                          [](Sample const& s) { return s.text.find("^(L - 1)") != std::string::npos; }));
    }
}
