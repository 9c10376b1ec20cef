#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The number of zero bytes that must follow a document given to `csimdjson_open`.
#define CSIMDJSON_PADDING 64

/// The maximum number of bytes of a document.
#define CSIMDJSON_MAX_DOCUMENT_LENGTH 0x3fffffff

/// The maximum of the depth limit.
#define CSIMDJSON_MAX_DEPTH 1024

/// The kind of a word of a tape. A word is a tag in the upper 4 bits, a length in the next 30, and an offset in the last 30.
typedef enum __attribute__((enum_extensibility(closed))) {
    csimdjson_null = 0,
    csimdjson_false = 1,
    csimdjson_true = 2,
    /// A number at an offset of the document with at most 15 significant digits and 22 decimal places, written as ECMAScript
    /// writes its double.
    csimdjson_decimal = 3,
    /// Any other number. The next word holds the bits of the double. If the length is not 0, the number is written as ECMAScript
    /// writes the double.
    csimdjson_double = 4,
    /// A string or key without escapes: its UTF-8 at an offset of the document.
    csimdjson_plain_string = 5,
    /// A string or key that had escapes: its UTF-8 at an offset of the tape's own strings.
    csimdjson_unescaped_string = 6,
    /// The offset is the index of the word after the last element.
    csimdjson_array = 7,
    /// The offset is the index of the word after the last member. A member is a key and a value.
    csimdjson_object = 8,
    /// The streamed array, whose elements were read one by one.
    csimdjson_streamed = 9,
} csimdjson_tag;

/// A JSON value as a flat list of words. Its pointers are valid until the next call with the same reader.
typedef struct {
    const uint64_t *words;
    size_t count;
    const uint8_t *strings;
} csimdjson_tape;

/// Why a document cannot be read.
typedef enum __attribute__((enum_extensibility(closed))) {
    csimdjson_fine = 0,
    /// There is no value.
    csimdjson_empty,
    csimdjson_invalid_utf8,
    /// The offset is that of the opening quotation mark.
    csimdjson_unclosed_string,
    /// A character below U+0020 in a string.
    csimdjson_control_character,
    csimdjson_unexpected_character,
    csimdjson_unexpected_end,
    csimdjson_malformed_literal,
    csimdjson_malformed_number,
    /// The number is beyond the largest double.
    csimdjson_number_out_of_range,
    csimdjson_malformed_escape,
    csimdjson_lone_surrogate,
    csimdjson_too_deep,
    /// There is content after the value.
    csimdjson_trailing_content,
    /// The document has more than `CSIMDJSON_MAX_DOCUMENT_LENGTH` bytes.
    csimdjson_document_too_long,
    /// An element, or the document without its elements, exceeds the maximum length.
    csimdjson_value_too_long,
    csimdjson_out_of_memory,
} csimdjson_status;

typedef enum __attribute__((enum_extensibility(closed))) {
    /// The document cannot be read. `csimdjson_get_failure` returns why.
    csimdjson_failed = 0,
    /// The streamed array begins. A duplicate member makes this event come again.
    csimdjson_list_begins,
    /// `csimdjson_element` returns the next element of the streamed array.
    csimdjson_has_element,
    /// The document has been read to its end. `csimdjson_root` returns it without the streamed elements.
    csimdjson_finished,
} csimdjson_event;

typedef struct {
    csimdjson_status status;
    /// The offset of the error in the document.
    size_t offset;
} csimdjson_failure;

/// Reads documents, one after the other. Must not be used by several threads at the same time.
typedef struct csimdjson_reader csimdjson_reader;

/// NULL if there is no memory.
csimdjson_reader *csimdjson_reader_create(void);
void csimdjson_reader_destroy(csimdjson_reader *reader);

/// The limits of a document, and how it is read.
typedef struct {
    /// The maximum number of nested arrays and objects.
    uint32_t max_depth;
    /// The maximum number of bytes of an element, and of the document without its elements. This bounds the memory of the tapes.
    size_t max_length;
    /// The member of the root object whose elements are read one by one, so that a long document needs no long tape; NULL for
    /// none. It must remain valid as long as the document.
    const char *streamed_member;
} csimdjson_options;

/// Opens a document, which must remain valid until the last call for it.
void csimdjson_open(csimdjson_reader *reader, const uint8_t *document, size_t length, csimdjson_options options);

/// Reads up to the next event.
csimdjson_event csimdjson_next(csimdjson_reader *reader);

csimdjson_tape csimdjson_element(const csimdjson_reader *reader);
csimdjson_tape csimdjson_root(const csimdjson_reader *reader);
csimdjson_failure csimdjson_get_failure(const csimdjson_reader *reader);

/// The count of numbers so far that a double does not represent as written: integers that are not doubles, more than 17
/// significant digits, and numbers that become zero.
uint64_t csimdjson_changed_numbers(const csimdjson_reader *reader);

#ifdef __cplusplus
}
#endif
