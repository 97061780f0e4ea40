// SPDX-License-Identifier: MIT
#include "quantity/figures/figure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/question/reason.hpp>

#include "quantity/figures/finished_parts.hpp"
#include "quantity/question_line.hpp"
#include "quantity/unchecked.hpp"

namespace isserlis::quantity {
namespace {

constexpr int digits_of_a_point = 6;
constexpr int digits_of_an_error = 2;
constexpr int digits_of_a_fit = 4;
constexpr int digits_of_a_curve = 12;

std::string short_text(double x) {
    std::array<char, 40> out{};
    std::snprintf(out.data(), out.size(), "%.3g", x);
    return out.data();
}

}  // namespace

Figure::Figure(FigureChoice choice, Session const& session, Answer& answer, Plot axes)
    : choice_(std::move(choice)),
      session_(session),
      answer_(answer),
      plot_(std::move(axes)),
      surroundings_(session.surroundings()) {}

Answer Figure::asked(std::string const& line, std::optional<std::uint64_t> seed) const {
    Question question = question_of(line);
    if (seed) {
        question.parameters["seed"] = {std::to_string(*seed)};
        question.parameters["threads"] = {std::to_string(session_.threads)};
    }
    return ask(question, surroundings_);
}

PlotSeries& Figure::series_of(std::string const& title, bool joined) {
    auto const at =
        std::find_if(plot_.series.begin(), plot_.series.end(), [&](PlotSeries const& s) { return s.title == title; });
    if (at != plot_.series.end()) return *at;
    plot_.series.push_back({.title = title, .points = {}, .joined = joined});
    return plot_.series.back();
}

int Figure::colour_of(std::string const& curve) const {
    auto const at = std::find(exact_curves_.begin(), exact_curves_.end(), curve);
    return at == exact_curves_.end() ? 0 : static_cast<int>(at - exact_curves_.begin()) + 1;
}

void Figure::add_exact(std::string const& curve, double x, double y, std::string const& form) {
    if (colour_of(curve) == 0) exact_curves_.push_back(curve);
    auto& series = series_of(curve + ", exact", true);
    series.colour = colour_of(curve);
    extend(series, curve, {.x = x, .y = y}, form, "exact; points beside it are sampled");
}

void Figure::add_line(std::string const& curve, double x, double y, std::string const& form) {
    extend(series_of(curve, true), curve, {.x = x, .y = y}, form, "computed; nothing is sampled");
}

void Figure::extend(PlotSeries& series, std::string const& curve, PlotPoint const& point, std::string const& form,
                    char const* unchecked) {
    series.points.push_back(point);
    std::vector<std::string> const index = {curve, std::to_string(series.points.size())};
    answer_.add("curve_x", index, Value::approximate(point.x, digits_of_a_curve, plot_.x_label), {},
                "a place on the axis");
    answer_.add("curve_y", index, Value::approximate(point.y, digits_of_a_curve, form), {}, unchecked);
}

void Figure::add(std::string const& curve, PlotPoint const& point, std::string const& form) {
    int const colour = colour_of(curve);
    auto& series = series_of(curve + (colour > 0 ? ", sampled" : ""), joined_);
    series.colour = colour;
    auto& points = series.points;
    points.push_back(point);
    latest_ = {curve, std::to_string(points.size())};
    answer_.add("point_x", latest_, Value::approximate(point.x, digits_of_a_point, plot_.x_label), {},
                is_sampled_itself);
    answer_.add("point_y", latest_, Value::approximate(point.y, digits_of_a_point, form), {}, is_sampled_itself);
    if (point.error > 0)
        answer_.add("point_error", latest_,
                    Value::approximate(point.error, digits_of_an_error, "standard error of point_y"), {},
                    is_sampled_itself);
}

void Figure::add_pairs(std::string const& curve, std::vector<double> const& pairs, std::string const& form) {
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) add(curve, {.x = pairs[i], .y = pairs[i + 1]}, form);
}

void Figure::add_beside(char const* quantity, double value, std::string const& form) {
    answer_.add(quantity, latest_, Value::approximate(value, digits_of_a_point, form), {}, is_sampled_itself);
}

void Figure::fit(std::string const& curve) {
    std::vector<std::pair<double, double>> logs;
    double least = INFINITY;
    double most = 0;
    int colour = 0;  // that of the points; a line through all has its own
    for (std::size_t k = 0; k < plot_.series.size(); ++k) {
        auto const& series = plot_.series[k];
        if (!curve.empty() && series.title != curve) continue;
        if (!curve.empty()) colour = series.colour > 0 ? series.colour : static_cast<int>(k) + 1;
        for (auto const& p : series.points) {
            if (!(p.x > 0) || !(p.y > 0)) continue;  // no logarithm
            logs.emplace_back(std::log(p.x), std::log(p.y));
            least = std::min(least, p.x);
            most = std::max(most, p.x);
        }
    }
    if (logs.size() < 3 || !(least < most)) {
        answer_.warn("no line is fitted" + (curve.empty() ? std::string() : " to " + curve) +
                     ": it takes three points");
        return;
    }
    auto const line = fitted_line(logs);
    std::string const name = curve.empty() ? "all" : curve;
    std::string const form = "least squares through " + std::to_string(logs.size()) + " points in logarithms";
    for (auto const& [quantity, value] :
         {std::pair("fit_slope", line.slope), {"fit_constant", line.constant}, {"fit_r_squared", line.r_squared}})
        answer_.add(quantity, {name}, Value::approximate(value, digits_of_a_fit, form), {},
                    "computed from sampled values");
    auto const at = [&](double x) { return PlotPoint{.x = x, .y = std::exp(line.constant) * std::pow(x, line.slope)}; };
    lines_.push_back({.title = "fit" + (curve.empty() ? std::string() : " of " + curve) + ": slope " +
                               short_text(line.slope) + ", R^2 " + short_text(line.r_squared),
                      .points = {at(least), at(most)},
                      .colour = colour});
}

void Figure::run(std::vector<FigurePart> const& parts) {
    FinishedParts finished(choice_, session_);
    auto const progress = session_.progress_of({"computed", "of", "points"});
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i == finished.parts().size()) {
            session_.stop_if_told();
            finished.add(parts[i].compute());
        }
        parts[i].show(finished.parts()[i]);
        if (progress) progress(i + 1, parts.size());
    }
}

void Figure::draw() {
    for (auto& line : lines_) plot_.series.push_back(std::move(line));
    lines_.clear();
    if (session_.chart_file) write_plot(plot_, *session_.chart_file, "plot");
    if (choice_.folder.empty()) return;
    try {
        for (char const* ending : {".svg", ".png"}) {
            std::string const file = figure_file(choice_, ending);
            write_plot(plot_, file, "`folder`");
            answer_.explain("wrote " + printable(file));
        }
    } catch (UnsupportedError const& e) {  // the numbers are worth having without gnuplot
        answer_.warn("no chart: " + reason(e));
    }
}

}  // namespace isserlis::quantity
