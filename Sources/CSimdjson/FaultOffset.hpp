#pragma once

#include <cstddef>
#include <cstdint>

namespace venue {

/// The offset of the first byte that is not valid UTF-8; `length` if there is none.
size_t first_invalid_utf8(const uint8_t *text, size_t length) noexcept;

/// The offset of the first character below U+0020 in a string, or of the quotation mark of an unclosed string, or `length`.
size_t first_broken_string(const uint8_t *text, size_t length) noexcept;

}  // namespace venue
