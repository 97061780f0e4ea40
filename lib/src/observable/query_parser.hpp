// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/observable/observable.hpp>

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scanner.hpp"

namespace isserlis {

/// A matrix in a word.
struct MatrixLetter {
    std::string name;   ///< J or W
    std::string place;  ///< node of J, if it is not the output; place of W
    std::string input;
    bool transposed = false;
    std::size_t position = 0;
};

/// Recursive descent over the grammar of Observable.
class QueryParser : protected Scanner {
public:
    explicit QueryParser(std::string_view text) : Scanner(text) {}

    Query all();

protected:
    /// An observable whose letters and labels are its own.
    Observable scope();
    /// What follows the observables: restrictions, and the end.
    std::vector<LabelRestriction> restrictions();
    /// Refuses a name before a round bracket, which looks like a function of what is in it.
    void check_no_function(std::string_view name, std::size_t start);

private:
    /// Refuses E, Var and Cov inside of an observable, and names that stand for them.
    void check_no_expectation(std::string_view name, std::size_t start);

    Observable sum();
    Observable term();
    Observable factor();
    Observable atom();
    Observable atom_here();
    Observable number();
    Observable output(bool activated);
    Observable target();
    Observable derivative();
    Observable constant(std::string_view name);
    /// What stands in braces after one that has been read.
    std::string braced();
    /// The name after an @ that has been read.
    std::string input_name();
    /// Has a matrix been read, with what follows?
    [[nodiscard]] bool at_matrix(std::string_view name);
    MatrixLetter matrix(std::string_view name, std::size_t start);
    Observable entry(std::string_view name, std::size_t start);
    Observable trace(bool squared_norm, std::size_t start);
    std::vector<MatrixLetter> matrices();
    std::vector<MatrixLetter> matrix_power();
    NeuronIndex neuron();
    std::vector<std::string> label_list();
    LabelRestriction restriction();

    std::set<std::string, std::less<>> labels_;      ///< of the observable at hand
    std::set<std::string, std::less<>> all_labels_;  ///< of the whole text
    std::vector<std::pair<std::string, std::size_t>> letters_;
};

}  // namespace isserlis
