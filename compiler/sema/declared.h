// What declarations come to, for those that speak of them.
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

// What a constant of the rules comes to.
struct Fixed {
  enum class Kind : std::uint8_t { integer, boolean, symbol, enumeration, none, set } kind = Kind::integer;
  Int value = 0;
  std::uint32_t ref = 0;   // enumeration
  std::string symbol = {};   // a value of an option, or a name not yet known
  std::vector<Int> values = {};   // set
  std::optional<Type> type = {};   // of a set or a card
};

// A declaration that holds in this variant.
struct Decl {
  const Node* node = nullptr;
  std::uint32_t unit = 0;
  model::Precedence precedence;
  bool replaces = false;   // put here by a `replace`
  Carrier carrier = {};   // of rules inside a card or a character
  const Node* owner = nullptr;   // that card, card type or character
  bool borrowed = false;   // by `has`: no `this`
  const Node* force = nullptr;   // `in force while C`, of a card's rules
  std::optional<std::uint32_t> borrowed_from = {};   // the card that a character has
};

// What an expression comes to that is known before the game.
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

// What is handed over as a rule: a value or function, of whose parameters some are given and the others come at each
// call.
struct Passed {
  bool is_value = false;
  std::uint32_t id = 0;
  std::vector<const Expr*> given;   // by parameter; null: comes at the call
  bool same_as(const Passed& other) const;
};
// … and inside the function to which it was handed over, where what was given is a parameter of that function.
struct PassedIn {
  bool is_value = false;
  std::uint32_t id = 0;
  std::vector<std::optional<LocalId>> given;
  std::vector<Type> takes;   // as it is declared: `rule(cell, dir) -> int`
  Type gives;
};
using Rules = std::map<std::string, PassedIn, std::less<>>;

// Names that stand for records, with their types.
using Composed = std::map<std::string, Type, std::less<>>;

struct Callable {   // signature shared by values, functions, events, windows
  const Node* node = nullptr;
  Decl decl;
  bool hidden_me = false;   // declared inside a card or character: `me` is its first parameter
  bool hidden_this = false;   // of a play or a card's action that rules watch: `this` is the second
  std::size_t hidden() const { return (hidden_me ? 1 : 0) + (hidden_this ? 1 : 0); }
  enum class State : std::uint8_t { todo, doing, done } state = State::todo;
  std::vector<std::string> names;   // of the parameters, the hidden one included; of a record those of its fields
  std::vector<Type> types;
  struct Whole {   // a parameter that is a record
    std::string name;
    Type type;
    std::size_t fields = 1;
  };
  std::map<std::size_t, Whole> records = {};   // by the place of its first field
  Composed composed = {};   // names of parameters and variables that are records
  Rules rules = {};   // parameters that are rules; what was given of them are the last parameters …
  std::size_t passed = 0;   // … so many
  std::string part = {};   // of a function that gives a record: which field this one gives
  Type gives = {};   // … and that record
  // The parameter that begins there.
  Whole at(std::size_t i) const {
    auto it = records.find(i);
    return it != records.end() ? it->second : Whole{names[i], types[i]};
  }
  std::size_t find(std::string_view name, std::size_t from) const;
  std::size_t count() const;   // of parameters, the hidden one included
};

}   // namespace cardwright::sema
