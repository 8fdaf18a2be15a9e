// Defines the context of a rule that is being built. If building a rule requires another rule, such as a value that it
// uses, the other rule has its own context.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/context/declared.h"

namespace cardwright::sema {

struct SemaContext;

struct Binding {
  std::string_view name;
  LocalId local;
  const Expr* value = nullptr;   // if set, the name refers to this expression instead of the local
};
struct Held {   // a local whose value is copied to a local of another body
  std::string_view name;
  LocalId outer, inner;
};
struct KnownCard {   // an expression that a condition has narrowed to this card type
  std::string key;
  Type type;
};
struct Element {   // an element whose attributes can be used without a prefix
  const Expr* value;
  bool is_it = true;
};

// The rule that is being built: its body, the names in scope, and the constructs that are allowed in it.
struct RuleContext {
  explicit RuleContext(SemaContext& of);

  SemaContext& sema;
  model::Model& model;   // sema.model
  Body* body = nullptr;
  std::vector<Binding> bindings;
  std::vector<Element> elements;
  std::vector<std::string> narrowed;   // expressions that a condition has proved not to be none
  std::vector<KnownCard> known_cards;
  LocalId me, self;
  LocalId here;   // stores `here` at the start of the effect; invalid if the effect does not use it
  bool in_effect = false;
  bool borrowed = false;
  bool pure = false;   // the code is a condition, value or function, which must not have effects
  bool scenario = false;
  bool constant = false;   // the code is the value of a const
  std::optional<Type> yields;   // in a sequence: the element type
  Rules rules;   // rules passed as arguments, by parameter name
  bool before_game = false;   // the rule is in `setup`
  bool flow = false;   // the rule is in `setup`, `play` or `turns`
  bool in_turn = false;
  bool late = false;   // the rule is in `after` or `afterwards`, which may run after the end of the event
  bool deferred = false;   // the rule is in `afterwards`
  bool instead = false;   // the rule is an `instead of`, in which `proceed` and `cancel` are allowed
  bool ending = false;
  std::optional<std::uint32_t> event;   // the event that contains this body or handler
  std::optional<std::uint32_t> window;   // the window that contains this body
  std::optional<std::uint32_t> action;
  std::vector<model::WindowId> windows;   // if the rule is the effect of an action, the windows that offer the action
  Type result;   // the expected type of `return`
  std::string result_of;   // name of the function, value or event that contains the `return`
  // True if the range of the result is checked here. The result of a value is checked after its modifiers instead.
  bool checks_result = true;
  std::string part;   // for a function that returns a record, the field that this instance returns
  bool infer_result = false;
  bool infer_seen = false;
  int loops = 0;
  bool tail = true;   // the current statement is the last one of the body
  std::map<std::uint32_t, Opened> opened;
  std::set<std::uint32_t> variables;   // locals that can be assigned
  // For each quantifier over a list of records: the list, by the index of the local that stores the position in it.
  std::map<std::uint32_t, const Expr*> walked_lists = {};
  const Expr* timed = nullptr;   // the player whose latency is being computed; otherwise null
  std::set<std::uint32_t> soft;   // optional locals that can be used without a check (is_soft)
  bool droppable = false;   // the rule is dropped if it uses a name that exists only under other options
  bool dropped = false;
  std::string dropped_for;   // the missing name that causes the rule to be dropped
  Carrier carrier;
  const Node* owner = nullptr;
  const Node* force = nullptr;
  std::vector<const Expr*> pattern_conditions;   // conditions from the patterns in the rule's head
  LocalId each_index;   // the local `i` of `each x at i in S`, if the loop runs over a list
  const Node* walked = nullptr;   // an expression that is only iterated over; its elements need not be stored
  // A call that is the entire value of a `let`, assignment or `return`. It is evaluated before everything else in that
  // statement.
  const Node* statement_value = nullptr;
  Block* statement_block = nullptr;
};

// While this object exists, the code being built is treated as a condition, in which effects are forbidden.
struct Pure {
  explicit Pure(RuleContext& rule) : rule_(rule), before_(rule.pure) { rule.pure = true; }
  ~Pure() { rule_.pure = before_; }
  Pure(const Pure&) = delete;

 private:
  RuleContext& rule_;
  bool before_;
};

// A reference to a zone in an expression or statement.
struct Where {
  model::Place place;
  Range range;
};

// Restores bindings, elements and narrowed types when the block that created this object ends.
struct Scoped {
  explicit Scoped(RuleContext& rule)
      : rule_(rule),
        bindings_(rule.bindings.size()),
        elements_(rule.elements.size()),
        narrowed_(rule.narrowed),
        known_cards_(rule.known_cards) {}
  ~Scoped() {
    rule_.bindings.resize(bindings_);
    rule_.elements.resize(elements_);
    // Facts removed inside the block stay removed. Facts learned inside it do not apply outside.
    keep_known(rule_.narrowed, narrowed_, [](const std::string& a, const std::string& b) { return a == b; });
    keep_known(rule_.known_cards, known_cards_, [](const KnownCard& a, const KnownCard& b) {
      return a.key == b.key && a.type.ref == b.type.ref && a.type.lo == b.type.lo;
    });
  }
  Scoped(const Scoped&) = delete;

 private:
  template <class Known, class Same>
  static void keep_known(std::vector<Known>& now, std::vector<Known>& before, const Same& same) {
    std::erase_if(before, [&](const Known& known) {
      return std::none_of(now.begin(), now.end(), [&](const Known& other) { return same(known, other); });
    });
    now = std::move(before);
  }

  RuleContext& rule_;
  std::size_t bindings_, elements_;
  std::vector<std::string> narrowed_;
  std::vector<KnownCard> known_cards_;
};

}   // namespace cardwright::sema
