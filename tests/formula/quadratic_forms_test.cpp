// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/formula/phi_psi.hpp>
#include <isserlis/formula/quadratic_forms.hpp>
#include <isserlis/network/zoo.hpp>
#include <isserlis/ring/rational_function.hpp>
#include <isserlis/strand/expectation.hpp>

#include <string>

#include "enumeration.hpp"
#include "layers.hpp"

using isserlis::bilinear;
using isserlis::dot;
using isserlis::FormInputs;
using isserlis::FormLayers;
using isserlis::FormOutputs;
using isserlis::ratio;
using isserlis::Rational;
using isserlis::RationalFunction;
using isserlis::Rows;
using isserlis::Surd;
using isserlis::trace;

namespace {

/// Fourth moments 1, 1 + 1/2, 1 + 2/2, .. from the first layer on, all different, and variances 1/2 more.
FormLayers<Rational> mixed_layers(std::vector<int> const& widths) {
    FormLayers<Rational> out;
    for (std::size_t q = 1; q < widths.size(); ++q) {
        Rational const step = ratio(static_cast<int>(q) + 1, 2);
        out.push_back(isserlis::testing::layer(Rational(widths[q - 1]), Rational(widths[q]), std::uint64_t{1},
                                               Rational(step + ratio(1, 2)), isserlis::LawKind::kurtosis, step));
    }
    return out;
}

template <class R>
FormLayers<R> gaussian_layers(std::vector<R> const& widths) {
    return isserlis::testing::network_of_widths(widths, isserlis::ActivationKind::linear).layers;
}

template <class R = Rational>
FormInputs<R> inputs() {
    return {.x = {R(1), R(2)}, .y = {R(-1), R(4)}, .z = {R(2), R(1)}};  // no product is 1
}
template <class R = Rational>
FormOutputs<R> outputs() {
    return {.w = {R(1), R(-2)}, .v = {R(3), R(-1)}, .p = {{R(2), R(1)}, {R(1), R(-4)}}};
}

/// The same mean by the strand engine: B_i x is what layer i reads, C_i'w the derivative of w.z by its pre-activations.
Rational by_strands(FormLayers<Rational> layers, bool scaled, std::string const& query) {
    isserlis::FullyConnected<Rational, std::uint64_t> net;
    net.activation.kind = isserlis::ActivationKind::linear;
    for (auto& run : layers) run.variance = scaled ? run.variance : Rational(1);
    net.layers = layers;
    isserlis::ObservableSetting<Rational> setting;
    setting.inputs.names = {"x", "u", "t"};
    setting.inputs.vectors = {inputs().x, inputs().y, inputs().z};
    setting.constants = {{"w", {outputs().w}}, {"v", {outputs().v}}, {"P", outputs().p}};
    return isserlis::expectation(isserlis::parse_query(query), isserlis::chain_graph(net), setting, {});
}

std::string places(std::uint64_t i, std::uint64_t j) {
    return " where m in " + std::to_string(i) + ", n in " + std::to_string(j);
}
constexpr char const* quartic = "w[r] z[r;n]@x z[s;n]@t P[s,p] z[p;m]@x z[q;m]@u v[q]";

}  // namespace

TEST_SUITE("formula/quadratic_forms") {
    TEST_CASE("A.9, A.10, A.14 and A.15 equal the strand engine at all i <= j, layers of unlike laws") {
        for (auto const& widths : std::vector<std::vector<int>>{{2, 2}, {2, 3, 2}, {2, 1, 3, 2}, {2, 3, 2, 4, 2}}) {
            auto const layers = mixed_layers(widths);
            for (std::uint64_t j = 1; j <= layers.size(); ++j) {
                std::string const query = "w[p] z[p;m]@x z[q;m]@u v[q] where m in " + std::to_string(j);
                CHECK(isserlis::quadratic_form_mean(layers, j, inputs(), outputs()) ==
                      by_strands(layers, false, query));
                CHECK(isserlis::scaled_quadratic_form_mean(layers, j, inputs(), outputs()) ==
                      by_strands(layers, true, query));
                for (std::uint64_t i = 1; i <= j; ++i) {
                    CAPTURE(i);
                    CAPTURE(j);
                    CHECK(isserlis::quartic_form_mean(layers, i, j, inputs(), outputs()) ==
                          by_strands(layers, false, quartic + places(i, j)));
                    CHECK(isserlis::scaled_quartic_form_mean(layers, i, j, inputs(), outputs()) ==
                          by_strands(layers, true, quartic + places(i, j)));
                }
            }
        }
    }

    // [Hettinger 2019, Lemmas A.11 .. A.13, Thm A.14] for Gaussian entries.
    TEST_CASE("Gaussian matrices give the printed right sides") {
        std::vector<int> const m{2, 3, 1, 4, 2};
        auto const layers = gaussian_layers(std::vector<Rational>(m.begin(), m.end()));
        auto stretch = [&](std::size_t c, std::size_t d) {
            std::vector<isserlis::WidthRun<Rational, std::uint64_t>> runs;
            for (std::size_t q = c; q < d; ++q) runs.push_back({Rational(m[q]), 1});
            return isserlis::phi_psi(runs);
        };
        auto squares = [&](std::size_t c, std::size_t d) {
            Rational out = 1;
            for (std::size_t q = c; q < d; ++q) out *= m[q] * m[q];
            return out;
        };
        auto const in = inputs();
        auto const out = outputs();
        std::size_t const n = m.size() - 1;
        auto inner = [&](std::size_t i) {
            auto const s = stretch(1, i);
            return Rational(s.phi * dot(in.x, in.y) * dot(in.x, in.z) + s.psi * dot(in.x, in.x) * dot(in.y, in.z));
        };
        auto outer = [&](std::size_t j) {
            auto const s = stretch(j, n);
            return Rational(s.phi * bilinear(out.w, out.p, out.v) + s.psi * trace(out.p) * dot(out.w, out.v));
        };
        for (std::size_t j = 1; j <= n; ++j) {
            for (std::size_t i = 1; i <= j; ++i) {
                auto const s = stretch(i, j);
                CHECK(isserlis::norm_product_mean(layers, i, j) == squares(i, j) * (s.phi - s.psi));
                CHECK(isserlis::quartic_form_mean(layers, i, j, in, out) ==
                      squares(1, n) * inner(i) * (s.phi - s.psi) * outer(j));
            }
            auto const size = static_cast<std::size_t>(m[j]);
            Rows<Rational> d(size, std::vector<Rational>(size, 7));  // a matrix of sevens has the trace 7 m_j
            if (j < n) CHECK(isserlis::outer_quartic_form_mean(layers, j, out, d) == 7 * squares(j, n) * outer(j));
            CHECK(isserlis::inner_quartic_form_mean(layers, j + 1, in, d) == 7 * squares(1, j + 1) * inner(j + 1));
        }
    }

    // By hand: signs in one 2 x 2 matrix B, given matrices with unlike diagonals. Every b_ij^2 is 1.
    TEST_CASE("given matrices: enumeration of all signs") {
        auto layers = gaussian_layers(std::vector<Rational>{2, 2});
        layers[0].law = {.kind = isserlis::LawKind::rademacher};
        Rows<Rational> const d{{2, 1}, {1, 5}};
        auto const in = inputs();
        auto const out = outputs();
        Rational inner = 0;
        Rational outer = 0;
        isserlis::testing::for_each_assignment(
            std::vector<isserlis::testing::DiscreteLaw>(4, isserlis::testing::rademacher()),
            [&](std::vector<int> const& b, std::int64_t) {
                auto times = [&](std::vector<Rational> const& x) {
                    return std::vector<Rational>{b[0] * x[0] + b[1] * x[1], b[2] * x[0] + b[3] * x[1]};
                };
                auto back = [&](std::vector<Rational> const& x) {
                    return std::vector<Rational>{b[0] * x[0] + b[2] * x[1], b[1] * x[0] + b[3] * x[1]};
                };
                inner += dot(times(in.x), times(in.y)) * bilinear(times(in.x), d, times(in.z)) / 16;
                auto through = [&](std::vector<Rational> const& x) {
                    return times(
                        {d[0][0] * back(x)[0] + d[0][1] * back(x)[1], d[1][0] * back(x)[0] + d[1][1] * back(x)[1]});
                };
                outer += bilinear(times(back(out.w)), out.p, through(out.v)) / 16;
            });
        CHECK(isserlis::inner_quartic_form_mean(layers, 2, in, d) == inner);
        CHECK(isserlis::outer_quartic_form_mean(layers, 0, out, d) == outer);
    }

    TEST_CASE("every ring gives one number") {
        std::vector<int> const m{2, 3, 4, 2};
        auto value = [&]<class R>(R) {
            auto const layers = gaussian_layers(std::vector<R>(m.begin(), m.end()));
            return isserlis::quartic_form_mean(layers, 1, 3, inputs<R>(), outputs<R>());
        };
        Rational const exact = value(Rational());
        CHECK(value(Surd()) == Surd(exact));
        CHECK(value(0.0) == doctest::Approx(exact.convert_to<double>()));
        auto const a = RationalFunction::symbol("a");
        auto const b = RationalFunction::symbol("b");
        auto const layers = gaussian_layers(std::vector<RationalFunction>{2, a, b, 2});
        auto const formula =
            isserlis::quartic_form_mean(layers, 1, 3, inputs<RationalFunction>(), outputs<RationalFunction>());
        CHECK(formula.evaluate({{"a", 3}, {"b", 4}}) == Surd(exact));
    }

    TEST_CASE("what the lemmas do not say is refused") {
        auto const layers = gaussian_layers(std::vector<Rational>{2, 3, 2});
        Rows<Rational> const two(2, std::vector<Rational>(2, 1));
        using isserlis::DomainError;
        CHECK_THROWS_AS((void)isserlis::inner_quartic_form_mean(layers, 1, inputs(), two), DomainError);
        CHECK_THROWS_AS((void)isserlis::outer_quartic_form_mean(layers, 2, outputs(), two), DomainError);
        CHECK_THROWS_AS((void)isserlis::inner_quartic_form_mean(layers, 2, inputs(), two), DomainError);  // m_1 = 3
        CHECK_THROWS_AS((void)isserlis::quadratic_form_mean(layers, 0, inputs(), outputs()), DomainError);
        CHECK_THROWS_AS((void)isserlis::quadratic_form_mean(layers, 3, inputs(), outputs()), DomainError);
        CHECK_THROWS_AS((void)isserlis::quartic_form_mean(layers, 2, 1, inputs(), outputs()), DomainError);
        CHECK_THROWS_WITH_AS((void)isserlis::inner_quartic_form_mean(layers, 4, inputs(), two),
                             doctest::Contains("i = 4; 2 <= i <= n + 1 = 3 is required"), DomainError);
        CHECK_THROWS_WITH_AS((void)isserlis::outer_quartic_form_mean(layers, 3, outputs(), two),
                             doctest::Contains("j = 3; 0 <= j <= n - 1 = 1 is required"), DomainError);
        CHECK_THROWS_AS((void)isserlis::norm_product_mean(layers, 2, 3), DomainError);
        auto lopsided = outputs();
        lopsided.p[0][1] = 9;
        CHECK_THROWS_AS((void)isserlis::quartic_form_mean(layers, 1, 1, inputs(), lopsided), DomainError);
        auto long_input = inputs();
        long_input.z.push_back(1);
        CHECK_THROWS_AS((void)isserlis::quartic_form_mean(layers, 1, 1, long_input, outputs()), DomainError);
        FormLayers<Rational> runs = layers;
        runs[0].count = 2;
        CHECK_THROWS_AS((void)isserlis::norm_product_mean(runs, 1, 1), DomainError);
    }
}
