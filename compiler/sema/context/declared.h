// Defines the data structures for resolved declarations: constants, callables, records, and rules passed as arguments.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/analysis/evaluate.h"
#include "compiler/sema/context/types.h"

namespace cardwright::sema {

using analysis::ConstantValue;

// The value of a constant.
struct TreeConstant {
  enum class Kind : std::uint8_t { integer, boolean, symbol, enumeration, none, set } kind = Kind::integer;
  Int value = 0;
  std::uint32_t ref = 0;   // for an enumeration: index of the enum
  std::string symbol = {};   // the value of an option, or an unresolved name
  std::vector<Int> values = {};   // for a set: its elements
  std::optional<Type> type = {};   // type of a set or a card
};

// A declaration that exists with the chosen options.
struct Decl {
  const Node* node = nullptr;
  std::uint32_t unit = 0;
  model::Precedence precedence;
  bool replaces = false;   // comes from a `replace`
  Carrier carrier = {};   // for a rule inside a card or character
  const Node* owner = nullptr;   // card, card type or character that contains the rule
  bool borrowed = false;   // a rule of a card that a character `has`; `this` is not available in it
  const Node* force = nullptr;   // C in `in force while C`, for a card's rules
  std::optional<std::uint32_t> borrowed_from = {};   // the card whose rules the character `has`
};

// The window that `let s = open W(…)` opens, and the locals that store its variables.
struct Opened {
  std::uint32_t window = 0;
  std::vector<std::pair<std::string, LocalId>> variables = {};
};

// A rule passed as an argument: a value or function with some bound arguments. The other arguments are supplied at each
// call.
struct Passed {
  bool is_value = false;
  std::uint32_t id = 0;
  std::vector<const Expr*> given;   // bound arguments, one for each parameter; null if supplied at the call
  bool same_as(const Passed& other) const;
};
// A passed rule in the function that receives it. The bound arguments are parameters of that function.
struct PassedIn {
  bool is_value = false;
  std::uint32_t id = 0;
  std::vector<std::optional<LocalId>> given;
  std::vector<Type> takes;   // declared parameter types, such as those in `rule(cell, dir) -> int`
  Type gives;
};
using Rules = std::map<std::string, PassedIn, std::less<>>;

// Names of variables or parameters that are records, with their types.
using Composed = std::map<std::string, Type, std::less<>>;

struct Callable {   // the common signature of values, functions, events and windows
  const Node* node = nullptr;
  Decl decl;
  bool hidden_me = false;   // declared inside a card or character: `me` is its first parameter
  bool hidden_this = false;   // for a watched play or an action of a card, `this` is the second parameter
  std::size_t hidden() const { return (hidden_me ? 1 : 0) + (hidden_this ? 1 : 0); }
  enum class State : std::uint8_t { todo, doing, done } state = State::todo;
  // Names of the parameters, including hidden ones. A parameter that is a record contributes one name per field.
  std::vector<std::string> names;
  std::vector<Type> types;
  struct Whole {   // a parameter that is a record
    std::string name;
    Type type;
    std::size_t fields = 1;
  };
  std::map<std::size_t, Whole> records = {};   // record parameters, by the index of their first field
  Composed composed = {};   // parameters and variables that are records
  Rules rules = {};   // parameters that are rules; their bound arguments are appended to the parameters
  std::size_t passed = 0;   // number of bound arguments of passed rules
  std::string part = {};   // for a function that returns a record: the field that this instance returns
  Type gives = {};   // type of the returned record
  // Returns the parameter whose first field has this index.
  Whole at(std::size_t i) const {
    auto it = records.find(i);
    return it != records.end() ? it->second : Whole{names[i], types[i]};
  }
  std::size_t find(std::string_view name, std::size_t from) const;
  std::size_t count() const;   // number of parameters, including hidden ones
};

}   // namespace cardwright::sema
