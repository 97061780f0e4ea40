// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/question/nearest_name.hpp>

#include "quantity/commands.hpp"
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
    bool list = false;               ///< what there is, which is also what no ID asks for
    Recipe const* recipe = nullptr;  ///< none for a list of all
};

void complete_reproduction(ReproduceRequest& request, Session const& session) {
    if (session.question.words.empty()) {
        if (request.quick || session.chart_file)
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
    if (request.recipe != nullptr) return;
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

/// y = slope x + constant by least squares.
struct Line {
    double slope = 0;
    double constant = 0;
    double r_squared = 0;
};

Line fitted_line(std::vector<std::pair<double, double>> const& points) {
    double const count = static_cast<double>(points.size());
    double x = 0;
    double y = 0;
    for (auto const& p : points) {
        x += p.first / count;
        y += p.second / count;
    }
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for (auto const& p : points) {
        xx += (p.first - x) * (p.first - x);
        xy += (p.first - x) * (p.second - y);
        yy += (p.second - y) * (p.second - y);
    }
    return {.slope = xy / xx, .constant = y - xy / xx * x, .r_squared = xy * xy / (xx * yy)};
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
        answer_.assume("|x|^2 = width, one input and one output, He initialisation; means over " +
                       std::to_string(samples) + " networks, seed " + std::to_string(session_.seed));
        for (int const width : {8, 16, 32}) {
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
            }
        }
        auto const line = fitted_line(points);
        std::string const form = "least squares through " + std::to_string(points.size()) + " sampled rates";
        for (auto const& [name, value] : {std::pair("power_law_alpha", -line.slope),
                                          {"power_law_gamma", line.constant},
                                          {"power_law_r_squared", line.r_squared}})
            answer_.add(name, {}, Value::approximate(value, shown_digits, form), {}, "computed from sampled values");
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
    if (!request.recipe->fitted) return reproduction.ask_once(*request.recipe, request.quick);
    if (session.chart_file) throw ParseError("`plot`: a fit is not drawn; leave it out", "plot");
    reproduction.fit(request.quick);
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
    out.complete = complete_reproduction;
    out.evaluate = evaluate_reproduction;
    out.has_ranges = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
