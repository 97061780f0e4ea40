// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/question/nearest_name.hpp>
#include <isserlis/report/plot.hpp>

#include "quantity/commands.hpp"
#include "quantity/figures/fitted_line.hpp"
#include "quantity/figures/maximal_rate_figures.hpp"
#include "quantity/figures/thesis_figures.hpp"
#include "quantity/question_line.hpp"
#include "quantity/recipes.hpp"

namespace isserlis::quantity {
namespace {

constexpr int shown_digits = 4;  ///< of sampled rates, whose errors are larger

std::string with_error(double error) {
    std::array<char, 40> out{};
    std::snprintf(out.data(), out.size(), "standard error %.2g", error);
    return out.data();
}

struct ReproduceRequest {
    bool quick = false;
    bool list = false;  ///< what there is, which is also what no ID asks for
    std::string data;   ///< of figures that can be made of other data than drawn ones
    std::optional<std::uint64_t> hold_out;
    Recipe const* recipe = nullptr;  ///< none for a list of all
};

void complete_reproduction(ReproduceRequest& request, Session const& session) {
    if (session.question.words.empty()) {
        if (request.quick || session.chart_file || !request.data.empty() || request.hold_out)
            throw ParseError("reproduce: which figure or table? isserlis reproduce lists them", "reproduce");
        return;
    }
    if (request.list) throw ParseError("`list` says what there is; leave it or ID out", "list");
    std::string const& id = session.question.words.front();
    std::vector<std::string> known;
    for (auto const& recipe : recipes()) {
        if (recipe.id == id) request.recipe = &recipe;
        known.push_back(recipe.id);
    }
    if (request.recipe != nullptr) {
        if (request.recipe->kind == RecipeKind::maximal_rate) return;
        for (char const* name : {"data", "hold_out"}) {
            if (session.question.parameters.count(name) != 0)
                throw ParseError("`" + std::string(name) + "`: " + id + " has data of its own; leave it out", name);
        }
        return;
    }
    auto const near = nearest_name(id, known);
    throw ParseError("reproduce: there is no '" + printable(id) + "'; " +
                         (near ? "did you mean '" + *near + "'?" : "isserlis reproduce lists what there is"),
                     id);
}

void list_recipes(Answer& answer) {
    std::size_t widest = 0;
    for (auto const& recipe : recipes()) widest = std::max(widest, recipe.id.size());
    std::string lines;
    for (auto const& recipe : recipes()) {
        std::string const line = recipe.id + std::string(widest + 2 - recipe.id.size(), ' ') + recipe.what;
        lines += line + "\n";
        if (answer.options().format != Format::text) answer.explain(recipe.id + ": " + recipe.what);
    }
    if (answer.options().format == Format::text) answer.set_document(answer.title() + "\n\n" + lines);
}

class Reproduction {
public:
    Reproduction(Session const& session, Answer& answer) : session_(session), answer_(answer) {
        surroundings_.spoken = session.output.spoken;
        surroundings_.stop = session.stop;
        surroundings_.progress = session.progress;
        surroundings_.unlimited = session.output.unlimited;
    }

    /// The answer of one question: as text in its format, and its results for who calls.
    void ask_once(Recipe const& recipe, bool quick) {
        Question question = question_of(quick ? recipe.quick : recipe.asked);
        question.parameters["format"] = {format()};
        for (char const* name : {"digits", "check", "seed", "threads", "yes"}) pass_on(name, question);
        if (session_.chart_file) {
            if (!draws(question.command)) throw ParseError("`plot`: a table is not drawn; leave it out", "plot");
            question.parameters["plot"] = {*session_.chart_file};
            if (!recipe.charted.empty()) question.parameters["plot_of"] = {recipe.charted};
        }
        Answer const answered = ask(question, surroundings_);
        answer_.set_document(render(answered));
        answer_.set_sweeps(answered.sweeps());
        for (auto const& result : answered.results()) answer_.adopt(result);
    }

    /// 2/E|lambda_1| of square networks at initialisation, and the power law through it.
    void fit(bool quick) {
        std::uint64_t const samples = session_.samples.value_or(quick ? 30 : 400);
        std::vector<std::pair<double, double>> points;
        Plot plot{.title = "2/E|lambda_1| at initialisation [Iyer 2023, Figure 3], one input",
                  .x_label = "depth x width",
                  .y_label = "2/E|lambda_1|",
                  .series = {},
                  .log_x = true,
                  .log_y = true};
        answer_.assume("|x|^2 = width, one input and one output, He initialisation; means over " +
                       std::to_string(samples) + " networks, seed " + std::to_string(session_.seed));
        for (int const width : {8, 16, 32}) {
            plot.series.push_back({.title = "width " + std::to_string(width), .points = {}, .joined = false});
            for (int depth = 1; depth <= (quick ? 3 : 5); ++depth) {
                session_.stop_if_told();
                std::string const n = std::to_string(width);
                std::string const widths = n + "," + n + ":" + std::to_string(depth) + ",1";
                Question question = question_of("hessian " + widths + " input_squared_norm=" + n);
                question.parameters["check"] = {std::to_string(samples)};
                question.parameters["seed"] = {std::to_string(session_.seed)};
                question.parameters["threads"] = {std::to_string(session_.threads)};
                Answer const sampled = ask(question, surroundings_);
                auto const eigenvalue = sampled.at("top_eigenvalue_upper").check.value();
                double const rate = 2 / eigenvalue.mean;
                answer_.add("sampled_rate", {widths},
                            Value::approximate(rate, shown_digits,
                                               "2 over the sampled mean of |lambda_1|, " +
                                                   with_error(rate * eigenvalue.std_error / eigenvalue.mean)),
                            {}, "a sampled value itself");
                points.emplace_back(std::log(depth * width), std::log(rate));
                plot.series.back().points.push_back({.x = static_cast<double>(depth * width),
                                                     .y = rate,
                                                     .error = rate * eigenvalue.std_error / eigenvalue.mean});
            }
        }
        auto const line = fitted_line(points);
        std::string const form = "least squares through " + std::to_string(points.size()) + " sampled rates";
        for (auto const& [name, value] : {std::pair("power_law_alpha", -line.slope),
                                          {"power_law_gamma", line.constant},
                                          {"power_law_r_squared", line.r_squared}})
            answer_.add(name, {}, Value::approximate(value, shown_digits, form), {}, "computed from sampled values");
        if (!session_.chart_file) return;
        PlotSeries fit{.title = "fit", .points = {}};
        for (auto const& [least, most] = std::minmax_element(points.begin(), points.end());
             auto const& end : {*least, *most})
            fit.points.push_back({.x = std::exp(end.first), .y = std::exp(line.constant + line.slope * end.first)});
        plot.series.push_back(std::move(fit));
        write_plot(plot, *session_.chart_file, "plot");
    }

private:
    [[nodiscard]] static bool draws(std::string const& command) {
        auto const& all = command_texts();
        auto const is_plot = [](Parameter const& p) { return p.name == "plot"; };
        return std::any_of(all.begin(), all.end(), [&](CommandText const& text) {
            return text.name == command && std::any_of(text.parameters.begin(), text.parameters.end(), is_plot);
        });
    }

    [[nodiscard]] std::string format() const {
        auto const at = session_.question.parameters.find("format");
        return at == session_.question.parameters.end() ? "csv" : at->second.back();
    }

    void pass_on(char const* name, Question& question) const {
        auto const at = session_.question.parameters.find(name);
        if (at != session_.question.parameters.end()) question.parameters[name] = at->second;
    }

    Session const& session_;
    Answer& answer_;
    Surroundings surroundings_;
};

void evaluate_reproduction(ReproduceRequest const& request, Session const& session, Bindings const&, Answer& answer) {
    if (request.recipe == nullptr) return list_recipes(answer);
    Reproduction reproduction(session, answer);
    auto const& recipe = *request.recipe;
    switch (recipe.kind) {
        case RecipeKind::asked: return reproduction.ask_once(recipe, request.quick);
        case RecipeKind::fitted: return reproduction.fit(request.quick);
        case RecipeKind::thesis: return draw_thesis_figure(recipe.id, request.quick, session, answer);
        case RecipeKind::maximal_rate:
            return draw_maximal_rate_figure(
                recipe.id, {.quick = request.quick, .data = request.data, .hold_out = request.hold_out}, session,
                answer);
    }
}

}  // namespace

Command reproduce_command() {
    CommandOf<ReproduceRequest> out;
    out.text = {
        .name = "reproduce",
        .summary = "A figure or table of a source by its questions, as CSV and as a chart",
        .positional = "ID",
        .positional_help = "The figure or table; all are listed without",
        .refusals = {{{"time", "until", "layer", "set", "table", "explain", "shard", "keep"},
                      "{} means nothing to reproduce, whose questions are complete"}},
        .needless = {"check"},
    };
    out.text.parameters.push_back(chart_parameters("").front());
    out.parameters.add("list", "What there is, as without ID", &ReproduceRequest::list);
    out.parameters.add("quick", "A smaller version, in seconds", &ReproduceRequest::quick);
    out.parameters.add("data", "DATA", "idx:IMAGES,LABELS or cifar10:FILE,.. in place of drawn classes",
                       &ReproduceRequest::data, as_text());
    out.parameters.add("hold_out", "N", "Samples of `data` that are kept for validation", &ReproduceRequest::hold_out,
                       count(1, 1'000'000));
    out.complete = complete_reproduction;
    out.evaluate = evaluate_reproduction;
    out.has_ranges = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
