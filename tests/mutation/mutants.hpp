// SPDX-License-Identifier: MIT
// What mutate.py writes into a copy of the sources, and includes before each of them. All mutants are compiled in; the
// environment variable ISSERLIS_MUTANT switches one on, by its number. An expression keeps its type, and its value where no
// mutant of it is on:
//
//     a + b * c       a + mutant_plus(7) * b * c        a - b * c where 7 is on, since * binds to the factor
//     a * b           a * mutant_times(7)->*b           a * 1, since ->* binds tighter than *
//     -x              mutant_minus(7)->*x               x
//     x += a + b      x += mutant_add(7) <<= a + b      x -= a + b
//     x *= a + b      x *= mutant_scale(7) <<= a + b    x
//     a < b           a < mutant_less(7) < b            a <= b; of floating-point numbers !(a < b)
//     a == b          a != mutant_equal(7) != b         a != b; no ==, which optional numbers take for their own
//     a && b          a && mutant_and(7) | b            a, since | binds tighter than &&
//     a || b          a || mutant_or(7) & b             a
//     3               mutant_number(7, 3)               4
//
// A name that ends in _fixed is for places that are evaluated both by the compiler, where it is the value without a mutant,
// and at run time.
#pragma once
#include <concepts>
#include <cstdlib>
#include <optional>
#include <type_traits>

namespace mutants {

inline constexpr int most = 1 << 22;  // MOST of mutate.py
inline unsigned char reached[most];   ///< by its number: whether a mutant's place was evaluated
inline int const active = [] {
    char const* const number = std::getenv("ISSERLIS_MUTANT");
    return number == nullptr ? -1 : std::atoi(number);
}();

/// Whether mutant k is on. A template, since a constexpr function that never is constant has to be one.
template <bool is_fixed>
[[gnu::always_inline]] constexpr bool on(int k) {
    if (is_fixed && std::is_constant_evaluated()) return false;
    reached[k] = 1;
    return active == k;
}

/// The type of x in arithmetic: int for what is shorter.
template <class X>
struct Promoted {
    using type = std::remove_cvref_t<X>;
};
template <class X>
requires(std::is_integral_v<std::remove_cvref_t<X>> && sizeof(X) < sizeof(int)) struct Promoted<X> {
    using type = int;
};
template <class X>
using Value = typename Promoted<X>::type;

template <class T>
concept Minus = requires(T const& x) {
    { -x } -> std::convertible_to<T>;
};
template <class T>
concept Difference = requires(T const& x) {
    { x - x } -> std::convertible_to<T>;
};
template <class T>
concept Product = requires(T const& x) {
    { x* x } -> std::convertible_to<T>;
};
template <class T>
concept Signed =
    !std::is_pointer_v<T> && (Minus<T> || Difference<T> || (Product<T> && std::constructible_from<T, int>));

/// An interval, whose constructor from one number takes the number of its bits.
template <class T>
concept Precise = requires(T const& x) {
    T(1L, x.bits());
};

template <class T>
constexpr T negated(T const& x) {
    if constexpr (Minus<T>)
        return T(-x);
    else if constexpr (Precise<T>)
        return T(T(0L, x.bits()) - x);
    else if constexpr (Difference<T>)
        return T(x - x - x);
    else
        return T(T(-1) * x);
}

/// 1, or twice x of what has no 1.
template <class T>
concept Scalable = Product<T> &&(std::constructible_from<T, int> || requires(T const& x) {
    { x + x } -> std::convertible_to<T>;
});
template <class T>
constexpr T unit(T const& x) {
    if constexpr (Precise<T>)
        return T(1L, x.bits());
    else if constexpr (std::constructible_from<T, int>)
        return T(1);
    else
        return T(x + x);
}

template <bool is_fixed>
struct Plus {
    int k;
};
template <bool is_fixed, class X>
requires Signed<Value<X>>
[[gnu::always_inline]] constexpr Value<X> operator*(Plus<is_fixed> m, X&& x) {
    if (on<is_fixed>(m.k)) return negated<Value<X>>(x);
    return static_cast<X&&>(x);
}

template <bool is_fixed>
struct UnaryMinus {
    int k;
};
template <bool is_fixed, class X>
requires Minus<Value<X>>
[[gnu::always_inline]] constexpr Value<X> operator->*(UnaryMinus<is_fixed> m, X&& x) {
    if (!on<is_fixed>(m.k)) return Value<X>(-x);
    return static_cast<X&&>(x);
}

template <bool is_fixed>
struct Times {
    int k;
};
template <bool is_fixed, class X>
requires Scalable<Value<X>>
[[gnu::always_inline]] constexpr Value<X> operator->*(Times<is_fixed> m, X&& x) {
    if (on<is_fixed>(m.k)) return unit<Value<X>>(x);
    return static_cast<X&&>(x);
}

template <bool is_fixed>
struct Add {
    int k;
};
template <bool is_fixed, class X>
requires Signed<Value<X>>
[[gnu::always_inline]] constexpr Value<X> operator<<=(Add<is_fixed> m, X&& x) {
    return Plus<is_fixed>{m.k} * static_cast<X&&>(x);
}

template <bool is_fixed>
struct Scale {
    int k;
};
template <bool is_fixed, class X>
requires Scalable<Value<X>>
[[gnu::always_inline]] constexpr Value<X> operator<<=(Scale<is_fixed> m, X&& x) {
    return Times<is_fixed>{m.k}->*static_cast<X&&>(x);
}

template <bool is_fixed>
struct And {
    int k;
};
template <bool is_fixed, class X>
requires std::constructible_from<bool, X const&>
[[gnu::always_inline]] constexpr bool operator|(And<is_fixed> m, X const& x) {
    return on<is_fixed>(m.k) || static_cast<bool>(x);
}

template <bool is_fixed>
struct Or {
    int k;
};
template <bool is_fixed, class X>
requires std::constructible_from<bool, X const&>
[[gnu::always_inline]] constexpr bool operator&(Or<is_fixed> m, X const& x) {
    return !on<is_fixed>(m.k) && static_cast<bool>(x);
}

template <class A, class B>
inline constexpr bool is_floating = std::is_floating_point_v<A> || std::is_floating_point_v<B>;

/// a OPERATOR b, written a BY name(k) BY b.
#define ISSERLIS_COMPARISON(NAME, BY, OPERATOR, INSTEAD)                                                         \
    template <bool is_fixed>                                                                                     \
    struct NAME {                                                                                                \
        int k;                                                                                                   \
    };                                                                                                           \
    template <class A, bool is_fixed>                                                                            \
    struct NAME##Left {                                                                                          \
        A const& a;                                                                                              \
        int k;                                                                                                   \
    };                                                                                                           \
    template <class A, bool is_fixed>                                                                            \
    [[gnu::always_inline]] constexpr NAME##Left<A, is_fixed> operator BY(A const& a, NAME<is_fixed> m) {         \
        return {a, m.k};                                                                                         \
    }                                                                                                            \
    template <bool is_fixed, class A, class B>                                                                   \
    requires requires(A const& a, B const& b) { static_cast<bool>(a OPERATOR b); }                               \
    [[gnu::always_inline]] constexpr bool compared(NAME##Left<A, is_fixed> left, B const& b) {                   \
        if (on<is_fixed>(left.k)) {                                                                              \
            if constexpr (!is_floating<A, B> && requires { static_cast<bool>(left.a INSTEAD b); })               \
                return static_cast<bool>(left.a INSTEAD b);                                                      \
            else                                                                                                 \
                return !static_cast<bool>(left.a OPERATOR b);                                                    \
        }                                                                                                        \
        return static_cast<bool>(left.a OPERATOR b);                                                             \
    }                                                                                                            \
    template <class A, bool is_fixed, class B>                                                                   \
    requires requires(A const& a, B const& b) { static_cast<bool>(a OPERATOR b); }                               \
    [[gnu::always_inline]] constexpr bool operator BY(NAME##Left<A, is_fixed> left, B const& b) {                \
        return compared(left, b);                                                                                \
    }                                                                                                            \
    /* Optional numbers are compared with whatever their numbers are compared with. */                           \
    template <class A, bool is_fixed, class B>                                                                   \
    requires requires(A const& a, std::optional<B> const& b) { static_cast<bool>(a OPERATOR b); }                \
    [[gnu::always_inline]] constexpr bool operator BY(NAME##Left<A, is_fixed> left, std::optional<B> const& b) { \
        return compared(left, b);                                                                                \
    }
ISSERLIS_COMPARISON(Less, <, <, <=)
ISSERLIS_COMPARISON(AtMost, <=, <=, <)
ISSERLIS_COMPARISON(More, >, >, >=)
ISSERLIS_COMPARISON(AtLeast, >=, >=, >)
ISSERLIS_COMPARISON(Equal, !=, ==, !=)
ISSERLIS_COMPARISON(Unequal, !=, !=, ==)
#undef ISSERLIS_COMPARISON

}  // namespace mutants

#define ISSERLIS_MUTANT(NAME, TYPE)                                                            \
    [[gnu::always_inline]] constexpr mutants::TYPE<false> mutant_##NAME(int k) { return {k}; } \
    [[gnu::always_inline]] constexpr mutants::TYPE<true> mutant_##NAME##_fixed(int k) { return {k}; }
ISSERLIS_MUTANT(plus, Plus)
ISSERLIS_MUTANT(times, Times)
ISSERLIS_MUTANT(minus, UnaryMinus)
ISSERLIS_MUTANT(add, Add)
ISSERLIS_MUTANT(scale, Scale)
ISSERLIS_MUTANT(and, And)
ISSERLIS_MUTANT(or, Or)
ISSERLIS_MUTANT(less, Less)
ISSERLIS_MUTANT(at_most, AtMost)
ISSERLIS_MUTANT(more, More)
ISSERLIS_MUTANT(at_least, AtLeast)
ISSERLIS_MUTANT(equal, Equal)
ISSERLIS_MUTANT(unequal, Unequal)
#undef ISSERLIS_MUTANT

template <class T>
[[gnu::always_inline]] constexpr T mutant_number(int k, T value) {
    return mutants::on<false>(k) ? static_cast<T>(value + 1) : value;
}
template <class T>
[[gnu::always_inline]] constexpr T mutant_number_fixed(int k, T value) {
    return mutants::on<true>(k) ? static_cast<T>(value + 1) : value;
}
