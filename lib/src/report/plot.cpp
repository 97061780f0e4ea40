// SPDX-License-Identifier: MIT
#include <isserlis/report/plot.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <isserlis/error.hpp>
#include <isserlis/report/write_file.hpp>
#include <memory>
#include <sstream>
#include <utility>

extern char** environ;

namespace isserlis {
namespace {

/// In gnuplot's single quotes nothing is special but the quote itself.
std::string quoted(std::string const& text) {
    std::string out = "'";
    for (char const c : text) {
        if (c == '\'') out += '\'';
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out + "'";
}

/// Lines of a title, broken at blanks (inside a word that alone is longer) where the chart would cut it off.
std::string title_lines(std::string const& text) {
    constexpr std::size_t longest = 90;
    std::string out;
    std::size_t first = 0;
    while (text.size() - first > longest) {
        auto const blank = text.rfind(' ', first + longest);
        bool const breaks = blank != std::string::npos && blank > first;
        std::size_t end = breaks ? blank : first + longest;
        while (!breaks && end > first + 1 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
        out += quoted(text.substr(first, end - first)) + ".\"\\n\".";
        first = breaks ? end + 1 : end;
    }
    return out + quoted(text.substr(first));
}

std::string text_of(double x) {
    std::array<char, 40> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%.17g", x);
    return buffer.data();
}

bool has_place(double x, bool is_log) { return std::isfinite(x) && (!is_log || x > 0); }

/// 1, 2 or 5 times a power of ten, the next one down; 0 for 0.
double round_step(double at_most) {
    if (!(at_most > 0)) return 0;
    double const power = std::pow(10, std::floor(std::log10(at_most)));
    return power * (at_most >= 5 * power ? 5 : at_most >= 2 * power ? 2 : 1);
}

/// Range and tics at 1, 2 and 5, or more, of a logarithmic axis of less than two decades, where powers of ten alone would
/// be one or two labels on a range rounded to decades; nothing for other axes. On a shorter range the tics are at equal
/// distances.
std::string narrow_axis(std::string const& axis, double least, double most) {
    if (!(least > 0) || !(most / least < 100)) return {};
    std::string tics;
    int count = 0;
    bool const few = most / least > 4;  // enough with 1, 2 and 5 alone
    for (int power = static_cast<int>(std::floor(std::log10(least))); std::pow(10, power) <= most; ++power) {
        for (double const digit : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0}) {
            double const at = digit * std::pow(10, power);
            if (at < least || at > most || (few && digit != 1 && digit != 2 && digit != 5)) continue;
            tics += (count++ > 0 ? "," : "") + text_of(at);
        }
    }
    if (count < 2) {
        double const step = round_step((most - least) / 4);
        if (!(step > 0)) return {};
        tics.clear();
        constexpr double rounding = 1e-9;
        for (double k = std::ceil(least / step - rounding); k <= most / step + rounding; ++k)
            tics += (tics.empty() ? "" : ",") + text_of(k * step);
    }
    double const margin = std::pow(most / least, 0.03);
    return "set " + axis + "range [" + text_of(least / margin) + ":" + text_of(most * margin) + "]\nset " + axis +
           "tics (" + tics + ")\nset format " + axis + " '%g'\n";
}

/// A file without a name that goes away with it.
class ScratchFile {
public:
    explicit ScratchFile(std::string const& option) : file_(std::tmpfile(), &std::fclose) {
        if (!file_) throw UnsupportedError(option + ": no temporary file can be made", option);
        fcntl(descriptor(), F_SETFD, FD_CLOEXEC);
    }
    [[nodiscard]] int descriptor() const { return fileno(file_.get()); }
    void write(std::string const& text) {
        std::fwrite(text.data(), 1, text.size(), file_.get());
        std::rewind(file_.get());
    }
    [[nodiscard]] std::string content() {
        std::rewind(file_.get());
        std::string out;
        std::array<char, 65536> buffer{};
        while (std::size_t const size = std::fread(buffer.data(), 1, buffer.size(), file_.get()))
            out.append(buffer.data(), size);
        return out;
    }

private:
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

/// What it says, or how it ended.
std::string reason_of(int status, std::string const& said) {
    if (!said.empty()) return printable(said);
    if (WIFSIGNALED(status)) return "ended by signal " + std::to_string(WTERMSIG(status));
    return "exit code " + std::to_string(WEXITSTATUS(status)) + ", without a word";
}

/// What gnuplot draws. Through files, not pipes: nobody waits for anybody, and no name has to be quoted.
std::string drawn(std::string const& script, std::string const& option) {
    ScratchFile in(option);
    ScratchFile out(option);
    ScratchFile err(option);
    in.write(script);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (auto const& [from, to] : {std::pair(in.descriptor(), STDIN_FILENO),
                                   {out.descriptor(), STDOUT_FILENO},
                                   {err.descriptor(), STDERR_FILENO}})
        posix_spawn_file_actions_adddup2(&actions, from, to);
    std::string name = "gnuplot";
    std::string plain = "--default-settings";  // not the user's, which may open windows
    std::array<char*, 3> argv{name.data(), plain.data(), nullptr};
    pid_t child = 0;
    int const failed = posix_spawnp(&child, name.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        throw UnsupportedError(option +
                                   ": charts are drawn by gnuplot, which is not installed here (Debian: apt-get "
                                   "install gnuplot-nox); `format` csv has the numbers",
                               option);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    std::string chart = out.content();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || chart.empty())
        throw UnsupportedError(option + ": gnuplot failed: " + reason_of(status, err.content()), option);
    return chart;
}

}  // namespace

std::string plot_script(Plot const& plot, std::string const& terminal) {
    struct Curve {
        std::string data;
        bool bars = false;
        PlotSeries const* series = nullptr;
    };
    std::vector<Curve> curves;
    std::pair<double, double> x_range(INFINITY, -INFINITY);
    std::pair<double, double> y_range = x_range;
    auto const widen = [](std::pair<double, double>& range, double least, double most) {
        range = {std::min(range.first, least), std::max(range.second, most)};
    };
    for (auto const& series : plot.series) {
        Curve curve{.data = {}, .bars = false, .series = &series};
        for (auto const& p : series.points) {
            if (!has_place(p.x, plot.log_x) || !has_place(p.y, plot.log_y)) continue;
            bool const bar = p.error > 0 && has_place(p.y - p.error, plot.log_y) && std::isfinite(p.y + p.error);
            curve.bars = curve.bars || bar;
            widen(x_range, p.x, p.x);
            widen(y_range, p.y - (bar ? p.error : 0), p.y + (bar ? p.error : 0));
            curve.data += text_of(p.x) + " " + text_of(p.y) + " " + text_of(bar ? p.error : 0) + "\n";
        }
        if (!curve.data.empty()) curves.push_back(std::move(curve));
    }
    if (curves.empty()) throw DomainError("plot: no point that the axes have a place for");
    // The fifth colour of gnuplot's own is a yellow, hardly to be seen on white.
    std::string const dark_fifth_colour = "set linetype 5 linecolor rgb '#a6561a'\n";
    std::string out = "set encoding utf8\nset terminal " + terminal + " size ";
    out += terminal == "pdfcairo" ? "16cm,11cm\n" : "800,550\n";
    out += "set title " + title_lines(plot.title) + " noenhanced\nset xlabel " + quoted(plot.x_label) +
           ".\"\\n \" noenhanced\nset ylabel " + quoted(plot.y_label) +
           " noenhanced\nset key outside below noenhanced\nset grid\n" + dark_fifth_colour +
           "set autoscale xfix\nset offsets graph 0.02, graph 0.02, ";
    // Symbols and bars at the ends of a range would lie on the frame.
    bool const has_symbols =
        std::any_of(curves.begin(), curves.end(), [](Curve const& c) { return c.bars || !c.series->joined; });
    out += has_symbols && !plot.log_y ? "graph 0.03, graph 0.03\nset autoscale yfix\n" : "0, 0\n";
    if (plot.log_x) out += "set logscale x 10\n" + narrow_axis("x", x_range.first, x_range.second);
    if (plot.log_y)
        out += "set logscale y 10\nset format y '10^{%T}'\n" + narrow_axis("y", y_range.first, y_range.second);
    for (std::size_t i = 0; i < curves.size(); ++i)
        out += "$curve" + std::to_string(i + 1) + " << EOD\n" + curves[i].data + "EOD\n";
    std::string separator = "plot ";
    for (std::size_t i = 0; i < curves.size(); ++i) {
        std::string const number = std::to_string(i + 1);
        auto const& series = *curves[i].series;
        std::string const colour = " lc " + (series.colour > 0 ? std::to_string(series.colour) : number);
        std::string const title = " title " + quoted(series.title);
        if (series.joined) {
            out += separator + "$curve" + number + " using 1:2 with " + (series.marked ? "linespoints" : "lines") +
                   " lw 1.5" + colour + title;
            separator = ", ";
        }
        if (curves[i].bars || !series.joined) {
            out += separator + "$curve" + number +
                   (curves[i].bars ? " using 1:2:3 with yerrorbars" : " using 1:2 with points") + colour +
                   (series.joined ? " notitle" : title);
            separator = ", ";
        }
    }
    return out + "\n";
}

std::string plot_format(std::string const& file, std::string const& option) {
    for (char const* format : {"svg", "png", "pdf"}) {
        if (file.ends_with(std::string(".") + format)) return format;
    }
    throw ParseError(option + ": '" + printable(file) + "' does not end in .svg, .png or .pdf", option);
}

bool has_gnuplot() {
    char const* const path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (access(((folder.empty() ? "." : folder) + "/gnuplot").c_str(), X_OK) == 0) return true;
    }
    return false;
}

void write_plot(Plot const& plot, std::string const& file, std::string const& option) {
    std::string const format = plot_format(file, option);
    std::string const terminal = format == "svg" ? "svg" : format + "cairo";
    write_file(file, drawn(plot_script(plot, terminal), option), option);
}

}  // namespace isserlis
