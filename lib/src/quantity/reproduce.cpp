// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/question/nearest_name.hpp>
#include <isserlis/question/reason.hpp>
#include <isserlis/report/plot.hpp>
#include <isserlis/report/write_file.hpp>

#include "quantity/commands.hpp"
#include "quantity/figures/book_figures.hpp"
#include "quantity/figures/maximal_rate_figures.hpp"
#include "quantity/figures/mup_figures.hpp"
#include "quantity/figures/residual_figures.hpp"
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
    std::string folder;              ///< of the files that are written; empty for none
    Recipe const* recipe = nullptr;  ///< none for a list of all
};

/// Errors  DomainError with the system's reason.
void make_folder(std::string const& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!std::filesystem::is_directory(folder))
        throw DomainError("`folder`: '" + printable(folder) + "' is no folder and cannot be made: " +
                              (error ? error.message() : "a file has that name"),
                          "folder");
}

void complete_reproduction(ReproduceRequest& request, Session const& session) {
    if (session.question.words.empty()) {
        if (request.quick || session.chart_file || !request.data.empty() || request.hold_out || !request.folder.empty())
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
    if (!request.folder.empty()) make_folder(request.folder);
    if (request.recipe != nullptr) {
        if (request.quick && !request.recipe->is_smaller)
            throw ParseError("`quick`: " + id + " has no smaller version, and takes seconds; leave it out", "quick");
        if (!request.recipe->draws && session.question.parameters.count("seed") != 0)
            throw ParseError("`seed`: nothing of " + id + " is drawn; leave it out", "seed");
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

std::string written(std::string const& file) { return "wrote " + printable(file); }

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
    void ask_once(Recipe const& recipe, bool quick, FigureChoice const& choice) {
        Question question = question_of(quick ? recipe.quick : recipe.asked);
        question.parameters["format"] = {format()};
        for (char const* name : {"digits", "check", "seed", "threads", "yes"}) pass_on(name, question);
        if (session_.chart_file) {
            if (!draws(question.command)) throw ParseError("`plot`: a table is not drawn; leave it out", "plot");
            question.parameters["plot"] = {*session_.chart_file};
            if (!recipe.charted.empty()) question.parameters["plot_of"] = {recipe.charted};
        }
        bool const drawn = !choice.folder.empty() && !session_.chart_file && draws(question.command) && has_gnuplot();
        std::vector<std::string> files;
        if (drawn) {
            files.push_back(figure_file(choice, ".svg"));
            question.parameters["plot"] = {files.back()};
            if (!recipe.charted.empty()) question.parameters["plot_of"] = {recipe.charted};
        }
        bool const samples = question.parameters.count("samples") + question.parameters.count("check") > 0;
        if (!choice.folder.empty() && samples) question.parameters["keep"] = {unfinished_file(choice)};
        Answer const answered = answered_with_chart(question, files);
        std::string document = render(answered);
        if (!choice.folder.empty()) {
            write_file(figure_file(choice, ".csv"), to_csv(answered), "`folder`");
            std::filesystem::remove(unfinished_file(choice));
            files.insert(files.begin(), figure_file(choice, ".csv"));
            std::string const mark = format() == "csv" ? "# " : "";
            bool const has_place = format() == "csv" || format() == "text";  // other formats are read by programs
            for (auto const& file : files) document += has_place ? mark + written(file) + "\n" : "";
        }
        answer_.set_document(document);
        answer_.set_sweeps(answered.sweeps());
        for (auto const& result : answered.results()) answer_.adopt(result);
    }

private:
    /// Without its chart where gnuplot fails; what was kept belongs to the question with a chart.
    [[nodiscard]] Answer answered_with_chart(Question& question, std::vector<std::string>& files) const {
        try {
            return ask(question, surroundings_);
        } catch (UnsupportedError const& e) {
            if (files.empty() || e.argument() != "plot") throw;
        } catch (ParseError const& e) {
            if (e.argument() == "keep") throw ParseError(of_folder(reason(e)), "folder");
            throw;
        } catch (DomainError const& e) {
            if (e.argument() == "keep") throw DomainError(of_folder(reason(e)), "folder");
            throw;
        }
        files.clear();
        for (char const* name : {"plot", "plot_of", "keep"}) question.parameters.erase(name);
        return ask(question, surroundings_);
    }

    /// What is said of the file of `keep`, which here is one of `folder`.
    [[nodiscard]] static std::string of_folder(std::string message) {
        for (auto at = message.find("`keep`"); at != std::string::npos; at = message.find("`keep`"))
            message.replace(at, std::string_view("`keep`").size(), "`folder`");
        return message;
    }

    [[nodiscard]] static bool draws(std::string const& command) {
        auto const* text = find_command(command);
        return text != nullptr && std::any_of(text->parameters.begin(), text->parameters.end(),
                                              [](Parameter const& p) { return p.name == "plot"; });
    }

    [[nodiscard]] std::string format() const {
        auto const at = session_.question.parameters.find("format");
        return at == session_.question.parameters.end() ? "text" : at->second.back();
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
    auto const& recipe = *request.recipe;
    FigureChoice const choice{.id = recipe.id,
                              .quick = request.quick,
                              .data = request.data,
                              .hold_out = request.hold_out,
                              .folder = request.folder};
    switch (recipe.kind) {
        case RecipeKind::asked: return Reproduction(session, answer).ask_once(recipe, request.quick, choice);
        case RecipeKind::thesis: draw_thesis_figure(choice, session, answer); break;
        case RecipeKind::maximal_rate: draw_maximal_rate_figure(choice, session, answer); break;
        case RecipeKind::residual: draw_residual_figure(choice, session, answer); break;
        case RecipeKind::mup: draw_mup_figure(choice, session, answer); break;
        case RecipeKind::book: draw_book_figure(choice, session, answer); break;
    }
    if (choice.folder.empty()) return;
    std::string const file = figure_file(choice, ".csv");
    answer.explain(written(file));
    write_file(file, to_csv(answer), "`folder`");
    std::filesystem::remove(unfinished_file(choice));
}

}  // namespace

Command reproduce_command() {
    CommandOf<ReproduceRequest> out;
    out.text = {
        .name = "reproduce",
        .summary = "A figure or table of a source: numbers, chart",
        .positional = "ID",
        .positional_help = "The figure or table; all are listed without",
        .refusals = {{{"time", "until", "layer", "set", "table", "explain", "shard"},
                      "{} means nothing to reproduce, whose questions are complete"},
                     {{"keep"}, "{}: reproduce keeps what an interrupted run has done in `folder` FOLDER"}},
        .needless = {"check"},
    };
    out.text.parameters.push_back(chart_parameters("").front());
    out.parameters.add({"list", "What there is, as without ID", &ReproduceRequest::list});
    out.parameters.add({"quick", "A smaller version, in seconds", &ReproduceRequest::quick});
    out.parameters.add({"folder", "FOLDER",
                        "Write ID.csv here and, with gnuplot, ID.svg, ID.png; what an interrupted run has done is kept",
                        &ReproduceRequest::folder, as_text()});
    out.parameters.add({"data", "DATA", "idx:IMAGES,LABELS or cifar10:FILE,.. in place of drawn classes",
                        &ReproduceRequest::data, as_text()});
    out.parameters.add({"hold_out", "N", "Samples of `data` that are kept for validation", &ReproduceRequest::hold_out,
                        count(1, 1'000'000)});
    out.complete = complete_reproduction;
    out.evaluate = evaluate_reproduction;
    out.has_ranges = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
