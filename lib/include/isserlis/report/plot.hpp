// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace isserlis {

/// `error` > 0 draws a bar from y - error to y + error.
struct PlotPoint {
    double x = 0;
    double y = 0;
    double error = 0;
};

/// A curve: its points in the order of x, joined by a line or not.
struct PlotSeries {
    std::string title;
    std::vector<PlotPoint> points;
    bool joined = true;
    bool marked = false;  ///< a symbol at each point
    int colour = 0;       ///< 1, 2, .. for curves that belong together; 0 for one of its own
};

/// A chart of curves over one pair of axes.
struct Plot {
    std::string title;
    std::string x_label;
    std::string y_label;
    std::vector<PlotSeries> series;
    bool log_x = false;
    bool log_y = false;
};

/// What gnuplot is told; `terminal` is one of its output devices, such as "svg". Points that the axes have no place
/// for (not finite; not positive on a logarithmic axis) are left out, as are error bars that reach below zero there.
///
/// Errors  DomainError when no point is left.
[[nodiscard]] std::string plot_script(Plot const& plot, std::string const& terminal);

/// The format that a file's name asks for: "svg", "png" or "pdf".
///
/// Errors  ParseError naming `option` for any other ending.
[[nodiscard]] std::string plot_format(std::string const& file, std::string const& option);

/// Is there a gnuplot on PATH?
[[nodiscard]] bool has_gnuplot();

/// Draws the chart by gnuplot, found on PATH when this is called, and writes the file whole or not at all.
///
/// Errors  UnsupportedError naming `option` without gnuplot, or when it fails; DomainError when no point is left or
///         the file cannot be written; ParseError as `plot_format`.
void write_plot(Plot const& plot, std::string const& file, std::string const& option);

}  // namespace isserlis
