// SPDX-License-Identifier: MIT
#include <algorithm>
#include <isserlis/error.hpp>
#include <isserlis/report/answer.hpp>

namespace isserlis {

namespace {

void add_once(std::vector<std::string>& list, std::string text) {
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
}

}  // namespace

void Answer::assume(std::string text) { add_once(assumptions_, std::move(text)); }
void Answer::warn(std::string text) { add_once(warnings_, std::move(text)); }

void Answer::adopt(Result result) {
    result.index.insert(result.index.begin(), prefix_.begin(), prefix_.end());
    results_.push_back(std::move(result));
}

void Answer::add(std::string name, std::vector<std::string> index, Value const& value, std::optional<Check> check,
                 std::string unchecked) {
    Result out;
    out.name = std::move(name);
    out.index = prefix_;
    out.check = check;
    out.unchecked = std::move(unchecked);
    out.index.insert(out.index.end(), index.begin(), index.end());
    out.exact = value.exact();
    out.decimal = value.decimal(options_.digits);
    out.form = value.form();
    out.certified = value.is_certified() && out.decimal.has_value();
    if (value.is_certified() && !out.decimal)
        warn(out.name + ": served up to --digits " + std::to_string(value.most_digits()));
    if (options_.format == Format::latex) out.latex = value.latex(options_.digits);
    size_ += 80 + (out.exact ? out.exact->size() : 0) + (out.decimal ? out.decimal->size() : 0) + out.latex.size();
    results_.push_back(std::move(out));
    if (options_.unlimited || size_ <= size_limit) return;
    // Numbers grow with the layer, so the rest of the answer is at least as large per result as what is there.
    double const share =
        static_cast<double>(std::max(expected_, results_.size())) / static_cast<double>(results_.size());
    throw UnsupportedError("the answer would have at least " +
                               std::to_string(static_cast<std::uint64_t>(static_cast<double>(size_) * share / 1e6)) +
                               " MB; choose one layer with --layer K, or write it to a file with --output FILE",
                           "--layer");
}

void Answer::add_bound(std::string name, std::vector<std::string> index, Value const& value, std::optional<bool> holds,
                       std::string unchecked) {
    add(std::move(name), std::move(index), value, {}, std::move(unchecked));
    if (holds) results_.back().bound = *holds ? Check::Verdict::holds : Check::Verdict::fails;
}

bool Answer::any_disagreement() const {
    return std::any_of(results_.begin(), results_.end(), [](Result const& r) {
        return r.check && (r.check->verdict == Check::Verdict::disagrees || r.check->verdict == Check::Verdict::fails);
    });
}

std::string render(Answer const& answer) {
    if (answer.document()) return *answer.document();
    switch (answer.options().format) {
        case Format::text: return to_text(answer);
        case Format::json: return to_json(answer);
        case Format::latex: return to_latex(answer);
        case Format::cpp: return to_cpp(answer);
        case Format::csv: break;
    }
    return to_csv(answer);
}

}  // namespace isserlis
