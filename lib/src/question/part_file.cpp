// SPDX-License-Identifier: MIT
#include "question/part_file.hpp"

#include <algorithm>
#include <charconv>
#include <isserlis/error.hpp>
#include <isserlis/version.hpp>

#include "question/graph_file.hpp"
#include "question/json_file.hpp"
#include "question/readers.hpp"

namespace isserlis::quantity {
namespace {

using monte_carlo::ChunkSums;
using monte_carlo::RecordedRun;

constexpr std::size_t digits_of_a_number = 16;
constexpr int format_of_parts = 1;

std::string hexadecimal(ChunkSums const& sums) {
    constexpr char const* digits = "0123456789abcdef";
    std::string out;
    for (std::uint64_t const x : sums) {
        for (int shift = 60; shift >= 0; shift -= 4) out += digits[(x >> static_cast<unsigned>(shift)) & 15U];
    }
    return out;
}

class PartReader : JsonFile {
public:
    using JsonFile::JsonFile;

    PartFile all(std::string const& text) {
        Json const json = parsed(text);
        if (!json.is_object() || !json.contains("isserlis_part"))
            fail("is no part of a sampling, as `shard` writes it");
        check_keys(json, {"isserlis_part", "version", "command_line", "shard", "seed", "question", "typed", "runs"},
                   "it");
        try {
            if (json.at("isserlis_part") != format_of_parts) fail("is a part in a format of another version");
            if (auto const other = json.at("version").get<std::string>(); other != version)
                fail("is of version " + printable(other) + ", and this is " + version);
            PartFile out{.question = question(json.at("question")),
                         .typed = {},
                         .seed = json.at("seed").get<std::uint64_t>(),
                         .shard = read_shard(json.at("shard").get<std::string>()),
                         .runs = {}};
            if (out.question.command == "merge" || out.question.parameters.count("shard") != 0)
                fail("is a part of what has no parts");
            for (auto const& word : json.at("typed"))
                out.typed.push_back(
                    {.parameter = word.at(0).get<std::string>(), .text = word.at(1).get<std::string>()});
            for (auto const& one : json.at("runs")) out.runs.push_back(run(one));
            return out;
        } catch (Json::exception const&) {
            fail("is no part of a sampling: an entry is missing, or of another kind");
        }
    }

private:
    static Question question(Json const& json) {
        return {.command = json.at("command").get<std::string>(),
                .words = json.at("words").get<std::vector<std::string>>(),
                .parameters = json.at("parameters").get<std::map<std::string, std::vector<std::string>>>()};
    }

    [[nodiscard]] ChunkSums sums(Json const& json) const {
        auto const text = json.get<std::string>();
        ChunkSums out(text.size() / digits_of_a_number);
        for (std::size_t i = 0; i < out.size(); ++i) {
            char const* const from = text.data() + i * digits_of_a_number;
            char const* const to = from + digits_of_a_number;
            if (auto const read = std::from_chars(from, to, out[i], 16); read.ec != std::errc() || read.ptr != to)
                fail("has sums that are no numbers of 16 hexadecimal digits");
        }
        if (text.empty() || text.size() % digits_of_a_number != 0)
            fail("has sums that are no numbers of 16 hexadecimal digits");
        return out;
    }

    [[nodiscard]] RecordedRun run(Json const& json) const {
        RecordedRun out{.samples = json.at("samples").get<std::uint64_t>(),
                        .chunks = json.at("chunks").get<std::uint64_t>(),
                        .first = sums(json.at("first_sample")),
                        .from = json.at("from_chunk").get<std::uint64_t>(),
                        .sums = {}};
        for (auto const& one : json.at("sums")) {
            out.sums.push_back(sums(one));
        }
        return out;
    }
};

constexpr std::size_t facts_of_a_question = 2;

/// What two parts, of several, must have in common, with its name; first those that do not depend on runs.
std::vector<std::pair<std::string, std::string>> common_facts(PartFile const& part) {
    std::vector<std::pair<std::string, std::string>> out{{"the question", command_line(part.typed, {"yes"})},
                                                         {"the seed", std::to_string(part.seed)},
                                                         {"the number of parts", std::to_string(part.shard.count)},
                                                         {"the number of runs", std::to_string(part.runs.size())}};
    for (std::size_t i = 0; i < part.runs.size(); ++i) {
        std::string const which = "run " + std::to_string(i + 1);
        out.emplace_back("the number of samples of " + which, std::to_string(part.runs[i].samples));
        out.emplace_back("the number of chunks of " + which, std::to_string(part.runs[i].chunks));
        out.emplace_back(
            "the first sample of " + which + " (files that the question reads, or how the machine computes)",
            hexadecimal(part.runs[i].first));
    }
    return out;
}

[[noreturn]] void refuse_part(std::string const& path, std::string const& why) {
    throw DomainError("`files`: '" + printable(path) + "' " + why, "files");
}

void require_same(std::string const& path, PartFile const& part, std::string const& first_path, PartFile const& first) {
    auto const here = common_facts(part);
    auto const there = common_facts(first);
    for (std::size_t i = 0; i < std::min(here.size(), there.size()); ++i) {
        if (here[i] == there[i]) continue;
        refuse_part(path, "does not belong to '" + printable(first_path) + "': " + here[i].first + " is " +
                              here[i].second + " here and " + there[i].second + " there");
    }
    if (part.question.words != first.question.words || part.question.parameters != first.question.parameters) {
        auto ours = part.question.parameters;
        auto theirs = first.question.parameters;
        ours.erase("yes");
        theirs.erase("yes");
        if (part.question.words != first.question.words || ours != theirs)
            refuse_part(path, "does not belong to '" + printable(first_path) + "': the parameters differ");
    }
}

}  // namespace

std::string shard_text(monte_carlo::Shard const& shard) {
    return std::to_string(shard.index) + "/" + std::to_string(shard.count);
}

monte_carlo::Shard read_shard(std::string const& text) {
    std::size_t const slash = text.find('/');
    if (slash == std::string::npos)
        throw ParseError("`shard`: '" + printable(text) + "' is not K/N, such as 3/16 for part 3 of 16", "shard");
    constexpr std::uint64_t most = 1'000'000;
    monte_carlo::Shard out;
    out.count = parse_count(text.substr(slash + 1), "shard", 1, most);
    out.index = parse_count(text.substr(0, slash), "shard", 1, out.count);
    return out;
}

Session without(Session const& session, std::string const& parameter) {
    Session out = session;
    out.question.parameters.erase(parameter);
    std::erase_if(out.typed, [&](TypedWord const& w) { return w.parameter == parameter; });
    return out;
}

std::string part_text(PartFile const& part) {
    using Ordered = nlohmann::ordered_json;
    Ordered out;
    out["isserlis_part"] = format_of_parts;
    out["version"] = version;
    out["command_line"] = command_line(part.typed, {"yes"});
    out["shard"] = shard_text(part.shard);
    out["seed"] = part.seed;
    out["question"] = {
        {"command", part.question.command}, {"words", part.question.words}, {"parameters", part.question.parameters}};
    out["typed"] = Ordered::array();
    for (auto const& word : part.typed) out["typed"].push_back(Ordered::array({word.parameter, word.text}));
    out["runs"] = Ordered::array();
    for (auto const& run : part.runs) {
        Ordered sums = Ordered::array();
        for (auto const& chunk : run.sums) sums.push_back(hexadecimal(chunk));
        out["runs"].push_back({{"samples", run.samples},
                               {"chunks", run.chunks},
                               {"first_sample", hexadecimal(run.first)},
                               {"from_chunk", run.from},
                               {"sums", std::move(sums)}});
    }
    return out.dump(1) + "\n";
}

std::string part_content(std::string const& path, std::string const& parameter) {
    return file_content(path, parameter);
}

PartFile part_of_text(std::string const& text, std::string const& path, std::string const& parameter) {
    return PartReader(path, parameter).all(text);
}

void require_begun(PartFile const& part, std::string const& path, PartFile const& asked) {
    auto const here = common_facts(part);
    auto const there = common_facts(asked);
    for (std::size_t i = 0; i < facts_of_a_question; ++i) {
        if (here[i] == there[i]) continue;
        throw DomainError("`keep`: '" + printable(path) + "' is of another question: " + here[i].first + " is " +
                              here[i].second + " there and " + there[i].second + " here; name another file",
                          "keep");
    }
    for (auto const& run : part.runs) {
        if (part.shard.count != 1 || run.from != 0 || run.sums.size() > run.chunks)
            throw DomainError("`keep`: '" + printable(path) + "' is nothing that was kept, but one part of several",
                              "keep");
    }
}

std::vector<RecordedRun> put_together(std::vector<std::string> const& paths, std::vector<PartFile> const& parts) {
    std::vector<std::size_t> place(parts.front().shard.count, parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        require_same(paths[i], parts[i], paths.front(), parts.front());
        std::size_t& at = place[parts[i].shard.index - 1];
        if (at != parts.size())
            refuse_part(paths[i],
                        "is part " + shard_text(parts[i].shard) + ", which '" + printable(paths[at]) + "' is too");
        at = i;
    }
    std::string missing;
    for (std::size_t k = 0; k < place.size(); ++k) {
        if (place[k] == parts.size()) missing += (missing.empty() ? "" : ", ") + std::to_string(k + 1);
    }
    if (!missing.empty())
        refuse_part(paths.front(),
                    "is one part of " + std::to_string(place.size()) + ", of which these are missing: " + missing);
    std::vector<RecordedRun> out = parts.front().runs;
    for (std::size_t r = 0; r < out.size(); ++r) {
        out[r].from = 0;
        out[r].sums.clear();
        for (std::size_t const at : place) {
            auto const& run = parts[at].runs[r];
            if (run.from != out[r].sums.size() || run.first.size() != out[r].first.size())
                refuse_part(paths[at], "begins with chunk " + std::to_string(run.from) + " where " +
                                           std::to_string(out[r].sums.size()) + " comes next");
            out[r].sums.insert(out[r].sums.end(), run.sums.begin(), run.sums.end());
        }
        if (out[r].sums.size() != out[r].chunks)
            refuse_part(paths[place.back()], "ends with chunk " + std::to_string(out[r].sums.size()) + " of " +
                                                 std::to_string(out[r].chunks));
    }
    return out;
}

}  // namespace isserlis::quantity
