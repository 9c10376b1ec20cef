#pragma once

#include <cstddef>
#include <cstdint>

namespace venue {

/// The first byte that is not UTF-8; `length` when all is.
size_t first_invalid_utf8(const uint8_t *text, size_t length) noexcept;

/// The first character below U+0020 in a string, or the quotation mark of the string that does not end, or `length`.
size_t first_broken_string(const uint8_t *text, size_t length) noexcept;

}  // namespace venue
