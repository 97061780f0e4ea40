// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/network/scheme.hpp>
#include <isserlis/ring/power.hpp>
#include <set>

#include "../ring/show.hpp"

using isserlis::Activation;
using isserlis::ActivationKind;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Scheme;
using isserlis::Surd;
using isserlis::weight_variance;

namespace {

template <class R>
R hidden(Scheme scheme, Activation<R> const& activation, R const& fan_in, R const& fan_out) {
    return weight_variance(scheme, activation, fan_in, fan_out, false);
}

}  // namespace

TEST_SUITE("network/scheme") {
    // By hand from the rule that each source prints, at fan_in = 6 and fan_out = 4.
    TEST_CASE_TEMPLATE("each scheme has the variance that its source prints", R, Rational, double, Surd,
                       RationalFunction) {
        R const in = R(6);
        R const out = R(4);
        Activation<R> const relu{.kind = ActivationKind::relu};
        Activation<R> const linear{.kind = ActivationKind::linear};
        Activation<R> const crelu{.kind = ActivationKind::crelu};
        Activation<R> const leaky{.kind = ActivationKind::leaky, .slope = R(1) / R(2)};
        // [He 2015, eq. (10)]: n Var[w]/2 = 1; eq. (14): (1 + a^2) n Var[w]/2 = 1.
        CHECK(hidden(Scheme::he, relu, in, out) == R(1) / R(3));
        CHECK(hidden(Scheme::he, leaky, in, out) == R(8) / R(30));
        CHECK(hidden(Scheme::he, linear, in, out) == R(1) / R(6));
        CHECK(hidden(Scheme::he, crelu, in, out) == R(1) / R(6));
        CHECK(hidden(Scheme::xavier, relu, in, out) == R(1) / R(6));
        // [Glorot 2010, eq. (12)]: 2/(n_i + n_(i+1)).
        CHECK(hidden(Scheme::xavier_average, relu, in, out) == R(1) / R(5));
        CHECK(hidden(Scheme::lecun_uniform, relu, in, out) == R(1) / R(6));
        CHECK(hidden(Scheme::standard, relu, in, out) == R(1) / R(6));
        CHECK(hidden(Scheme::ntk, relu, in, out) == R(1) / R(6));
        // U(-b, b) has the variance b^2/3; here b = 1/sqrt(6).
        CHECK(hidden(Scheme::pytorch, relu, in, out) == R(1) / R(18));
        // Mean field: He inside, 1/fan_in^2 in the last layer.
        CHECK(hidden(Scheme::mean_field, relu, in, out) == R(1) / R(3));
        CHECK(weight_variance(Scheme::mean_field, relu, in, out, true) == R(1) / R(36));
    }

    TEST_CASE("the last layer differs under mean-field only") {
        Activation<Rational> const relu{.kind = ActivationKind::relu};
        for (auto const& s : isserlis::schemes) {
            if (s.scheme == Scheme::proportional) continue;
            Rational const inside = weight_variance(s.scheme, relu, Rational(6), Rational(4), false);
            Rational const last = weight_variance(s.scheme, relu, Rational(6), Rational(4), true);
            INFO(s.name);
            CHECK((inside == last) == (s.scheme != Scheme::mean_field));
        }
    }

    // [Hettinger 2019, Def 4.8]: sigma_q^2 = (d_q d_(q-1))^(-1/2); 1/sqrt(24) = sqrt(6)/12.
    TEST_CASE("proportional variances are exact surds and symbolic roots") {
        Activation<Surd> const crelu{.kind = ActivationKind::crelu};
        CHECK(hidden(Scheme::proportional, crelu, Surd(6), Surd(4)) == Surd::monomial(ratio(1, 12), 6));
        CHECK(hidden(Scheme::proportional, crelu, Surd(4), Surd(9)) == Surd(ratio(1, 6)));
        Activation<RationalFunction> const symbolic{.kind = ActivationKind::crelu};
        auto const a = RationalFunction::symbol("a");
        auto const b = RationalFunction::symbol("b");
        auto const v = hidden(Scheme::proportional, symbolic, a, b);
        CHECK(v * v == RationalFunction(1) / (a * b));
        CHECK(hidden(Scheme::proportional, Activation<double>{.kind = ActivationKind::relu}, 6.0, 4.0) ==
              doctest::Approx(1 / std::sqrt(24.0)));
        CHECK_THROWS_AS(
            hidden(Scheme::proportional, Activation<Rational>{.kind = ActivationKind::relu}, Rational(6), Rational(4)),
            isserlis::UnsupportedError);
    }

    TEST_CASE("defaults are he for ReLU and leaky, xavier for linear, proportional for crelu") {
        CHECK(isserlis::default_scheme(ActivationKind::relu) == Scheme::he);
        CHECK(isserlis::default_scheme(ActivationKind::leaky) == Scheme::he);
        CHECK(isserlis::default_scheme(ActivationKind::linear) == Scheme::xavier);
        CHECK(isserlis::default_scheme(ActivationKind::crelu) == Scheme::proportional);
        CHECK(isserlis::default_scheme(ActivationKind::crelu_tied) == Scheme::proportional);
    }

    TEST_CASE("every scheme of the design is listed once, with a rule and a source") {
        std::set<std::string> names;
        for (auto const& s : isserlis::schemes) {
            names.insert(s.name);
            CHECK(isserlis::info(s.scheme).name == std::string(s.name));
            CHECK(std::string(s.variance).size() > 5);
            CHECK(std::string(s.source).front() == '[');
        }
        CHECK(names == std::set<std::string>{"proportional", "he", "xavier", "xavier-average", "lecun-uniform",
                                             "mean-field", "standard", "ntk", "pytorch"});
        CHECK(isserlis::law_of(Scheme::pytorch) == isserlis::LawKind::uniform);
        CHECK(isserlis::law_of(Scheme::lecun_uniform) == isserlis::LawKind::uniform);
        CHECK(isserlis::law_of(Scheme::he) == isserlis::LawKind::gaussian);
        CHECK(isserlis::draws_biases(Scheme::pytorch));
        CHECK_FALSE(isserlis::draws_biases(Scheme::lecun_uniform));
    }
}
