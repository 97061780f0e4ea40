// SPDX-License-Identifier: MIT
#include "quantity/figures/finished_parts.hpp"

#include <algorithm>
#include <filesystem>
#include <isserlis/error.hpp>
#include <isserlis/report/write_file.hpp>
#include <isserlis/train/record.hpp>

#include "question/graph_file.hpp"

namespace isserlis::quantity {
namespace {

constexpr char const* parts_kind = "figure-parts";
constexpr char const* part_key = "part";
constexpr char const* folder_parameter = "folder";

/// Of all that the numbers depend on.
std::uint64_t fingerprint_of(FigureChoice const& choice, Session const& session) {
    train::Fingerprint out;
    out.add(choice.id);
    out.add(std::uint64_t{choice.quick});
    out.add(session.seed);
    out.add(session.samples.value_or(0));
    out.add(choice.hold_out.value_or(0));
    out.add(choice.data);
    auto const colon = choice.data.find(':');
    if (colon == std::string::npos) return out.value();
    for (std::size_t first = colon + 1; first <= choice.data.size();) {
        std::size_t const end = std::min(choice.data.find(',', first), choice.data.size());
        out.add(file_content(choice.data.substr(first, end - first), "data"));
        first = end + 1;
    }
    return out.value();
}

}  // namespace

FinishedParts::FinishedParts(FigureChoice const& choice, Session const& session) {
    if (choice.folder.empty()) return;
    file_ = unfinished_file(choice);
    check_writable(file_, folder_parameter);
    fingerprint_ = fingerprint_of(choice, session);
    std::error_code error;
    if (!std::filesystem::exists(file_, error)) return;
    std::string const place = std::string("`") + folder_parameter + "`: '" + printable(file_) + "'";
    auto const text = file_content(file_, folder_parameter);
    for (auto const& row : train::parse_record(text, parts_kind, fingerprint_, place).rows) {
        if (row.key != part_key)
            throw ParseError(place + ": the row '" + printable(row.key) + "' is not what follows in such a file",
                             folder_parameter);
        parts_.push_back(row.numbers);
    }
}

void FinishedParts::add(std::vector<double> numbers) {
    parts_.push_back(std::move(numbers));
    if (file_.empty()) return;
    train::Record record{.kind = parts_kind, .run = fingerprint_};
    for (auto const& part : parts_) record.add(part_key, part);
    write_file(file_, record_text(record), folder_parameter);
}

}  // namespace isserlis::quantity
