// SPDX-License-Identifier: MIT
#include <isserlis/report/index_names.hpp>

#include <algorithm>

namespace isserlis {
namespace {

using Names = std::vector<std::string>;

/// k counts what there are several of.
std::string counted_by(Quantity const& quantity) {
    std::string_view const name = quantity.name;
    std::string_view const command = quantity.command;
    if (name.starts_with("budget_")) return "architecture";
    if (name == "series_coefficient") return "power";
    if (command == "jacobian" || command == "hessian") return "layer";
    return command == "loss-curve" || command == "scaling-factor" ? "network" : "sample";
}

std::string index_name(std::string const& part, Quantity const& quantity) {
    if (part == "l" || part == "q") return "layer";
    if (part == "p") return "order";
    if (part == "j") return "output";
    return part == "k" ? counted_by(quantity) : part;
}

Names parts_of(Quantity const& quantity) {
    Names out;
    std::string part;
    for (char const c : std::string(quantity.index) + ",") {
        if (c != ',') {
            part += c;
            continue;
        }
        if (!part.empty()) out.push_back(index_name(part, quantity));
        part.clear();
    }
    return out;
}

Names joined(Names first, Names const& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// Of several matrices of a layer: those of a residual branch, whose blocks are the layers.
bool is_of_matrix(Quantity const& quantity, Names const& parts) {
    return std::string_view(quantity.command) == "jacobian" && !parts.empty() && parts.back() == "layer" &&
           parts.front() != "architecture";
}

bool is_given(Answer const& answer, std::string_view name) {
    auto const& inputs = answer.inputs();
    return std::any_of(inputs.begin(), inputs.end(), [&](auto const& input) { return input.first == name; });
}

/// All that an index of a quantity may be.
std::vector<Names> shapes_of(Quantity const& quantity, Answer const& answer) {
    std::string_view const command = quantity.command;
    Names const parts = parts_of(quantity);
    std::vector<Names> out{parts};
    if (command == "kernel" || command == "ntk") out.push_back(joined({"sample", "sample"}, parts));
    if (command == "mup" && parts.empty()) out.push_back({"width", "depth"});
    if (is_of_matrix(quantity, parts))
        out.push_back(joined(parts, {is_given(answer, "block") ? "source layer" : "matrix"}));
    return out;
}

/// Of `size` parts, as far as they are known.
Names own_names(Answer const& answer, std::string const& name, std::size_t size) {
    constexpr std::string_view series = "_series_coefficient";
    std::vector<Names> shapes;
    for (std::string_view const expansion :
         {std::string_view(), std::string_view("_limit"), std::string_view("_leading"), series}) {
        if (!name.ends_with(expansion)) continue;
        auto const* quantity = find_quantity(answer.command(), name.substr(0, name.size() - expansion.size()));
        if (quantity == nullptr) continue;
        for (auto const& shape : shapes_of(*quantity, answer))
            shapes.push_back(expansion == series ? joined(shape, {"power"}) : shape);
    }
    auto const at =
        std::find_if(shapes.begin(), shapes.end(), [&](Names const& shape) { return shape.size() == size; });
    return at == shapes.end() ? Names(size, "index") : *at;
}

std::size_t parts_before(Answer const& answer) { return answer.sweeps().size() + answer.prefix_names().size(); }

}  // namespace

std::vector<std::string> index_names(Quantity const& quantity) {
    Names const parts = parts_of(quantity);
    return is_of_matrix(quantity, parts) ? joined(parts, {"matrix"}) : parts;
}

std::vector<std::string> index_names(Answer const& answer, Result const& result) {
    Names out = joined(answer.sweeps(), answer.prefix_names());
    if (result.index.size() <= out.size()) {
        out.resize(result.index.size());
        return out;
    }
    return joined(out, own_names(answer, result.name, result.index.size() - out.size()));
}

std::string index_text(std::vector<std::string> const& names, std::vector<std::string> const& values) {
    std::string out;
    for (std::size_t i = 0; i < names.size();) {
        std::string of_name = values[i];
        std::size_t end = i + 1;
        for (; end < names.size() && names[end] == names[i]; ++end) of_name += "," + values[end];
        std::string const many = names[i] == "index" ? "indices " : names[i] + "s ";
        out += (out.empty() ? "" : ", ") + (end > i + 1 ? many : names[i] + " ") + of_name;
        i = end;
    }
    return out;
}

std::string index_text(Answer const& answer, Result const& result) {
    Names names = index_names(answer, result);
    Names values = result.index;
    std::size_t const before = std::min(parts_before(answer), names.size());
    std::string out;
    for (std::size_t i = 0; i < before; ++i) out += (out.empty() ? "" : ", ") + names[i] + " = " + values[i];
    names.erase(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(before));
    values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(before));
    std::string const own = index_text(names, values);
    return out + (out.empty() || own.empty() ? "" : ", ") + own;
}

}  // namespace isserlis
