// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/question/reason.hpp>

#include "quantity/commands.hpp"
#include "question/part_file.hpp"

namespace isserlis::quantity {
namespace {

struct MergeRequest {
    std::vector<std::string> files;
};

void complete_merge(MergeRequest& request, Session const& session) {
    request.files = session.question.words;
    if (request.files.empty())
        throw ParseError("`files` are missing; such as isserlis merge part-1.json part-2.json", "files");
}

/// The answer to the question of the files, with their sums in place of sampling.
void answer_merged(MergeRequest const& request, Session const& session, Answer& answer) {
    std::vector<PartFile> parts;
    for (auto const& file : request.files) {
        session.stop_if_told();
        parts.push_back(part_of_text(part_content(file, "files"), file, "files"));
    }
    monte_carlo::RecordedWork recorded(put_together(request.files, parts));
    Surroundings surroundings = session.surroundings();
    surroundings.progress = session.progress;
    surroundings.typed = parts.front().typed;
    surroundings.shared = &recorded;
    Question const question = parts.front().question;
    parts.clear();
    try {
        Answer merged = ask(question, surroundings);
        recorded.require_used();
        answer = std::move(merged);
    } catch (DomainError const& e) {
        if (e.argument() != "files") throw;
        throw DomainError("`files`: '" + printable(request.files.front()) + "' " + reason(e), "files");
    }
}

}  // namespace

Command merge_command() {
    CommandOf<MergeRequest> out;
    out.text = {
        .name = "merge",
        .summary = "The answer of which `shard` wrote the parts, byte for byte that of one process",
        .positional = "`files`",
        .positional_help = "All parts, in any order",
        .most_positionals = 1'000'000,
        .refusals = {{{"format", "digits", "layer", "check", "time", "until", "seed", "threads", "yes", "set", "table",
                       "explain", "shard", "keep"},
                      "{} is a matter of the question, which the files have"}},
    };
    out.complete = complete_merge;
    out.evaluate = [](MergeRequest const&, Session const&, Bindings const&, Answer&) {};
    out.finish = answer_merged;
    out.has_ranges = true;
    return bound(std::move(out));
}

}  // namespace isserlis::quantity
