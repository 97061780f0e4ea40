// SPDX-License-Identifier: MIT
#include "quantity/jacobian/jacobian_plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <isserlis/error.hpp>
#include <isserlis/question/command_line.hpp>
#include <isserlis/report/plot.hpp>
#include <map>
#include <vector>

#include "question/readers.hpp"

namespace isserlis::quantity {
namespace {

std::optional<double> number(std::string const& text) {
    char* end = nullptr;
    double const x = std::strtod(text.c_str(), &end);
    return text.empty() || *end != '\0' ? std::nullopt : std::optional<double>(x);
}

}  // namespace

ParameterSet<JacobianPlot> plot_parameters() {
    return {{"plot", "FILE", "Draw the variance against depth by gnuplot: .svg, .png or .pdf", &JacobianPlot::file,
             picture()},
            {"plot_of", "QUANTITY", "What `plot` draws",
             [](JacobianPlot& into, std::string const& text) {
                 if (find_quantity(text) == nullptr)
                     throw ParseError("`plot_of`: '" + printable(text) + "' is no quantity; isserlis list names them",
                                      "plot_of");
                 into.quantity = text;
             },
             More{.usual = JacobianPlot{}.quantity, .needs = {"plot"}}}};
}

void draw_plot(JacobianPlot const& asked, Session const& session, Answer& answer) {
    if (!asked.file) return;
    std::string const& quantity = asked.quantity;
    auto const& swept = answer.sweeps();
    bool const sweep = !swept.empty();
    bool const several = session.question.words.size() > 1;
    // What the horizontal axis does not show tells the curves apart.
    std::map<std::vector<std::string>, std::size_t> known;
    Plot plot{.title = command_line(session.typed, {"plot", "plot_of", "output", "format", "digits", "explain"}),
              .x_label = sweep ? swept.front() : "layer",
              .y_label = quantity,
              .series = {},
              .log_x = false,
              .log_y = true};
    std::vector<PlotSeries> sampled;
    std::size_t left_out = 0;
    for (auto const& result : answer.results()) {
        if (result.name != quantity) continue;
        std::size_t const axis = sweep ? 0 : (several || asked.several_alphas ? 1 : 0);
        auto const x = axis < result.index.size() ? number(result.index[axis]) : std::nullopt;
        if (!x || !result.decimal) {
            ++left_out;
            continue;
        }
        auto rest = result.index;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(axis));
        auto const [at, is_new] = known.emplace(rest, plot.series.size());
        if (is_new) {
            std::string title;
            // The horizontal axis took the first swept symbol away.
            std::size_t const others = sweep ? swept.size() - 1 : 0;
            for (std::size_t i = 0; i < others; ++i)
                title += (title.empty() ? "" : ", ") + swept[i + 1] + " = " + rest[i];
            rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(others));
            if (several) {
                auto const which = static_cast<std::size_t>(std::strtoul(rest.front().c_str(), nullptr, 10));
                title += (title.empty() ? "" : ", ") + session.question.words[which - 1];
            }
            if (asked.several_alphas) title += (title.empty() ? "" : ", ") + ("alpha = " + rest.front());
            std::string place;
            for (std::size_t i = several || asked.several_alphas ? 1 : 0; i < rest.size(); ++i)
                place += (place.empty() ? "" : ",") + rest[i];
            if (!place.empty()) title += (title.empty() ? "" : ", ") + ((sweep ? "layer " : "matrix ") + place);
            plot.series.push_back({.title = title.empty() ? quantity : title, .points = {}});
            sampled.push_back({.title = plot.series.back().title + ", sampled", .points = {}, .joined = false});
        }
        double const y = number(*result.decimal).value_or(NAN);
        if (!std::isfinite(y) || y <= 0) ++left_out;
        plot.series[at->second].points.push_back({.x = *x, .y = y});
        if (result.check)
            sampled[at->second].points.push_back({.x = *x, .y = result.check->mean, .error = result.check->std_error});
    }
    constexpr std::size_t few = 40;
    for (auto& series : plot.series) series.marked = series.points.size() <= few;
    for (auto& series : sampled) {
        if (!series.points.empty()) plot.series.push_back(std::move(series));
    }
    bool const any = std::any_of(plot.series.begin(), plot.series.end(), [](auto const& s) {
        return std::any_of(s.points.begin(), s.points.end(),
                           [](auto const& p) { return std::isfinite(p.y) && p.y > 0; });
    });
    if (!any) {
        throw DomainError("`plot`: the answer has no positive " + quantity +
                              " in numbers against a layer or the symbol of `table`; `plot_of` names another quantity",
                          "plot");
    }
    if (left_out > 0) {
        answer.warn("the chart leaves out " + std::to_string(left_out) + (left_out == 1 ? " value" : " values") +
                    " that are not positive numbers of a logarithmic axis");
    }
    write_plot(plot, *asked.file, "plot");
}

}  // namespace isserlis::quantity
