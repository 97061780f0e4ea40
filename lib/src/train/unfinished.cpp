// SPDX-License-Identifier: MIT
#include <isserlis/train/unfinished.hpp>

#include <array>
#include <cmath>
#include <isserlis/error.hpp>
#include <isserlis/train/record.hpp>

namespace isserlis::train {
namespace {

constexpr char const* trials_kind = "rate-trials";
constexpr char const* cells_kind = "sweep-cells";
constexpr char const* measured_kind = "sharpness-state";
constexpr char const* measured_key = "sharpness";

/// A row of so many numbers, where `counts` of them in front are counts.
void require_numbers(Record::Row const& row, char const* key, std::size_t size, std::size_t counts,
                     std::string const& place) {
    bool fits = row.key == key && row.numbers.size() == size;
    constexpr double most_counted = 0x1p53;
    for (std::size_t i = 0; fits && i < counts; ++i)
        fits = row.numbers[i] >= 0 && row.numbers[i] <= most_counted && row.numbers[i] == std::floor(row.numbers[i]);
    if (!fits)
        throw ParseError(place + ": the row '" + printable(row.key) + "' is not what follows in such a file", place);
}

}  // namespace

std::string trials_text(std::vector<std::vector<RateTrial>> const& networks, std::uint64_t fingerprint) {
    Record record{.kind = trials_kind, .run = fingerprint};
    for (std::size_t k = 0; k < networks.size(); ++k)
        for (auto const& t : networks[k])
            record.add("trial", std::array{static_cast<double>(k), t.reached ? 1.0 : 0.0, static_cast<double>(t.epochs),
                                           t.diverged_at ? 1.0 : 0.0, static_cast<double>(t.diverged_at.value_or(0)),
                                           t.rate, t.accuracy});
    return record_text(record);
}

std::vector<std::vector<RateTrial>> parse_trials(std::string_view text, std::uint64_t fingerprint,
                                                 std::string const& place) {
    std::vector<std::vector<RateTrial>> out;
    for (auto const& row : parse_record(text, trials_kind, fingerprint, place).rows) {
        require_numbers(row, "trial", 7, 5, place);
        auto const& n = row.numbers;
        auto const network = static_cast<std::size_t>(n[0]);
        if (network != out.size() && network + 1 != out.size())
            throw ParseError(place + ": trials of networks out of their order", place);
        if (network == out.size()) out.emplace_back();
        auto& trial = out[network].emplace_back(RateTrial{
            .rate = n[5], .reached = n[1] != 0, .accuracy = n[6], .epochs = static_cast<std::uint64_t>(n[2])});
        if (n[3] != 0) trial.diverged_at = static_cast<std::uint64_t>(n[4]);
    }
    return out;
}

std::string cells_text(std::vector<SweepCell> const& cells, std::uint64_t fingerprint) {
    Record record{.kind = cells_kind, .run = fingerprint};
    for (auto const& c : cells)
        record.add("cell", std::array{c.mean_loss ? 1.0 : 0.0, c.rate, c.mean_loss.value_or(0), c.standard_error,
                                      c.share_diverged, c.share_risen});
    return record_text(record);
}

std::vector<SweepCell> parse_cells(std::string_view text, std::uint64_t fingerprint, std::string const& place) {
    std::vector<SweepCell> out;
    for (auto const& row : parse_record(text, cells_kind, fingerprint, place).rows) {
        require_numbers(row, "cell", 6, 1, place);
        auto const& n = row.numbers;
        auto& cell = out.emplace_back(
            SweepCell{.rate = n[1], .standard_error = n[3], .share_diverged = n[4], .share_risen = n[5]});
        if (n[0] != 0) cell.mean_loss = n[2];
    }
    return out;
}

std::string measured_text(MeasuredRun const& run, std::uint64_t fingerprint) {
    Record record{.kind = measured_kind, .run = fingerprint};
    add_state(record, run.state);
    for (auto const& [top, modulus] : run.sharpness)
        record.add(measured_key, std::array{top.value, top.residual, modulus.value, modulus.residual});
    return record_text(record);
}

MeasuredRun parse_measured(std::string_view text, std::uint64_t fingerprint, mlp::Architecture const& architecture,
                           std::string const& place) {
    Record const record = parse_record(text, measured_kind, fingerprint, place);
    MeasuredRun out{.state = state_of<double>(record, architecture, place), .sharpness = {}};
    for (auto const& row : record.rows) {
        if (row.key != measured_key) continue;
        require_numbers(row, measured_key, 4, 0, place);
        auto const& n = row.numbers;
        out.sharpness.push_back({.top = {n[0], n[1]}, .modulus = {n[2], n[3]}});
    }
    if (out.sharpness.size() != out.state.history.size())
        throw ParseError(place + ": sharpness at " + std::to_string(out.sharpness.size()) + " of the " +
                             std::to_string(out.state.history.size()) + " rows of the history",
                         place);
    return out;
}

}  // namespace isserlis::train
