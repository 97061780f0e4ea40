// SPDX-License-Identifier: MIT
#include "quantity/sampled_together.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <isserlis/error.hpp>
#include <isserlis/monte_carlo/ranks_work.hpp>
#include <isserlis/report/write_file.hpp>

#include "question/part_file.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

using monte_carlo::ChunkSums;
using monte_carlo::Ranks;

/// This process alone.
class OneRank final : public Ranks {
public:
    [[nodiscard]] unsigned number() const override { return 0; }
    [[nodiscard]] unsigned count() const override { return 1; }
    [[nodiscard]] unsigned on_this_machine() const override { return 1; }
    [[nodiscard]] std::vector<ChunkSums> gather(ChunkSums const& mine) override { return {mine}; }
    [[noreturn]] void end_all(int exit_code) override { std::_Exit(exit_code); }
};

/// A text in words of 8 bytes, and back.
ChunkSums packed(std::string const& text) {
    ChunkSums out(1 + (text.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t));
    out.front() = text.size();
    if (!text.empty()) std::memcpy(out.data() + 1, text.data(), text.size());
    return out;
}
std::string unpacked(ChunkSums const& words) {
    std::string out(static_cast<std::size_t>(words.front()), '\0');
    if (!out.empty()) std::memcpy(out.data(), words.data() + 1, out.size());
    return out;
}

/// What the session asks, as a part of which nothing is done. How many threads work on it is the machine's affair.
PartFile asked_part(Session const& here, monte_carlo::Shard const& shard) {
    Session const session = without(here, "threads");
    return {.question = session.question, .typed = session.typed, .seed = session.seed, .shard = shard, .runs = {}};
}

void require_same_question(Ranks& ranks, Session const& session) {
    auto const all = ranks.gather(packed(part_text(asked_part(session, {}))));
    for (std::size_t r = 1; r < all.size(); ++r) {
        if (all[r] == all[0]) continue;
        throw DomainError("rank " + std::to_string(r) +
                              " asks another question than rank 0, or is another version; ranks share one question, "
                              "`shard` makes parts",
                          "shard");
    }
}

/// What is in the file; nothing if there is none yet. Rank 0 reads it for all.
std::vector<monte_carlo::RecordedRun> done_before(Ranks& ranks, Session const& here, std::string const& file) {
    std::string text;
    if (ranks.number() == 0) {
        check_writable(file, named("keep"));
        if (std::filesystem::exists(file)) text = part_content(file, "keep");
    }
    text = unpacked(ranks.gather(packed(text)).front());
    if (text.empty()) return {};
    PartFile part = part_of_text(text, file, "keep");
    require_begun(part, file, asked_part(here, {}));
    return std::move(part.runs);
}

}  // namespace

Answer part_of_sampling(Session const& session, Answering const& answering) {
    monte_carlo::ShardWork work(*session.shard);
    Session here = without(session, "shard");
    here.shard.reset();
    here.shared = &work;
    static_cast<void>(answering(here));
    work.require_finished();
    if (work.runs().empty()) throw ParseError("`shard`: nothing is sampled here; leave it out", "shard");
    PartFile part = asked_part(here, *session.shard);
    part.runs = work.runs();
    Answer out(session.question.command, session.output);
    out.set_document(part_text(part));
    return out;
}

Answer sampled_in_ranks(Session const& session, Ranks* ranks, Answering const& answering) {
    OneRank alone;
    Ranks& all = ranks != nullptr ? *ranks : alone;
    if (ranks != nullptr && session.goal && session.goal->seconds)
        throw ParseError("`time`: the clocks of several processes do not agree; `check` N says how many", "time");
    Session here = without(session, "keep");
    here.kept.reset();
    require_same_question(all, here);
    std::vector<monte_carlo::RecordedRun> done;
    monte_carlo::RanksWork::Keep keep;
    if (session.kept) {
        std::string const file = *session.kept;
        done = done_before(all, here, file);
        keep = [file, part = asked_part(here, {})](std::vector<monte_carlo::RecordedRun> const& runs) mutable {
            part.runs = runs;
            write_file(file, part_text(part), named("keep"));
        };
    }
    monte_carlo::RanksWork work(all, here.threads, std::move(done), std::move(keep));
    here.shared = &work;
    if (session.progress) {
        here.progress = [&work, &session](ProgressWords words) -> Progress {
            auto told = session.progress(std::move(words));
            if (!told) return told;
            return [&work, told](std::uint64_t so_far, std::uint64_t total) {
                auto const [of_all, samples] = work.progress(so_far, total);
                told(of_all, samples);
            };
        };
    }
    Answer out = answering(here);
    work.require_sound();
    work.keep_all();
    if (session.kept && !work.any()) throw ParseError("`keep`: nothing is sampled here; leave it out", "keep");
    return out;
}

}  // namespace isserlis::quantity
