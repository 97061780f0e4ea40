// SPDX-License-Identifier: MIT
#include <isserlis/report/curves.hpp>

#include <algorithm>
#include <cstdlib>
#include <isserlis/report/index_names.hpp>
#include <sstream>

namespace isserlis {
namespace {

/// Where the axis shows it, and which of several curves it is of: node 1.2, inside block 1 of a residual network, has no
/// place between y^1 and y^2, and is point 1 of the curve of all k.2.
struct Place {
    std::optional<double> x;
    std::string node;  ///< ".2"
};

/// A plain number: neither 1/10 nor relu.
std::optional<double> coordinate(std::string const& text) {
    char* end = nullptr;
    double const x = std::strtod(text.c_str(), &end);
    return text.empty() || *end != '\0' ? std::nullopt : std::optional<double>(x);
}

Place place_of(std::string const& value, bool of_layer) {
    auto const dot = of_layer ? value.find('.') : std::string::npos;
    if (dot == std::string::npos) return {.x = coordinate(value), .node = {}};
    return {.x = coordinate(value.substr(0, dot)), .node = value.substr(dot)};
}

/// WIDTHS of each network that was typed.
std::vector<std::string> networks_of(Answer const& answer) {
    auto const& inputs = answer.inputs();
    auto const typed = std::find_if(inputs.begin(), inputs.end(), [](auto const& i) { return i.first == "widths"; });
    std::vector<std::string> out;
    if (typed == inputs.end()) return out;
    std::istringstream words(typed->second);
    for (std::string word; words >> word;) out.push_back(word);
    return out;
}

class CurveNames {
public:
    CurveNames(Answer const& answer, Result const& first)
        : answer_(answer), networks_(networks_of(answer)), own_(answer.sweeps().size() + answer.prefix_names().size()) {
        auto const names = index_names(answer, first);
        if (answer.sweeps().empty()) {
            axis_ = own_;
            while (axis_ < names.size() && names[axis_] == "sample") ++axis_;
            if (axis_ >= names.size()) axis_ = own_;
        }
        if (axis_ < names.size()) axis_name_ = names[axis_];
    }

    [[nodiscard]] std::string const& axis() const { return axis_name_; }

    [[nodiscard]] Place place(Result const& result) const {
        bool const of_layer = axis_ >= own_ && axis_name_ == "layer";
        return axis_ < result.index.size() ? place_of(result.index[axis_], of_layer) : Place();
    }

    /// `node` is "layer k.2", or nothing where no result is of a node inside a block.
    [[nodiscard]] std::string name(Result const& result, std::string const& node) const {
        auto const names = index_names(answer_, result);
        auto const& index = result.index;
        std::string out;
        auto const add_words = [&](std::string const& words) {
            out += (out.empty() || words.empty() ? "" : ", ") + words;
        };
        for (std::size_t i = 0; i < std::min(own_, index.size()); ++i) {
            if (i != axis_) add_words(names[i] == "network" ? network(index[i]) : names[i] + " = " + index[i]);
        }
        add_words(node);
        std::vector<std::string> own;
        std::vector<std::string> values;
        for (std::size_t i = own_; i < index.size(); ++i) {
            if (i == axis_) continue;
            // Of two layers or samples the axis shows one.
            own.push_back((names[i] == axis_name_ ? "with " : "") + names[i]);
            values.push_back(index[i]);
        }
        add_words(index_text(own, values));
        return out;
    }

private:
    [[nodiscard]] std::string network(std::string const& number) const {
        std::size_t const k = std::strtoul(number.c_str(), nullptr, 10);
        return k >= 1 && k <= networks_.size() ? networks_[k - 1] : "network = " + number;
    }

    Answer const& answer_;
    std::vector<std::string> networks_;
    std::size_t own_;        ///< where the quantity's own index begins
    std::size_t axis_ = 0;   ///< the part of an index that the axis shows
    std::string axis_name_;  ///< what that part is called
};

}  // namespace

Curves curves_of(Answer const& answer, std::vector<Result const*> const& results) {
    Curves out;
    if (results.empty()) return out;
    CurveNames const names(answer, *results.front());
    bool const has_nodes =
        std::any_of(results.begin(), results.end(), [&](Result const* r) { return !names.place(*r).node.empty(); });
    out.axis = names.axis() + (has_nodes ? " k" : "");
    for (auto const* result : results) {
        Place const place = names.place(*result);
        out.points.push_back(
            {.result = result, .x = place.x, .curve = names.name(*result, has_nodes ? "layer k" + place.node : "")});
    }
    return out;
}

}  // namespace isserlis
