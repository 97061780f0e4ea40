// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/question/nearest_name.hpp>

#include "quantity/commands.hpp"
#include "quantity/figures/maximal_rate_figures.hpp"
#include "quantity/figures/thesis_figures.hpp"
#include "quantity/question_line.hpp"
#include "quantity/recipes.hpp"

namespace isserlis::quantity {
namespace {

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
    Reproduction(Session const& session, Answer& answer)
        : session_(session), answer_(answer), surroundings_(session.surroundings()) {
        surroundings_.progress = session.progress;
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
