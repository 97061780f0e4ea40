// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <isserlis/error.hpp>
#include <isserlis/float_data/images.hpp>

namespace {

using isserlis::float_data::parse_cifar10;
using isserlis::float_data::parse_idx;

std::string big_endian(std::uint32_t size) {
    std::string out;
    for (unsigned shift = 32; shift > 0; shift -= 8) out += static_cast<char>(size >> (shift - 8) & 0xffU);
    return out;
}

/// Two images of 2 x 3 pixels.
std::string two_images() {
    std::string out{'\0', '\0', '\x08', '\x03'};
    out += big_endian(2) + big_endian(2) + big_endian(3);
    for (int pixel = 0; pixel < 12; ++pixel) out += static_cast<char>(pixel * 23);
    return out;
}

std::string two_labels() { return std::string{'\0', '\0', '\x08', '\x01'} + big_endian(2) + std::string{'\x07', '\0'}; }

void refused(std::string const& images, std::string const& labels, char const* message) {
    CHECK_THROWS_WITH_AS(static_cast<void>(parse_idx<double>({"i", images}, {"l", labels})), doctest::Contains(message),
                         isserlis::ParseError);
}

}  // namespace

TEST_SUITE("float_data/images") {
    TEST_CASE("pixels over 255, a column an image, labels from 0") {
        std::string const images = two_images();
        std::string const labels = two_labels();
        auto const data = parse_idx<float>({"i", images}, {"l", labels});
        CHECK(data.features() == 6);
        CHECK(data.samples() == 2);
        CHECK(data.inputs(0, 0) == 0);
        CHECK(data.inputs(5, 0) == static_cast<float>(115 / 255.0));
        CHECK(data.inputs(5, 1) == static_cast<float>(253 / 255.0));
        CHECK(data.labels == std::vector<std::uint32_t>{7, 0});
        CHECK(data.classes == 8);
    }

    TEST_CASE("what is no IDX file is refused by name") {
        std::string const images = two_images();
        std::string const labels = two_labels();
        refused("", labels, "data 'i' is no IDX file: it has 0 bytes");
        refused("x1,x2,y1\n", labels, "is no IDX file: it begins with 78 31 2c 78; images begin with 00 00 08 03");
        refused("\x1f\x8b\x08\x08", labels, "compressed by gzip");
        refused(labels, labels, "data 'i' begins with 00 00 08 01: 1 dimensions; images begin with 00 00 08 03");
        refused(images, images, "data 'l' begins with 00 00 08 03: 3 dimensions; labels begin with 00 00 08 01");
        std::string other = images;
        other[2] = '\x0d';
        refused(other, labels, "begins with 00 00 0d 03, another type than unsigned bytes");
    }

    TEST_CASE("a file that is cut short anywhere, or too long, is refused") {
        std::string const images = two_images();
        std::string const labels = two_labels();
        for (std::size_t size = 0; size < images.size(); ++size) {
            CAPTURE(size);
            refused(images.substr(0, size), labels, size < 4 ? "is no IDX file" : "is cut short");
        }
        for (std::size_t size = 4; size < labels.size(); ++size)
            refused(images, labels.substr(0, size), "is cut short");
        refused(images + "x", labels, "is too long: it has 13 bytes behind its sizes, which say 12");
        std::string three = labels + "\x01";
        three[7] = '\x03';
        refused(images, three, "has 3 labels for the 2 images of 'i'");
        std::string none = images.substr(0, 16);
        none[7] = '\0';
        refused(none, labels, "has no samples");
        // Sizes whose product wraps around in 64 bits to the number of bytes there are.
        std::string huge =
            std::string{'\0', '\0', '\x08', '\x03'} + big_endian(1U << 31U) + big_endian(1U << 31U) + big_endian(4);
        refused(huge, labels, "is cut short: it has 0 bytes behind its sizes, which say more");
    }

    TEST_CASE("CIFAR-10 batches one after the other") {
        std::string first(2 * 3073, '\0');
        first[0] = 9;
        first[1] = '\xff';
        std::string second(3073, '\x33');
        second[0] = 4;
        auto const data = parse_cifar10<double>({{"a", first}, {"b", second}});
        CHECK(data.features() == 3072);
        CHECK(data.labels == std::vector<std::uint32_t>{9, 0, 4});
        CHECK(data.classes == 10);
        CHECK(data.inputs(0, 0) == 1);
        CHECK(data.inputs(0, 1) == 0);
        CHECK(data.inputs(3071, 2) == 0.2);
        auto refuse = [](std::string const& bytes, char const* message) {
            CHECK_THROWS_WITH_AS(static_cast<void>(parse_cifar10<double>({{"a", bytes}})), doctest::Contains(message),
                                 isserlis::ParseError);
        };
        refuse("", "0 bytes, no whole number of CIFAR-10 samples");
        refuse(std::string(3072, '\0'), "3072 bytes, no whole number");
        refuse(std::string(3073, '\x0a'), "the label of sample 1 is 10, where 0 to 9 are possible");
        refuse("\x1f\x8b", "compressed by gzip");
    }
}
