// SPDX-License-Identifier: MIT
#pragma once
#include <isserlis/float_data/float_data.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace isserlis::float_data {

/// A file as it was read.
struct FileText {
    std::string name;
    std::string_view content;
};

/// Images and their labels in the IDX format of MNIST, pixels over 255.
///
/// Law     none.
/// Shape   images: magic 00 00 08 and the number of dimensions, 2 or more, the sizes as 32-bit big-endian numbers, a
///         byte a pixel; labels: magic 00 00 08 01. Features are the pixels of an image row by row; classes are one
///         more than the largest label.
/// Units   a pixel of 255 is 1.
/// Errors  ParseError, which names the file: compressed, another magic, another type than unsigned bytes, cut short or
///         too long, another number of labels than of images, none at all.
/// Source  the MNIST database, https://yann.lecun.com/exdb/mnist
template <class T>
[[nodiscard]] FloatData<T> parse_idx(FileText const& images, FileText const& labels);

/// Batches in the binary version of CIFAR-10, pixels over 255, one batch after the other.
///
/// Law     none.
/// Shape   a sample is a label of one byte, 0 to 9, and 3072 bytes: red, green, blue, each 32 x 32.
/// Units   a pixel of 255 is 1.
/// Errors  ParseError, which names the file: no whole number of samples, none at all, a label above 9.
/// Source  https://www.cs.toronto.edu/~kriz/cifar.html
template <class T>
[[nodiscard]] FloatData<T> parse_cifar10(std::vector<FileText> const& batches);

}  // namespace isserlis::float_data
