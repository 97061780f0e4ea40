// SPDX-License-Identifier: MIT
#include <isserlis/float_data/images.hpp>

#include <algorithm>
#include <array>
#include <isserlis/error.hpp>
#include <optional>

namespace isserlis::float_data {
namespace {

using Index = Eigen::Index;

constexpr double whitest = 255;

unsigned byte_at(std::string_view content, std::size_t i) { return static_cast<unsigned char>(content[i]); }

std::string hexadecimal_of(std::string_view bytes) {
    constexpr char const* digits = "0123456789abcdef";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i > 0) out += ' ';
        out += {digits[byte_at(bytes, i) >> 4U], digits[byte_at(bytes, i) & 15U]};
    }
    return out;
}

/// One file of unsigned bytes: its sizes, and the bytes behind them.
struct IdxFile {
    std::vector<std::size_t> sizes;
    std::string_view bytes;
};

[[noreturn]] void refuse_file(FileText const& file, std::string const& why) {
    throw ParseError("data '" + printable(file.name) + "' " + why, "data");
}

/// What a gzip or a text file begins with is named; IDX has types by number.
void require_magic(FileText const& file, char const* of, bool images) {
    constexpr std::size_t magic_size = 4;
    auto const& content = file.content;
    if (content.starts_with("\x1f\x8b")) refuse_file(file, "is compressed by gzip; unpack it first");
    if (content.size() < magic_size)
        refuse_file(file, "is no IDX file: it has " + std::to_string(content.size()) + " bytes");
    std::string const shown = "begins with " + hexadecimal_of(content.substr(0, magic_size));
    std::string const wanted = std::string(of) + " begin with 00 00 08 " + (images ? "03" : "01");
    if (byte_at(content, 0) != 0 || byte_at(content, 1) != 0)
        refuse_file(file, "is no IDX file: it " + shown + "; " + wanted);
    constexpr unsigned unsigned_bytes = 8;
    if (byte_at(content, 2) != unsigned_bytes)
        refuse_file(file, shown + ", another type than unsigned bytes; " + wanted);
    unsigned const dimensions = byte_at(content, 3);
    if (images ? dimensions < 2 : dimensions != 1)
        refuse_file(file, shown + ": " + std::to_string(dimensions) + " dimensions; " + wanted);
}

IdxFile idx_file(FileText const& file, char const* of, bool images) {
    require_magic(file, of, images);
    auto const& content = file.content;
    std::size_t const dimensions = byte_at(content, 3);
    std::size_t const head = 4 + 4 * dimensions;
    if (content.size() < head) refuse_file(file, "is cut short: its sizes are missing");
    IdxFile out;
    std::size_t product = 1;
    for (std::size_t d = 0; d < dimensions; ++d) {
        std::size_t size = 0;
        for (std::size_t i = 0; i < 4; ++i) size = size << 8U | byte_at(content, 4 + 4 * d + i);
        out.sizes.push_back(size);
        // Beyond the file the product no longer matters, but must not wrap.
        product = size == 0 ? 0 : product > content.size() ? product : product * size;
    }
    if (content.size() - head != product)
        refuse_file(file, std::string(content.size() - head < product ? "is cut short" : "is too long") + ": it has " +
                              std::to_string(content.size() - head) + " bytes behind its sizes, which say " +
                              (product > content.size() ? "more" : std::to_string(product)));
    if (product == 0) refuse_file(file, "has no samples");
    out.bytes = content.substr(head);
    return out;
}

/// Bytes of consecutive samples, from this column on.
template <class T>
void fill_pixels(mlp::Matrix<T>& inputs, Index first, Index count, std::string_view bytes, std::size_t head,
                 std::size_t stride) {
    for (Index k = 0; k < count; ++k) {
        auto const sample = bytes.substr(static_cast<std::size_t>(k) * stride + head);
        for (Index i = 0; i < inputs.rows(); ++i)
            inputs(i, first + k) = static_cast<T>(byte_at(sample, static_cast<std::size_t>(i)) / whitest);
    }
}

}  // namespace

template <class T>
FloatData<T> parse_idx(FileText const& images, FileText const& labels) {
    auto const pixels = idx_file(images, "images", true);
    auto const classes = idx_file(labels, "labels", false);
    std::size_t const samples = pixels.sizes.front();
    if (classes.sizes.front() != samples)
        refuse_file(labels, "has " + std::to_string(classes.sizes.front()) + " labels for the " +
                                std::to_string(samples) + " images of '" + printable(images.name) + "'");
    std::size_t const features = pixels.bytes.size() / samples;
    FloatData<T> out{.name = "data '" + printable(images.name) + "'",
                     .inputs = mlp::Matrix<T>(static_cast<Index>(features), static_cast<Index>(samples))};
    fill_pixels(out.inputs, 0, out.inputs.cols(), pixels.bytes, 0, features);
    out.labels.reserve(samples);
    for (std::size_t k = 0; k < samples; ++k) out.labels.push_back(byte_at(classes.bytes, k));
    out.classes = std::size_t{*std::max_element(out.labels.begin(), out.labels.end())} + 1;
    return out;
}

template <class T>
FloatData<T> parse_cifar10(std::vector<FileText> const& batches) {
    constexpr std::size_t pixels = 3072;
    constexpr std::size_t stride = pixels + 1;
    constexpr unsigned classes = 10;
    std::size_t samples = 0;
    for (auto const& batch : batches) {
        if (batch.content.starts_with("\x1f\x8b")) refuse_file(batch, "is compressed by gzip; unpack it first");
        if (batch.content.empty() || batch.content.size() % stride != 0)
            refuse_file(batch, "has " + std::to_string(batch.content.size()) +
                                   " bytes, no whole number of CIFAR-10 samples of " + std::to_string(stride));
        samples += batch.content.size() / stride;
    }
    if (samples == 0) throw ParseError("CIFAR-10 data: no file is given", "data");
    FloatData<T> out{.name = "data '" + printable(batches.front().name) + "'",
                     .inputs = mlp::Matrix<T>(static_cast<Index>(pixels), static_cast<Index>(samples)),
                     .classes = classes};
    out.labels.reserve(samples);
    for (auto const& batch : batches) {
        auto const first = static_cast<Index>(out.labels.size());
        std::size_t const count = batch.content.size() / stride;
        for (std::size_t k = 0; k < count; ++k) {
            unsigned const label = byte_at(batch.content, k * stride);
            if (label >= classes)
                refuse_file(batch, "is no CIFAR-10 batch: the label of sample " + std::to_string(k + 1) + " is " +
                                       std::to_string(label) + ", where 0 to 9 are possible");
            out.labels.push_back(label);
        }
        fill_pixels(out.inputs, first, static_cast<Index>(count), batch.content, 1, stride);
    }
    return out;
}

template FloatData<float> parse_idx(FileText const&, FileText const&);
template FloatData<double> parse_idx(FileText const&, FileText const&);
template FloatData<float> parse_cifar10(std::vector<FileText> const&);
template FloatData<double> parse_cifar10(std::vector<FileText> const&);

}  // namespace isserlis::float_data
