// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/quantity/ask.hpp>
#include <isserlis/question/command_line.hpp>
#include <isserlis/question/reason.hpp>
#include <set>

#include "quantity/commands.hpp"
#include "quantity/question_line.hpp"
#include "quantity/rows/rows.hpp"

namespace isserlis::quantity {
namespace {

constexpr std::uint64_t quick_samples = 20'000;
constexpr std::uint64_t usual_samples = 400'000;

struct VerifyRequest {
    bool quick = false;
};

std::string joined(std::vector<std::string> const& parts) {
    std::string out;
    for (auto const& part : parts) out += (out.empty() ? "" : ",") + part;
    return out;
}

bool is_refuted(Result const& r) {
    return r.check && (r.check->verdict == Check::Verdict::disagrees || r.check->verdict == Check::Verdict::fails);
}

/// How much a row says: what is refuted first, then what is confirmed, with the largest deviation first.
double weight_of(Result const& r) {
    if (is_refuted(r) || r.bound == Check::Verdict::fails) return 4;
    double const share = r.check && std::isfinite(r.check->z) ? std::fabs(r.check->z) / (1 + std::fabs(r.check->z)) : 0;
    if (r.check && r.check->verdict != Check::Verdict::inconclusive) return 2 + share;
    if (r.check) return 1 + share;
    return r.exact || r.decimal ? 0.5 : 0;
}

/// Quantities by what stands beside them.
struct Tally {
    std::set<std::string> sampled;  ///< "norm squared_norm_mean"
    std::set<std::string> by_strands;
    std::set<std::string> bounds;
    std::set<std::string> blunt;  ///< sampled, without a conclusion
    std::set<std::string> misprinted;
    std::set<std::string> refuted;

    void count(std::string const& place, Result const& r) {
        bool const printed = r.name.ends_with("_printed");
        bool const bound_fails = r.bound == Check::Verdict::fails;
        if (is_refuted(r) || (bound_fails && !printed)) {
            refuted.insert(place);
        } else if (r.check && r.check->verdict == Check::Verdict::inconclusive) {
            blunt.insert(place);
        } else if (r.check && r.check->verdict == Check::Verdict::agrees) {
            sampled.insert(place);
        } else if (r.check || r.bound) {
            (printed ? misprinted : bounds).insert(place);
        }
    }
    /// Of so many quantities.
    [[nodiscard]] std::string text(std::size_t all) const {
        std::set<std::string> both = sampled;
        both.insert(by_strands.begin(), by_strands.end());
        std::set<std::string> known = both;
        for (auto const* more : {&bounds, &blunt, &misprinted, &refuted}) known.insert(more->begin(), more->end());
        std::string out = std::to_string(all) + " quantities: " + std::to_string(both.size()) + " confirmed, " +
                          std::to_string(sampled.size()) + " by samples and " + std::to_string(by_strands.size()) +
                          " by strands; " + std::to_string(bounds.size()) + " bounds hold; " +
                          std::to_string(refuted.size()) + " disagree";
        if (!blunt.empty()) out += "; " + std::to_string(blunt.size()) + " with too few samples";
        if (!misprinted.empty()) out += "; " + std::to_string(misprinted.size()) + " bounds as printed, right or not";
        return out + "; " + std::to_string(all - known.size()) + " without a second leg, each with its reason";
    }
};

class Verification {
public:
    Verification(Session const& session, std::uint64_t samples, Answer& answer)
        : session_(session), samples_(samples), answer_(answer), surroundings_(session.surroundings()) {}

    void run() {
        auto const progress = session_.progress_of({.doing = "asked", .of = "of", .units = "questions"});
        std::vector<VerifiedLine> lines;
        for (auto const& rows : all_quantity_rows())
            lines.insert(lines.end(), rows.verified.begin(), rows.verified.end());
        for (std::size_t i = 0; i < lines.size(); ++i) {
            session_.stop_if_told();
            add_line(lines[i]);
            if (progress) progress(i + 1, lines.size());
        }
        for (auto const& q : quantities()) {
            char const* why = why_unverified(q);
            if (why != nullptr && known_.insert(place_of(q)).second) add_absent(q, why);
        }
        if (!tally_.refuted.empty()) answer_.fail();
        answer_.warn(tally_.text(known_.size()));
    }

private:
    [[nodiscard]] Answer asked(Question question, std::uint64_t seed) const {
        question.parameters["check"] = {std::to_string(samples_)};
        question.parameters["seed"] = {std::to_string(seed)};
        question.parameters["threads"] = {std::to_string(session_.threads)};
        question.parameters["yes"] = {""};
        question.parameters["digits"] = {std::to_string(session_.output.digits)};
        return ask(question, surroundings_);
    }

    void add_line(VerifiedLine const& line) {
        Question const question = question_of(line.asked);
        std::string refusal;
        Answer here = [&] {
            try {
                return asked(question, session_.seed);
            } catch (Interrupted const&) {
                throw;
            } catch (Error const& e) {
                refusal = reason(e);  // of `check`: there is nothing to sample
            }
            Question plain = question;
            plain.parameters["digits"] = {std::to_string(session_.output.digits)};
            return ask(plain, surroundings_);
        }();
        auto results = here.results();
        confirm_refutations(question, results);
        for (auto& r : results) {
            if (!r.check && r.unchecked.empty()) r.unchecked = session_.output.spoken(refusal);
        }
        for (auto const& q : quantities()) {
            if (q.command != question.command || known_.count(place_of(q)) != 0) continue;
            add_quantity(q, results);
        }
        for (auto const& twin : line.twins) add_twin(here, twin);
    }

    /// What other networks do not refute again was an accident of the first.
    void confirm_refutations(Question const& question, std::vector<Result>& results) const {
        if (std::none_of(results.begin(), results.end(), is_refuted)) return;
        Answer const again = asked(question, session_.seed + 1);
        for (auto& r : results) {
            if (is_refuted(r)) r.check = again.at(r.name, r.index).check;
        }
    }

    /// One row for the quantity: the one that says most.
    void add_quantity(Quantity const& q, std::vector<Result> const& results) {
        Result const* best = nullptr;
        for (auto const& r : results) {
            if (r.name != q.name) continue;
            if (best == nullptr || weight_of(r) > weight_of(*best)) best = &r;
        }
        if (best == nullptr) return;
        known_.insert(place_of(q));
        Result out = *best;
        out.index = placed(q.command, best->index);
        tally_.count(place_of(q), out);
        answer_.adopt(std::move(out));
    }

    void add_absent(Quantity const& q, char const* why) {
        answer_.add(q.name, {q.command}, Value::absent(why), {}, why);
    }

    void add_twin(Answer const& here, StrandTwin const& twin) {
        auto const& direct = here.at(twin.name, twin.index);
        Result out = ask(question_of("expect " + twin.expected), surroundings_).at("value");
        bool const same = direct.exact && out.exact && *direct.exact == *out.exact;
        out.name = "strands";
        out.index = placed(twin.name, twin.index);
        out.bound = same ? Check::Verdict::holds : Check::Verdict::fails;
        out.unchecked = "the strand engine is a leg of its own, with nothing to sample";
        (same ? tally_.by_strands : tally_.refuted).insert(here.command() + " " + twin.name);
        answer_.adopt(std::move(out));
    }

    static std::string place_of(Quantity const& q) { return std::string(q.command) + " " + q.name; }

    static std::vector<std::string> placed(std::string const& first, std::vector<std::string> const& index) {
        if (index.empty()) return {first};
        return {first, joined(index)};
    }

    Session const& session_;
    std::uint64_t samples_;
    Answer& answer_;
    Surroundings surroundings_;
    std::set<std::string> known_;  ///< "norm squared_norm_mean"
    Tally tally_;
};

void evaluate_verify(VerifyRequest const& request, Session const& session, Bindings const&, Answer& answer) {
    std::uint64_t const samples = session.samples.value_or(request.quick ? quick_samples : usual_samples);
    answer.assume("each quantity of the list on a small network, " + std::to_string(samples) + " samples, seed " +
                  std::to_string(session.seed));
    answer.assume("of a quantity with several indices the one is shown that deviates most");
    answer.assume("what disagrees is asked again with other networks, and counts where it disagrees again");
    Verification(session, samples, answer).run();
}

}  // namespace

Command verify_command() {
    CommandOf<VerifyRequest> out;
    out.text = {
        .name = "verify",
        .summary = "Quantities against sampled networks and the strand engine, with exit code 1 where they disagree",
        .positional = "",
        .positional_help = "",
        .most_positionals = 0,
        .refusals = {{{"time", "until", "layer", "set", "table", "explain", "shard", "keep"},
                      "{} means nothing to verify, whose questions are complete"}},
        .needless = {"check"},
    };
    out.parameters.add({"quick", "20,000 samples of each network, not 400,000", &VerifyRequest::quick});
    out.evaluate = evaluate_verify;
    out.has_ranges = true;
    Command made = bound(std::move(out));
    // Samples are set beside the quantities whether or not `check` says how many.
    made.read = [read = made.read](Session const& session) {
        Task task = read(session);
        task.checks = true;
        return task;
    };
    return made;
}

}  // namespace isserlis::quantity
