// SPDX-License-Identifier: MIT
#include "quantity/chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <isserlis/error.hpp>
#include <isserlis/question/command_line.hpp>
#include <isserlis/report/index_names.hpp>
#include <isserlis/report/plot.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

std::optional<double> coordinate(std::string const& text) {
    char* end = nullptr;
    double const x = std::strtod(text.c_str(), &end);
    return text.empty() || *end != '\0' ? std::nullopt : std::optional<double>(x);
}

/// Where the axis shows it, and which of several curves it is of: node 1.2, inside block 1 of a residual network, has no
/// place between y^1 and y^2, and is point 1 of the curve of all k.2.
struct Place {
    std::optional<double> x;
    std::string node;  ///< ".2"
};

Place place_of(std::string const& value, bool of_layer) {
    auto const dot = of_layer ? value.find('.') : std::string::npos;
    if (dot == std::string::npos) return {.x = coordinate(value), .node = {}};
    return {.x = coordinate(value.substr(0, dot)), .node = value.substr(dot)};
}

/// The curves of a quantity: how its index falls into what tells curves apart and what the axis shows.
class Chart {
public:
    Chart(CommandText const& command, Session const& session, Answer const& answer)
        : session_(session), answer_(answer), quantities_(quantities_of(command, session)) {
        for (auto const& result : answer.results()) {
            auto const is_it = [&](Quantity const* q) { return result.name == q->name; };
            if (std::any_of(quantities_.begin(), quantities_.end(), is_it)) drawn_.push_back(&result);
        }
        own_ = answer.sweeps().size() + answer.prefix_names().size();
        if (drawn_.empty()) return;
        auto const names = index_names(answer, *drawn_.front());
        if (answer.sweeps().empty()) {
            // Samples are in no order: beside layers they tell curves apart.
            axis_ = own_;
            while (axis_ < names.size() && names[axis_] == "sample") ++axis_;
            if (axis_ >= names.size()) axis_ = own_;
        }
        if (axis_ < names.size()) axis_name_ = names[axis_];
        nodes_ = std::any_of(drawn_.begin(), drawn_.end(), [&](Result const* r) {
            return axis_ < r->index.size() && !place_of(r->index[axis_], is_of_layers()).node.empty();
        });
    }

    Plot drawn(std::size_t& left_out) {
        for (auto const* result : drawn_) add(*result, left_out);
        Plot plot{
            .title = chart_title(session_),
            .x_label = axis_name_ + (nodes_ ? " k" : ""),
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
    [[nodiscard]] bool is_of_layers() const { return axis_ >= own_ && axis_name_ == "layer"; }

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

    void add(Result const& result, std::size_t& left_out) {
        auto const place = axis_ < result.index.size() ? place_of(result.index[axis_], is_of_layers()) : Place();
        auto const y = result.decimal ? coordinate(*result.decimal) : std::nullopt;
        if (!place.x || !y || !std::isfinite(*y)) {
            ++left_out;
            return;
        }
        auto rest = result.index;
        rest[axis_] = place.node;
        rest.push_back(result.name);
        auto const [at, is_new] = known_.emplace(rest, curves_.size());
        if (is_new) {
            curves_.push_back({.title = title_of(result, place.node), .points = {}});
            sampled_.push_back({.title = curves_.back().title + ", sampled", .points = {}, .joined = false});
        }
        curves_[at->second].points.push_back({.x = *place.x, .y = *y});
        if (result.check)
            sampled_[at->second].points.push_back(
                {.x = *place.x, .y = result.check->mean, .error = result.check->std_error});
    }

    /// What the horizontal axis does not show: "n = 16, layer 2, matrix 1".
    [[nodiscard]] std::string title_of(Result const& result, std::string const& node) const {
        auto const names = index_names(answer_, result);
        auto const& index = result.index;
        std::string out = quantities_.size() == 1 ? "" : result.name;
        auto const add_words = [&](std::string const& words) {
            out += (out.empty() || words.empty() ? "" : ", ") + words;
        };
        for (std::size_t i = 0; i < std::min(own_, index.size()); ++i) {
            if (i == axis_) continue;
            add_words(names[i] == "network" ? session_.question.words[std::strtoul(index[i].c_str(), nullptr, 10) - 1]
                                            : names[i] + " = " + index[i]);
        }
        if (nodes_) add_words("layer k" + node);
        std::vector<std::string> own;
        std::vector<std::string> values;
        for (std::size_t i = own_; i < index.size(); ++i) {
            if (i == axis_) continue;
            // Of two layers or samples the axis shows one.
            own.push_back((names[i] == axis_name_ ? "with " : "") + names[i]);
            values.push_back(index[i]);
        }
        add_words(index_text(own, values));
        return out.empty() ? result.name : out;
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
    std::vector<Result const*> drawn_;
    std::size_t own_ = 0;    ///< where the quantity's own index begins
    std::size_t axis_ = 0;   ///< the part of an index that the axis shows
    std::string axis_name_;  ///< what that part is called
    bool nodes_ = false;     ///< some are of nodes inside a block
    std::map<std::vector<std::string>, std::size_t> known_;
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
