// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>

#include <algorithm>
#include <cctype>

#include "query_parser.hpp"

namespace isserlis {
namespace {

using Kind = Observable::Kind;

constexpr std::size_t max_labels_of_one = 8;

Observable node(Observable::Kind kind, std::size_t position, std::vector<Observable> operands) {
    Observable out;
    out.kind = kind;
    out.position = position;
    out.operands = std::move(operands);
    return out;
}

std::string in_lower_case(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
    return out;
}

/// What is meant by a name that is no function here, such as relu or mean.
std::string square_brackets_for(std::string_view name) {
    std::string const lower = in_lower_case(name);
    for (char const* word : {"e", "mean", "expect", "expectation"}) {
        if (lower == word) return "E[..]";
    }
    if (lower == "var" || lower == "variance") return "Var[..]";
    if (lower == "cov" || lower == "covariance") return "Cov[.., ..]";
    return {};
}

}  // namespace

Query QueryParser::all() {
    check_length();
    Query out{.observable = scope(), .restrictions = {}};
    out.restrictions = restrictions();
    return out;
}

Observable QueryParser::scope() {
    letters_.clear();
    labels_.clear();
    Observable out = sum();
    for (auto const& [letter, position] : letters_) {
        if (labels_.count(letter) != 0)
            fail_at(position, "'" + letter + "' is a neuron here and a label elsewhere; use two letters");
    }
    all_labels_.insert(labels_.begin(), labels_.end());
    return out;
}

std::vector<LabelRestriction> QueryParser::restrictions() {
    std::vector<LabelRestriction> out;
    if (accept_word("where")) {
        do {
            out.push_back(restriction());
        } while (accept(','));
    }
    skip_space();
    if (at_ < text_.size()) fail("an operator, 'where' or the end is expected here");
    for (auto const& r : out) {
        if (all_labels_.count(r.label) == 0) fail_at(r.position, "no derivative carries the label '" + r.label + "'");
    }
    return out;
}

void QueryParser::check_no_function(std::string_view name, std::size_t start) {
    if (peek() != '(') return;
    std::string const quoted = "'" + printable(name) + "'";
    std::string const meant = square_brackets_for(name);
    if (!meant.empty()) fail_at(start, quoted + " is no function; expectations have square brackets: " + meant);
    if (name == "z" || name == "h" || name == "y")
        fail_at(start, quoted + " is no function: its neurons stand in square brackets, as in " + std::string(name) +
                           "[1] or " + std::string(name) + "[i]; a product with a bracket needs a *");
    fail_at(start,
            quoted +
                " is no function: `query` is a polynomial in z, h (z after its activation), y, loss, D[..] and tr(..), "
                "or made of E[..], Var[..] and Cov[..]; a product with a bracket needs a *");
}

void QueryParser::check_no_expectation(std::string_view name, std::size_t start) {
    bool const exact = name == "E" || name == "Var" || name == "Cov";
    if (exact && peek() == '[')
        fail_at(start, "expectations stand outside of one another and of all that is random, as in E[z^4]/E[z^2]^2");
    std::string const meant = square_brackets_for(name);
    if (exact) fail_at(start, "'" + std::string(name) + "' needs square brackets: " + meant);
    // A single letter may be a constant, such as e[i].
    if (name.size() > 1 && !meant.empty() && peek() == '[')
        fail_at(start, "'" + printable(name) + "' is not read; write " + meant);
}

Observable QueryParser::sum() {
    auto all = signed_terms<Observable>([&] { return term(); });
    if (all.is_plain()) return std::move(all.terms.front());
    Observable out = node(Kind::sum, all.start, std::move(all.terms));
    out.signs = std::move(all.signs);
    return out;
}

Observable QueryParser::term() {
    skip_space();
    std::size_t const start = at_;
    std::vector<Observable> factors{factor()};
    for (;;) {
        if (accept('*')) {
            factors.push_back(factor());
        } else if (accept('/')) {
            skip_space();
            Observable inverse;
            inverse.position = at_;
            inverse.number = "1/" + divisor();
            factors.push_back(std::move(inverse));
        } else if (at_factor()) {
            factors.push_back(factor());
        } else {
            break;
        }
    }
    return factors.size() == 1 ? std::move(factors.front()) : node(Kind::product, start, std::move(factors));
}

Observable QueryParser::factor() {
    skip_space();
    std::size_t const start = at_;
    Observable base = atom();
    if (!accept('^')) return base;
    Observable out = node(Kind::power, start, {std::move(base)});
    out.exponent = exponent();
    return out;
}

NeuronIndex QueryParser::neuron() {
    NeuronIndex out;
    skip_space();
    out.position = at_;
    if (is_digit(peek())) {
        std::string const number = digits();
        if (number.size() > 18) fail_at(out.position, "this neuron number is too large");
        out.fixed = std::stoull(number);
        if (out.fixed == 0) fail_at(out.position, "neurons are counted from 1");
        return out;
    }
    out.letter = std::string(word());
    if (out.letter.empty()) fail("a neuron is expected here: a letter such as i, or a number from 1");
    at_ += out.letter.size();
    letters_.emplace_back(out.letter, out.position);
    return out;
}

std::vector<std::string> QueryParser::label_list() {
    std::vector<std::string> out;
    do {
        auto const label = word();
        if (label.empty()) fail("a label is expected here, such as m");
        if (out.size() == max_labels_of_one)
            fail("too many labels; up to " + std::to_string(max_labels_of_one) + " are read");
        out.emplace_back(label);
        labels_.emplace(label);
        at_ += label.size();
    } while (accept(','));
    return out;
}

Observable QueryParser::output(bool activated) {
    std::size_t const start = at_ - 1;
    check_no_function(activated ? "h" : "z", start);
    Observable out;
    out.kind = Kind::output;
    out.activated = activated;
    if (accept('{')) out.node = braced();
    if (accept('[')) {
        if (peek() != ';') out.indices.push_back(neuron());
        if (accept(';')) out.labels = label_list();
        expect(']', out.labels.empty() ? "';' or ']' is expected here" : "',' or ']' is expected here");
    }
    if (accept('@')) out.input = input_name();
    return out;
}

std::string QueryParser::braced() {
    std::size_t const inside = at_;
    while (at_ < text_.size() && text_[at_] != '}') ++at_;
    if (at_ == text_.size()) fail_at(inside, "the closing } of the node is missing");
    std::string const out(trimmed(text_.substr(inside, at_ - inside)));
    if (out.empty()) fail_at(inside, "a node's name is expected here, such as 2");
    ++at_;
    return out;
}

std::string QueryParser::input_name() {
    auto const name = word();
    if (name.empty()) fail("the name of an input is expected here");
    at_ += name.size();
    return std::string(name);
}

Observable QueryParser::target() {
    Observable out;
    out.kind = Kind::target;
    if (accept('[')) {
        out.indices.push_back(neuron());
        if (peek() == ';') fail("targets do not depend on the weights: y takes no labels");
        expect(']', "']' is expected here");
    }
    return out;
}

Observable QueryParser::derivative() {
    Observable out;
    expect('[', "D needs labels, such as D[m]");
    out.kind = Kind::derivative;
    out.labels = label_list();
    expect(']', "',' or ']' is expected here");
    if (++depth_ > deepest) fail("derivatives are nested too deeply");
    out.operands.push_back(atom());
    --depth_;
    return out;
}

Observable QueryParser::number() {
    std::size_t const start = at_;
    auto const [over, under] = number_text();
    Observable out;
    out.number = over;
    if (under == "1") return out;
    Observable inverse;
    inverse.number = "1/" + under;
    return node(Kind::group, start, {node(Kind::product, start, {std::move(out), std::move(inverse)})});
}

Observable QueryParser::constant(std::string_view name) {
    Observable out;
    out.kind = Kind::constant;
    out.name = std::string(name);
    do {
        if (out.indices.size() == 2) fail("a constant is a vector w[i] or a matrix P[i,j]");
        out.indices.push_back(neuron());
    } while (accept(','));
    expect(']', "',' or ']' is expected here");
    return out;
}

Observable QueryParser::atom() {
    skip_space();
    std::size_t const start = at_;
    Observable out = atom_here();
    out.position = start;
    return out;
}

Observable QueryParser::atom_here() {
    char const c = peek();
    std::size_t const start = at_;
    if (accept('(')) {
        Observable inside = sum();
        expect(')', "a closing bracket is missing");
        return node(Kind::group, start, {std::move(inside)});
    }
    if (is_digit(c)) return number();
    auto const name = word();
    if (name.empty())
        fail(c == '\0' ? "the expression ends too early" : "a number, z, h, y, loss, D, tr or ( is expected here");
    at_ += name.size();
    if (name == "where" || name == "in") fail_at(start, "'" + std::string(name) + "' has no place here");
    if (name == "z" || name == "h") return output(name == "h");
    if (name == "D") return derivative();
    if ((name == "tr" || name == "norm2") && peek() == '(') return trace(name == "norm2", start);
    if (at_matrix(name) && (peek() == '[' || peek() == '{' || peek() == '@')) return entry(name, start);
    check_no_function(name, start);
    if (name == "y") return target();
    Observable out;
    out.kind = name == "loss" ? Kind::loss : Kind::parameter;
    if (name == "loss") return out;
    check_no_expectation(name, start);
    if (accept('[')) return constant(name);
    if (peek() == '{' || peek() == '@') fail_at(start, "only z, h and J have nodes and inputs");
    out.name = std::string(name);
    return out;
}

LabelRestriction QueryParser::restriction() {
    LabelRestriction out;
    skip_space();
    out.position = at_;
    auto const label = word();
    if (label.empty()) fail("a label is expected here");
    out.label = std::string(label);
    at_ += label.size();
    if (!accept_word("in")) fail("'in' is expected here");
    skip_space();
    std::size_t const start = at_;
    std::size_t const end = std::min(text_.find(',', at_), text_.size());
    std::string_view const places = text_.substr(start, end - start);
    std::size_t const dots = places.find("..");
    out.first = trimmed(places.substr(0, dots));
    out.last = dots == std::string_view::npos ? out.first : trimmed(places.substr(dots + 2));
    if (out.first.empty() || out.last.empty()) fail("a layer or an edge is expected here, such as 2 or 1..3");
    at_ = end;
    return out;
}

Query parse_query(std::string_view text) { return QueryParser(text).all(); }

}  // namespace isserlis
