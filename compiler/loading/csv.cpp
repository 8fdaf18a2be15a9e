// Parses comma-separated values in one pass. A field ends at a separator or newline outside quotes.
#include "compiler/loading/csv.h"

#include <algorithm>
#include <cctype>

#include "compiler/parse/parse.h"

namespace cardwright::loading {
namespace {

constexpr std::string_view kNoBreakSpace = "\xC2\xA0";

// Returns the length of the blank or line break at this position, or 0.
std::size_t blank_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  if (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n') return 1;
  return text.substr(at).starts_with(kNoBreakSpace) ? kNoBreakSpace.size() : 0;
}

std::string_view trimmed(std::string_view text) {
  for (std::size_t n = blank_at(text, 0); n > 0; n = blank_at(text, 0)) text.remove_prefix(n);
  for (;;) {
    const std::size_t n = text.ends_with(kNoBreakSpace)                          ? kNoBreakSpace.size()
                          : !text.empty() && blank_at(text, text.size() - 1) > 0 ? 1
                                                                                 : 0;
    if (n == 0) return text;
    text.remove_suffix(n);
  }
}

class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : text_(text) {}

  Csv read() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    separator_ = separator();
    while (at_ < text_.size() && !broken_) row();
    return std::move(csv_);
  }

 private:
  // Returns the most frequent separator in the first line outside quotes. Skips a line such as `sep=;`, which names the
  // separator for spreadsheets.
  char separator() {
    const std::size_t end = std::min(text_.find_first_of("\r\n", at_), text_.size());
    const std::string_view first = text_.substr(at_, end - at_);
    if (first.size() == 5 && first.starts_with("sep=")) {
      at_ = end;
      return first.back();
    }
    bool quoted = false;
    std::size_t commas = 0, semicolons = 0, tabs = 0;
    for (std::size_t i = at_; i < text_.size() && (quoted || (text_[i] != '\n' && text_[i] != '\r')); ++i) {
      if (text_[i] == '"') quoted = !quoted;
      if (!quoted) commas += text_[i] == ',', semicolons += text_[i] == ';', tabs += text_[i] == '\t';
    }
    return semicolons > commas && semicolons >= tabs ? ';' : tabs > commas ? '\t' : ',';
  }

  bool at_field_end() const {
    return at_ >= text_.size() || text_[at_] == separator_ || text_[at_] == '\n' || text_[at_] == '\r';
  }
  void skip_blanks() {
    while (!at_field_end()) {
      const std::size_t n = blank_at(text_, at_);
      if (n == 0) return;
      at_ += n;
    }
  }
  std::uint32_t here() const { return static_cast<std::uint32_t>(at_); }

  void row() {
    CsvRow row;
    row.begin = here();
    for (;;) {
      row.fields.push_back(field());
      if (at_ >= text_.size() || text_[at_] != separator_) break;
      ++at_;
    }
    row.end = here();
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ < text_.size() && text_[at_] == '\n') ++at_;
    const bool empty = std::ranges::all_of(row.fields, [](const CsvField& f) { return f.text.empty(); });
    if (!empty && !broken_) csv_.rows.push_back(std::move(row));
  }

  CsvField field() {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '"') return quoted_field();
    CsvField field;
    field.begin = here();
    while (!at_field_end()) ++at_;
    field.text = trimmed(text_.substr(field.begin, at_ - field.begin));
    field.end = field.begin + static_cast<std::uint32_t>(field.text.size());
    return field;
  }

  CsvField quoted_field() {
    CsvField field;
    field.begin = here();
    std::string inside;
    for (++at_;; ++at_) {
      if (at_ >= text_.size()) {
        csv_.problems.push_back({"unterminated quoted field", "", field.begin});
        broken_ = true;
        return field;
      }
      if (text_[at_] == '"') {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') break;
        ++at_;
      }
      // A cell of a spreadsheet can be wrapped: "Water\nPistol".
      const bool line_break = text_[at_] == '\n' || text_[at_] == '\r';
      if (!line_break || !inside.ends_with(' ')) inside += line_break ? ' ' : text_[at_];
    }
    ++at_;
    field.text = trimmed(inside);
    field.end = here();
    skip_blanks();
    if (!at_field_end()) {
      csv_.problems.push_back({"text after a closing quote", "write a quote in a quoted field twice: `\"\"`", here()});
      while (!at_field_end()) ++at_;
    }
    return field;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  char separator_ = ',';
  bool broken_ = false;   // a quote is never closed
  Csv csv_;
};

}   // namespace

Csv read_csv(std::string_view text) { return CsvReader(text).read(); }

bool can_be_name(std::string_view text) { return parse::is_name(text); }

std::string name_of_words(std::string_view text) {
  std::string name;
  bool after_blank = false;
  for (const char c : text) {
    if (c == ' ') {
      after_blank = !name.empty();
      continue;
    }
    name += after_blank ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    after_blank = false;
  }
  return can_be_name(name) ? name : std::string();
}

std::string folded(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t blank = blank_at(text, at);
    if (blank == 0 && text[at] != '_' && text[at] != '-')
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(text[at])));
    at += std::max<std::size_t>(blank, 1);
  }
  return out;
}

std::string plain_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view digits = negative || text.starts_with('+') ? text.substr(1) : text;
  const std::size_t point = digits.find_first_of(".,");
  const std::string_view whole = digits.substr(0, point);
  std::string_view part = point == std::string_view::npos ? std::string_view() : digits.substr(point + 1);
  const auto all_digits = [](std::string_view s) {
    return s.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const bool number = !whole.empty() && all_digits(whole) && all_digits(part);
  // Three digits after a comma are probably thousands, and `1.000` is a thousand in many countries.
  const bool thousands = part.size() == 3 && (digits[point] == ',' || part == "000");
  if (!number || thousands || (point != std::string_view::npos && part.empty())) return std::string(text);
  while (part.ends_with('0')) part.remove_suffix(1);
  std::string out(negative ? "-" : "");
  out += whole;
  if (!part.empty()) out.append(".").append(part);
  return out;
}

}   // namespace cardwright::loading
