// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/ring/rational.hpp>

namespace isserlis::detail {

/// sum + x y, in place where that saves a number.
template <class E, class X, class Y>
void add_product(E& sum, X const& x, Y const& y) {
    sum = sum + x * y;
}
inline void add_product(Integer& sum, Integer const& x, Integer const& y) {
    mpz_addmul(sum.backend().data(), x.backend().data(), y.backend().data());
}

}  // namespace isserlis::detail
