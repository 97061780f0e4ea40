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
    NeuronIndex neuron();
    std::vector<std::string> label_list();
    LabelRestriction restriction();

    std::set<std::string, std::less<>> labels_;      ///< of the observable at hand
    std::set<std::string, std::less<>> all_labels_;  ///< of the whole text
    std::vector<std::pair<std::string, std::size_t>> letters_;
};

}  // namespace isserlis
