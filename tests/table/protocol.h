// Reads the tables of docs/reference/protocol.md as shapes, and checks messages against them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace cardwright::test {

using Json = nlohmann::json;

// The shape of a value: `{a, b?}`, `[…]`, the name of other rows, or anything.
struct ProtocolShape {
  enum class Kind : std::uint8_t { any, object, list, named } kind = Kind::any;
  bool or_null = false;
  std::vector<struct ProtocolField> fields;   // fields of an object
  std::shared_ptr<ProtocolShape> each;   // shape of a list's elements
  std::string name;   // for Kind::named: the name of the rows
};
struct ProtocolField {
  std::string name;
  bool optional = false;
  ProtocolShape shape;
  std::string place;   // "message/view.seat": the key for tracking whether it was ever sent
};

class Protocol {
 public:
  Protocol();   // throws if docs/reference/protocol.md cannot be parsed

  // Checks a message. Each error is recorded once, with the table of the page that the message violates.
  void check_message(const Json& message);
  void check_description(const Json& description);
  const std::set<std::string>& wrongs() const { return wrongs_; }
  // Returns the fields on the page that no checked message contained.
  std::set<std::string> unsent_fields() const;
  std::set<std::string> kinds(const std::string& section, const std::string& table) const;
  // Returns the names of all fields in the rows of a table.
  std::set<std::string> fields(const std::string& section, const std::string& table) const;

 private:
  using Rows = std::map<std::string, std::vector<ProtocolField>>;   // a row may have several shapes

  void read_row(const std::string& table, const std::string& cell);
  void check(const Json& value, const ProtocolShape& shape, const std::string& path);
  void check_object(const Json& value, const std::vector<ProtocolField>& fields, const std::string& path,
                    const std::set<std::string>& besides);
  // Checks the value against the shapes of the row; one of them must match.
  void check_row(const Json& value, const std::string& table, const std::string& row, const std::string& path,
                 const std::set<std::string>& besides);
  void check_named(const Json& value, const std::string& name, const std::string& path);
  void check_things(const Json& things, const std::string& path);
  std::vector<ProtocolField> as_fields(const std::string& table) const;
  void wrong(const std::string& path, const std::string& what) { wrongs_.insert(path + ": " + what); }

  std::map<std::string, Rows> tables_;   // by "section/name", for example "From the table/message"
  std::set<std::string> sent_, wrongs_;
};

}   // namespace cardwright::test
