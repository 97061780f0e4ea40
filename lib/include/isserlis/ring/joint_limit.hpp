// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/exp_polynomial.hpp>
#include <isserlis/ring/rational_function.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace isserlis {

/// Symbols that go to infinity together: each is its multiple times `scale`, which is one of them. Width n and depth
/// L = b n with layer l = t L: {"n", {n: 1, L: b, l: t*b}}. Exponents may have them too.
struct LimitPath {
    std::string scale;
    std::map<std::string, RationalFunction> multiples;
    bool others_fixed = false;  ///< do other symbols in exponents stay as they are? Else they are refused
};

/// Width n and depth L = b n.
[[nodiscard]] LimitPath wide_and_deep(std::string const& n, std::string const& depth, RationalFunction const& b);

/// bases^exponents * sum over parts of exp(rate + sum_j growth[j] scale^((j + 1)/root)) * sum_k coefficients[k]
/// scale^((leading - k)/root), up to an error of the next order. Parts that are exponentially smaller are left out.
struct JointLimit {
    struct Part {
        RationalFunction rate;
        std::vector<RationalFunction> growth;  ///< root - 1 of them
        std::vector<RationalFunction> coefficients;
    };
    std::vector<std::pair<RationalFunction, Exponent>> bases;  ///< limits of eigenvalues, other than 1
    long leading = 0;
    long root = 1;  ///< 2 when square roots of the symbols occur
    std::vector<Part> parts;

    [[nodiscard]] bool is_zero() const { return parts.empty(); }
    /// Where it goes; 0 itself is finite. Symbols may leave that open.
    enum class Course { finite, vanishing, infinite, open };
    [[nodiscard]] Course course() const;
};

/// The leading order and `order` orders of 1/scale^(1/root) beyond it.
/// Errors  UnsupportedError where no such form is known, or symbols leave open which part is the largest.
[[nodiscard]] JointLimit joint_limit(ExpPolynomial const& x, LimitPath const& path, std::size_t order);

/// SymPy text, with exp( ).
[[nodiscard]] std::string to_string(JointLimit const& limit, std::string const& scale);

}  // namespace isserlis
