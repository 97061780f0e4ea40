// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Structs of numbers. A template over the number type lists its members once,
//     static constexpr auto members = std::tuple{&Pair::first, &Pair::second};
// and what has to reach every number of it, in structs, vectors, arrays, optionals and maps inside too, is written here
// once. One member that is not listed, or one that is listed twice, does not compile.

namespace isserlis {

namespace members_detail {

template <class T>
concept Listed = requires {
    T::members;
};

/// Stands for the initialiser of any member.
struct AnyMember {
    template <class T>
    operator T&() const;
};

template <class T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
    return requires { T{((void)I, AnyMember{})...}; };
}

template <class A, class B>
constexpr bool is_same_member(A a, B b) {
    if constexpr (std::is_same_v<A, B>) {
        return a == b;
    } else {
        return false;
    }
}

/// T with S in the place of R, wherever R is an argument of a template. What holds none, such as a name, stays.
template <class T, class R, class S>
struct Inside {
    using Type = T;
};
template <class T, class R, class S>
struct Over : Inside<T, R, S> {};
template <class R, class S>
struct Over<R, R, S> {
    using Type = S;
};
template <template <class...> class T, class... A, class R, class S>
struct Inside<T<A...>, R, S> {
    using Type = T<typename Over<A, R, S>::Type...>;
};
template <class T, std::size_t N, class R, class S>
struct Inside<std::array<T, N>, R, S> {
    using Type = std::array<typename Over<T, R, S>::Type, N>;
};

/// The number type of what holds numbers: the first argument of a struct with `members`.
template <class T>
struct Number {
    using Type = T;
};
template <template <class...> class T, class R, class... More>
requires Listed<T<R, More...>>
struct Number<T<R, More...>> {
    using Type = R;
};
template <class T>
struct Number<std::vector<T>> : Number<T> {};
template <class T>
struct Number<std::optional<T>> : Number<T> {};
template <class T, std::size_t N>
struct Number<std::array<T, N>> : Number<T> {};
template <class K, class T>
struct Number<std::map<K, T>> : Number<T> {};

}  // namespace members_detail

/// Does `members` name each member of the struct, each once?
template <class T>
[[nodiscard]] constexpr bool lists_all_members() {
    using members_detail::takes;
    constexpr std::size_t listed = std::tuple_size_v<std::remove_const_t<decltype(T::members)>>;
    bool const distinct = std::apply(
        [](auto... one) {
            auto const times = [&](auto of) { return (int{members_detail::is_same_member(of, one)} + ...); };
            return ((times(one) == 1) && ...);
        },
        T::members);
    return distinct && takes<T>(std::make_index_sequence<listed>()) &&
           !takes<T>(std::make_index_sequence<listed + 1>());
}

namespace members_detail {

// Asked of doubles, so that each template is looked into once.
template <class T>
concept Complete = lists_all_members < typename Over < T,
        typename Number<T>::Type,
double > ::Type > ();

template <class R, class To, class From, class F>
To made(From const& x, F const& f) {
    if constexpr (std::is_same_v<From, R>) {
        return f(x);
    } else if constexpr (Listed<From>) {
        static_assert(Complete<From>, "`members` has to list every member of the struct");
        To out{};
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            auto const one = [&]<class M>(M& to, auto const& from) { to = made<R, M>(from, f); };
            (one(out.*std::get<I>(To::members), x.*std::get<I>(From::members)), ...);
        }
        (std::make_index_sequence<std::tuple_size_v<std::remove_const_t<decltype(From::members)>>>());
        return out;
    } else if constexpr (std::is_enum_v<From>) {
        return static_cast<To>(x);
    } else if constexpr (std::is_same_v<To, From>) {
        return x;  // no number inside
    } else if constexpr (requires { x.has_value(); }) {
        return x ? To(made<R, typename To::value_type>(*x, f)) : To();
    } else if constexpr (requires { typename From::mapped_type; }) {
        To out;
        for (auto const& [key, value] : x) out.emplace(key, made<R, typename To::mapped_type>(value, f));
        return out;
    } else {
        To out{};
        if constexpr (requires { out.resize(x.size()); }) out.resize(x.size());
        std::transform(x.begin(), x.end(), out.begin(),
                       [&](auto const& one) { return made<R, typename To::value_type>(one, f); });
        return out;
    }
}

template <class R>
using Another = std::conditional_t<std::is_same_v<R, double>, int, double>;

template <class R, class T, class F>
bool all_of_them(T const& x, F const& good) {
    if constexpr (std::is_same_v<T, R>) {
        return good(x);
    } else if constexpr (Listed<T>) {
        static_assert(Complete<T>, "`members` has to list every member of the struct");
        return std::apply([&](auto... one) { return (all_of_them<R>(x.*one, good) && ...); }, T::members);
    } else if constexpr (std::is_same_v<typename Over<T, R, Another<R>>::Type, T>) {
        return true;  // no number inside
    } else if constexpr (requires { x.has_value(); }) {
        return !x || all_of_them<R>(*x, good);
    } else if constexpr (requires { typename T::mapped_type; }) {
        return std::all_of(x.begin(), x.end(), [&](auto const& one) { return all_of_them<R>(one.second, good); });
    } else {
        return std::all_of(x.begin(), x.end(), [&](auto const& one) { return all_of_them<R>(one, good); });
    }
}

}  // namespace members_detail

/// The same struct, vector, array, optional or map of such with f(y), a To, for each y of type From; all else is copied.
template <class From, class To, class T, class F>
[[nodiscard]] auto replaced(T const& x, F const& f) {
    return members_detail::made<From, typename members_detail::Over<T, From, To>::Type>(x, f);
}

/// The same over the number type S: f turns each number into one of S. Names and counts stay.
template <class S, class T, class F>
[[nodiscard]] auto converted(T const& x, F const& f) {
    return replaced<typename members_detail::Number<T>::Type, S>(x, f);
}

/// The same in a larger ring.
template <class S, class T>
[[nodiscard]] auto converted(T const& x) {
    using R = typename members_detail::Number<T>::Type;
    return converted<S>(x, [](R const& number) { return S(number); });
}

/// Does every number satisfy the predicate?
template <class T, class F>
[[nodiscard]] bool all_numbers(T const& x, F const& good) {
    return members_detail::all_of_them<typename members_detail::Number<T>::Type>(x, good);
}

}  // namespace isserlis
