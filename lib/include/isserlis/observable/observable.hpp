// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace isserlis {

/// Which neuron an output, a target or a constant is taken at: a letter that is summed, or a fixed one.
struct NeuronIndex {
    std::string letter;       ///< empty for a fixed neuron
    std::uint64_t fixed = 0;  ///< 1-based; 0 for a letter
    std::size_t position = 0;

    friend bool operator==(NeuronIndex const& a, NeuronIndex const& b) {
        return a.letter == b.letter && a.fixed == b.fixed;
    }
};

/// A polynomial in the outputs of a network, their weight derivatives, targets and constants, as written.
///
/// Grammar  expr   := ['-'] term (('+'|'-') term)*      term := factor (['*'] factor | '/' integer)*
///          factor := atom ['^' integer]
///          atom   := rational | parameter | ('z'|'h') ['{' node '}'] [index] ['@' input] | 'y' [index]
///                  | constant index | 'loss' | 'D' '[' labels ']' atom | '(' expr ')'
///                  | matrix '[' (letter|number) ',' (letter|number) ']' | 'tr' '(' word ')' | 'norm2' '(' word ')'
///          matrix := ('J' | 'Jh') ['{' node '}'] ['@' input] | 'W' digits | 'W' '{' place '}'
///          word   := letters+                       letters := (matrix | '(' word ')') ('^' (integer | 'T'))*
///          A name before a round bracket is no product but an error: it looks like a function.
///          index  := '[' (letter|number) [';' labels] ']' | '[' ';' labels ']'       labels := label (',' label)*
/// Scope    a letter or label that occurs twice or more in one term inside a pair of brackets is summed there; once, it
///          stays free and is summed where it meets its partners. A power counts as that many occurrences and renames
///          what is summed already.
struct Observable {
    enum class Kind {
        number,
        parameter,   ///< `name`
        output,      ///< z or h at `node` (empty: the output), neuron `indices[0]` if any, derivatives by `labels`
        target,      ///< y
        constant,    ///< a vector (one index) or a matrix (two)
        loss,        ///< sum_i (z_i - y_i)^2 / 2
        entry,       ///< of `name`: J, Jh by the input of z, h at `node`, or W, the matrix of the place `node`
        trace,       ///< of the word `name`: operands[0], its entries with letters of their own
        derivative,  ///< D[labels] of operands[0]
        group,       ///< ( operands[0] )
        power,       ///< operands[0] ^ exponent
        product,
        sum,  ///< operands[k] with sign signs[k]
    };
    Kind kind = Kind::number;
    std::size_t position = 0;  ///< of its first character in the text
    std::string number;        ///< "3" or "3/2"
    std::string name;
    bool activated = false;  ///< h, after the activation, rather than z
    std::string node;
    std::vector<NeuronIndex> indices;
    std::vector<std::string> labels;
    std::string input;  ///< after @; empty for the one input
    unsigned exponent = 1;
    std::vector<Observable> operands;
    std::vector<int> signs;
};

/// Where a label may sit: at one place of the network, or from the first to the last of a range.
struct LabelRestriction {
    std::string label;
    std::string first;
    std::string last;  ///< equal to `first` for a single place
    std::size_t position = 0;
};

/// An observable with the restrictions of its labels.
struct Query {
    Observable observable;
    std::vector<LabelRestriction> restrictions;
};

/// Reads `expr ['where' label 'in' place ['..' place] (',' ..)*]`.
/// Errors  ParseError that shows the character; a restriction of a label that does not occur.
[[nodiscard]] Query parse_query(std::string_view text);

/// Text that `parse_query` reads back as the same query.
[[nodiscard]] std::string to_string(Observable const& observable);
[[nodiscard]] std::string to_string(Query const& query);
/// " where m in 2, n in 1..3"; nothing for none.
[[nodiscard]] std::string to_string(std::vector<LabelRestriction> const& restrictions);

/// The query with its observable in brackets, squared: its second moment.
[[nodiscard]] Query squared(Query const& query);

/// Is the name that of a matrix of the network: J, Jh, W1, W2, ..?
[[nodiscard]] bool names_matrix(std::string_view name);

/// Names of the parameters and of the constants that occur, sorted; inputs that are named.
[[nodiscard]] std::vector<std::string> parameters_of(Observable const& observable);
[[nodiscard]] std::vector<std::string> constants_of(Observable const& observable);
[[nodiscard]] std::vector<std::string> inputs_of(Observable const& observable);

}  // namespace isserlis
