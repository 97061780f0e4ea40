// SPDX-License-Identifier: MIT
// What a layer with RMSNorm makes of a gradient: by digamma values known by hand, and on drawn networks.
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/formula/normalised_gradient.hpp>
#include <isserlis/monte_carlo/normalised_gradients.hpp>

#include <cmath>

namespace {

using isserlis::ActivationKind;
using isserlis::FullyConnected;
using isserlis::Interval;
using isserlis::rms_gradient_log_ratio;
using isserlis::Surd;
using isserlis::monte_carlo::NormalisedModel;

FullyConnected<Surd, std::uint64_t> net(std::vector<int> const& widths, ActivationKind kind,
                                        Surd const& slope = Surd(0)) {
    FullyConnected<Surd, std::uint64_t> out;
    out.activation = {.kind = kind, .slope = slope};
    for (std::size_t l = 1; l < widths.size(); ++l)
        out.layers.push_back(
            {.fan_in = Surd(widths[l - 1]), .fan_out = Surd(widths[l]), .count = 1, .variance = Surd(3)});
    return out;
}

double value(Interval const& x) { return (mpfr_get_d(x.lower(), MPFR_RNDN) + mpfr_get_d(x.upper(), MPFR_RNDN)) / 2; }

double log_ratio(std::vector<int> const& widths, ActivationKind kind, std::uint64_t layer) {
    return value(rms_gradient_log_ratio(net(widths, kind), layer, Surd(1), 64));
}

NormalisedModel drawn(std::vector<std::size_t> const& widths, double slope) {
    NormalisedModel out{.by = isserlis::Normalisation::rms, .slope = slope, .input = {}, .stages = {}};
    out.input.assign(widths.front(), 1 / std::sqrt(static_cast<double>(widths.front())));
    for (std::size_t l = 1; l < widths.size(); ++l) {
        bool const hidden = l + 1 < widths.size();
        out.stages.push_back(
            {.matrices = {{.rows = widths[l], .variance = 3}}, .normalises_output = hidden, .gates_output = hidden});
    }
    return out;
}

}  // namespace

TEST_SUITE("formula/normalised_gradient") {
    // psi(1/2) - psi(1) = -2 log 2 and psi(1) - psi(3/2) = 2 log 2 - 2. Two units are both active; of three, two are with
    // probability 3/4 and three with 1/4 once one or none is left out.
    TEST_CASE("by hand") {
        double const log_2 = std::log(2.0);
        CHECK(log_ratio({2, 2, 2, 2, 1}, ActivationKind::linear, 2) == doctest::Approx(-2 * log_2));
        CHECK(log_ratio({2, 2, 2, 2, 1}, ActivationKind::relu, 2) == doctest::Approx(-2 * log_2));
        CHECK(log_ratio({2, 3, 3, 3, 1}, ActivationKind::relu, 2) == doctest::Approx(-log_2 - 0.5));
        // chi^2_1 2/chi^2_2 over |x|^2 = 1.
        CHECK(log_ratio({2, 2, 2, 1}, ActivationKind::relu, 1) == doctest::Approx(-log_2));
        auto const three = isserlis::active_log_means(3, 64);
        CHECK(value(three.of_one_less) ==
              doctest::Approx(log_2 + 0.75 * (-0.5772156649015329 - 2 * log_2) - 0.25 * 0.5772156649015329));
    }

    TEST_CASE("enclosures contain those of twice the precision, and no variance or slope sign matters") {
        auto const relu = net({3, 9, 5, 7, 4, 2}, ActivationKind::relu);
        for (std::uint64_t layer = 1; layer <= 3; ++layer)
            for (unsigned const bits : {64U, 128U}) {
                Interval const wide = rms_gradient_log_ratio(relu, layer, Surd(2), bits);
                Interval const narrow = rms_gradient_log_ratio(relu, layer, Surd(2), 2 * bits);
                CHECK(mpfr_lessequal_p(wide.lower(), narrow.lower()) != 0);
                CHECK(mpfr_greaterequal_p(wide.upper(), narrow.upper()) != 0);
            }
        auto const linear = net({3, 9, 5, 7, 2}, ActivationKind::linear);
        auto const absolute = net({3, 9, 5, 7, 2}, ActivationKind::leaky, Surd(-1));
        CHECK(value(rms_gradient_log_ratio(linear, 2, Surd(2), 64)) ==
              value(rms_gradient_log_ratio(absolute, 2, Surd(2), 64)));
    }

    TEST_CASE("one pass forward and one back of drawn networks") {
        for (auto const& [kind, slope] :
             {std::pair(ActivationKind::relu, 0.0), std::pair(ActivationKind::linear, 1.0)}) {
            auto const seen = normalised_gradients(drawn({3, 6, 4, 5, 2}, slope), 20'000, 5);
            REQUIRE(seen.size() == 4);
            for (std::uint64_t layer = 1; layer <= 2; ++layer) {
                double const exact = log_ratio({3, 6, 4, 5, 2}, kind, layer);
                CAPTURE(layer);
                CAPTURE(exact);
                CHECK(std::abs(seen[layer - 1].mean - exact) < 5 * seen[layer - 1].std_error);
                CHECK(seen[layer - 1].std_error < 0.03);
            }
        }
    }

    TEST_CASE("errors") {
        auto const refused = [](std::vector<int> const& widths, std::uint64_t layer) {
            CHECK_THROWS_AS((void)log_ratio(widths, ActivationKind::relu, layer), isserlis::DomainError);
        };
        refused({2, 2, 2, 1}, 0);
        refused({2, 2, 2, 1}, 2);  // the last hidden layer
        CHECK_THROWS_WITH_AS((void)log_ratio({2, 1, 2, 1}, ActivationKind::relu, 1),
                             doctest::Contains("a layer of one entry"), isserlis::DomainError);
        refused({1, 2, 2, 1}, 1);
        CHECK_THROWS_AS((void)rms_gradient_log_ratio(net({2, 2, 2, 1}, ActivationKind::leaky, Surd(2)), 1, Surd(1), 64),
                        isserlis::UnsupportedError);
        CHECK_THROWS_AS((void)isserlis::active_log_means(1, 64), isserlis::DomainError);
    }
}
