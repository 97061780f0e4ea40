// SPDX-License-Identifier: MIT
#include <isserlis/words/trace_moments.hpp>

#include <isserlis/error.hpp>
#include <isserlis/words/iid_words.hpp>
#include <isserlis/words/index_sum.hpp>
#include <isserlis/words/orthogonal_words.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <type_traits>

namespace isserlis::words {
namespace {

/// The ways to cut 2k letters into blocks of even size: 1, 4, 31, 379, ..
std::uint64_t even_partitions(std::size_t k) {
    std::vector<double> count{1};
    for (std::size_t n = 1; n <= k; ++n) {
        // The block of the first letter has 2j - 1 others.
        double sum = 0;
        for (std::size_t j = 1; j <= n; ++j) {
            double choose = 1;
            for (std::size_t i = 1; i < 2 * j; ++i)
                choose = choose * static_cast<double>(2 * n - i) / static_cast<double>(i);
            sum += choose * count[n - j];
        }
        count.push_back(sum);
    }
    return static_cast<std::uint64_t>(std::min(count[k], 1e18));
}

/// The value of a polynomial whose variables have these values.
RationalFunction polynomial_at(Polynomial const& x, std::map<std::string, RationalFunction> const& values) {
    if (x.is_constant()) return x.constant();
    auto const& names = x.variables();
    bool const plain =
        std::all_of(names.begin(), names.end(), [&](auto const& name) { return values.count(name) == 0; });
    if (plain) return RationalFunction(x);
    RationalFunction sum(0);
    for (auto const& monomial : x.monomials()) {
        RationalFunction term(monomial.coefficient);
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (monomial.exponents[i] == 0) continue;
            auto const at = values.find(names[i]);
            auto const base = at == values.end() ? RationalFunction::symbol(names[i]) : at->second;
            term = term * power(base, monomial.exponents[i]);
        }
        sum = sum + term;
    }
    return sum.merged();
}

/// e_i e_j^T is the transpose of e_j e_i^T: one of the two has a letter.
Letter unit_letter(std::vector<RandomMatrix> const& matrices, unsigned i, unsigned j) {
    auto const places = std::minmax(i, j);
    auto const at = std::find_if(matrices.begin(), matrices.end(), [&](RandomMatrix const& m) {
        return m.law == MatrixLaw::unit && m.unit == std::pair<unsigned, unsigned>(places);
    });
    if (at == matrices.end()) throw DomainError("TraceMoments: an entry that was not asked for", "query");
    return fixed_letter(static_cast<std::size_t>(at - matrices.begin()), i == j, i > j);
}

}  // namespace

/// The engines of independent entries, over numbers or over polynomials. What is neither a number nor a symbol has a
/// name of its own there, which no user can type.
class TraceMoments::Inner {
public:
    Inner(std::vector<WordMatrix> const& shapes, std::vector<RationalFunction> const& dimensions,
          std::vector<std::vector<RationalFunction>> const& cumulants, std::vector<RandomMatrix> const& matrices)
        : matrices_(matrices) {
        auto numeric = std::all_of(dimensions.begin(), dimensions.end(), [](auto const& x) { return x.is_numeric(); });
        auto const numbers = [](std::vector<RationalFunction> const& row) {
            return std::all_of(row.begin(), row.end(), [](auto const& x) { return x.is_numeric(); });
        };
        for (auto const& m : matrices_)
            numeric = numeric && numbers(m.diagonal) && std::all_of(m.values.begin(), m.values.end(), numbers);
        for (auto const& row : cumulants) numeric = numeric && numbers(row);
        auto const unit_of = [this](Letter x) -> std::optional<std::pair<Letter, Letter>> {
            auto const& m = matrices_[matrix_of(x)];
            if (m.law != MatrixLaw::unit || is_fixed_symmetric(x)) return std::nullopt;
            auto const [i, j] = is_transposed(x) ? std::pair(m.unit.second, m.unit.first) : m.unit;
            return std::pair(unit_letter(matrices_, i, i), unit_letter(matrices_, j, j));
        };
        auto const is_diagonal = [this](Letter x) { return matrices_[matrix_of(x)].law != MatrixLaw::fixed; };
        auto const built = [&]<class R>(auto& gaussian, auto& iid, R const&, auto const& value, auto const& sum) {
            std::vector<R> sizes;
            std::vector<std::vector<R>> rows;
            for (auto const& x : dimensions) sizes.push_back(value(x));
            for (auto const& row : cumulants) {
                rows.emplace_back();
                for (auto const& x : row) rows.back().push_back(value(x));
            }
            auto const trace = [this, value](Word const& word) { return value(known_fixed_trace(word)); };
            gaussian = std::make_unique<GaussianWords<R>>(shapes, sizes, trace);
            using Iid = IidWords<R>;
            iid = std::make_unique<Iid>(
                shapes, sizes, rows,
                typename Iid::Fixed{.trace = trace, .sum = sum, .is_diagonal = is_diagonal, .unit_of = unit_of});
        };
        if (numeric) {
            auto const number = [](RationalFunction const& x) { return x.evaluate({}).to_rational(); };
            for (auto const& m : matrices_) {
                auto& rows = numbers_.emplace_back();
                auto const add = [&](std::vector<RationalFunction> const& row) {
                    rows.emplace_back();
                    for (auto const& x : row) rows.back().push_back(number(x));
                };
                if (m.law == MatrixLaw::diagonal) add(m.diagonal);
                for (auto const& row : m.values) add(row);
            }
            built(gaussian_numbers_, iid_numbers_, Rational(), number,
                  [this](IndexSum const& sum) { return fixed_sum<Rational>(sum); });
        } else {
            steps_left_ = 2e5;
            built(
                gaussian_formulas_, iid_formulas_, Polynomial(),
                [this](RationalFunction const& x) { return polynomial(x); },
                [this](IndexSum const& sum) { return polynomial(fixed_sum<RationalFunction>(sum)); });
        }
    }

    [[nodiscard]] RationalFunction mean(TraceProduct const& product, bool gaussian) const {
        if (gaussian_numbers_) return gaussian ? gaussian_numbers_->mean(product) : iid_numbers_->mean(product);
        return polynomial_at(gaussian ? gaussian_formulas_->mean(product) : iid_formulas_->mean(product), names_);
    }

private:
    [[nodiscard]] RationalFunction const& known_fixed_trace(Word const& word) {
        auto at = fixed_traces_.find(word);
        if (at == fixed_traces_.end()) at = fixed_traces_.emplace(word, fixed_trace(word)).first;
        return at->second;
    }

    [[nodiscard]] RationalFunction fixed_trace(Word const& word) const {
        auto const law = [&](Letter x) { return matrices_[matrix_of(x)].law; };
        auto const unit = std::find_if(word.begin(), word.end(), [&](Letter x) { return law(x) == MatrixLaw::unit; });
        if (unit != word.end()) {
            // e_i e_j^T X has the trace (e_j^T X)_i.
            auto const place = static_cast<std::size_t>(unit - word.begin());
            auto const [i, j] = unit_places(*unit);
            return entry(word.substr(place + 1) + word.substr(0, place), j, i);
        }
        if (std::all_of(word.begin(), word.end(), [&](Letter x) { return law(x) == MatrixLaw::diagonal; }))
            return diagonal_trace(word);
        auto const at = std::find_if(word.begin(), word.end(), [&](Letter x) { return law(x) == MatrixLaw::fixed; });
        auto const place = static_cast<std::size_t>(at - word.begin());
        Word const rotated = word.substr(place) + word.substr(0, place);
        auto const& first = matrices_[matrix_of(*at)].values;
        std::size_t const rows = is_transposed(*at) ? first.front().size() : first.size();
        RationalFunction sum(0);
        for (unsigned i = 1; i <= rows; ++i) sum = (sum + entry(rotated, i, i)).merged();
        return sum;
    }

    /// The sum over the indices that entries of fixed matrices have.
    template <class V>
    [[nodiscard]] V fixed_sum(IndexSum const& sum) {
        auto const size = [&](std::size_t index) {
            auto const meets = [&](FixedEntry const& e) { return e.row == index || e.column == index; };
            auto const at = std::find_if(sum.entries.begin(), sum.entries.end(), meets);
            auto const& values = matrices_[matrix_of(at->letter)].values;
            return (at->row == index) != is_transposed(at->letter) ? values.size() : values.front().size();
        };
        auto const value = [&](Letter x, std::size_t row, std::size_t column) -> V {
            auto const& m = matrices_[matrix_of(x)];
            if (m.law == MatrixLaw::unit) return V(row == column && row + 1 == m.unit.first ? 1 : 0);
            if (is_transposed(x)) std::swap(row, column);
            if constexpr (std::is_same_v<V, Rational>) {
                return numbers_[matrix_of(x)][m.law == MatrixLaw::diagonal ? 0 : row][column];
            } else {
                return m.law == MatrixLaw::diagonal ? m.diagonal[column] : m.values[row][column];
            }
        };
        return value_of<V>(sum, size, value, steps_left_);
    }

    [[nodiscard]] std::pair<unsigned, unsigned> unit_places(Letter x) const {
        auto const& [i, j] = matrices_[matrix_of(x)].unit;
        return is_transposed(x) ? std::pair(j, i) : std::pair(i, j);
    }

    /// Entry (row, column) of a product of fixed matrices: row e_row goes through them, its entries that may differ from
    /// 0 by their places.
    [[nodiscard]] RationalFunction entry(Word const& word, unsigned row, unsigned column) const {
        std::map<unsigned, RationalFunction> vector{{row, RationalFunction(1)}};
        for (Letter const x : word) {
            auto const& m = matrices_[matrix_of(x)];
            std::map<unsigned, RationalFunction> next;
            for (auto const& [place, value] : vector) {
                if (m.law == MatrixLaw::unit) {
                    auto const [i, j] = unit_places(x);
                    if (place == i) next[j] = value;
                } else if (m.law == MatrixLaw::diagonal) {
                    next[place] = (value * m.diagonal[place - 1]).merged();
                } else {
                    std::size_t const columns = is_transposed(x) ? m.values.size() : m.values.front().size();
                    for (unsigned k = 1; k <= columns; ++k) {
                        auto const& factor = is_transposed(x) ? m.values[k - 1][place - 1] : m.values[place - 1][k - 1];
                        if (factor.is_zero()) continue;
                        auto const [at, fresh] = next.try_emplace(k, 0);
                        at->second = (at->second + value * factor).merged();
                    }
                }
            }
            vector = std::move(next);
        }
        auto const at = vector.find(column);
        return at == vector.end() ? RationalFunction(0) : at->second;
    }

    /// The sum over the places of the diagonals.
    [[nodiscard]] RationalFunction diagonal_trace(Word const& word) const {
        RationalFunction sum(0);
        for (std::size_t i = 0; i < matrices_[matrix_of(word[0])].diagonal.size(); ++i) {
            RationalFunction term(1);
            for (Letter const x : word) term = term * matrices_[matrix_of(x)].diagonal[i];
            sum = sum + term;
        }
        return sum.merged();
    }

    Polynomial polynomial(RationalFunction const& x) {
        if (x.is_fraction()) {
            auto const [above, below] = x.merged().as_fraction();
            bool const symbol = above.is_constant() || (above.length() == 1 && above.monomials()[0].coefficient == 1);
            if (below == Polynomial(1) && symbol) return above;
        }
        for (auto const& [name, known] : names_) {
            if (known == x) return Polynomial::variable(name);
        }
        std::string const name = "#" + std::to_string(names_.size());
        names_.emplace(name, x);
        return Polynomial::variable(name);
    }

    std::vector<RandomMatrix> matrices_;
    std::vector<std::vector<std::vector<Rational>>> numbers_;  ///< rows of the fixed matrices, if all are numbers
    double steps_left_ = 2e7;                                  ///< of sums over indices, a few seconds
    std::map<Word, RationalFunction> fixed_traces_;
    std::map<std::string, RationalFunction> names_;
    std::unique_ptr<GaussianWords<Rational>> gaussian_numbers_;
    std::unique_ptr<IidWords<Rational>> iid_numbers_;
    std::unique_ptr<GaussianWords<Polynomial>> gaussian_formulas_;
    std::unique_ptr<IidWords<Polynomial>> iid_formulas_;
};

std::vector<RationalFunction> even_cumulants(std::vector<RationalFunction> const& even_moments) {
    // m_n = sum over the size k of the block of the first letter of C(n - 1, k - 1) c_k m_(n - k)
    std::vector<RationalFunction> out;
    for (std::size_t n = 1; n <= even_moments.size(); ++n) {
        RationalFunction cumulant = even_moments[n - 1];
        for (std::size_t k = 1; k < n; ++k) {
            Integer choose = 1;
            for (std::size_t i = 1; i < 2 * k; ++i) choose = choose * Integer(2 * n - i) / Integer(i);
            cumulant = cumulant - RationalFunction(choose) * out[k - 1] * even_moments[n - k - 1];
        }
        out.push_back(cumulant.merged());
    }
    return out;
}

bool RandomMatrix::is_symmetric() const {
    if (law == MatrixLaw::unit) return unit.first == unit.second;
    for (std::size_t i = 0; i < values.size(); ++i)
        for (std::size_t j = 0; j < values[i].size(); ++j)
            if (values.size() != values[i].size() || !(values[i][j] == values[j][i])) return false;
    return true;
}

TraceMoments::TraceMoments(std::vector<RandomMatrix> matrices,
                           std::vector<std::pair<unsigned, unsigned>> const& entries)
    : matrices_(std::move(matrices)) {
    std::set<std::pair<unsigned, unsigned>> units;
    for (auto const& [i, j] : entries) units.insert({std::minmax(i, j), {i, i}, {j, j}});
    for (auto const& [i, j] : units) {
        matrices_.push_back({.name = "e" + std::to_string(i) + " e" + std::to_string(j) + "^T",
                             .rows = 1,
                             .columns = 1,
                             .law = MatrixLaw::unit,
                             .unit = {i, j}});
    }
    if (matrices_.size() > most_matrices)
        throw UnsupportedError("`query`: more than " + std::to_string(most_matrices) + " matrices and entries",
                               "query");
    auto const place = [&](RationalFunction const& x) {
        auto const at = std::find(dimensions_.begin(), dimensions_.end(), x);
        if (at != dimensions_.end()) return static_cast<std::size_t>(at - dimensions_.begin());
        dimensions_.push_back(x);
        return dimensions_.size() - 1;
    };
    std::vector<std::vector<RationalFunction>> cumulants;
    for (auto const& m : matrices_) {
        shapes_.push_back({.rows = place(m.rows), .columns = place(m.columns), .complex = m.law == MatrixLaw::complex});
        bool const square = shapes_.back().rows == shapes_.back().columns;
        auto const more = known_sign(m.columns - m.rows);
        if (m.law == MatrixLaw::orthogonal && !square && !more)
            throw UnsupportedError("`shape`: of the orthogonal matrix " + m.name + ", which of " + to_string(m.rows) +
                                       " and " + to_string(m.columns) +
                                       " is larger is not known: give `values`, or a square shape",
                                   "shape");
        orthonormal_rows_.push_back(square || (more && *more > 0));
        orthonormal_columns_.push_back(square || (more && *more < 0));
        std::vector<RationalFunction> moments{1};
        if (m.law == MatrixLaw::iid) moments.insert(moments.end(), m.moments.begin(), m.moments.end());
        cumulants.push_back(even_cumulants(moments));
    }
    inner_ = std::make_unique<Inner>(shapes_, dimensions_, cumulants, matrices_);
}

TraceMoments::~TraceMoments() = default;
TraceMoments::TraceMoments(TraceMoments&&) noexcept = default;
TraceMoments& TraceMoments::operator=(TraceMoments&&) noexcept = default;

Letter TraceMoments::unit(unsigned i, unsigned j) const { return unit_letter(matrices_, i, j); }

RationalFunction TraceMoments::scale(std::vector<std::size_t> const& counts) const {
    RationalFunction out(1);
    for (std::size_t m = 0; m < counts.size(); ++m) {
        if (counts[m] > 0 && matrices_[m].law != MatrixLaw::orthogonal)
            out = out * power(matrices_[m].variance, std::uint64_t{counts[m] / 2});
    }
    return out;
}

void TraceMoments::check_cost(TraceProduct const& product) const {
    constexpr std::size_t most_letters = 100;
    auto const counts = letter_counts(product, matrices_.size());
    std::size_t letters = 0;
    for (auto const count : counts) letters += count;
    if (letters > most_letters)
        throw UnsupportedError("`query`: a product of traces has " + std::to_string(letters) + " letters; up to " +
                                   std::to_string(most_letters) + " are served",
                               "query");
    for (std::size_t m = 0; m < counts.size(); ++m) {
        if (matrices_[m].law != MatrixLaw::orthogonal || counts[m] <= 2 * most_orthogonal_pairs) continue;
        throw UnsupportedError("`query`: a product has " + std::to_string(counts[m]) +
                                   " letters of the orthogonal matrix " + matrices_[m].name +
                                   " that do not cancel; up to " + std::to_string(2 * most_orthogonal_pairs) +
                                   " are served",
                               "query");
    }
    bool iid = false;
    for (std::size_t m = 0; m < counts.size(); ++m) {
        if (counts[m] < 4 || matrices_[m].law != MatrixLaw::iid) continue;
        iid = true;
        if (counts[m] / 2 > matrices_[m].moments.size() + 1)
            throw UnsupportedError("`query`: a product has " + std::to_string(counts[m]) + " letters " +
                                       matrices_[m].name +
                                       ", whose mean depends on the moment of that order, which `kurtosis` does not "
                                       "give; `law` gives all of them",
                                   "query");
    }
    if (!iid) return;
    double blocks = 1;
    for (auto const count : counts) blocks *= static_cast<double>(even_partitions(count / 2));
    if (blocks > static_cast<double>(most_blocks))
        throw UnsupportedError("`query`: the letters of a product are cut into blocks in " +
                                   std::to_string(static_cast<std::uint64_t>(std::min(blocks, 1e18))) +
                                   " ways under this law; up to " + std::to_string(most_blocks) +
                                   " are served. Gaussian matrices have no such limit",
                               "query");
}

/// Orthogonal letters that make the identity are left out, again and again: new neighbours may do so too.
CutProduct TraceMoments::without_identities(TraceProduct const& product) const {
    CutProduct out{.traces = product, .loops = {}};
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t m = 0; m < matrices_.size(); ++m) {
            if (matrices_[m].law != MatrixLaw::orthogonal) continue;
            auto rest = cancelled(out.traces, m, shapes_[m], orthonormal_rows_[m], orthonormal_columns_[m]);
            changed = changed || rest.traces != out.traces;
            out.traces = std::move(rest.traces);
            out.loops.insert(out.loops.end(), rest.loops.begin(), rest.loops.end());
        }
    }
    return out;
}

RationalFunction TraceMoments::mean(TraceProduct const& product) {
    auto const counts = letter_counts(product, matrices_.size());
    if (std::any_of(counts.begin(), counts.end(), [](std::size_t n) { return n % 2 != 0; })) return 0;
    check_cost(without_identities(product).traces);
    return (scale(counts) * standard_mean(product)).merged();
}

RationalFunction TraceMoments::standard_mean(TraceProduct const& product) {
    auto const [rest, loops] = without_identities(product);
    auto const counts = letter_counts(rest, matrices_.size());
    bool gaussian = true;
    std::size_t least = matrices_.size();
    for (std::size_t m = 0; m < counts.size(); ++m) {
        bool const orthogonal = counts[m] > 0 && matrices_[m].law == MatrixLaw::orthogonal;
        if (orthogonal && (least == matrices_.size() || counts[m] < counts[least])) least = m;
        if (counts[m] > 2 && matrices_[m].law == MatrixLaw::iid) gaussian = false;
    }
    RationalFunction out = least < matrices_.size() ? cut(rest, least) : inner_->mean(rest, gaussian);
    for (std::size_t const place : loops) out = out * dimensions_[place];
    return out;
}

RationalFunction TraceMoments::cut(TraceProduct const& product, std::size_t matrix) {
    auto const count = letter_counts(product, matrices_.size())[matrix];
    auto const k = static_cast<unsigned>(count / 2);
    RationalFunction const& size = orthonormal_columns_[matrix] ? matrices_[matrix].rows : matrices_[matrix].columns;
    std::vector<RationalFunction> weingarten;
    if (size.is_numeric()) {
        for (auto const& w : orthogonal_weingarten(k, numerator_of(size.evaluate({}).to_rational())))
            weingarten.emplace_back(w);
    } else {
        weingarten = orthogonal_weingarten(k, size);
        auto const at = std::find_if(least_.begin(), least_.end(), [&](auto const& x) { return x.first == size; });
        if (at == least_.end()) {
            least_.emplace_back(size, k);
        } else {
            at->second = std::max(at->second, k);
        }
    }
    RationalFunction sum(0);
    for (auto const& [rest, times] : cut_orthogonal(product, matrix, shapes_[matrix])) {
        RationalFunction weight(0);
        for (std::size_t type = 0; type < times.size(); ++type) {
            if (times[type] != 0) weight = weight + RationalFunction(Integer(times[type])) * weingarten[type];
        }
        weight = weight.merged();
        if (weight.is_zero()) continue;
        RationalFunction term = weight * standard_mean(rest.traces);
        for (std::size_t const place : rest.loops) term = term * dimensions_[place];
        sum = (sum + term).merged();
    }
    return sum;
}

}  // namespace isserlis::words
