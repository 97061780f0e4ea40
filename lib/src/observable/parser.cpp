// SPDX-License-Identifier: MIT
#include <isserlis/error.hpp>
#include <isserlis/observable/observable.hpp>
#include <set>
#include <utility>

namespace isserlis {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Recursive descent over the grammar of Observable.
class QueryParser {
public:
    explicit QueryParser(std::string_view text) : text_(text) {}

    Query all() {
        if (text_.size() > longest_query) {
            throw UnsupportedError("EXPR: " + std::to_string(text_.size()) + " characters; up to " +
                                       std::to_string(longest_query) + " are read",
                                   "EXPR");
        }
        Query out{.observable = sum(), .restrictions = {}};
        if (accept_word("where")) {
            do {
                out.restrictions.push_back(restriction());
            } while (accept(','));
        }
        skip_space();
        if (at_ < text_.size()) fail("an operator, 'where' or the end is expected here");
        for (auto const& r : out.restrictions) {
            if (labels_.count(r.label) == 0) fail_at(r.position, "no derivative carries the label '" + r.label + "'");
        }
        for (auto const& [letter, position] : letters_) {
            if (labels_.count(letter) != 0)
                fail_at(position, "'" + letter + "' is a neuron here and a label elsewhere; use two letters");
        }
        return out;
    }

private:
    using Kind = Observable::Kind;
    static constexpr int deepest = 100;
    static constexpr std::size_t longest_query = 10'000;
    static constexpr std::size_t longest_number = 1'000;

    [[noreturn]] void fail_at(std::size_t position, std::string const& why) const {
        // The text up to the character, so that a long query still shows the place.
        constexpr std::size_t around = 40;
        std::size_t const start = position > around ? position - around : 0;
        std::string const before = printable(text_.substr(start, position - start));
        std::string const after = printable(text_.substr(std::min(position, text_.size()), around));
        throw ParseError("EXPR: character " + std::to_string(position + 1) + ": " + why + "\n  " + before + after +
                             "\n  " + std::string(before.size(), ' ') + "^",
                         "EXPR");
    }
    [[noreturn]] void fail(std::string const& why) const { fail_at(at_, why); }

    void skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    }
    [[nodiscard]] char peek() {
        skip_space();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool accept(char c) {
        if (peek() != c) return false;
        ++at_;
        return true;
    }
    void expect(char c, std::string const& why) {
        if (!accept(c)) fail(why);
    }
    /// The identifier that starts here, without moving on.
    [[nodiscard]] std::string_view word() {
        skip_space();
        std::size_t end = at_;
        if (end < text_.size() && is_letter(text_[end])) {
            while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
        }
        return text_.substr(at_, end - at_);
    }
    bool accept_word(std::string_view w) {
        if (word() != w) return false;
        at_ += w.size();
        return true;
    }
    std::string digits() {
        std::size_t const start = at_;
        while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
        if (at_ == start) fail("a whole number is expected here");
        if (at_ - start > longest_number) fail_at(start, "this number has too many digits");
        if (at_ - start > 1 && text_[start] == '0') fail_at(start, "a number has no leading zeros");
        return std::string(text_.substr(start, at_ - start));
    }

    static Observable node(Kind kind, std::size_t position, std::vector<Observable> operands) {
        Observable out;
        out.kind = kind;
        out.position = position;
        out.operands = std::move(operands);
        return out;
    }

    Observable sum() {
        if (++depth_ > deepest) fail("brackets are nested too deeply");
        skip_space();
        std::size_t const start = at_;
        std::vector<int> signs{accept('-') ? -1 : 1};
        std::vector<Observable> terms{term()};
        for (;;) {
            if (accept('+')) {
                signs.push_back(1);
            } else if (accept('-')) {
                signs.push_back(-1);
            } else {
                break;
            }
            terms.push_back(term());
        }
        --depth_;
        if (terms.size() == 1 && signs[0] == 1) return std::move(terms.front());
        Observable out = node(Kind::sum, start, std::move(terms));
        out.signs = std::move(signs);
        return out;
    }

    /// Does a factor start here, so that a missing * is a product?
    [[nodiscard]] bool at_factor() {
        char const c = peek();
        return c == '(' || is_digit(c) || (is_letter(c) && word() != "where");
    }

    Observable term() {
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
                std::string const divisor = digits();
                if (divisor == "0") fail_at(inverse.position, "division by 0");
                inverse.number = "1/" + divisor;
                factors.push_back(std::move(inverse));
            } else if (at_factor()) {
                factors.push_back(factor());
            } else {
                break;
            }
        }
        return factors.size() == 1 ? std::move(factors.front()) : node(Kind::product, start, std::move(factors));
    }

    Observable factor() {
        skip_space();
        std::size_t const start = at_;
        Observable base = atom();
        if (!accept('^')) return base;
        skip_space();
        std::size_t const place = at_;
        std::string const exponent = digits();
        if (exponent.size() > 2) fail_at(place, "the exponent is too large; up to 99 is read");
        Observable out = node(Kind::power, start, {std::move(base)});
        out.exponent = static_cast<unsigned>(std::stoul(exponent));
        if (peek() == '^') fail("a power of a power needs brackets");
        return out;
    }

    NeuronIndex neuron() {
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

    std::vector<std::string> label_list() {
        std::vector<std::string> out;
        do {
            auto const label = word();
            if (label.empty()) fail("a label is expected here, such as m");
            if (out.size() == max_labels) fail("too many labels; up to " + std::to_string(max_labels) + " are read");
            out.emplace_back(label);
            labels_.emplace(label);
            at_ += label.size();
        } while (accept(','));
        return out;
    }

    Observable output(bool activated) {
        Observable out;
        out.kind = Kind::output;
        out.activated = activated;
        if (accept('{')) {
            std::size_t const start = at_;
            while (at_ < text_.size() && text_[at_] != '}') ++at_;
            if (at_ == text_.size()) fail_at(start, "the closing } of the node is missing");
            out.node = trimmed(text_.substr(start, at_ - start));
            if (out.node.empty()) fail_at(start, "a node's name is expected here, such as 2");
            ++at_;
        }
        if (accept('[')) {
            if (peek() != ';') out.indices.push_back(neuron());
            if (accept(';')) out.labels = label_list();
            expect(']', out.labels.empty() ? "';' or ']' is expected here" : "',' or ']' is expected here");
        }
        if (accept('@')) {
            auto const name = word();
            if (name.empty()) fail("the name of an input is expected here");
            out.input = std::string(name);
            at_ += name.size();
        }
        return out;
    }

    Observable atom() {
        skip_space();
        std::size_t const start = at_;
        Observable out = atom_here();
        out.position = start;
        return out;
    }

    Observable atom_here() {
        char const c = peek();
        std::size_t const start = at_;
        if (accept('(')) {
            Observable inside = sum();
            expect(')', "a closing bracket is missing");
            return node(Kind::group, start, {std::move(inside)});
        }
        Observable out;
        if (is_digit(c)) {
            out.number = digits();
            if (at_ < text_.size() && text_[at_] == '.') fail("numbers are whole or fractions such as 5/2");
            return out;
        }
        auto const name = word();
        if (name.empty())
            fail(c == '\0' ? "the expression ends too early" : "a number, z, h, y, loss, D or ( is expected here");
        at_ += name.size();
        if (name == "where" || name == "in") fail_at(start, "'" + std::string(name) + "' has no place here");
        if (name == "z" || name == "h") return output(name == "h");
        if (name == "loss") {
            out.kind = Kind::loss;
            return out;
        }
        if (name == "y") {
            out.kind = Kind::target;
            if (accept('[')) {
                out.indices.push_back(neuron());
                if (peek() == ';') fail("targets do not depend on the weights: y takes no labels");
                expect(']', "']' is expected here");
            }
            return out;
        }
        if (name == "D") {
            expect('[', "D needs labels, such as D[m]");
            out.kind = Kind::derivative;
            out.labels = label_list();
            expect(']', "',' or ']' is expected here");
            if (++depth_ > deepest) fail("derivatives are nested too deeply");
            out.operands.push_back(atom());
            --depth_;
            return out;
        }
        out.name = std::string(name);
        if (accept('[')) {
            out.kind = Kind::constant;
            do {
                if (out.indices.size() == 2) fail("a constant is a vector w[i] or a matrix P[i,j]");
                out.indices.push_back(neuron());
            } while (accept(','));
            expect(']', "',' or ']' is expected here");
            return out;
        }
        if (peek() == '{' || peek() == '@') fail_at(start, "only z and h have nodes and inputs");
        out.kind = Kind::parameter;
        return out;
    }

    static std::string trimmed(std::string_view text) {
        while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
        while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
        return std::string(text);
    }

    LabelRestriction restriction() {
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

    static constexpr std::size_t max_labels = 8;

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::set<std::string, std::less<>> labels_;
    std::vector<std::pair<std::string, std::size_t>> letters_;
};

}  // namespace

Query parse_query(std::string_view text) { return QueryParser(text).all(); }

}  // namespace isserlis
