// SPDX-License-Identifier: MIT
#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace isserlis::train {

/// A number that tells runs apart: of everything that a run's results depend on, in a fixed order.
///
/// Source  FNV-1a in 64 bits, byte by byte; doubles by their bits.
class Fingerprint {
public:
    void add(std::string_view text);
    void add(double number);
    void add(std::uint64_t number);
    template <class T>
    void add(Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> const& matrix) {
        add(static_cast<std::uint64_t>(matrix.rows()));
        add(static_cast<std::uint64_t>(matrix.cols()));
        for (Eigen::Index i = 0; i < matrix.size(); ++i) add(static_cast<double>(matrix.data()[i]));
    }
    [[nodiscard]] std::uint64_t value() const { return value_; }

private:
    void add_byte(unsigned char byte);

    std::uint64_t value_ = 0xcbf29ce484222325U;
};

/// What is left of unfinished work: rows of numbers, as text that gives them back bit by bit.
struct Record {
    struct Row {
        std::string key;
        std::vector<double> numbers;
    };
    std::string kind;       ///< such as "training-state"
    std::uint64_t run = 0;  ///< the fingerprint of what the work is
    std::vector<Row> rows{};

    void add(std::string key, std::span<double const> numbers);
    /// The only row of this key. Errors  ParseError naming place and key.
    [[nodiscard]] std::vector<double> const& only(std::string const& key, std::string const& place) const;
};

/// Text with kind, version and sum; numbers are written in base 16, so that none is rounded.
[[nodiscard]] std::string record_text(Record const& record);

/// Reads it back.
///
/// Errors  ParseError, which names the place, for text of another kind or that is cut short or damaged;
///         UnsupportedError for another version; DomainError for the record of another run.
[[nodiscard]] Record parse_record(std::string_view text, std::string const& kind, std::uint64_t run,
                                  std::string const& place);

}  // namespace isserlis::train
