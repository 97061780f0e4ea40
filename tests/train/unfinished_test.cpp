// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <isserlis/error.hpp>
#include <isserlis/train/record.hpp>
#include <isserlis/train/unfinished.hpp>

namespace {

using namespace isserlis::train;

}  // namespace

TEST_SUITE("train/unfinished") {
    TEST_CASE("trials come back, network by network") {
        std::vector<std::vector<RateTrial>> const networks = {
            {{.rate = 1, .accuracy = 0.1, .epochs = 2, .diverged_at = 0},
             {.rate = 0.5, .reached = true, .accuracy = 0.9, .epochs = 10}},
            {{.rate = 1, .reached = true, .accuracy = 1.0 / 3, .epochs = 1}}};
        auto const out = parse_trials(trials_text(networks, 5), 5, "t");
        REQUIRE(out.size() == 2);
        for (std::size_t k = 0; k < 2; ++k) {
            REQUIRE(out[k].size() == networks[k].size());
            for (std::size_t i = 0; i < out[k].size(); ++i) {
                CHECK(out[k][i].rate == networks[k][i].rate);
                CHECK(out[k][i].reached == networks[k][i].reached);
                CHECK(out[k][i].accuracy == networks[k][i].accuracy);
                CHECK(out[k][i].epochs == networks[k][i].epochs);
                CHECK(out[k][i].diverged_at == networks[k][i].diverged_at);
            }
        }
        CHECK(parse_trials(trials_text({}, 5), 5, "t").empty());
    }

    TEST_CASE("cells come back, with and without a mean") {
        std::vector<SweepCell> const cells = {
            {.rate = 0.1, .mean_loss = 1e-300, .standard_error = 0.2, .share_diverged = 0.3, .share_risen = 0.4},
            {.rate = 7, .share_diverged = 1, .share_risen = 1}};
        auto const out = parse_cells(cells_text(cells, 6), 6, "t");
        REQUIRE(out.size() == 2);
        CHECK(out[0].mean_loss == cells[0].mean_loss);
        CHECK(out[0].standard_error == 0.2);
        CHECK(out[0].share_risen == 0.4);
        CHECK(out[1].rate == 7);
        CHECK_FALSE(out[1].mean_loss.has_value());
    }

    TEST_CASE("a run and its sharpness come back, one for each row") {
        auto const net = isserlis::mlp::perceptron({1, 1}, {});
        MeasuredRun const run{
            .state = {.parameters = {0.1, -3},
                      .memory = {.first = {1.0 / 3, 0}, .second = {}, .steps = 2},
                      .history = {{.loss = 1}, {.epoch = 2, .steps = 2, .loss = 0.5}}},
            .sharpness = {{.top = {1.0 / 7, 1e-9}, .modulus = {-3, 1e-10}}, {.top = {2, 0}, .modulus = {}}}};
        auto const out = parse_measured(measured_text(run, 5), 5, net, "t");
        CHECK(out.state.parameters == run.state.parameters);
        CHECK(out.state.memory.first == run.state.memory.first);
        CHECK(out.state.history.back().epoch == 2);
        REQUIRE(out.sharpness.size() == 2);
        CHECK(out.sharpness[0].top.value == 1.0 / 7);
        CHECK(out.sharpness[0].top.residual == 1e-9);
        CHECK(out.sharpness[0].modulus.value == -3);
        CHECK(out.sharpness[0].modulus.residual == 1e-10);
        CHECK(out.sharpness[1].top.value == 2);
        auto lacking = run;
        lacking.sharpness.pop_back();
        CHECK_THROWS_WITH_AS(static_cast<void>(parse_measured(measured_text(lacking, 5), 5, net, "t.txt")),
                             doctest::Contains("t.txt: sharpness at 1 of the 2 rows"), isserlis::ParseError);
        CHECK_THROWS_WITH_AS(static_cast<void>(parse_measured(state_text(run.state, 5), 5, net, "t.txt")),
                             doctest::Contains("t.txt: no sharpness-state file"), isserlis::ParseError);
    }

    TEST_CASE("other files and rows are refused by name") {
        auto const refused = [](std::string const& text, char const* message) {
            CHECK_THROWS_WITH_AS(static_cast<void>(parse_trials(text, 5, "t.txt")), doctest::Contains(message),
                                 isserlis::Error);
        };
        refused(cells_text({}, 5), "t.txt: no rate-trials file");
        refused(trials_text({}, 4), "t.txt: it was left by another run");
        Record record{.kind = "rate-trials", .run = 5};
        record.add("trial", std::array{0.5, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0});
        refused(record_text(record), "the row 'trial' is not what follows");
        record.rows.front().numbers = {1, 1, 1, 0, 0, 1, 1};
        refused(record_text(record), "out of their order");
        record.rows.front().key = "cell";
        refused(record_text(record), "the row 'cell' is not what follows");
    }
}
