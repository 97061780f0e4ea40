// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/formula/width_correction.hpp>
#include <isserlis/ring/decimal.hpp>
#include <string>
#include <vector>

using namespace isserlis;

namespace {

bool contains(Enclosed const& wide, Enclosed const& narrow) {
    Interval const x = wide.enclose(400);
    Interval const y = narrow.enclose(400);
    return mpfr_lessequal_p(x.lower(), y.lower()) != 0 && mpfr_lessequal_p(y.upper(), x.upper()) != 0;
}

}  // namespace

TEST_SUITE("formula/width_correction") {
    // docs/formulas/width_correction.md: 20 a layer; a linear unit 2 K^2 a layer, E z^4 = 3 K^2 (1 + 2/n)^l.
    TEST_CASE("ReLU and linear networks by hand") {
        auto const relu =
            width_corrections({.unit = Gate<Rational>(), .weight_variance = 2, .hidden_layers = 5}, 1, 100);
        REQUIRE(relu.size() == 6);
        for (std::size_t l = 0; l < 6; ++l) {
            CHECK(*relu[l].vertex.exact() == Rational(20 * static_cast<int>(l)));
            CHECK(relu[l].kernel.is_zero());
        }
        auto const linear = width_corrections({.unit = Gate<Rational>::open(), .hidden_layers = 3}, 3, 100);
        CHECK(*linear[3].vertex.exact() == 54);
    }

    // tests/formula/references/width_correction.py, w = 3/2, b = 1/4, |x|^2 = n_0, layer 4.
    TEST_CASE("twelve digits of another program") {
        struct Known {
            SmoothUnit unit;
            char const* vertex;
            char const* kernel;
        };
        std::vector<Known> const known = {
            {SmoothUnit::tanh, "0.226624661451", "-0.0512936305361"},
            {SmoothUnit::sigmoid, "0.0760244385837", "-0.00148934793001"},
            {SmoothUnit::softplus, "26.0112431895", "0.150194379279"},
            {SmoothUnit::silu, "3.94588144967", "0.512161395322"},
            {SmoothUnit::gelu, "9.44996933425", "0.247347528598"},
            {SmoothUnit::elu, "19.2511541880", "-0.328282671174"},
            {SmoothUnit::selu, "61.9937902381", "-0.779185512028"},
            {SmoothUnit::erf, "0.295393126886", "-0.0586021949789"},
            {SmoothUnit::sin, "0.283534669765", "-0.0859528938522"},
            {SmoothUnit::cos, "0.282201616723", "0.0381254287213"},
        };
        for (auto const& k : known) {
            CAPTURE(k.vertex);
            WideNetwork const net{.unit = k.unit,
                                  .weight_variance = ratio(Integer(3), Integer(2)),
                                  .bias_variance = ratio(Integer(1), Integer(4)),
                                  .hidden_layers = 3};
            auto const digits = [&](Enclosed WidthCorrection::*member) {
                return decimal(
                    [&](unsigned bits) {
                        return (width_corrections(net, 1, bits + 64).back().*member).enclose(bits + 64);
                    },
                    12);
            };
            CHECK(digits(&WidthCorrection::vertex) == k.vertex);
            CHECK(digits(&WidthCorrection::kernel) == k.kernel);
            auto const wide = width_corrections(net, 1, 90);
            auto const narrow = width_corrections(net, 1, 180);
            for (std::size_t l = 0; l < wide.size(); ++l) {
                CHECK(contains(wide[l].vertex, narrow[l].vertex));
                CHECK(contains(wide[l].kernel, narrow[l].kernel));
            }
        }
    }

    TEST_CASE("what is out of reach is refused") {
        CHECK_THROWS_AS((void)width_corrections({.unit = SmoothUnit::erf, .weight_variance = 20000}, 1, 100),
                        UnsupportedError);
        CHECK_THROWS_AS((void)width_corrections({.unit = SmoothUnit::erf, .weight_variance = 0}, 1, 100), DomainError);
        CHECK_NOTHROW((void)width_corrections({.unit = SmoothUnit::sin}, 10000, 100));
        CHECK_THROWS_AS((void)width_corrections({.unit = SmoothUnit::sin}, 10001, 100), UnsupportedError);
    }
}
