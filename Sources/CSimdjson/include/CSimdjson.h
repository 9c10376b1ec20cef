#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Zero bytes that stand behind every document given to `csimdjson_open`.
#define CSIMDJSON_PADDING 64

/// Bytes that a document has at most.
#define CSIMDJSON_LONGEST_DOCUMENT 0x3fffffff

/// Depths past this one are refused whatever limit is given.
#define CSIMDJSON_DEEPEST 1024

/// What a word of a tape says. A word is the tag in the upper 4 bits, a length in the next 30, an offset in the last 30.
typedef enum __attribute__((enum_extensibility(closed))) {
    csimdjson_null = 0,
    csimdjson_false = 1,
    csimdjson_true = 2,
    /// A number at an offset of the document, of at most 15 significant digits, at most 22 of them behind the point, and
    /// spelled as ECMAScript spells the double that it stands for.
    csimdjson_decimal = 3,
    /// Any other number. The next word holds the bits of the double. When there is a length, the number is spelled as
    /// ECMAScript spells the double.
    csimdjson_double = 4,
    /// A string or key without escapes: its UTF-8 at an offset of the document.
    csimdjson_plain_string = 5,
    /// A string or key that had escapes: its UTF-8 at an offset of the tape's own strings.
    csimdjson_unescaped_string = 6,
    /// The offset is the number of the word behind the last element.
    csimdjson_array = 7,
    /// The offset is the number of the word behind the last member. A member is a key and a value.
    csimdjson_object = 8,
    /// Stands for an array whose elements were told one by one.
    csimdjson_listed = 9,
} csimdjson_tag;

/// A JSON value, flat. Its pointers are good until the next call with the same reader.
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
    /// The offset is the one of the opening quotation mark.
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
    /// There is more behind the value.
    csimdjson_trailing_content,
    /// The document has more than `CSIMDJSON_LONGEST_DOCUMENT` bytes.
    csimdjson_document_too_long,
    /// An element, or all of the document but its elements, is longer than it may be.
    csimdjson_value_too_long,
    csimdjson_out_of_memory,
} csimdjson_status;

typedef enum __attribute__((enum_extensibility(closed))) {
    /// The document cannot be read: `csimdjson_failure` tells why.
    csimdjson_failed = 0,
    /// The listed array begins. When the document has the member twice, this comes twice.
    csimdjson_list_begins,
    /// `csimdjson_element` is the next element of the listed array.
    csimdjson_has_element,
    /// The document has been read to its end: `csimdjson_root` is all of it but the elements told before.
    csimdjson_finished,
} csimdjson_event;

typedef struct {
    csimdjson_status status;
    /// The byte of the document that is to blame.
    size_t offset;
} csimdjson_failure;

/// Reads documents, one after the other. Not to be used by two threads at once.
typedef struct csimdjson_reader csimdjson_reader;

/// NULL when there is no memory.
csimdjson_reader *csimdjson_reader_create(void);
void csimdjson_reader_destroy(csimdjson_reader *reader);

/// What a document may be, and how it is told.
typedef struct {
    /// Arrays and objects around a value.
    uint32_t deepest;
    /// Bytes of an element, and of all the rest of the document. This bounds the memory of the tapes.
    size_t longest;
    /// The member of the root object whose elements are told one by one, so that a long document needs no long tape; NULL
    /// for none. It has to live as long as the document.
    const char *listed;
} csimdjson_terms;

/// Begins a document, which has to stay where it is until the last call for it.
void csimdjson_open(csimdjson_reader *reader, const uint8_t *document, size_t length, csimdjson_terms terms);

/// Reads on.
csimdjson_event csimdjson_next(csimdjson_reader *reader);

csimdjson_tape csimdjson_element(const csimdjson_reader *reader);
csimdjson_tape csimdjson_root(const csimdjson_reader *reader);
csimdjson_failure csimdjson_get_failure(const csimdjson_reader *reader);

/// Numbers so far that a double cannot hold as they were written: integers that are no doubles, more than 17 significant
/// digits, and what is too small to be told from zero.
uint64_t csimdjson_changed_numbers(const csimdjson_reader *reader);

#ifdef __cplusplus
}
#endif
