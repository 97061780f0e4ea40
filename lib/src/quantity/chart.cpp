// SPDX-License-Identifier: MIT
#include "quantity/chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <isserlis/error.hpp>
#include <isserlis/question/command_line.hpp>
#include <isserlis/report/curves.hpp>
#include <isserlis/report/plot.hpp>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

/// The curves of a quantity, with sampled means beside them.
class Chart {
public:
    Chart(CommandText const& command, Session const& session, Answer const& answer)
        : session_(session), answer_(answer), quantities_(quantities_of(command, session)) {}

    Plot drawn(std::size_t& left_out) {
        std::vector<Result const*> results;
        for (auto const& result : answer_.results()) {
            auto const is_it = [&](Quantity const* q) { return result.name == q->name; };
            if (std::any_of(quantities_.begin(), quantities_.end(), is_it)) results.push_back(&result);
        }
        Curves const curves = curves_of(answer_, results);
        for (auto const& point : curves.points) add(point, left_out);
        Plot plot{
            .title = chart_title(session_),
            .x_label = curves.axis,
            .y_label = words(),
            .series = {},
            .log_x = !answer_.sweeps().empty() && grows_by_a_factor(),
            .log_y = spans_a_decade(left_out),
        };
        constexpr std::size_t few = 40;
        for (std::size_t k = 0; k < curves_.size(); ++k) {
            auto& curve = curves_[k];
            // Where points are sampled the line beside them, of their colour, has no symbols of its own.
            curve.marked = sampled_[k].points.empty() && curve.points.size() <= few;
            curve.colour = sampled_[k].colour = static_cast<int>(k) + 1;
            plot.series.push_back(std::move(curve));
        }
        for (auto& curve : sampled_) {
            if (!curve.points.empty()) plot.series.push_back(std::move(curve));
        }
        return plot;
    }

    /// "loss, validation_loss"
    [[nodiscard]] std::string names() const {
        std::string out;
        for (auto const* q : quantities_) out += (out.empty() ? "" : ", ") + std::string(q->name);
        return out;
    }

private:
    /// "validation loss"
    [[nodiscard]] std::string words() const {
        std::string out = names();
        std::replace(out.begin(), out.end(), '_', ' ');
        return out;
    }

    static std::vector<Quantity const*> quantities_of(CommandText const& command, Session const& session) {
        std::vector<Quantity const*> out;
        for (auto const& name : split(session.charted.empty() ? command.charted : session.charted)) {
            auto const* quantity = find_quantity(command.name, name);
            if (quantity == nullptr || quantity->command != command.name)
                throw ParseError("`plot_of`: '" + printable(name) + "' is no quantity of " + command.name +
                                     "; isserlis list " + command.name + " names them",
                                 "plot_of");
            if (!out.empty() && std::string_view(out.front()->index) != quantity->index)
                throw ParseError("`plot_of`: " + name + " has another index than " + out.front()->name +
                                     "; one chart has one of them",
                                 "plot_of");
            out.push_back(quantity);
        }
        return out;
    }

    void add(CurvePoint const& point, std::size_t& left_out) {
        Result const& result = *point.result;
        double const y = result.decimal ? std::strtod(result.decimal->c_str(), nullptr) : std::nan("");
        if (!point.x || !std::isfinite(y)) {
            ++left_out;
            return;
        }
        auto const [at, is_new] = known_.emplace(std::pair(result.name, point.curve), curves_.size());
        if (is_new) {
            curves_.push_back({.title = title_of(point), .points = {}});
            sampled_.push_back({.title = curves_.back().title + ", sampled", .points = {}, .joined = false});
        }
        curves_[at->second].points.push_back({.x = *point.x, .y = y});
        if (result.check)
            sampled_[at->second].points.push_back(
                {.x = *point.x, .y = result.check->mean, .error = result.check->std_error});
    }

    [[nodiscard]] std::string title_of(CurvePoint const& point) const {
        if (point.curve.empty()) return point.result->name;
        return (quantities_.size() == 1 ? "" : point.result->name + ", ") + point.curve;
    }

    [[nodiscard]] bool grows_by_a_factor() const {
        for (auto const& curve : curves_) {
            auto const& p = curve.points;
            if (p.size() < 3 || p[0].x <= 0) return false;
            for (std::size_t i = 2; i < p.size(); ++i) {
                double const step = p[i].x / p[i - 1].x * p[0].x / p[1].x;
                if (!(step > 0.99 && step < 1.01)) return false;
            }
        }
        return !curves_.empty();
    }

    /// Without negative values; zeros have no place on such an axis.
    [[nodiscard]] bool spans_a_decade(std::size_t& left_out) const {
        double least = INFINITY;
        double most = 0;
        std::size_t zeros = 0;
        for (auto const& curve : curves_) {
            for (auto const& p : curve.points) {
                if (p.y < 0) return false;
                if (p.y == 0) {
                    ++zeros;
                } else {
                    least = std::min(least, p.y);
                }
                most = std::max(most, p.y);
            }
        }
        if (!(most >= 10 * least)) return false;
        left_out += zeros;
        return true;
    }

    Session const& session_;
    Answer const& answer_;
    std::vector<Quantity const*> quantities_;
    std::map<std::pair<std::string, std::string>, std::size_t> known_;  ///< by quantity and what tells curves apart
    std::vector<PlotSeries> curves_;
    std::vector<PlotSeries> sampled_;
};

}  // namespace

std::string chart_title(Session const& session) {
    return command_line(session.typed, {"plot", "plot_of", "format", "digits", "explain"});
}

void draw_chart(CommandText const& command, Session const& session, Answer& answer) {
    if (!session.chart_file) return;
    Chart chart(command, session, answer);
    std::size_t left_out = 0;
    Plot const plot = chart.drawn(left_out);
    if (plot.series.empty()) {
        throw DomainError("`plot`: the answer has no " + chart.names() +
                              " in numbers with an index to draw it over; give symbols values by `set` and one of them "
                              "several by `table`, or name another quantity by `plot_of`",
                          "plot");
    }
    if (left_out > 0) {
        answer.warn("the chart leaves out " + std::to_string(left_out) + (left_out == 1 ? " value" : " values") +
                    " without a place on its axes");
    }
    write_plot(plot, *session.chart_file, "plot");
}

}  // namespace isserlis::quantity
