// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "../cli/program.hpp"

using namespace isserlis;
using quantity::ask;
using quantity::Question;
using quantity::Surroundings;

namespace {

/// The first words of the lines of the list.
std::vector<std::string> listed() {
    std::istringstream text(ask({"reproduce"}).document().value());
    std::vector<std::string> out;
    for (std::string line; std::getline(text, line);) {
        if (!line.empty() && !line.starts_with("isserlis")) out.push_back(line.substr(0, line.find(' ')));
    }
    return out;
}

}  // namespace

TEST_SUITE("quantity/reproduce") {
    TEST_CASE("everything that is listed is there in seconds, as a table") {
        auto const all = listed();
        CHECK(all.size() >= 26);
        for (auto const& id : all) {
            CAPTURE(id);
            bool const is_small = id == "thesis-table-4.1" || id == "book-parameters" || id == "book-figure-5.2";
            Question question{"reproduce", {id}, {{"quick", {}}}};
            if (is_small) {
                std::string const said = "`quick`: " + id + " has no smaller version, and takes seconds; leave it out";
                CHECK_THROWS_WITH_AS((void)ask(question), said.c_str(), ParseError);
                question.parameters.clear();
            }
            auto const answer = ask(question);
            if (answer.document()) {
                CHECK(answer.document()->starts_with("isserlis "));
                CHECK(answer.document()->find("\nquantity ") != std::string::npos);
            } else {
                CHECK(answer.results().size() >= 6);
                for (auto const& r : answer.results()) CHECK((r.decimal || !r.form.empty()));
            }
        }
    }

    // The power law of 2/E|lambda_1|: about -1 in depth times width, since lambda_1 is near the kernel, n (L + 1) or so.
    TEST_CASE("the power law goes through its points") {
        auto const answer = ask({"reproduce", {"maximal-rate-figure-3"}, {{"quick", {}}, {"check", {"200"}}}});
        double const slope = std::stod(answer.at("fit_slope", {"all"}).decimal.value());
        double const r_squared = std::stod(answer.at("fit_r_squared", {"all"}).decimal.value());
        CHECK(slope < -0.5);
        CHECK(slope > -1.5);
        CHECK(r_squared > 0.8);
        CHECK(r_squared <= 1);
        std::size_t points = 0;
        for (auto const& r : answer.results()) points += r.name == "point_y" ? 1U : 0U;
        CHECK(points == 9);
    }

    // The float engine that makes the points knows nothing of the exact moments of slope and curvature.
    TEST_CASE("small steps of the thesis's networks fall as the exact slope says") {
        auto const figure = ask({"reproduce", {"thesis-figure-4.1-cos"}, {{"quick", {}}, {"check", {"4000"}}}});
        auto const curve = ask({"loss-curve",
                                {"2,10:3,1"},
                                {{"data", {"cos"}},
                                 {"gradient", {"random"}},
                                 {"activation", {"crelu-tied"}},
                                 {"scheme", {"proportional"}},
                                 {"samples", {"0"}}}});
        auto const exact = [&](char const* name) { return std::stod(curve.at(name, {"1"}).decimal.value()); };
        auto const point = [&](char const* name) { return std::stod(figure.at(name, {"3x10", "1"}).decimal.value()); };
        double const rate = point("point_x");
        CHECK(rate == doctest::Approx(1e-3));
        // Above the tangent, by the curvature: less than a tenth of the fall at a twelfth of the best rate.
        double const fall = -rate * exact("slope");
        double const above = point("point_y") - (exact("loss") - fall);
        CHECK(above > -4 * point("point_error"));
        CHECK(above < 0.1 * fall + 4 * point("point_error"));
        CHECK(point("share_diverged") == 0);
    }

    // [Residual 2019, Figure 2]: the curve comes from strands, and here from the closed form of the Jacobian.
    TEST_CASE("variances of Jacobians are those of the closed form, sampled ones beside them") {
        for (bool const dense : {false, true}) {
            CAPTURE(dense);
            auto const figure =
                ask({"reproduce", {dense ? "residual-figure-2b" : "residual-figure-2a"}, {{"quick", {}}}});
            Question closed{"jacobian", {"40,40:10"}, {{"layer", {"1"}}}};
            closed.parameters["network"] = {dense ? "densenet" : "resnet:2"};
            if (dense) closed.parameters["head"] = {"activation"};
            char const* alpha = dense ? "3/2" : "1/5";
            closed.parameters["alpha"] = {alpha};
            std::vector<std::string> const index =
                dense ? std::vector<std::string>{"1"} : std::vector<std::string>{"1", "1"};
            double const exact = std::stod(ask(closed).at("jacobian_variance", index).decimal.value());
            std::vector<std::string> const point = {std::string("alpha=") + alpha, "2"};
            auto const at = [&](char const* name) { return std::stod(figure.at(name, point).decimal.value()); };
            CHECK(at("curve_x") == 10);
            CHECK(at("curve_y") == doctest::Approx(exact).epsilon(1e-11));
            CHECK(at("point_x") == 10);
            CHECK(at("point_error") > 0);
            CHECK(std::abs(at("point_y") - exact) < 5 * at("point_error"));
        }
    }

    // E|y|^4 = (1 + 5/n)^l for ReLU and (1 + 2/n)^l for a linear layer, which concatenated ReLU is in law.
    TEST_CASE("the deviation of a norm grows with the layer, of both units in one figure") {
        auto const figure = ask({"reproduce", {"residual-figure-3b"}, {{"quick", {}}, {"check", {"2000"}}}});
        for (auto const& [unit, growth] : {std::pair("ReLU", 5.0), {"concatenated ReLU", 2.0}}) {
            for (int l = 1; l <= 10; ++l) {
                CAPTURE(unit);
                CAPTURE(l);
                auto const at = [&](char const* name) {
                    return std::stod(figure.at(name, {unit, std::to_string(l)}).decimal.value());
                };
                double const exact = std::sqrt(std::pow(1 + growth / 40, l) - 1);
                CHECK(at("curve_x") == l);
                CHECK(at("curve_y") == doctest::Approx(exact).epsilon(1e-11));
                CHECK(std::abs(at("point_y") - exact) < 5 * at("point_error"));
            }
        }
    }

    // c = ((6b^2 + 2b - 1) exp(5b) + (4b + 1) exp(-b))/(108 b^3) at L = b n: no c_2 is the limit for all b.
    TEST_CASE("no constant bounds the change of muP at every depth over width") {
        auto const figure = ask({"reproduce", {"mup-theorem-1.1-bound"}});
        for (auto const& [units, limit] : {std::pair(16, 0.391335), {8, 0.463213}, {4, 0.664479}}) {
            CAPTURE(units);
            auto const& last = figure.at("curve_y", {"L/n=1/" + std::to_string(units), "8"});
            CHECK(std::stod(last.decimal.value()) == doctest::Approx(limit).epsilon(0.01));
        }
        CHECK_THROWS_WITH_AS((void)ask({"reproduce", {"mup-theorem-1.1-bound"}, {{"quick", {}}, {"check", {"20"}}}}),
                             "`check`: the figure is exact; leave it out", ParseError);
        for (std::string const id : {"mup-theorem-1.1-bound", "book-gate", "book-o-ring"}) {
            std::string const said = "`seed`: nothing of " + id + " is drawn; leave it out";
            CHECK_THROWS_WITH_AS((void)ask({"reproduce", {id}, {{"seed", {"3"}}}}), said.c_str(), ParseError);
        }
        auto const rates = ask({"reproduce", {"mup-theorem-1.1-sampled"}, {{"quick", {}}}});
        for (char const* depth : {"1", "2", "3", "4"}) {
            CAPTURE(depth);
            auto const at = [&](char const* name) {
                return std::stod(rates.at(name, {"width 64", depth}).decimal.value());
            };
            CHECK(std::abs(at("point_y") - at("curve_y")) < 5 * at("point_error"));
        }
    }

    TEST_CASE("momentum 0 is plain descent") {
        auto const figure = ask({"reproduce", {"thesis-figure-2.13"}, {{"quick", {}}}});
        auto const plain = ask({"train", {"2,20,20,1"}, {{"data", {"cos"}}, {"rate", {"1/200"}}, {"epochs", {"30"}}}});
        double const here = std::stod(figure.at("point_y", {"m=0", "7"}).decimal.value());
        CHECK(here == doctest::Approx(std::stod(plain.at("loss", {"30"}).decimal.value())).epsilon(1e-5));
    }

    TEST_CASE("a figure's line goes through its points, and is drawn") {
        test::TemporaryDirectory const directory;
        std::string const file = directory / "figure.svg";
        auto const figure = ask({"reproduce", {"maximal-rate-figure-11"}, {{"quick", {}}, {"plot", {file}}}});
        // Normal equations of three points.
        double x = 0;
        double y = 0;
        double xx = 0;
        double xy = 0;
        for (int i = 1; i <= 3; ++i) {
            auto const at = [&](char const* name) {
                return std::log(std::stod(figure.at(name, {"gaussian", std::to_string(i)}).decimal.value()));
            };
            x += at("point_x");
            y += at("point_y");
            xx += at("point_x") * at("point_x");
            xy += at("point_x") * at("point_y");
        }
        double const slope = (3 * xy - x * y) / (3 * xx - x * x);
        auto const fitted = [&](char const* name) { return std::stod(figure.at(name, {"gaussian"}).decimal.value()); };
        CHECK(fitted("fit_slope") == doctest::Approx(slope).epsilon(2e-3));
        CHECK(fitted("fit_constant") == doctest::Approx((y - slope * x) / 3).epsilon(2e-3));
        std::string const svg = test::read_file(file);
        CHECK(svg.find("fit of gaussian") != std::string::npos);
        CHECK(svg.find("anisotropic") != std::string::npos);
        std::string const law = directory / "law.svg";
        (void)ask({"reproduce", {"maximal-rate-figure-3"}, {{"quick", {}}, {"plot", {law}}}});
        CHECK(test::read_file(law).find("width 32") != std::string::npos);
    }

    TEST_CASE("told to stop before there is a point, a figure is interrupted") {
        std::atomic<bool> const stop = true;
        CHECK_THROWS_AS((void)ask({"reproduce", {"thesis-figure-4.3-cos"}, {{"quick", {}}}}, {.stop = &stop}),
                        Interrupted);
    }

    TEST_CASE("a figure in a folder goes on where it was killed, with the same bytes") {
        test::TemporaryDirectory const directory;
        std::string const here = directory / "here";
        std::vector<std::string> const line = {
            "reproduce", "thesis-figure-4.3-cos", "--quick", "--check", "200", "--folder", here};
        auto const file = [&](char const* ending) { return here + "/thesis-figure-4.3-cos" + ending; };
        bool left = false;
        for (double seconds = 0.5; seconds < 16 && !left; seconds += 0.5) {
            std::filesystem::remove_all(here);
            auto const killed = test::run_program(line, {.seconds = 60, .interrupt_after = seconds});
            left = killed.code == 130 && std::filesystem::exists(file(".unfinished"));
            if (killed.code == 0) break;
        }
        REQUIRE(left);
        CHECK_FALSE(std::filesystem::exists(file(".csv")));
        std::string const done = test::read_file(file(".unfinished"));
        CHECK(done.find("\npart ") != std::string::npos);
        // Of another seed it is not taken for this one.
        auto other = line;
        other.insert(other.end(), {"--seed", "2"});
        auto const refused = test::run_program(other, {.seconds = 60});
        CHECK(refused.code == 2);
        CHECK(refused.err.find("left by another run") != std::string::npos);
        CHECK(test::read_file(file(".unfinished")) == done);

        CHECK(test::run_program(line, {.seconds = 60}).code == 0);
        CHECK_FALSE(std::filesystem::exists(file(".unfinished")));
        std::string const resumed = test::read_file(file(".csv"));
        std::string const chart = test::read_file(file(".svg"));
        CHECK(std::filesystem::file_size(file(".png")) > 1000);
        std::filesystem::remove_all(here);
        CHECK(test::run_program(line, {.seconds = 60}).code == 0);
        CHECK(test::read_file(file(".csv")) == resumed);
        CHECK(test::read_file(file(".svg")) == chart);
        CHECK(resumed.find("point_y,3x10 1,") != std::string::npos);
    }

    TEST_CASE("numbers that were kept are shown, not computed again") {
        test::TemporaryDirectory const directory;
        Question const question{"reproduce", {"maximal-rate-figure-3"}, {{"quick", {}}, {"folder", {directory / "f"}}}};
        std::string const kept = directory / "f/maximal-rate-figure-3.unfinished";
        std::atomic<bool> stop = false;
        Surroundings surroundings{.stop = &stop};
        surroundings.progress = [&](quantity::ProgressWords const&) {
            return [&](std::uint64_t done, std::uint64_t) { stop = stop || done == 4; };
        };
        CHECK_THROWS_AS((void)ask(question, surroundings), Interrupted);
        auto record = test::read_file(kept);
        std::size_t rows = 0;
        for (std::size_t at = record.find("\npart "); at != std::string::npos; at = record.find("\npart ", at + 1))
            ++rows;
        CHECK(rows == 4);
        std::vector<std::uint64_t> seen;
        stop = false;
        surroundings.progress = [&](quantity::ProgressWords const&) {
            return [&](std::uint64_t done, std::uint64_t) { seen.push_back(done); };
        };
        auto const resumed = ask(question, surroundings);
        auto const whole = ask({"reproduce", {"maximal-rate-figure-3"}, {{"quick", {}}}});
        CHECK(seen.size() == 9);
        REQUIRE(resumed.results().size() == whole.results().size());
        for (std::size_t k = 0; k < whole.results().size(); ++k)
            CHECK(resumed.results()[k].decimal == whole.results()[k].decimal);
        // A damaged file is refused.
        std::filesystem::remove_all(directory / "f");
        std::filesystem::create_directories(directory / "f");
        record[record.find("part ") + 6] ^= 1;
        test::write_file(kept, record);
        CHECK_THROWS_AS((void)ask(question), ParseError);
    }

    TEST_CASE("a figure that is one sampled question goes on too") {
        test::TemporaryDirectory const directory;
        std::string const here = directory / "f";
        std::filesystem::create_directories(here);
        std::string const kept = here + "/thesis-one-step-cos.unfinished";
        // What an interrupted run leaves is the file of `keep` of the question that it asks.
        (void)ask({"loss-curve",
                   {"2,10:3,1", "2,20:3,1", "2,10:4,1", "2,20:4,1"},
                   {{"data", {"cos"}},
                    {"gradient", {"random"}},
                    {"activation", {"crelu-tied"}},
                    {"scheme", {"proportional"}},
                    {"samples", {"500"}},
                    {"format", {"text"}},
                    {"plot", {here + "/thesis-one-step-cos.svg"}},
                    {"keep", {kept}}}});
        std::string const whole = test::read_file(kept);
        Question const question{"reproduce", {"thesis-one-step-cos"}, {{"quick", {}}, {"folder", {here}}}};
        Question other = question;
        other.parameters["seed"] = {"7"};
        CHECK_THROWS_WITH_AS((void)ask(other), doctest::Contains("`folder`: "), DomainError);
        CHECK(test::read_file(kept) == whole);
        auto const resumed = ask(question);
        CHECK_FALSE(std::filesystem::exists(kept));
        auto const anew = ask({"reproduce", {"thesis-one-step-cos"}, {{"quick", {}}}});
        REQUIRE(resumed.results().size() == anew.results().size());
        for (std::size_t k = 0; k < anew.results().size(); ++k) {
            CHECK(resumed.results()[k].decimal == anew.results()[k].decimal);
            CHECK(resumed.results()[k].form == anew.results()[k].form);
        }
        CHECK(resumed.document()->find("keep") == std::string::npos);
        test::write_file(kept, "{");
        CHECK_THROWS_WITH_AS((void)ask(question), doctest::Contains("`folder`: "), ParseError);
    }

    // By numpy's Newton iteration and interp, and log1p: see [Dalal 1989] for the published fit.
    TEST_CASE("the book's numbers") {
        auto const number = [](Answer const& answer, char const* name, std::vector<std::string> const& index) {
            return std::stod(answer.at(name, index).decimal.value());
        };
        auto const flights = ask({"reproduce", {"book-o-ring"}});
        CHECK(number(flights, "trained_bias", {"unit"}) == doctest::Approx(15.04290165).epsilon(1e-5));
        CHECK(number(flights, "trained_weight", {"unit"}) == doctest::Approx(-0.23216274).epsilon(1e-5));
        CHECK(number(flights, "deviance", {"unit"}) == doctest::Approx(20.3151927).epsilon(1e-5));
        CHECK(number(flights, "curve_y", {"probability of the unit", "1"}) ==
              doctest::Approx(0.9996898112).epsilon(1e-8));
        double troubled = 0;
        for (int k = 1; k <= 23; ++k) troubled += number(flights, "point_y", {"flights", std::to_string(k)});
        CHECK(troubled == 7);
        auto const counts = ask({"reproduce", {"book-parameters"}});
        CHECK(counts.at("parameters", {"(5.5)"}).exact == "31");            // 5*4 + 5 + 5 + 1
        CHECK(counts.at("parameters", {"(5.6)"}).exact == "61");            // 4*4 + 4 + 3*4 + 3 + 5*3 + 5 + 5 + 1
        CHECK(counts.at("parameters", {"interactions"}).exact == "80161");  // 80*(1000 + 2) + 1
        CHECK(counts.at("parameters", {"Figure 5.5"}).exact == "132001");   // 80*1000 + 8*80^2 + 80 + 9*80 + 1
        auto const lines = ask({"reproduce", {"book-figure-5.2"}});
        CHECK(number(lines, "largest_error", {"10 points"}) == doctest::Approx(0.9382252).epsilon(1e-5));
        CHECK(number(lines, "largest_error", {"30 points"}) == doctest::Approx(0.3426562).epsilon(1e-5));
        CHECK(lines.at("parameters", {"30 points"}).exact == "88");  // 29 + 29 + 29 + 1
        auto const gate = ask({"reproduce", {"book-gate"}});
        CHECK(number(gate, "point_x", {"gate", "7"}) == 0.015625);
        CHECK(number(gate, "point_y", {"gate", "7"}) == doctest::Approx(5.085915e-5).epsilon(1e-5));
        CHECK(number(gate, "curve_y", {"lambda^2 |x|^2/12", "7"}) == doctest::Approx(2.5 / 12 / 4096).epsilon(1e-11));
        CHECK(number(gate, "fit_slope", {"gate"}) == doctest::Approx(2).epsilon(0.03));
        CHECK_THROWS_WITH_AS((void)ask({"reproduce", {"book-gate"}, {{"check", {"20"}}}}),
                             "`check`: nothing is sampled here; leave it out", ParseError);
        CHECK_THROWS_WITH_AS((void)ask({"reproduce", {"book-parameters"}, {{"plot", {"x.svg"}}}}),
                             "`plot`: a table is not drawn; leave it out", ParseError);
    }

    TEST_CASE("one question in a folder: a table, and its chart where it has one") {
        test::TemporaryDirectory const directory;
        std::string const here = directory / "a/b";
        (void)ask({"reproduce", {"thesis-table-4.1"}, {{"folder", {here}}}});
        CHECK(test::read_file(here + "/thesis-table-4.1.csv").find("scaling_factor,1,") != std::string::npos);
        CHECK_FALSE(std::filesystem::exists(here + "/thesis-table-4.1.svg"));
        auto const law = ask({"reproduce", {"mup-theorem-1.1"}, {{"quick", {}}, {"folder", {here}}}});
        CHECK(law.document()->find("wrote " + here + "/mup-theorem-1.1.svg") != std::string::npos);
        CHECK(test::read_file(here + "/mup-theorem-1.1.svg").find("<svg") != std::string::npos);
        CHECK_THROWS_WITH_AS((void)ask({"reproduce", {"thesis-table-4.1"}, {{"folder", {"/dev/null"}}}}),
                             doctest::Contains("`folder`: '/dev/null' is no folder"), DomainError);
        CHECK_THROWS_AS((void)ask({"reproduce", {}, {{"folder", {here}}}}), ParseError);
    }

    TEST_CASE("what is not there is refused with what is near") {
        CHECK_THROWS_WITH_AS((void)ask({"reproduce", {"residual-figure-2"}}), doctest::Contains("did you mean"),
                             ParseError);
        CHECK_THROWS_AS((void)ask({"reproduce", {}, {{"quick", {}}}}), ParseError);
        CHECK_THROWS_WITH_AS((void)ask({"reproduce", {"residual-figure-3a"}, {{"keep", {"x"}}}}),
                             doctest::Contains("`folder` FOLDER"), ParseError);
        CHECK_THROWS_WITH_AS((void)ask({"reproduce", {"thesis-figure-4.1-cos"}, {{"data", {"cifar10:x"}}}}),
                             "`data`: thesis-figure-4.1-cos has data of its own; leave it out", ParseError);
        CHECK_THROWS_WITH_AS((void)ask({"reproduce", {"maximal-rate-figure-1"}, {{"data", {"x.csv"}}}}),
                             doctest::Contains("idx:IMAGES,LABELS"), ParseError);
        CHECK_THROWS_WITH_AS((void)ask({"reproduce", {"maximal-rate-figure-1"}, {{"hold_out", {"3"}}}}),
                             doctest::Contains("`hold_out`: it belongs to `data`"), ParseError);
        CHECK_THROWS_WITH_AS((void)ask({"reproduce", {"maximal-rate-figure-11"}, {{"data", {"cifar10:x"}}}}),
                             doctest::Contains("drawn classes"), ParseError);
        CHECK_THROWS_WITH_AS((void)ask({"reproduce", {"thesis-figure-2.13"}, {{"check", {"20"}}}}),
                             doctest::Contains("one network"), ParseError);
        CHECK_THROWS_WITH_AS((void)ask({"reproduce", {"thesis-table-4.1"}, {{"plot", {"x.svg"}}}}),
                             "`plot`: a table is not drawn; leave it out", ParseError);
    }
}
