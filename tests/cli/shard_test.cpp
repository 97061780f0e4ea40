// SPDX-License-Identifier: MIT
// --shard and merge: parts of a sampling, put together, are the answer of one process, byte for byte.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "json_answer.hpp"
#include "program.hpp"
#include "refusal.hpp"

using namespace isserlis::test;

namespace {

constexpr double patience = 60;

/// Writes the parts of a question; their files.
std::vector<std::string> parts_of(std::vector<std::string> const& line, int count, TemporaryDirectory const& folder,
                                  std::string const& name = "part") {
    std::vector<std::string> out;
    for (int k = 1; k <= count; ++k) {
        std::string const which = std::to_string(k) + "/" + std::to_string(count);
        out.push_back(folder / (name + std::to_string(k) + "of" + std::to_string(count) + ".json"));
        auto part = line;
        part.insert(part.end(), {"--shard", which, "--output", out.back()});
        Run const run = run_program(part, {.seconds = patience});
        INFO(shown(part), " -> ", run.err);
        REQUIRE(run.code == 0);
        CHECK(run.out.empty());
    }
    return out;
}

Run merged(std::vector<std::string> files) {
    files.insert(files.begin(), "merge");
    return run_program(files, {.seconds = patience});
}

void same_bytes(std::vector<std::string> const& line, std::vector<int> const& counts) {
    Run const whole = run_program(line, {.seconds = patience});
    INFO(shown(line), " -> ", whole.err);
    REQUIRE(whole.code < 2);
    for (int const count : counts) {
        CAPTURE(count);
        TemporaryDirectory const folder;
        auto files = parts_of(line, count, folder);
        std::reverse(files.begin(), files.end());
        Run const together = merged(files);
        INFO(together.err);
        CHECK(together.code == whole.code);
        CHECK(together.out == whole.out);
    }
}

}  // namespace

TEST_SUITE("cli/shard") {
    TEST_CASE("parts make the answer of one process, whatever is sampled") {
        for (std::string const line :
             {"norm 3,8,4,1 --check 1000 --order 2", "ntk 4,8,2 --check 500 --seed 7",
              "hessian 3,6,1 --check 777 --format json", "jacobian 2,10,1 --layer 2 --check 600",
              "mup 4,4:2,1 --input-squared-norm 4 --check 400", "expect z^2 2,3,1 --check 3000 --digits 6",
              "coord-check 3,5,1 --check 300", "init 2,8,2 --activation crelu --check 500",
              "moments 2,8:2,2 --check 20000", "products 2,9,2 --check 20000", "report 2,4:2,1 --check 400"}) {
            same_bytes(words(line), {2, 3, 7});
        }
        same_bytes({"trace", "tr(W W^T)^2", "--shape", "W=3,4", "--check", "900"}, {2, 3, 7});
        same_bytes({"expect", "Var[z^2]", "2,6,1", "--check", "900"}, {2, 5});
    }

    TEST_CASE("so do sweeps, whose runs are several, and inputs of files") {
        same_bytes(words("norm 3,n,1 --table n=4,8,5 --check 500"), {3});
        same_bytes({"hessian", "2,5,1", "--input", ISSERLIS_TEST_DATA "/cli/two_inputs.csv", "--check", "300"}, {2});
    }

    TEST_CASE("what depends on earlier samples is sampled at the merge") {
        same_bytes(words("loss-curve 2,5,1 --data cos --gradient random --check 400"), {2, 3, 7});
        same_bytes(words("loss-curve 2,5,1 2,6,1 --data cos --gradient fixed --check 400"), {2});
        same_bytes(words("transfer 2,4,1 2,5,1 --check 200"), {2});
    }

    TEST_CASE("a merge is written to a file as the whole is") {
        TemporaryDirectory const folder;
        auto files = parts_of(words("norm 2,6,1 --check 300"), 2, folder);
        files.insert(files.begin(), "merge");
        files.insert(files.end(), {"-o", folder / "merged"});
        REQUIRE(run_program(files).code == 0);
        REQUIRE(run_program({"norm", "2,6,1", "--check", "300", "-o", folder / "whole"}).code == 0);
        CHECK(read_file(folder / "merged") == read_file(folder / "whole"));
    }

    TEST_CASE("a part says where it comes from") {
        TemporaryDirectory const folder;
        auto const part =
            Json::parse(read_file(parts_of(words("norm 2,6,1 --check 300 --seed 5 --yes"), 3, folder)[1]));
        CHECK(part["command_line"] == "isserlis norm 2,6,1 --check 300 --seed 5");
        CHECK(part["shard"] == "2/3");
        CHECK(part["seed"] == 5);
        CHECK(part["runs"].size() == 1);
        CHECK(part["runs"][0]["samples"] == 300);
        CHECK(part["runs"][0]["chunks"] == 300);  // up to 511 samples have a chunk each
        CHECK(part["runs"][0]["from_chunk"] == 100);
        CHECK(part["runs"][0]["sums"].size() == 100);
    }

    TEST_CASE("what does not belong together is refused, with the file and what differs") {
        TemporaryDirectory const folder;
        auto const files = parts_of(words("norm 2,6,1 --check 300"), 2, folder);
        auto const against = [&](std::string const& line, int count = 2) {
            return parts_of(words(line), count, folder, "other").back();
        };
        is_refusal(merged({files[0]}), {files[0], "2, of which these are missing: 2"});
        is_refusal(merged({files[0], files[1], files[0]}), {files[0], "is part 1/2, which"});
        is_refusal(merged({files[0], against("norm 2,7,1 --check 300")}),
                   {"other2of2.json", "the question is", "2,7,1"});
        is_refusal(merged({files[0], against("norm 2,6,1 --check 301")}), {"other2of2.json", "--check 301"});
        is_refusal(merged({files[0], against("norm 2,6,1 --check 300 --seed 2")}), {"other2of2.json", "--seed 2"});
        is_refusal(merged({files[0], against("norm 2,6,1 --check 300", 3)}),
                   {"other3of3.json", "the number of parts is 3 here and 2 there"});
        is_refusal(merged({files[0], folder / "none.json"}), {"none.json", "not a file"});
        is_refusal(merged({}), {"FILES are missing"});
        write_file(folder / "torn.json", read_file(files[1]).substr(0, read_file(files[1]).size() / 2));
        is_refusal(merged({files[0], folder / "torn.json"}), {"torn.json", "is not JSON"});
        write_file(folder / "else.json", "{\"inputs\": {}}");
        is_refusal(merged({files[0], folder / "else.json"}), {"else.json", "is no part of a sampling"});
        auto const changed = [&](auto const& change) {
            auto part = nlohmann::ordered_json::parse(read_file(files[1]));
            change(part);
            write_file(folder / "changed.json", part.dump());
            return merged({files[0], folder / "changed.json"});
        };
        CHECK(changed([](auto&) {}).code == 0);
        is_refusal(changed([](auto& p) { p["version"] = "0.0.1"; }), {"changed.json", "of version 0.0.1"});
        is_refusal(changed([](auto& p) {
                       p["runs"][0]["first_sample"] = std::string(p["runs"][0]["first_sample"]).replace(0, 1, "f");
                   }),
                   {"changed.json", "the first sample of run 1"});
        is_refusal(changed([](auto& p) { p["runs"][0]["sums"].erase(3); }),
                   {"changed.json", "ends with chunk 299 of 300"});
        is_refusal(changed([](auto& p) { p["runs"][0]["from_chunk"] = 149; }),
                   {"changed.json", "begins with chunk 149"});
        is_refusal(changed([](auto& p) { p["runs"][0]["sums"][3] = "12"; }), {"changed.json", "16 hexadecimal digits"});
        is_refusal(changed([](auto& p) { p["runs"][0]["sums"][3] = "000000000000000g"; }),
                   {"changed.json", "hexadecimal"});
        is_refusal(changed([](auto& p) { p["question"]["command"] = "merge"; }), {"changed.json", "no parts"});
        is_refusal(changed([](auto& p) { p["question"]["parameters"]["order"] = {"3"}; }),
                   {"changed.json", "the parameters differ"});
        is_refusal(changed([](auto& p) { p.erase("typed"); }), {"changed.json", "an entry is missing"});
        is_refusal(changed([](auto& p) { p["extra"] = 1; }), {"changed.json", "unknown key"});
    }

    TEST_CASE("a file that has changed since is seen by its first sample") {
        TemporaryDirectory const folder;
        write_file(folder / "x.csv", "1,2\n");
        auto const files = parts_of({"norm", "2,6,1", "--input", folder / "x.csv", "--check", "300"}, 2, folder);
        CHECK(merged(files).code == 0);
        write_file(folder / "x.csv", "1,3\n");
        is_refusal(merged(files), {files[0], "another first sample"});
    }

    TEST_CASE("a part of what cannot be parted is refused") {
        auto const asked = [](std::string const& line) { return run_program(words(line), {.seconds = patience}); };
        is_refusal(asked("norm 2,6,1 --shard 1/2"), {"--shard means nothing without --check"});
        is_refusal(asked("norm 2,6,1 --until 5% --shard 1/2"), {"--until: --shard takes a number of samples"});
        is_refusal(asked("norm 2,6,1 --time 1s --shard 1/2"), {"--time: --shard takes a number of samples"});
        is_refusal(asked("loss-curve 2,6,1 --data cos --gradient random --check 30 --plot x.svg --shard 1/2"),
                   {"--plot: one part"});
        is_refusal(asked("norm 2,6,1 --check 300 --shard 3/2"), {"--shard"});
        is_refusal(asked("norm 2,6,1 --check 300 --shard 0/2"), {"--shard"});
        is_refusal(asked("norm 2,6,1 --check 300 --shard 1"), {"--shard: '1' is not K/N"});
        is_refusal(asked("norm 2,6,1 --check 300 --shard 1/151"), {"--shard 1/151: 300 samples make 150 parts at most"},
                   3);
        is_refusal(asked("verify --quick --shard 1/2"), {"--shard means nothing to verify"});
        is_refusal(asked("reproduce maximal-rate-figure-3 --check 10 --shard 1/2"),
                   {"--shard means nothing to reproduce"});
        is_refusal(asked("train 2,3,1 --data cos --shard 1/2"), {"--shard means nothing here"});
        is_refusal(asked("merge x.json --shard 1/2 --check 2"), {"is a matter of the question"});
    }

    TEST_CASE("what an interrupted run has kept is gone on from, with the bytes of one run") {
        TemporaryDirectory const folder;
        std::string const file = folder / "kept.json";
        auto const line = words("norm 40,120:4,10 --check 40000 --threads 1");
        auto keeping = line;
        keeping.insert(keeping.end(), {"--keep", file});
        std::string const whole = run_program(line, {.seconds = patience}).out;
        Run const first = run_program(keeping, {.seconds = patience, .interrupt_after = 4});
        CHECK((first.code == 130 || first.out == whole));
        Run const again = run_program(keeping, {.seconds = patience});
        INFO(again.err);
        CHECK(again.out == whole);
        CHECK(folder.size() == 1);
        // All is done: other threads print it at once, and it is a part of one.
        auto const part = Json::parse(read_file(file));
        CHECK(part["runs"][0]["sums"].size() == part["runs"][0]["chunks"]);
        CHECK(merged({file}).out == run_program(words("norm 40,120:4,10 --check 40000"), {.seconds = patience}).out);
    }

    TEST_CASE("a file of something else is refused and left alone") {
        TemporaryDirectory const folder;
        std::string const file = folder / "kept.json";
        auto const asked = [&](std::string const& line) {
            auto typed = words(line);
            typed.insert(typed.end(), {"--keep", file});
            return run_program(typed, {.seconds = patience});
        };
        auto const refused = [&](std::string const& line, std::vector<std::string> const& named, int code = 2) {
            std::string const before = read_file(file);
            is_refusal(asked(line), named, code);
            CHECK(read_file(file) == before);
        };
        std::string const whole = run_program(words("norm 2,6,1 --check 300")).out;
        CHECK(asked("norm 2,6,1 --check 300").out == whole);
        CHECK(asked("norm 2,6,1 --check 300").out == whole);
        refused("norm 2,7,1 --check 300", {"--keep", "kept.json", "of another question", "2,7,1"});
        refused("norm 2,6,1 --check 301", {"of another question", "--check 301"});
        refused("norm 2,6,1", {"--keep means nothing without --check"});
        refused("norm 2,6,1 --until 3%", {"--until: --keep"});
        refused("norm 2,6,1 --check 300 --shard 1/2", {"--shard: --keep"});
        refused("verify --quick", {"--keep means nothing to verify"});
        auto part = Json::parse(read_file(file));
        for (auto& sum : part["runs"][0]["first_sample"].get_ref<std::string&>()) sum = sum == '3' ? '4' : sum;
        write_file(file, part.dump());
        refused("norm 2,6,1 --check 300", {"its run 1 is another one"});
        write_file(file, "{");
        refused("norm 2,6,1 --check 300", {"kept.json", "is not JSON"});
        write_file(file, "");
        CHECK(asked("norm 2,6,1 --check 300").out == whole);
        auto const part_of_two = parts_of(words("norm 2,6,1 --check 300"), 2, folder).back();
        write_file(file, read_file(part_of_two));
        refused("norm 2,6,1 --check 300", {"one part of several"});
    }
}
