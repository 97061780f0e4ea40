// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/report/plot.hpp>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quantity/figures/figure_choice.hpp"
#include "quantity/figures/fitted_line.hpp"
#include "question/session.hpp"

namespace isserlis::quantity {

/// A result as a double.
[[nodiscard]] inline double number_of(Result const& result) {
    return std::strtod(result.decimal.value().c_str(), nullptr);
}

/// A part of a figure: numbers that take long, which are kept, and what the figure makes of them.
struct FigurePart {
    std::function<std::vector<double>()> compute;
    std::function<void(std::vector<double> const&)> show;
};

/// A figure made of the answers to many questions: curves of points, and straight lines through them.
class Figure {
public:
    Figure(FigureChoice choice, Session const& session, Answer& answer, Plot axes);

    /// The answer to a question line such as "sharpness 2,4,1 data=cos"; without a seed to one where nothing is drawn.
    [[nodiscard]] Answer asked(std::string const& line, std::optional<std::uint64_t> seed = {}) const;

    /// A point, as results and for the chart; `form` says what it is.
    void add(std::string const& curve, PlotPoint const& point, std::string const& form);
    /// Points as x, y, x, y, ..
    void add_pairs(std::string const& curve, std::vector<double> const& pairs, std::string const& form);
    /// A point of an exact curve, which is a line of the colour of the curve's sampled points; before these.
    void add_exact(std::string const& curve, double x, double y, std::string const& form);
    /// A point of a curve that is computed and no exact twin of sampled points: a line of its own.
    void add_line(std::string const& curve, double x, double y, std::string const& form);
    /// A number of the latest point's, such as the share of networks that diverged.
    void add_beside(char const* quantity, double value, std::string const& form);

    /// How a curve is drawn: its points are markers unless it is joined.
    void join() { joined_ = true; }
    /// ln y = slope ln x + constant through all points of one curve, or of all, as results and for the chart.
    void fit(std::string const& curve);
    void fit_all() { fit(""); }

    /// Runs the parts one by one, with progress. With a folder the numbers of each are written there once it is done,
    /// and those that an interrupted run of the same figure has left are not computed again.
    void run(std::vector<FigurePart> const& parts);

    /// Writes the charts, if any are wanted.
    void draw();

private:
    PlotSeries& series_of(std::string const& title, bool joined);
    /// One more point of a line, as results too.
    void extend(PlotSeries& series, std::string const& curve, PlotPoint const& point, std::string const& form,
                char const* unchecked);
    /// Its place among those that have exact curves, from 1; 0 for none.
    [[nodiscard]] int colour_of(std::string const& curve) const;

    FigureChoice choice_;
    Session const& session_;
    Answer& answer_;
    Plot plot_;
    std::vector<PlotSeries> lines_;
    std::vector<std::string> exact_curves_;
    bool joined_ = false;
    std::vector<std::string> latest_;  ///< index of the latest point
    Surroundings surroundings_;
};

}  // namespace isserlis::quantity
