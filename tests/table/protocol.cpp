// Implements the parser for the tables of docs/reference/protocol.md and the checks of messages against them.
#include "tests/table/protocol.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <stdexcept>

#include "tests/support/files.h"

namespace cardwright::test {

namespace {

const std::string kDescription = "The description of a game/description", kThings = "Things/thing",
                  kMessages = "From the table/message", kParts = "From the table/part", kNews = "News/news";

// Parses the text in backticks: `name?: shape`, `name {…}`, `name`.
class SpanReader {
 public:
  SpanReader(std::string text, std::string place) : text_(std::move(text)), place_(std::move(place)) {}

  ProtocolField read() {
    ProtocolField out = field(place_);
    if (peek() == '{') out.shape = shape(out.place);
    if (peek() != '\0') wrong();
    return out;
  }

 private:
  [[noreturn]] void wrong() const {
    throw std::runtime_error("docs/reference/protocol.md: can't read `" + text_ + "`");
  }
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) { return peek() == c && (++at_, true); }
  std::string word() {
    peek();
    const std::size_t from = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    if (from == at_) wrong();
    return text_.substr(from, at_ - from);
  }
  ProtocolField field(const std::string& within) {
    ProtocolField out;
    out.name = word();
    out.place = within + out.name;
    out.optional = take('?');
    if (take(':'))
      out.shape = shape(out.place);
    else if (out.name == "things" || out.name == "asked" || out.name == "look")   // the field has the name of its rows
      out.shape.kind = ProtocolShape::Kind::named, out.shape.name = out.name;
    out.shape.or_null |= takes_null();
    return out;
  }
  ProtocolShape shape(const std::string& place) {
    ProtocolShape out;
    if (take('[')) {
      out.kind = ProtocolShape::Kind::list;
      out.each = std::make_shared<ProtocolShape>(shape(place));
      if (!take(']')) wrong();
    } else if (take('{')) {
      out.kind = ProtocolShape::Kind::object;
      while (!take('}')) {
        out.fields.push_back(field(place + "."));
        if (!take(',') && peek() != '}') wrong();
      }
    } else {
      out.kind = ProtocolShape::Kind::named;
      out.name = word();
    }
    out.or_null = takes_null();
    return out;
  }
  bool takes_null() {
    constexpr std::string_view kOrNull = "or null";
    if (peek() != 'o' || text_.compare(at_, kOrNull.size(), kOrNull) != 0) return false;
    at_ += kOrNull.size();
    return true;
  }

  const std::string text_, place_;
  std::size_t at_ = 0;
};

std::set<std::string> names_of(const std::vector<ProtocolField>& fields) {
  std::set<std::string> out;
  for (const ProtocolField& field : fields) out.insert(field.name);
  return out;
}

bool fits(const Json& value, const std::vector<ProtocolField>& fields, const std::set<std::string>& besides) {
  const std::set<std::string> names = names_of(fields);
  for (const auto& [key, of] : value.items())
    if (!names.contains(key) && !besides.contains(key)) return false;
  return std::all_of(fields.begin(), fields.end(),
                     [&](const ProtocolField& field) { return field.optional || value.contains(field.name); });
}

std::string text_field(const Json& value, const char* name) {
  return value.is_object() && value.contains(name) && value[name].is_string() ? value[name].get<std::string>() : "";
}

void add_places(const ProtocolShape& shape, std::set<std::string>& places) {
  if (shape.each) add_places(*shape.each, places);
  for (const ProtocolField& field : shape.fields) {
    places.insert(field.place);
    add_places(field.shape, places);
  }
}

}   // namespace

// Reads the tables of the page. A table begins with a row without backticks, whose first word names it.
Protocol::Protocol() {
  std::ifstream file(checkout("docs/reference/protocol.md"));
  std::string section, table;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) section = line.substr(3);
    if (!line.starts_with("| ")) continue;
    const std::string cell = line.substr(2, line.find(" |", 2) - 2);
    if (cell.find('`') == std::string::npos)
      table = section + "/" + cell.substr(0, cell.find(' '));
    else if (cell != "`do`")
      read_row(table, cell);
    else
      table = section + "/do";
  }
}

void Protocol::read_row(const std::string& table, const std::string& cell) {
  for (std::size_t from = cell.find('`'); from != std::string::npos;) {
    const std::size_t to = cell.find('`', from + 1);
    if (to == std::string::npos)
      throw std::runtime_error("docs/reference/protocol.md: a backtick is missing in " + cell);
    const std::string span = cell.substr(from + 1, to - from - 1);
    const std::string name = span.substr(0, span.find_first_of(" ?:"));
    const std::size_t shapes = tables_[table][name].size();
    const std::string place = table + (shapes == 0 ? " " : " (another) ");
    ProtocolField row = SpanReader(span, place).read();
    tables_[table][name].push_back(std::move(row));
    from = cell.find('`', to + 1);
  }
}

void Protocol::check_message(const Json& message) {
  check_row(message, kMessages, text_field(message, "k"), text_field(message, "k"), {"k"});
}
void Protocol::check_description(const Json& description) {
  check_object(description, as_fields(kDescription), "description", {});
}

std::vector<ProtocolField> Protocol::as_fields(const std::string& table) const {
  std::vector<ProtocolField> out;
  for (const auto& [name, shapes] : tables_.at(table)) out.insert(out.end(), shapes.begin(), shapes.end());
  return out;
}

void Protocol::check(const Json& value, const ProtocolShape& shape, const std::string& path) {
  if (value.is_null() && shape.or_null) return;
  switch (shape.kind) {
    case ProtocolShape::Kind::any: return;
    case ProtocolShape::Kind::named: return check_named(value, shape.name, path);
    case ProtocolShape::Kind::object: return check_object(value, shape.fields, path, {});
    case ProtocolShape::Kind::list:
      if (!value.is_array()) return wrong(path, "a list is expected");
      for (const Json& one : value) check(one, *shape.each, path);
      return;
  }
}

void Protocol::check_object(const Json& value, const std::vector<ProtocolField>& fields, const std::string& path,
                            const std::set<std::string>& besides) {
  if (!value.is_object()) return wrong(path, "an object is expected");
  const std::set<std::string> names = names_of(fields);
  for (const auto& [key, of] : value.items())
    if (!names.contains(key) && !besides.contains(key)) wrong(path, "`" + key + "` is sent, but not documented");
  for (const ProtocolField& field : fields) {
    if (!value.contains(field.name)) {
      if (!field.optional) wrong(path, "`" + field.name + "` is missing, and has no `?` in the page");
      continue;
    }
    sent_.insert(field.place);
    check(value[field.name], field.shape, path + "." + field.name);
  }
}

void Protocol::check_row(const Json& value, const std::string& table, const std::string& row, const std::string& path,
                         const std::set<std::string>& besides) {
  const Rows& rows = tables_.at(table);
  const auto shapes = rows.find(row);
  if (shapes == rows.end()) return wrong(path, "there is no row `" + row + "` in " + table);
  const ProtocolField* found = nullptr;
  for (const ProtocolField& shape : shapes->second)
    if (value.is_object() && fits(value, shape.shape.fields, besides) && !found) found = &shape;
  if (!found) found = &shapes->second.front();   // the checks below report the mismatch with this shape
  sent_.insert(found->place);
  if (found->shape.kind == ProtocolShape::Kind::object)
    check_object(value, found->shape.fields, path, besides);
  else
    check(value, found->shape, path);
}

void Protocol::check_named(const Json& value, const std::string& name, const std::string& path) {
  if (name == "things") return check_things(value, path);
  if (name == "look") return check_object(value, as_fields("The description of a game/look"), path, {});
  if (name == "news") {
    const std::string kind = text_field(value, "k");
    return check_row(value, kNews, kind, "news " + kind, {"k"});
  }
  if (name == "part") {
    const std::string kind = text_field(value, "kind");
    for (const char* field : {"name", "words"})
      if (!value.contains(field)) wrong(path, std::string(field) + " is missing");
    return check_row(value, kParts, kind, "part " + kind, {"name", "kind", "words"});
  }
  check_row(value, name == "lying" ? "Things/lying" : "From the table/pieces", name, path, {});
}

// Checks `things`. A numbered key such as `z12` uses the row with the same letter (`z3`); any other key has its own
// row.
void Protocol::check_things(const Json& things, const std::string& path) {
  if (!things.is_object()) return wrong(path, "an object is expected");
  for (const auto& [key, value] : things.items()) {
    const bool numbered =
        key.size() > 1 && std::all_of(key.begin() + 1, key.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    std::string row = key;
    if (numbered)
      for (const auto& [name, shapes] : tables_.at(kThings))
        if (name[0] == key[0] && name.size() == 2) row = name;
    check_row(value, kThings, row, path + " " + row, {});
  }
}

std::set<std::string> Protocol::unsent_fields() const {
  std::set<std::string> places;
  for (const auto& [table, rows] : tables_) {
    if (table.starts_with("From the client/") || table.ends_with("/do")) continue;
    for (const auto& [name, shapes] : rows)
      for (const ProtocolField& row : shapes) {
        places.insert(row.place);
        add_places(row.shape, places);
      }
  }
  std::set<std::string> out;
  std::set_difference(places.begin(), places.end(), sent_.begin(), sent_.end(), std::inserter(out, out.end()));
  return out;
}

std::set<std::string> Protocol::kinds(const std::string& section, const std::string& table) const {
  std::set<std::string> out;
  for (const auto& [name, shapes] : tables_.at(section + "/" + table)) out.insert(name);
  return out;
}

std::set<std::string> Protocol::fields(const std::string& section, const std::string& table) const {
  std::set<std::string> out;
  for (const auto& [name, shapes] : tables_.at(section + "/" + table))
    for (const ProtocolField& row : shapes)
      for (const std::string& field : names_of(row.shape.fields)) out.insert(field);
  return out;
}

}   // namespace cardwright::test
