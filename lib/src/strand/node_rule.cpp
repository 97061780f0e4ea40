// SPDX-License-Identifier: MIT
#include "strand/node_rule.hpp"

#include <isserlis/error.hpp>

#include <algorithm>
#include <numeric>

namespace isserlis {
namespace {

bool has_bit(unsigned bits, std::size_t bit) { return (bits >> bit & 1U) != 0; }

}  // namespace

/// Enumerates what the strands of one state can do at one node.
class NodePaths {
public:
    NodePaths(NodeRule& rule, StrandState const& state) : rule_(rule), shape_(rule.shape_), state_(state) {
        strands_ = rule.states_.strands();
        slots_ = rule.states_.slots();
        matrix_.fill(none);
        for (unsigned s = 0; s < strands_; ++s) {
            if (state.position[s] != shape_.node) continue;
            here_.push_back(s);
            for (unsigned e = 0; e < shape_.edges.size(); ++e) {
                if (has_bit(shape_.edges[e].entries, s)) matrix_[s] = e;
            }
        }
        tie_fixed_neurons();
    }

    std::vector<NodeRule::Transition> all() {
        if (here_.empty() && !shape_.constants) {
            found_.push_back({rule_.states_.number(state_), no_factor()});
        } else if (shape_.concatenation) {
            choose_parts(0, state_);
        } else {
            choose_labels(0, state_.placed);
        }
        return collected();
    }

private:
    static constexpr unsigned none = ~0U;
    using Slots = std::array<unsigned, 2 * max_strands>;

    /// Where a path ends and what it contributes.
    struct Found {
        unsigned to;
        unsigned factor;
        friend auto operator<=>(Found const&, Found const&) = default;
    };

    unsigned no_factor() {
        NodeFactor out;
        out.edges.resize(shape_.edges.size());
        return factor_number(out);
    }

    unsigned factor_number(NodeFactor const& f) {
        auto const [at, fresh] = rule_.factor_numbers_.try_emplace(f, static_cast<unsigned>(rule_.factors_.size()));
        if (fresh) rule_.factors_.push_back(f);
        return at->second;
    }

    /// Strands that have come to one fixed neuron from different nodes sit together from here on.
    void tie_fixed_neurons() {
        for (unsigned const s : here_) {
            for (unsigned const t : here_) {
                if (state_.pin[s] == 0 || state_.pin[s] != state_.pin[t] || state_.part[s] == state_.part[t]) continue;
                std::uint8_t const from = state_.part[t];
                std::replace(state_.part.begin(), state_.part.begin() + slots_, from, state_.part[s]);
            }
        }
    }

    /// At a concatenation every neuron belongs to one part, and so do all strands on it.
    void choose_parts(std::size_t next, StrandState state) {
        while (next < here_.size() && state.position[here_[next]] != shape_.node) ++next;
        if (next == here_.size()) {
            rule_.budget_.spend();
            found_.push_back({rule_.states_.number(state), no_factor()});
            return;
        }
        unsigned const s = here_[next];
        if (state.pin[s] != 0) {
            throw UnsupportedError("node " + shape_.name +
                                   ": a fixed neuron of a concatenation is not served; name the "
                                   "node that it comes from");
        }
        for (unsigned t = 0; t < slots_; ++t) {
            bool const is_here = t < strands_ && state.position[t] == shape_.node;
            if (state.part[t] == state.part[s] && !is_here) throw shared_index_error(s, t % strands_);
        }
        for (auto const& edge : shape_.edges) {
            StrandState moved = state;
            for (unsigned const t : here_) {
                if (state.part[t] == state.part[s]) moved.position[t] = static_cast<std::uint8_t>(edge.from);
            }
            choose_parts(next + 1, moved);
        }
    }

    [[nodiscard]] std::string strand_name(unsigned s) const {
        return "strand " + std::to_string(s + 1) + " of " + to_string(rule_.bundle_);
    }
    [[nodiscard]] UnsupportedError shared_index_error(unsigned s, unsigned t) const {
        return UnsupportedError("node " + shape_.name + ": " + strand_name(s) + " shares its neuron with strand " +
                                std::to_string(t + 1) + " at another node; that is served at linear nodes only");
    }

    // ---- labels

    /// Decides for label `l` and the ones after it whether they sit on an edge of this node.
    void choose_labels(std::size_t l, std::uint16_t placed) {
        auto const& labels = rule_.bundle_.labels;
        if (l == labels.size()) {
            place_rest(placed);
            return;
        }
        bool const done = has_bit(placed, l);
        if (done || has_bit(shape_.labels_below, l)) choose_labels(l + 1, placed);
        if (done) return;
        auto const& carriers = labels[l].strands;
        for (unsigned const s : carriers) {
            // All its strands must be here, and none may lose this node's weight twice.
            if (state_.position[s] != shape_.node || carrier_[s] != none) return;
        }
        for (unsigned e = 0; e < shape_.edges.size(); ++e) {
            if (shape_.edges[e].skip || !has_bit(shape_.edges[e].labels, l)) continue;
            for (unsigned const s : carriers) {
                carrier_[s] = static_cast<unsigned>(l);
                edge_[s] = e;
            }
            label_edge_[l] = e;
            choose_labels(l + 1, static_cast<std::uint16_t>(placed | 1U << l));
            label_edge_[l] = none;
            for (unsigned const s : carriers) carrier_[s] = edge_[s] = none;
        }
    }

    void place_rest(std::uint16_t placed) {
        placed_ = placed;
        for (unsigned const s : here_) {
            if (carrier_[s] != none && !may_leave_by(s, edge_[s])) return;
        }
        if (shape_.gated) refuse_odd_rows();
        row_of_ = carrier_;  // the strands of a label have one row and one column
        rows_ = static_cast<unsigned>(rule_.bundle_.labels.size());
        powers_.assign(shape_.edges.size(), {});
        for (unsigned const e : label_edge_) {
            if (e != none) ++powers_[e].labels;
        }
        choose_edges();
    }

    /// Flipping the sign of a gated neuron's row turns its gate: what uses the row an odd number of times depends on
    /// it.
    void refuse_odd_rows() const {
        // Strands of one label have one row, which ties what is tied to them above.
        std::array<unsigned, max_strands> group{};
        for (unsigned s = 0; s < strands_; ++s) group[s] = state_.part[s];
        for (unsigned const s : here_) {
            for (unsigned const t : here_) {
                if (carrier_[s] == none || carrier_[s] != carrier_[t] || group[s] == group[t]) continue;
                unsigned const from = group[s];
                unsigned const to = group[t];
                for (auto& g : group) g = g == from ? to : g;
            }
        }
        for (unsigned const s : here_) {
            unsigned visits = 0;
            for (unsigned const t : here_) {
                if (group[t] == group[s] && carrier_[t] == none) ++visits;
            }
            if (visits % 2 == 0) continue;
            throw UnsupportedError(
                "node " + shape_.name + " is gated and a row of its weights is visited by " + std::to_string(visits) +
                " strand" + (visits == 1 ? "" : "s") + " (" + strand_name(s) +
                "): odd, so that the expectation brings in absolute moments and is in general not rational");
        }
    }

    // ---- weights

    /// An entry of a matrix goes by that matrix. In a bias there ends neither a derivative by an input nor one by a weight
    /// that is still to come.
    [[nodiscard]] bool may_leave_by(unsigned s, unsigned e) const {
        if (matrix_[s] != none) return matrix_[s] == e;
        if (!shape_.edges[e].bias) return true;
        if (rule_.bundle_.strands[s].end_letter) return false;
        auto const& labels = rule_.bundle_.labels;
        for (std::size_t l = 0; l < labels.size(); ++l) {
            if (has_bit(placed_, l)) continue;
            if (std::count(labels[l].strands.begin(), labels[l].strands.end(), s) > 0) return false;
        }
        return true;
    }

    /// The first strand without an edge takes a skip, or a weight or bias together with others.
    void choose_edges() {
        unsigned s = none;
        for (unsigned const t : here_) {
            if (edge_[t] == none) {
                s = t;
                break;
            }
        }
        if (s == none) {
            column_of_ = row_of_;
            choose_columns(0);
            return;
        }
        for (unsigned e = 0; e < shape_.edges.size(); ++e) {
            if (!may_leave_by(s, e)) continue;
            edge_[s] = e;
            if (shape_.edges[e].skip) {
                choose_edges();
            } else {
                unsigned const row = rows_++;
                row_of_[s] = row;
                choose_partners(s, e, row, 1);
                row_of_[s] = none;
                --rows_;
            }
            edge_[s] = none;
        }
    }

    /// Adds strands after `last` to the stage of equal weights `row`, which has `size` of them.
    void choose_partners(unsigned last, unsigned e, unsigned row, unsigned size) {
        if (size % 2 == 0) {
            auto& powers = powers_[e];
            auto& power = size == 2 ? powers.variance : size == 4 ? powers.fourth : powers.sixth;
            ++power;
            choose_edges();
            --power;
        }
        if (size >= 2 + 2 * shape_.edges[e].cumulants) return;
        for (unsigned const t : here_) {
            if (t <= last || edge_[t] != none || !may_leave_by(t, e)) continue;
            edge_[t] = e;
            row_of_[t] = row;
            choose_partners(t, e, row, size + 1);
            row_of_[t] = edge_[t] = none;
        }
    }

    /// Pairs the columns of the orthogonal matrices from edge `e` on, whatever pairs their rows [Collins 2006].
    void choose_columns(unsigned e) {
        while (e < shape_.edges.size() && (!shape_.edges[e].orthogonal || powers_[e].variance == 0)) ++e;
        if (e == shape_.edges.size()) {
            finish();
            return;
        }
        std::vector<unsigned> strands;
        std::vector<unsigned> names;
        for (unsigned const s : here_) {
            if (edge_[s] != e || carrier_[s] != none) continue;
            strands.push_back(s);
            if (std::find(names.begin(), names.end(), row_of_[s]) == names.end()) names.push_back(row_of_[s]);
        }
        words::Pairing rows(strands.size());
        for (std::size_t i = 0; i < strands.size(); ++i) {
            for (std::size_t j = 0; j < strands.size(); ++j) {
                if (i != j && row_of_[strands[i]] == row_of_[strands[j]]) rows[i] = static_cast<std::uint8_t>(j);
            }
        }
        auto const& pairings = rule_.pairings_of(powers_[e].variance);
        for (auto const& columns : pairings.all) {
            auto name = names.begin();
            for (std::size_t i = 0; i < columns.size(); ++i) {
                if (columns[i] < i) continue;
                column_of_[strands[i]] = column_of_[strands[columns[i]]] = *name++;
            }
            powers_[e].coset_type = pairings.place.at(words::coset_type(rows, columns));
            choose_columns(e + 1);
        }
        powers_[e].coset_type = 0;
        for (unsigned const s : strands) column_of_[s] = row_of_[s];
    }

    // ---- neurons

    void finish() {
        rule_.budget_.spend();
        // Join what is tied above (parts) with what is tied by equal rows.
        Slots group{};
        for (unsigned s = 0; s < slots_; ++s) group[s] = state_.part[s];
        auto merge = [&](unsigned from, unsigned to) {
            for (unsigned s = 0; s < slots_; ++s) {
                if (group[s] == from) group[s] = to;
            }
        };
        for (unsigned const s : here_) {
            for (unsigned const t : here_) {
                if (t < s && row_of_[s] != none && row_of_[s] == row_of_[t] && group[s] != group[t])
                    merge(group[s], group[t]);
            }
        }
        StrandState below = state_;
        below.placed = placed_;
        NodeFactor factor;
        factor.edges = powers_;
        std::array<std::uint8_t, 2 * max_strands> pin{};
        for (unsigned const s : here_) {
            // Once for each group.
            if (*std::find_if(here_.begin(), here_.end(), [&](unsigned t) { return group[t] == group[s]; }) != s)
                continue;
            std::uint8_t passing = 0;
            unsigned holder = none;
            std::uint8_t fixed = 0;
            for (unsigned t = 0; t < slots_; ++t) {
                if (group[t] != group[s]) continue;
                if (state_.pin[t] != 0) {
                    if (fixed != 0 && fixed != state_.pin[t]) return;  // two neurons are not one
                    fixed = state_.pin[t];
                }
                bool const is_here = t < strands_ && state_.position[t] == shape_.node;
                if (!is_here || row_of_[t] == none) holder = t;
                if (is_here && shape_.gated && !has_bit(shape_.preactivated, t)) ++passing;
            }
            for (unsigned t = 0; t < slots_; ++t) {
                if (group[t] == group[s]) pin[t] = fixed;
            }
            if (holder != none) {
                if (shape_.gated) throw shared_index_error(s, holder % strands_);
                continue;  // the neuron is named further down
            }
            if (!shape_.constants) (fixed != 0 ? factor.fixed : factor.summed).push_back(passing);
        }
        if (shape_.constants) contract_constants(group, factor);
        std::sort(factor.summed.begin(), factor.summed.end());
        std::sort(factor.fixed.begin(), factor.fixed.end());
        if (!shape_.gated && !shape_.constants) factor.fixed.clear();
        for (unsigned s = 0; s < slots_; ++s) {
            bool const is_here = s < strands_ && state_.position[s] == shape_.node;
            if (is_here) below.position[s] = static_cast<std::uint8_t>(shape_.edges[edge_[s]].from);
            if (is_here && row_of_[s] != none) {
                below.part[s] = static_cast<std::uint8_t>(64 + column_of_[s]);
                below.pin[s] = 0;
            } else {
                below.part[s] = static_cast<std::uint8_t>(group[s]);
                below.pin[s] = is_here || pin[s] != 0 ? pin[s] : state_.pin[s];
            }
        }
        for (unsigned const s : here_) {
            if (!shape_.edges[edge_[s]].bias) continue;
            below.position[s] = StrandState::ended;
            below.set_apart(s);
        }
        if (end_entries(below, factor)) found_.push_back({rule_.states_.number(below), factor_number(factor)});
    }

    /// Entries of matrices of this node are over: what is tied to them below is tied to the letters of their ends.
    /// False where two fixed neurons would have to be one.
    bool end_entries(StrandState& below, NodeFactor& factor) const {
        for (unsigned const s : here_) {
            if (matrix_[s] == none) continue;
            std::uint8_t const row = below.part[s];
            std::uint8_t const letter = below.part[strands_ + s];
            if (row == letter) continue;
            std::uint8_t const fixed = std::max(below.pin[s], below.pin[strands_ + s]);
            if (std::min(below.pin[s], below.pin[strands_ + s]) != 0 && below.pin[s] != below.pin[strands_ + s])
                return false;
            for (unsigned t = 0; t < slots_; ++t) {
                if (below.part[t] != row && below.part[t] != letter) continue;
                below.part[t] = row;
                below.pin[t] = fixed;
            }
        }
        for (unsigned const s : here_) {
            if (matrix_[s] == none) continue;
            std::uint8_t const part = below.part[s];
            bool const fixed = below.pin[s] != 0;
            below.position[s] = StrandState::ended;
            below.set_apart(s);
            below.set_apart(strands_ + s);
            bool const known = std::count(below.part.begin(), below.part.begin() + slots_, part) > 0;
            if (!known && !fixed) ++factor.edges[matrix_[s]].ends;
        }
        return true;
    }

    /// Which letters fall on one neuron; those without strands have neurons of their own.
    void contract_constants(Slots const& group, NodeFactor& factor) const {
        auto const& bundle = rule_.bundle_;
        for (unsigned const s : here_) {
            if (row_of_[s] != none && has_bit(shape_.starts_here, s)) continue;
            throw UnsupportedError(
                "node " + shape_.name +
                ": constants are served where all strands start at the output and leave it by weights");
        }
        for (unsigned const s : here_) {
            for (unsigned t = 0; t < strands_; ++t) {
                if (bundle.strands[t].letter != bundle.strands[s].letter ||
                    bundle.letters[bundle.strands[s].letter] != 0)
                    continue;
                if (std::find(here_.begin(), here_.end(), t) != here_.end()) continue;
                throw UnsupportedError("node " + shape_.name +
                                       ": constants are served where no output shares its letter with another node");
            }
        }
        if (shape_.gated)
            throw UnsupportedError("node " + shape_.name + ": constants are served at outputs without a gate");
        std::vector<unsigned> names;
        factor.letters.clear();
        for (unsigned l = 0; l < bundle.letters.size(); ++l) {
            unsigned name = 1000 + l;
            for (unsigned const s : here_) {
                if (bundle.strands[s].letter == l) name = group[s];
            }
            bool const constant = std::any_of(bundle.constants.begin(), bundle.constants.end(), [&](auto const& c) {
                return std::find(c.letters.begin(), c.letters.end(), l) != c.letters.end();
            });
            if (name >= 1000 && !constant) {
                factor.letters.push_back(NodeFactor::elsewhere);
                continue;
            }
            auto const at = std::find(names.begin(), names.end(), name);
            factor.letters.push_back(static_cast<std::uint8_t>(at - names.begin()));
            if (at == names.end()) names.push_back(name);
        }
    }

    std::vector<NodeRule::Transition> collected() {
        std::sort(found_.begin(), found_.end());
        std::vector<NodeRule::Transition> out;
        out.reserve(found_.size());
        NodeRule::Entry entry;
        for (auto at = found_.begin(); at != found_.end();) {
            unsigned const to = at->to;
            entry.clear();
            while (at != found_.end() && at->to == to) {
                auto const next = std::find_if(at, found_.end(), [at](Found const& f) { return f != *at; });
                entry.emplace_back(at->factor, static_cast<std::uint64_t>(next - at));
                at = next;
            }
            auto const [number, fresh] =
                rule_.entry_numbers_.try_emplace(entry, static_cast<unsigned>(rule_.entries_.size()));
            if (fresh) rule_.entries_.push_back(entry);
            out.push_back({.to = to, .entry = number->second});
        }
        return out;
    }

    template <std::size_t N = max_strands>
    static std::array<unsigned, N> nothing() {
        std::array<unsigned, N> out{};
        out.fill(none);
        return out;
    }

    NodeRule& rule_;
    NodeShape const& shape_;
    StrandState state_;
    unsigned strands_ = 0;
    unsigned slots_ = 0;
    std::array<unsigned, max_strands> matrix_{};  ///< of an entry: the edge that it has to take
    boost::container::small_vector<unsigned, max_strands> here_;
    std::uint16_t placed_ = 0;
    std::array<unsigned, max_strands> carrier_ = nothing();    ///< the label that a strand carries at this node
    std::array<unsigned, max_strands> edge_ = nothing();       ///< the edge that a strand leaves by
    std::array<unsigned, max_strands> row_of_ = nothing();     ///< strands of equal weights, or of one label
    std::array<unsigned, max_strands> column_of_ = nothing();  ///< the same of columns
    std::array<unsigned, max_labels> label_edge_ = nothing<max_labels>();
    unsigned rows_ = 0;
    boost::container::small_vector<NodeFactor::EdgePowers, 2> powers_;
    boost::container::small_vector<Found, 16> found_;  ///< every path on its own
};

NodeRule::NodeRule(NodeShape shape, Bundle const& bundle, StateTable& states, PathBudget& budget)
    : shape_(std::move(shape)), bundle_(bundle), states_(states), budget_(budget) {}

std::vector<NodeRule::Transition> const& NodeRule::from(unsigned state) {
    if (rows_.size() <= state) rows_.resize(state + 1);
    if (!rows_[state]) {
        StrandState const at = states_.state(state);
        rows_[state] = NodePaths(*this, at).all();
    }
    return *rows_[state];
}

NodeRule::Pairings const& NodeRule::pairings_of(unsigned pairs) {
    auto& out = pairings_[pairs];
    if (!out.all.empty()) return out;
    out.all = words::all_pairings(pairs);
    auto const types = words::all_partitions(pairs);
    for (std::size_t i = 0; i < types.size(); ++i) out.place[types[i]] = static_cast<std::uint8_t>(i + 1);
    return out;
}

std::size_t NodeRule::orthogonal_pairs() const {
    std::size_t out = 0;
    for (auto const& factor : factors_) {
        for (auto const& powers : factor.edges) {
            if (powers.coset_type > 0) out = std::max<std::size_t>(out, powers.variance);
        }
    }
    return out;
}

std::size_t NodeRule::transition_count() const {
    std::size_t out = 0;
    for (auto const& row : rows_) out += row ? row->size() : 0;
    return out;
}

}  // namespace isserlis
