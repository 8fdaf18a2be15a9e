// Serializes values to bytes and back. One list of fields serves both directions: for a struct S, write `FIELDS(S, x,
// y)`, which defines the template `void fields(A& a, S& s) { a(s.x, s.y); }`. The format depends on the build, so code
// that stores the bytes must also store the build ID.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/source.h"

// Lists all fields of a struct in the order of their declaration. A missing field is a compile error.
#define FIELDS(Type, ...)                \
  template <class A>                     \
  void fields(A& archive, Type& whole) { \
    auto& [__VA_ARGS__] = whole;         \
    archive(__VA_ARGS__);                \
  }

namespace cardwright {

// Thrown for bytes that a Writer cannot have written.
struct Damaged {};
[[noreturn]] inline void refuse_bytes() {
#ifdef __cpp_exceptions
  throw Damaged();
#else
  __builtin_trap();   // without exceptions, an error aborts the program
#endif
}

class Writer {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (item(values), ...);
  }
  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

  // Writes the object representation of the value.
  template <class T>
  void raw(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

 private:
  void number(std::uint64_t n) {
    for (; n >= 0x80; n >>= 7) bytes_ += static_cast<char>(n | 0x80);
    bytes_ += static_cast<char>(n);
  }
  template <class T>
  void item(const T& value) {
    if constexpr (std::is_enum_v<T>)
      number(static_cast<std::uint64_t>(value));
    else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
      number((static_cast<std::uint64_t>(value) << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0));
    else if constexpr (std::is_integral_v<T>)
      number(value);
    else
      fields(*this, const_cast<T&>(value));
  }
  void item(const std::string& text) {
    number(text.size());
    bytes_ += text;
  }
  void item(const Range& range) {
    number(range.known() ? std::uint64_t{range.source} + 1 : 0);
    if (range.known()) (*this)(range.begin, range.end);
  }
  template <class A, class B>
  void item(const std::pair<A, B>& value) {
    (*this)(value.first, value.second);
  }
  template <class T>
  void item(const std::optional<T>& value) {
    item(value.has_value());
    if (value) item(*value);
  }
  template <class T>
  void item(const std::vector<T>& values) {
    number(values.size());
    for (const T& value : values) item(value);
  }
  std::string bytes_;
};

// Reads values that a Writer wrote. Throws Damaged instead of reading past the end or allocating more memory than the
// bytes can fill.
class Reader {
 public:
  // `sources` maps each source number at the time of writing to the current SourceId.
  explicit Reader(std::string_view bytes, std::vector<SourceId> sources = {})
      : at_(bytes.data()), end_(at_ + bytes.size()), sources_(std::move(sources)) {}
  template <class... T>
  void operator()(T&... values) {
    (item(values), ...);
  }
  bool at_end() const { return at_ == end_; }

  template <class T>
  void raw(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (left() < sizeof value) refuse_bytes();
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
  }

 private:
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  std::uint64_t number() {
    std::uint64_t n = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ == end_) refuse_bytes();
      const auto byte = static_cast<unsigned char>(*at_++);
      n |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return n;
    }
    refuse_bytes();
  }
  // Reads the number of elements. Each element takes at least one byte, so a count larger than the number of remaining
  // bytes means that the data is damaged.
  std::size_t count() {
    const std::uint64_t n = number();
    if (n > left()) refuse_bytes();
    return static_cast<std::size_t>(n);
  }
  template <class T>
  void item(T& value) {
    if constexpr (std::is_same_v<T, bool>)
      value = number() != 0;
    else if constexpr (std::is_enum_v<T>) {
      const std::uint64_t n = number();
      if (n > static_cast<std::uint64_t>(last_of(T{}))) refuse_bytes();
      value = static_cast<T>(n);
    } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
      const std::uint64_t n = number();
      value = static_cast<T>(static_cast<std::int64_t>(n >> 1) ^ -static_cast<std::int64_t>(n & 1));
    } else if constexpr (std::is_integral_v<T>)
      value = static_cast<T>(number());
    else
      fields(*this, value);
  }
  void item(std::string& text) {
    const std::size_t n = count();
    text.assign(at_, n);
    at_ += n;
  }
  void item(Range& range) {
    range = {};
    const std::uint64_t source = number();
    if (source == 0) return;
    if (source > sources_.size()) refuse_bytes();
    range.source = sources_[static_cast<std::size_t>(source) - 1];
    (*this)(range.begin, range.end);
  }
  template <class A, class B>
  void item(std::pair<A, B>& value) {
    (*this)(value.first, value.second);
  }
  template <class T>
  void item(std::optional<T>& value) {
    bool there = false;
    item(there);
    value.reset();
    if (there) item(value.emplace());
  }
  template <class T>
  void item(std::vector<T>& values) {
    values.clear();
    values.resize(count());
    for (T& value : values) item(value);
  }
  const char* at_;
  const char* end_;
  std::vector<SourceId> sources_;
};

}   // namespace cardwright
