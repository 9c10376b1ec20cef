#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "CSimdjson.h"

namespace venue {

/// A buffer that grows without throwing: `reserve` returns false if there is no memory.
template <typename Element>
class Buffer {
  public:
    Buffer() = default;
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    ~Buffer() { std::free(elements_); }

    Element *data() const noexcept { return elements_; }
    size_t count() const noexcept { return count_; }
    void clear() noexcept { count_ = 0; }

    bool reserve(size_t more) noexcept { return capacity_ - count_ >= more || grow(more); }

    /// The capacity has to be reserved.
    void push(Element element) noexcept { elements_[count_++] = element; }

    /// The capacity has to be reserved.
    void append(const Element *elements, size_t count) noexcept {
        if (count == 0) { return; }
        std::memcpy(elements_ + count_, elements, count * sizeof(Element));
        count_ += count;
    }

  private:
    bool grow(size_t more) noexcept {
        size_t capacity = capacity_ < 256 ? 256 : capacity_ * 2;
        while (capacity - count_ < more) { capacity *= 2; }
        auto *elements = static_cast<Element *>(std::realloc(elements_, capacity * sizeof(Element)));
        if (elements == nullptr) { return false; }
        elements_ = elements;
        capacity_ = capacity;
        return true;
    }

    Element *elements_ = nullptr;
    size_t count_ = 0;
    size_t capacity_ = 0;
};

/// The destination of a value.
struct Tape {
    Buffer<uint64_t> words;
    Buffer<uint8_t> strings;
    /// The offset of the value's text in the document, increased by the bytes that do not count towards its length.
    size_t begin = 0;

    void clear() noexcept {
        words.clear();
        strings.clear();
        begin = 0;
    }

    csimdjson_tape view() const noexcept { return {words.data(), words.count(), strings.data()}; }
};

constexpr uint64_t word(csimdjson_tag tag, uint64_t length, uint64_t offset) noexcept {
    return static_cast<uint64_t>(tag) << 60 | length << 30 | offset;
}

}  // namespace venue
