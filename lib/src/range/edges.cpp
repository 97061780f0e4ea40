// SPDX-License-Identifier: MIT
// From which depth on a formula holds.
//
// A formula at symbolic depth is worked out for a network whose stretches of equal layers are long enough for every
// layer that the question names to have a place of its own: the question touches the first, the last and the named
// layers, and between them a power of one matrix. What can go wrong goes wrong where two of those places are one, that
// is at depths up to the largest number in the question and a few more. So the same question with the depth in numbers,
// asked for depths 1, 2, .. up to that number plus `beyond`, finds every exception, and answers it. A formula is put
// beside the number at one point of its other symbols.
#include "range/edges.hpp"

#include <algorithm>
#include <array>
#include <isserlis/error.hpp>
#include <isserlis/ring/bisection.hpp>
#include <isserlis/ring/parse.hpp>
#include <numeric>
#include <span>
#include <utility>

#include "range/asker.hpp"
#include "range/parameter_ranges.hpp"
#include "range/printed_formula.hpp"
#include "range/range_fit.hpp"

namespace isserlis::quantity {
namespace {

constexpr int beyond = 3;
constexpr int deepest_probe = 40;
constexpr int shallow = 4;  ///< up to where each depth is asked
constexpr std::size_t most_probes = 130;

using Values = std::map<std::string, Rational>;

std::string key_of(std::string const& name, std::vector<std::string> const& index) {
    std::string out = name;
    for (auto const& part : index) out += "\n" + part;
    return out;
}

class Edges {
public:
    explicit Edges(Asker& asker) : asker_(asker) {}

    std::vector<Result> completed(Variation const& question, Reply const& first) {
        Symbols const symbols = symbols_of(question, first);
        Values numbers = numbers_for(first, symbols);
        Reply const reply = with_coordinates(question, first, symbols, numbers);
        std::vector<Asked> probes;
        bool const probed = !symbols.depths.empty() && symbols.unprobed_least == 0;
        if (probed) probes = probe_all(question, symbols, numbers);
        if (std::all_of(probes.begin(), probes.end(), [](auto const& p) { return p.reply == nullptr; })) {
            numbers.clear();  // refused for other reasons than the depth: parameters that need symbols
            if (probed) probes = probe_all(question, symbols, numbers);
        }
        std::vector<std::optional<Fit>> fits;
        std::vector<std::optional<LayerStretch>> stretches;
        std::vector<std::vector<Probe>> points;
        Fit all;  // for what cannot be probed, such as limits
        if (symbols.unprobed_least > 0) {
            for (auto const& symbol : symbols.depths) all.least[symbol] = symbols.unprobed_least;
        }
        for (auto const& r : reply.results) {
            stretches.push_back(stretch_of(r, symbols, reply));
            points.push_back(points_of(r, stretches.back(), probes, numbers));
            fits.push_back(fitted(points.back(), symbols.depths, symbols.probed, stretches.back()));
            if (!fits.back()) continue;
            for (auto const& [symbol, least] : fits.back()->least)
                all.least[symbol] = std::max(all.least[symbol], least);
            all.from = std::max(all.from, fits.back()->from);
            all.to = std::max(all.to, fits.back()->to);
        }
        std::vector<Result> out;
        for (std::size_t i = 0; i < reply.results.size(); ++i) {
            Result r = reply.results[i];
            if (text_of(r)) narrow(r, fits[i] ? *fits[i] : all, stretches[i], symbols);
            out.push_back(r);
            // A value of the whole network that cannot be compared holds where the others do, and has rows where they do.
            bool const follows = !fits[i] && text_of(r) && r.index.empty() && r.endless.empty() && !all.least.empty();
            if (fits[i] || follows)
                add_edges(question, reply, i, fits[i] ? *fits[i] : all, stretches[i], points[i], symbols, fits, out);
            add_width_edges(question, r, first, out);
        }
        return out;
    }

    std::vector<Result> completed(Variation const& question) {
        Reply const* reply = asker_.ask(question);
        return reply == nullptr ? std::vector<Result>{} : completed(question, *reply);
    }

private:
    struct Symbols {
        std::vector<std::string> depths;
        std::optional<LayerStretch> asked;  ///< a generic layer that the query names
        std::vector<int> probed;
        /// Where there are too many depths to ask, a least one that is certain: each place named is one of its own.
        Integer unprobed_least = 0;
    };

    Symbols symbols_of(Variation const& question, Reply const& reply) const {
        Symbols out;
        Integer named = std::max(Integer(1), largest_place(question.query));
        if (question.layer) named = std::max(named, largest_layer(*question.layer));
        for (auto const& d : reply.declared) {
            if (d.role == SymbolRole::depth) out.depths.push_back(d.range.symbol);
            if (d.role == SymbolRole::layer && !question.query.empty()) {
                out.asked = {
                    .symbol = d.range.symbol, .least = linear_form(d.range.least), .most = linear_form(d.range.most)};
            }
        }
        // Depths between the first few and those near the number are like the first few.
        for (int v = 1; v <= named + beyond && v <= deepest_probe + beyond; ++v) {
            if (v <= shallow || v >= named - 2) out.probed.push_back(v);
        }
        auto const probes = [&] {
            std::size_t all = 1;
            for (std::size_t i = 0; i < out.depths.size(); ++i) all *= out.probed.size();
            return all;
        };
        while (probes() > most_probes && out.probed.size() > 2) out.probed.pop_back();
        if (named <= deepest_probe && probes() <= most_probes && out.probed.back() > named) return out;
        out.unprobed_least = named + 2;
        return out;
    }

    struct Asked {
        Values at;
        Reply const* reply;
        std::map<std::string, Result const*> results;
    };

    /// Coordinates that the query names, such as z[3], need layers as wide: the least widths that are not refused.
    Reply with_coordinates(Variation const& question, Reply const& reply, Symbols const& symbols,
                           Values const& numbers) {
        Reply out = reply;
        Integer const named = largest_coordinate(question.query);
        if (named < 2) return out;
        auto const last = checked_count(named);
        Variation at = question;
        for (auto const& [symbol, value] : numbers) at.bindings[symbol] = value;
        for (auto const& depth : symbols.depths) at.bindings[depth] = symbols.probed.back();
        if (symbols.asked) at.bindings[symbols.asked->symbol] = 2;
        for (auto const& d : reply.declared) {
            if (d.role == SymbolRole::width) at.bindings[d.range.symbol] += named;  // each wide enough but one
        }
        for (auto const& d : reply.declared) {
            if (d.role != SymbolRole::width) continue;
            Variation narrow = at;
            auto const is_served = [&](std::uint64_t width) {
                narrow.bindings[d.range.symbol] = Rational(Integer(width));
                return asker_.ask(narrow) != nullptr;
            };
            auto const width = least_that(is_served, 1, last).value_or(last);
            if (width == 1) continue;
            for (auto& r : out.results) {
                if (text_of(r)) r.range.set({.symbol = d.range.symbol, .least = std::to_string(width)});
            }
        }
        return out;
    }

    /// Answers of their own for widths at which a divisor of the formula is 0.
    void add_width_edges(Variation const& question, Result const& r, Reply const& reply, std::vector<Result>& out) {
        for (auto const& d : reply.declared) {
            auto const* range = r.range.find(d.range.symbol);
            if (d.role != SymbolRole::width || range == nullptr || range->is_point()) continue;
            std::vector<std::string> values = range->without;
            for (int v = 1; std::to_string(v) != range->least && v < deepest_probe; ++v)
                values.push_back(std::to_string(v));
            for (auto const& value : values) {
                Variation at = question;
                at.bindings[d.range.symbol] = Rational(parse_integer(value, "range"));
                for (auto const& row : completed(at)) {
                    bool const same = row.name == r.name && row.index == r.index;
                    if (same && text_of(row)) add_row(row, {{d.range.symbol, at.bindings[d.range.symbol]}}, out);
                }
            }
        }
    }

    /// A number of a range, that of its upper end where this is a number at the known values.
    static Rational number_in(SymbolRange const& range, int prime, Values const& known) {
        constexpr int below = 89;  // all primes that are taken
        if (range.whole) return prime;
        if (range.most.empty()) return ratio(Integer(prime), Integer(below));
        try {
            Exponent const most = at_values(linear_form(range.most), known);
            Exponent const least =
                range.least.empty() ? most - Exponent(1) : at_values(linear_form(range.least), known);
            Exponent const within = least + (most - least) * Exponent(ratio(Integer(below), Integer(prime)));
            if (within.is_constant()) return within.constant();
        } catch (Error const&) {  // ends that are no linear forms
        }
        return ratio(Integer(below), Integer(prime));
    }

    /// Numbers for all symbols but depths and layers: formulas that are equal at such a point are equal, and numbers
    /// are quick. Primes for widths; whatever a formula has of them, they do not cancel.
    static Values numbers_for(Reply const& reply, Symbols const& symbols) {
        constexpr std::array<int, 8> primes{101, 131, 103, 139, 107, 149, 109, 151};
        Values out;
        std::size_t next = 0;
        auto const add = [&](SymbolRange const& range) {
            if (out.count(range.symbol) != 0 || next == primes.size()) return;
            out[range.symbol] = number_in(range, primes[next++], out);
        };
        for (auto const& d : reply.declared) {
            if (d.role == SymbolRole::width || d.role == SymbolRole::parameter) add(d.range);
        }
        for (auto const& r : reply.results) {
            for (auto const& s : r.range.symbols) {
                bool const layer = std::any_of(reply.declared.begin(), reply.declared.end(), [&](auto const& d) {
                    return d.range.symbol == s.symbol && d.role != SymbolRole::parameter;
                });
                if (!layer) add(s);
            }
        }
        if (symbols.asked) out.erase(symbols.asked->symbol);
        return out;
    }

    std::vector<Asked> probe_all(Variation const& question, Symbols const& symbols, Values const& numbers) {
        std::vector<Values> all{{}};
        auto const spread = [&](std::string const& symbol, auto const& values_at) {
            std::vector<Values> wider;
            for (auto const& v : all) {
                for (int const x : values_at(v)) {
                    wider.push_back(v);
                    wider.back()[symbol] = x;
                }
            }
            all = std::move(wider);
        };
        for (auto const& depth : symbols.depths) spread(depth, [&](Values const&) { return symbols.probed; });
        if (symbols.asked) {
            spread(symbols.asked->symbol, [&](Values const& v) {
                std::vector<int> out(
                    static_cast<std::size_t>(numerator_of(at_values(symbols.asked->most, v).constant())));
                std::iota(out.begin(), out.end(), 1);
                return out;
            });
        }
        std::vector<Asked> out;
        for (auto const& v : all) {
            Variation at = question;
            at.layer.reset();  // results are found by their index
            at.exact_only = true;
            for (auto const* values : {&v, &numbers}) {
                for (auto const& [symbol, value] : *values) at.bindings[symbol] = value;
            }
            Asked asked{.at = v, .reply = asker_.ask(at), .results = {}};
            if (asked.reply != nullptr) {
                for (auto const& r : asked.reply->results) asked.results.emplace(key_of(r.name, r.index), &r);
            }
            out.push_back(std::move(asked));
        }
        return out;
    }

    static std::optional<LayerStretch> stretch_of(Result const& r, Symbols const& symbols, Reply const& reply) {
        if (symbols.asked) return symbols.asked;
        for (auto const& d : reply.declared) {
            if (d.role != SymbolRole::layer ||
                std::find(r.index.begin(), r.index.end(), d.range.symbol) == r.index.end())
                continue;
            auto const* own = r.range.find(d.range.symbol);
            auto const& range = own == nullptr ? d.range : *own;
            return LayerStretch{
                .symbol = range.symbol, .least = linear_form(range.least), .most = linear_form(range.most)};
        }
        return std::nullopt;
    }

    /// Once for results that are equal: with one output all second moments of a kernel are.
    std::optional<bool> agreed(std::string const& formula, Values const& at, std::string const& other) {
        auto& known = known_.try_emplace(formula, formula).first->second;
        auto const [answer, fresh] = known.answers.try_emplace({at, other});
        if (fresh) answer->second = known.formula.agrees(at, other);
        return answer->second;
    }

    std::vector<Probe> points_of(Result const& r, std::optional<LayerStretch> const& layer,
                                 std::vector<Asked> const& asked, Values const& numbers) {
        std::vector<Probe> out;
        auto const text = text_of(r);
        bool const endless = std::any_of(r.endless.begin(), r.endless.end(), [&](auto const& symbol) {
            return !asked.empty() && asked.front().at.count(symbol) != 0;
        });
        if (!text || endless) return out;
        for (auto const& a : asked) {
            bool const generic = layer && a.at.count(layer->symbol) == 0;
            Rational const first = generic ? at_values(layer->least, a.at).constant() : Rational(0);
            Rational const last = generic ? at_values(layer->most, a.at).constant() : Rational(0);
            for (Rational l = first; l <= last; l = l + 1) {
                Values at = a.at;
                if (generic) at[layer->symbol] = l;
                std::vector<std::string> index;
                for (auto const& part : r.index) index.push_back(index_at(part, at));
                auto const found = a.results.find(key_of(r.name, index));
                if (found == a.results.end()) {
                    out.push_back({.at = at, .exists = false});
                    continue;
                }
                auto const other = text_of(*found->second);
                Values all = numbers;
                for (auto const& [symbol, value] : at) all[symbol] = value;
                auto const same = other ? agreed(*text, all, *other) : std::nullopt;
                if (same) out.push_back({.at = at, .exists = true, .holds = *same});
            }
        }
        return out;
    }

    /// The range of a result, as found.
    static void narrow(Result& r, Fit const& fit, std::optional<LayerStretch> const& layer, Symbols const& symbols) {
        auto const natural = r.range.symbols;  // in which divisors have been looked for
        auto const ends = [&](std::string const& symbol) {
            return std::find(r.endless.begin(), r.endless.end(), symbol) != r.endless.end();
        };
        if (layer && !ends(layer->symbol)) {
            Exponent const first = layer->least + Exponent(fit.from);
            Exponent const last = layer->most - Exponent(fit.to);
            auto const& above = last.symbols();
            bool const endless = std::any_of(above.begin(), above.end(), [&](auto const& s) { return ends(s.first); });
            r.range.set({.symbol = layer->symbol,
                         .least = to_string(first),
                         .most = endless ? std::string() : to_string(last)});
        }
        for (auto const& symbol : symbols.depths) {
            auto const at = fit.least.find(symbol);
            if (at == fit.least.end()) continue;
            auto const* known = r.range.find(symbol);
            if (ends(symbol) || (known == nullptr && at->second <= 1)) continue;
            r.range.set({.symbol = symbol, .least = to_string(at->second)});
        }
        if (r.exact && !r.decimal && r.endless.empty() && r.range.symbols != natural) {
            r.range.nonzero.clear();
            leave_out_zero_divisors(r);
        }
    }

    void add_row(Result row, Values const& at, std::vector<Result>& out) const {
        for (auto const& [symbol, value] : at) row.range.set(SymbolRange::only(symbol, to_string(value)));
        auto const same = [&](Result const& r) {
            return r.name == row.name && r.index == row.index && r.range == row.range;
        };
        if (std::none_of(out.begin(), out.end(), same)) out.push_back(std::move(row));
    }

    /// Answers of their own where the formula of a result does not hold.
    void add_edges(Variation const& question, Reply const& reply, std::size_t i, Fit const& fit,
                   std::optional<LayerStretch> const& layer, std::vector<Probe> const& points, Symbols const& symbols,
                   std::vector<std::optional<Fit>> const& fits, std::vector<Result>& out) {
        Result const& r = reply.results[i];
        auto const is_missing = [&](std::string const& symbol, Rational const& value) {
            return points.empty() || std::any_of(points.begin(), points.end(), [&](Probe const& p) {
                       return p.exists && p.at.at(symbol) == value && !is_inside(p, fit, layer);
                   });
        };
        for (auto const& depth : symbols.depths) {
            auto const least = fit.least.find(depth);
            // Below a layer of a large number there are too many depths to say anything of them.
            if (least == fit.least.end() || least->second > deepest_probe + beyond) continue;
            for (int v = 1; v < least->second; ++v) {
                if (!is_missing(depth, v)) continue;
                Variation at = question;
                at.layer.reset();
                at.bindings[depth] = v;
                for (auto const& row : completed(at)) {
                    if (row.name == r.name && is_at(row, r, layer, {{depth, v}}) &&
                        !is_covered(row, reply, fits, {{depth, v}}))
                        add_row(row, {{depth, v}}, out);
                }
            }
        }
        if (!layer) return;
        auto const add_layer = [&](Exponent const& label) {
            std::string const text = to_string(label);
            Variation at = question;
            if (symbols.asked) {
                at.query = renamed(question.query, layer->symbol, text);
            } else {
                at.layer = text;
            }
            for (auto row : completed(at)) {
                if (row.name != r.name) continue;
                if (symbols.asked) {
                    if (!is_new_layer(row, label, *layer, fit)) continue;
                    row.range.set(SymbolRange::only(layer->symbol, text));
                } else if (!is_at(row, r, std::nullopt, {}, layer->symbol, text)) {
                    continue;
                }
                if (is_listed(row, reply, symbols)) continue;
                add_row(row, {}, out);
            }
        };
        auto const exists = [&](Exponent const& label) {
            return std::any_of(points.begin(), points.end(), [&](Probe const& p) {
                return p.exists && p.at.at(layer->symbol) == at_values(label, p.at).constant();
            });
        };
        for (int k = 0; k < fit.from; ++k) {
            Exponent const label = layer->least + Exponent(k);
            if (exists(label)) add_layer(label);
        }
        for (int k = fit.to - 1; k >= 0; --k) {
            Exponent const label = layer->most - Exponent(k);
            if (exists(label)) add_layer(label);
        }
    }

    /// An edge row of a last layer that is one of the first ones, which have rows of their own.
    static bool is_new_layer(Result const& row, Exponent const& label, LayerStretch const& layer, Fit const& fit) {
        Values at;
        for (auto const& s : row.range.symbols) {
            if (s.is_point()) at[s.symbol] = Rational(parse_integer(s.least, "range"));
        }
        auto const value = at_values(label, at);
        return label.is_constant() || !value.is_constant() || value.constant() >= layer.least.constant() + fit.from;
    }

    /// Another result of the same answer says the same there.
    static bool is_covered(Result const& row, Reply const& reply, std::vector<std::optional<Fit>> const& fits,
                           Values const& at) {
        for (std::size_t i = 0; i < reply.results.size(); ++i) {
            Result const& r = reply.results[i];
            if (r.name != row.name || r.index != row.index || r.exact != row.exact || !r.exact || !fits[i]) continue;
            if (std::all_of(at.begin(), at.end(), [&](auto const& v) {
                    auto const least = fits[i]->least.find(v.first);
                    return least == fits[i]->least.end() || v.second >= least->second;
                }))
                return true;
        }
        return false;
    }

    /// Another result of the same answer already.
    static bool is_listed(Result const& row, Reply const& reply, Symbols const& symbols) {
        return !symbols.asked && std::any_of(reply.results.begin(), reply.results.end(), [&](Result const& r) {
            return r.name == row.name && r.index == row.index;
        });
    }

    /// Is `row` what `r` is under these values?
    static bool is_at(Result const& row, Result const& r, std::optional<LayerStretch> const& layer, Values const& at,
                      std::string const& symbol = {}, std::string const& label = {}) {
        if (row.index.size() != r.index.size()) return false;
        for (std::size_t i = 0; i < row.index.size(); ++i) {
            std::string const& part = r.index[i];
            if (layer && part == layer->symbol) {
                if (!is_in_stretch(row, row.index[i], *layer, at)) return false;
            } else if (row.index[i] != (part == symbol ? label : index_at(part, at))) {
                return false;
            }
        }
        return true;
    }

    static bool is_in_stretch(Result const& row, std::string const& part, LayerStretch const& layer, Values const& at) {
        Exponent const least = at_values(layer.least, at);
        Exponent const most = at_values(layer.most, at);
        if (auto const* own = row.range.find(part)) return linear_form(own->most) == most;
        try {
            Exponent const label = linear_form(part);
            Exponent const above = label - least;
            Exponent const below = most - label;
            return (above.is_constant() && above.constant() >= 0) || (below.is_constant() && below.constant() >= 0)
                       ? (!above.is_constant() || above.constant() >= 0) &&
                             (!below.is_constant() || below.constant() >= 0)
                       : false;
        } catch (Error const&) {
            return false;
        }
    }

    Asker& asker_;

    struct Known {
        explicit Known(std::string const& text) : formula(text) {}
        PrintedFormula formula;
        std::map<std::pair<Values, std::string>, std::optional<bool>> answers;
    };
    std::map<std::string, Known> known_;  ///< by the text of the formula
};

/// Limits that a command knows itself are of no depth, but those of wide layers; others are taken afterwards, of what
/// holds where.
bool is_probed(Session const& session, std::span<Result const> results) {
    auto const& parameters = session.question.parameters;
    for (char const* other : {"budget", "plot", "emit_test"}) {
        if (parameters.count(other) != 0) return false;
    }
    return !session.limit || *session.limit == "wide" ||
           std::all_of(results.begin(), results.end(), [](Result const& r) { return r.endless.empty(); });
}

}  // namespace

void evaluate_with_ranges(Command const& command, Task const& task, Session const& session, Bindings const& bindings,
                          std::vector<std::string> const& prefix, Answer& answer) {
    std::size_t const first = answer.results().size();
    evaluate_at(bindings, task, session, answer);
    std::span const results = std::span(answer.results()).subspan(first);
    if (command.has_ranges || !is_probed(session, results)) return;
    Asker asker(command, task, session, prefix);
    Reply reply{.results = {results.begin(), results.end()}, .declared = answer.declared()};
    Variation const question{.bindings = bindings, .layer = session.layer, .query = asker.query()};
    if (!reply.declared.empty()) reply.results = Edges(asker).completed(question, reply);
    widen_parameters(question, reply.declared, asker, reply.results);
    answer.replace_results(first, std::move(reply.results));
}

}  // namespace isserlis::quantity
