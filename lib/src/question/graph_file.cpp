// SPDX-License-Identifier: MIT
#include "question/graph_file.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <isserlis/error.hpp>
#include <map>
#include <string_view>

#include <isserlis/utf8.hpp>
#include "question/fan_words.hpp"
#include "question/json_file.hpp"
#include "question/spelling.hpp"

namespace isserlis::quantity {
namespace {

class GraphReader : JsonFile {
public:
    explicit GraphReader(std::string path) : JsonFile(std::move(path), "network") {}

    GraphText all() {
        Json const json = content();
        check_keys(json, {"nodes", "edges"}, "the file");
        if (!json.contains("nodes") || !json["nodes"].is_array() || json["nodes"].size() < 2)
            fail("needs a list \"nodes\" of at least an input and an output");
        if (!json.contains("edges") || !json["edges"].is_array()) fail("needs a list \"edges\"");
        require_few(json["nodes"], max_nodes, "nodes");
        require_few(json["edges"], max_edges, "edges");
        GraphText out;
        for (auto const& n : json["nodes"]) out.nodes.push_back(node(n, out.nodes.size()));
        for (auto const& e : json["edges"]) out.edges.push_back(edge(e, out));
        return out;
    }

private:
    static constexpr std::size_t max_nodes = 250;
    static constexpr std::size_t max_edges = 5'000;

    void require_few(Json const& list, std::size_t most, char const* of_what) const {
        if (list.size() <= most) return;
        throw UnsupportedError("`network`: '" + printable(path()) + "' has " + std::to_string(list.size()) + " " +
                                   of_what + "; up to " + std::to_string(most) + " are served",
                               "network");
    }

    /// A number or a formula in a string.
    Expression formula(Json const& json, std::string const& what) const {
        std::string text;
        if (json.is_number_integer()) {
            text = json.dump();
        } else if (json.is_string()) {
            text = json.get<std::string>();
        } else {
            fail(what + " is neither a whole number nor a formula in a string, such as \"2/3\" or \"n\"");
        }
        return Expression::parse(text, "`network`: '" + printable(path()) + "' " + what);
    }
    [[nodiscard]] std::string name_of(Json const& json, char const* key, std::string const& what) const {
        if (!json.contains(key) || !json[key].is_string()) fail(what + " needs a \"" + key + "\" (a string)");
        auto const text = json[key].get<std::string>();
        if (text.empty() || text.find_first_of(",{}") != std::string::npos || text.find("..") != std::string::npos)
            fail(what + " has the " + key + " \"" + printable(text) + "\"; names have no comma, brace or double dot");
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (is_control(std::string_view(text).substr(i)))
                fail(what + " has the " + key + " \"" + printable(text) + "\"; names have no control characters");
        }
        return text;
    }

    GraphText::Node node(Json const& json, std::size_t place) {
        std::string const number = "node " + std::to_string(place + 1);
        check_keys(json, {"name", "width", "kind", "activation", "bias_variance", "bias_law"}, number);
        GraphText::Node out;
        out.name = name_of(json, "name", number);
        std::string const what = "node \"" + out.name + "\"";
        if (!nodes_.emplace(out.name, place).second) fail("has two nodes called \"" + out.name + "\"");
        if (!json.contains("width")) fail(what + " needs a \"width\"");
        out.width = formula(json["width"], "the width of " + what);
        if (json.contains("kind")) {
            if (json["kind"] != "weighted" && json["kind"] != "concatenation")
                fail(what + ": \"kind\" is \"weighted\" or \"concatenation\"");
            out.concatenation = json["kind"] == "concatenation";
        }
        read_bias(json, place, what, out);
        if (!json.contains("activation")) return out;
        if (place == 0 || out.concatenation) fail(what + " takes no activation");
        std::string const activation = json["activation"].is_string() ? json["activation"].get<std::string>() : "";
        if (activation == "relu") {
            out.gated = true;
        } else if (activation.starts_with("leaky:")) {
            out.gated = true;
            out.slope = formula(Json(activation.substr(6)), "the slope of " + what);
        } else if (activation != "linear") {
            fail(what + ": \"activation\" is \"linear\", \"relu\" or \"leaky:S\"");
        }
        return out;
    }

    void read_bias(Json const& json, std::size_t place, std::string const& what, GraphText::Node& out) const {
        if (json.contains("bias_variance")) {
            if (place == 0 || out.concatenation) fail(what + " takes no bias");
            out.bias_variance = formula(json["bias_variance"], "the bias variance of " + what);
        }
        if (!json.contains("bias_law")) return;
        if (!out.bias_variance) fail(what + " has a \"bias_law\" and no \"bias_variance\"");
        out.bias_law = law(json["bias_law"], what + ": \"bias_law\"");
    }

    [[nodiscard]] LawKind law(Json const& json, std::string const& what) const {
        for (LawKind const kind : {LawKind::gaussian, LawKind::uniform, LawKind::rademacher, LawKind::laplace}) {
            if (json == name(kind)) return kind;
        }
        fail(what + " is gaussian, uniform, rademacher or laplace");
    }

    GraphText::Edge edge(Json const& json, GraphText const& graph) {
        std::string what = "edge " + std::to_string(graph.edges.size() + 1);
        check_keys(json, {"name", "from", "to", "skip", "variance", "law", "kurtosis", "label_factor"}, what);
        GraphText::Edge out;
        std::string const from = name_of(json, "from", what);
        std::string const to = name_of(json, "to", what);
        out.name = json.contains("name") ? name_of(json, "name", what) : from + "-" + to;
        what = "edge \"" + out.name + "\"";
        if (!edges_.insert(out.name).second)
            fail("has two edges called \"" + out.name + "\"; give them names of their own");
        auto find = [&](std::string const& node) {
            auto const at = nodes_.find(node);
            if (at == nodes_.end()) fail(what + ": there is no node \"" + printable(node) + "\"");
            return at->second;
        };
        out.from = find(from);
        out.to = find(to);
        if (out.from >= out.to)
            fail(what + " leads from \"" + from + "\" to \"" + to +
                 "\", which is not listed after it; list sources first");
        if (json.contains("skip")) {
            if (!json["skip"].is_boolean()) fail(what + ": \"skip\" is true or false");
            out.skip = json["skip"].get<bool>();
        }
        if (graph.nodes[out.to].concatenation) out.skip = true;
        for (char const* key : {"variance", "law", "kurtosis", "label_factor"}) {
            if (json.contains(key) && out.skip) fail(what + " has no weights, so \"" + key + "\" means nothing");
        }
        if (json.contains("variance")) out.variance = formula(json["variance"], "the variance of " + what);
        if (json.contains("label_factor"))
            out.label_factor = formula(json["label_factor"], "the label factor of " + what);
        if (json.contains("kurtosis")) out.kurtosis = formula(json["kurtosis"], "the kurtosis of " + what);
        if (json.contains("law")) {
            if (out.kurtosis) fail(what + " has both \"law\" and \"kurtosis\"; give one of them");
            out.law = law(json["law"], what + ": \"law\"");
        }
        return out;
    }

    std::map<std::string, std::size_t> nodes_;
    std::set<std::string> edges_;
};

}  // namespace

bool GraphText::has_biases() const {
    return std::any_of(nodes.begin(), nodes.end(), [](Node const& n) { return n.bias_variance.has_value(); });
}

bool GraphText::has_label_factors() const {
    return std::any_of(edges.begin(), edges.end(), [](Edge const& e) { return e.label_factor.has_value(); });
}

void GraphText::gather_symbols(std::set<std::string>& into) const {
    auto gather = [&](std::optional<Expression> const& e) {
        if (e) into.merge(e->symbols());
    };
    for (auto const& n : nodes) {
        gather(n.width);
        gather(n.slope);
        if (n.bias_variance) into.merge(symbols_of_variance(*n.bias_variance));
    }
    for (auto const& e : edges) {
        if (e.variance) into.merge(symbols_of_variance(*e.variance));
        gather(e.kurtosis);
        gather(e.label_factor);
    }
}

GraphText read_graph_file(std::string const& path) { return GraphReader(path).all(); }

namespace {

constexpr std::string_view text_mark = "text:";
constexpr std::size_t shown_of_a_text = 40;
constexpr std::uintmax_t largest_file = 100'000'000;
constexpr std::uintmax_t largest_memory = 2'000'000'000;

/// Errors  UnsupportedError with the memory that a large file would take.
void require_moderate_size(std::uintmax_t bytes, std::string const& path, std::string const& parameter,
                           std::uintmax_t memory_per_byte) {
    std::uintmax_t const most = std::min(largest_file, largest_memory / memory_per_byte);
    if (bytes <= most) return;
    auto const megabytes = [](std::uintmax_t size) { return std::to_string(size / 1'000'000) + " MB"; };
    throw UnsupportedError(named(parameter) + ": '" + printable(path) + "' has " + megabytes(bytes) +
                               ", which may take " + megabytes(bytes * memory_per_byte) +
                               " of memory; files of up to " + megabytes(most) + " are read",
                           parameter);
}

}  // namespace

std::string file_content(std::string const& path, std::string const& parameter, std::uintmax_t memory_per_byte) {
    std::error_code error;
    // Asked first: opening a pipe would wait for its writer.
    bool const is_file = std::filesystem::is_regular_file(path, error);
    std::ifstream file;
    if (is_file) file.open(path);
    if (!file.is_open())
        throw ParseError(named(parameter) + ": '" + printable(path) + "' is not a file that can be read", parameter);
    require_moderate_size(std::filesystem::file_size(path, error), path, parameter, memory_per_byte);
    std::string out;
    std::array<char, 65536> part{};
    while (file.read(part.data(), part.size()) || file.gcount() > 0) {
        out.append(part.data(), static_cast<std::size_t>(file.gcount()));
        require_moderate_size(out.size(), path, parameter, memory_per_byte);  // it may grow, or not say what it has
    }
    if (file.bad())
        throw ParseError(named(parameter) + ": '" + printable(path) + "' cannot be read to its end", parameter);
    constexpr char const* byte_order_mark = "\xef\xbb\xbf";
    if (out.starts_with(byte_order_mark)) out.erase(0, 3);
    return out;
}

bool is_given_text(std::string const& value) { return value.starts_with(text_mark); }

std::string given_content(std::string const& value, std::string const& parameter, std::uintmax_t memory_per_byte) {
    if (!is_given_text(value)) return file_content(value, parameter, memory_per_byte);
    std::string out = value.substr(text_mark.size());
    require_moderate_size(out.size(), value.substr(0, shown_of_a_text), parameter, memory_per_byte);
    std::replace(out.begin(), out.end(), ';', '\n');
    return out;
}

}  // namespace isserlis::quantity
