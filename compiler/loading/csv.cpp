// Parses comma-separated values in one pass. A field ends at a comma or newline outside quotes.
#include "compiler/loading/csv.h"

namespace cardwright::loading {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}   // namespace

Csv read_csv(std::string_view text) {
  Csv csv;
  std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  while (at < text.size()) {
    CsvRow row;
    row.begin = static_cast<std::uint32_t>(at);
    bool more = true;
    while (more) {
      CsvField field;
      field.begin = static_cast<std::uint32_t>(at);
      if (at < text.size() && text[at] == '"') {
        const std::size_t opened = at++;
        bool closed = false;
        while (at < text.size()) {
          if (text[at] == '"' && at + 1 < text.size() && text[at + 1] == '"')
            field.text += '"', at += 2;
          else if (text[at] == '"') {
            closed = true, ++at;
            break;
          } else
            field.text += text[at++];
        }
        if (!closed) {
          csv.problem = "unterminated quoted field";
          csv.problem_at = static_cast<std::uint32_t>(opened);
          return csv;
        }
        if (at < text.size() && text[at] != ',' && text[at] != '\n' && text[at] != '\r') {
          csv.problem = "text after a closing quote";
          csv.problem_at = static_cast<std::uint32_t>(at);
          return csv;
        }
      } else {
        while (at < text.size() && text[at] != ',' && text[at] != '\n' && text[at] != '\r') field.text += text[at++];
        field.text = trimmed(field.text);
      }
      field.end = static_cast<std::uint32_t>(at);
      row.fields.push_back(std::move(field));
      more = at < text.size() && text[at] == ',';
      if (more) ++at;
    }
    row.end = static_cast<std::uint32_t>(at);
    if (at < text.size() && text[at] == '\r') ++at;
    if (at < text.size() && text[at] == '\n') ++at;
    if (row.fields.size() > 1 || !row.fields[0].text.empty()) csv.rows.push_back(std::move(row));
  }
  return csv;
}

bool can_be_name(std::string_view text) {
  return !text.empty() && text.find_first_of(" \t\"'.,-+*/()") == std::string_view::npos &&
         !(text[0] >= '0' && text[0] <= '9');
}

}   // namespace cardwright::loading
