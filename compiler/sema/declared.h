// Describes declarations after they are resolved: constants, callables, records and rules passed as arguments.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/sema/types.h"

namespace cardwright::sema {

// The value of a constant.
struct Fixed {
  enum class Kind : std::uint8_t { integer, boolean, symbol, enumeration, none, set } kind = Kind::integer;
  Int value = 0;
  std::uint32_t ref = 0;   // enumeration
  std::string symbol = {};   // a value of an option, or an unresolved name
  std::vector<Int> values = {};   // set
  std::optional<Type> type = {};   // of a set or a card
};

// A declaration that is part of this variant.
struct Decl {
  const Node* node = nullptr;
  std::uint32_t unit = 0;
  model::Precedence precedence;
  bool replaces = false;   // comes from a `replace`
  Carrier carrier = {};   // of rules inside a card or a character
  const Node* owner = nullptr;   // that card, card type or character
  bool borrowed = false;   // a rule of a card that a character `has`: there is no `this`
  const Node* force = nullptr;   // `in force while C`, of a card's rules
  std::optional<std::uint32_t> borrowed_from = {};   // the card that the character `has`
};

// The value of an expression that is known before the game.
struct Computed {
  Int value = 0;
  std::vector<Int> values;   // of a set
  std::vector<Computed> items;   // of a list
};

// `let s = open W(…)`: the window, and the locals that hold its variables.
struct Opened {
  std::uint32_t window = 0;
  std::vector<std::pair<std::string, LocalId>> variables = {};
};

// A rule passed as an argument: a value or function with some of its parameters bound. The other arguments are
// supplied at each call.
struct Passed {
  bool is_value = false;
  std::uint32_t id = 0;
  std::vector<const Expr*> given;   // by parameter; null: supplied at the call
  bool same_as(const Passed& other) const;
};
// The same inside the function that receives it, where the bound arguments are parameters of that function.
struct PassedIn {
  bool is_value = false;
  std::uint32_t id = 0;
  std::vector<std::optional<LocalId>> given;
  std::vector<Type> takes;   // the declared parameter types: `rule(cell, dir) -> int`
  Type gives;
};
using Rules = std::map<std::string, PassedIn, std::less<>>;

// Names of records, with their types.
using Composed = std::map<std::string, Type, std::less<>>;

struct Callable {   // signature shared by values, functions, events, windows
  const Node* node = nullptr;
  Decl decl;
  bool hidden_me = false;   // declared inside a card or character: `me` is its first parameter
  bool hidden_this = false;   // for a watched play or card action: `this` is the second parameter
  std::size_t hidden() const { return (hidden_me ? 1 : 0) + (hidden_this ? 1 : 0); }
  enum class State : std::uint8_t { todo, doing, done } state = State::todo;
  std::vector<std::string> names;   // of the parameters, including hidden ones; a record contributes its field names
  std::vector<Type> types;
  struct Whole {   // a parameter that is a record
    std::string name;
    Type type;
    std::size_t fields = 1;
  };
  std::map<std::size_t, Whole> records = {};   // by the index of the first field
  Composed composed = {};   // names of parameters and variables that are records
  Rules rules = {};   // parameters that are rules; their bound arguments are the last parameters
  std::size_t passed = 0;   // number of those bound arguments
  std::string part = {};   // for a function that returns a record: the field that this instance returns
  Type gives = {};   // the type of that record
  // Returns the parameter that begins at this index.
  Whole at(std::size_t i) const {
    auto it = records.find(i);
    return it != records.end() ? it->second : Whole{names[i], types[i]};
  }
  std::size_t find(std::string_view name, std::size_t from) const;
  std::size_t count() const;   // number of parameters, including hidden ones
};

}   // namespace cardwright::sema
