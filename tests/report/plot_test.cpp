// SPDX-License-Identifier: MIT
// The script is ours; what gnuplot makes of it is read back from the SVG, which is text.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <isserlis/error.hpp>
#include <isserlis/report/plot.hpp>
#include <isserlis/report/write_file.hpp>
#include <regex>
#include <string>

#include "../cli/program.hpp"

using namespace isserlis;
using isserlis::test::read_file;
using isserlis::test::TemporaryDirectory;

namespace {

std::size_t count(std::string const& text, std::string const& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
}

Plot two_curves() {
    return {.title = "growth of 'y' & <x>",
            .x_label = "depth",
            .y_label = "variance",
            .series = {{.title = "exact", .points = {{1, 10}, {2, 100}, {3, 1000}}},
                       {.title = "sampled", .points = {{1, 11, 2}, {2, 95, 9}, {3, 990, 50}}, .joined = false}},
            .log_y = true};
}

/// PATH for as long as this lives.
class PathOf {
public:
    explicit PathOf(char const* path) : before_(std::getenv("PATH")) { setenv("PATH", path, 1); }
    PathOf(PathOf const&) = delete;
    PathOf& operator=(PathOf const&) = delete;
    ~PathOf() { setenv("PATH", before_.c_str(), 1); }

private:
    std::string before_;
};

}  // namespace

TEST_SUITE("report/plot") {
    TEST_CASE("a logarithmic axis of less than two decades has tics at 1, 2 and 5") {
        Plot narrow = two_curves();
        narrow.series = {{.title = "exact", .points = {{1, 0.7}, {2, 1.4}, {3, 4.4}}}};
        CHECK(plot_script(narrow, "svg").find("set ytics (1,2)\n") != std::string::npos);
        narrow.series.front().points.push_back({4, 0.4, 0.2});  // down to 0.2
        CHECK(plot_script(narrow, "svg").find("set ytics (0.2") != std::string::npos);
        CHECK(plot_script(two_curves(), "svg").find("set ytics") == std::string::npos);
        narrow.series.front().points = {{1, 4.25}, {2, 5.75}};  // 5 alone: steps of a fifth, in place of 0.375
        CHECK(plot_script(narrow, "svg").find("set ytics (4.4") != std::string::npos);
        narrow.series.front().points = {{1, 0.625}, {2, 0.6875}};  // steps of 0.01, in place of 1/64
        CHECK(plot_script(narrow, "svg").find("set ytics (0.63") != std::string::npos);
        narrow.series.front().points = {{1, 4}, {2, 4}};  // no range to divide
        CHECK(plot_script(narrow, "svg").find("set ytics") == std::string::npos);
    }

    TEST_CASE("symbols at the ends of a linear axis are off the frame") {
        Plot flights = two_curves();
        flights.log_y = false;
        flights.series = {{.title = "flights", .points = {{53, 1}, {66, 0}}, .joined = false}};
        CHECK(plot_script(flights, "svg").find("graph 0.03, graph 0.03\nset autoscale yfix\n") != std::string::npos);
        flights.series.front().joined = true;
        CHECK(plot_script(flights, "svg").find("yfix") == std::string::npos);
    }

    TEST_CASE("an SVG has the labels, a line of three points and three error bars") {
        TemporaryDirectory const directory;
        std::string const file = directory / "chart.svg";
        write_plot(two_curves(), file, "--plot");
        std::string const svg = read_file(file);
        CHECK(svg.find("<svg") != std::string::npos);
        CHECK(svg.find("</svg>") != std::string::npos);
        CHECK(svg.find("growth of 'y' &amp; &lt;x>") != std::string::npos);
        for (char const* label : {"depth", "variance", "exact", "sampled"}) CHECK(svg.find(label) != std::string::npos);
        CHECK(directory.size() == 1);  // nothing else is left behind
        // 10, 100 and 1000 are equally far apart on a logarithmic axis: the line is straight.
        std::smatch found;
        std::regex const line("M([0-9.]+),([0-9.]+) L([0-9.]+),([0-9.]+) L([0-9.]+),([0-9.]+) *'");
        REQUIRE(std::regex_search(svg, found, line));
        std::array<double, 3> x{};
        std::array<double, 3> y{};
        for (std::size_t i = 0; i < 3; ++i) {
            x[i] = std::stod(found[2 * i + 1]);
            y[i] = std::stod(found[2 * i + 2]);
        }
        CHECK(y[0] - y[1] == doctest::Approx(y[1] - y[2]).epsilon(0.01));
        CHECK(x[1] - x[0] == doctest::Approx(x[2] - x[1]).epsilon(0.01));
        CHECK(y[0] > y[1]);
    }

    TEST_CASE("PNG and PDF by the name of the file") {
        TemporaryDirectory const directory;
        write_plot(two_curves(), directory / "chart.png", "--plot");
        CHECK(read_file(directory / "chart.png").substr(1, 3) == "PNG");
        write_plot(two_curves(), directory / "chart.pdf", "--plot");
        CHECK(read_file(directory / "chart.pdf").substr(0, 4) == "%PDF");
        CHECK_THROWS_AS(write_plot(two_curves(), directory / "chart.txt", "--plot"), ParseError);
    }

    TEST_CASE("points that a logarithmic axis has no place for are left out") {
        Plot plot = two_curves();
        plot.series[0].points.push_back({4, 0});
        plot.series[0].points.push_back({5, -3});
        plot.series[0].points.push_back({6, std::nan("")});
        plot.series[0].points.push_back({7, INFINITY});
        plot.series[1].points.push_back({4, 8, 9});  // its bar would reach below 0
        std::string const script = plot_script(plot, "svg");
        CHECK(count(script, "\n4 0 ") == 0);
        CHECK(count(script, "-3") == 0);
        CHECK(count(script, "nan") + count(script, "inf") == 0);
        CHECK(count(script, "\n4 8 0\n") == 1);
        plot.log_y = false;
        CHECK(count(plot_script(plot, "svg"), "\n5 -3 0\n") == 1);
        CHECK(count(plot_script(plot, "svg"), "\n4 8 9\n") == 1);
        plot.log_y = true;
        plot.series = {{.title = "none", .points = {{1, 0}}}};
        CHECK_THROWS_AS((void)plot_script(plot, "svg"), DomainError);
    }

    // A title is text, whatever it looks like.
    TEST_CASE("titles cannot leave their quotes") {
        Plot plot = two_curves();
        plot.title = "x'\nset output 'elsewhere";
        CHECK(count(plot_script(plot, "svg"), "set title 'x'' set output ''elsewhere' noenhanced\n") == 1);
    }

    TEST_CASE("without gnuplot, and where nothing can be written, there is a reason and no file") {
        TemporaryDirectory const directory;
        {
            PathOf const nowhere("/nonexistent");
            CHECK_FALSE(has_gnuplot());
            CHECK_THROWS_AS(write_plot(two_curves(), directory / "chart.svg", "--plot"), UnsupportedError);
        }
        CHECK(has_gnuplot());
        CHECK(directory.size() == 0);
        CHECK_THROWS_AS(write_plot(two_curves(), directory / "none/chart.svg", "--plot"), DomainError);
        CHECK(directory.size() == 0);
    }
}
