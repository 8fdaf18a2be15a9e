// The context of the rule that is being built. A rule that is built while another one is in progress, such as a value
// that the first one uses, has its own context.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/sema/declared.h"

namespace cardwright::sema {

struct SemaContext;

struct Binding {
  std::string_view name;
  LocalId local;
  const Expr* value = nullptr;   // used instead of a local
};
struct Held {   // a local of one body that is copied into a local of another body
  std::string_view name;
  LocalId outer, inner;
};
struct KnownCard {   // a condition has shown that the expression has this card type (narrowing.h)
  std::string key;
  Type type;
};
struct Element {   // the element whose attributes can be used without a prefix
  const Expr* value;
  bool is_it = true;
};

// The rule that is being built: its body, the names in scope, and what it may contain.
struct RuleContext {
  explicit RuleContext(SemaContext& of);

  SemaContext& sema;
  model::Model& model;   // sema.model
  Body* body = nullptr;
  std::vector<Binding> bindings;
  std::vector<Element> elements;
  std::vector<std::string> narrowed;   // expressions that are known not to be none
  std::vector<KnownCard> known_cards;
  LocalId me, self;
  LocalId here;   // `here` as of the start of the effect, once the effect uses it
  bool in_effect = false;
  bool borrowed = false;
  bool pure = false;   // in a condition, value or function, which must not have effects
  bool scenario = false;
  bool constant = false;   // in the value of a const
  std::optional<Type> yields;   // the element type, in a sequence
  Rules rules;   // rules passed as arguments, by parameter name
  bool before_game = false;   // in `setup`
  bool flow = false;   // in `setup`, `play` or `turns`
  bool in_turn = false;
  bool late = false;   // in `after` and `afterwards`: the event may be over when this runs
  bool deferred = false;   // in `afterwards`
  bool instead = false;   // in `instead of`: `proceed` and `cancel` are allowed
  bool ending = false;
  std::optional<std::uint32_t> event;   // the event of this body or handler
  std::optional<std::uint32_t> window;   // the window of this body
  std::optional<std::uint32_t> action;
  std::vector<model::WindowId> windows;   // the windows of the action of this effect
  Type result;   // the expected type of `return`
  std::string result_of;   // the name of the function, value or event that returns the result
  // The result's range is checked here. For a value it is checked after its modifiers instead.
  bool checks_result = true;
  std::string part;   // the field to return, if a function that returns a record is split
  bool infer_result = false;
  bool infer_seen = false;
  int loops = 0;
  bool tail = true;   // the current statement is the last one
  std::map<std::uint32_t, Opened> opened;
  std::set<std::uint32_t> variables;   // locals that can be assigned
  // lists of records in loops, by the local that holds the position
  std::map<std::uint32_t, const Expr*> walked_lists = {};
  const Expr* timed = nullptr;   // the player whose latency is computed; random durations are only allowed here
  std::set<std::uint32_t> soft;   // locals that may be none without a declared optional type: see is_soft
  bool droppable = false;   // the rule may be dropped if it uses a name of another variant
  bool dropped = false;
  std::string dropped_for;   // the missing name
  Carrier carrier;
  const Node* owner = nullptr;
  const Node* force = nullptr;
  std::vector<const Expr*> pattern_conditions;   // conditions of the patterns of the rule's head
  LocalId each_index;   // the position in `each x at i in S`, if the loop runs over a list
  const Node* walked = nullptr;   // an expression whose elements are only iterated, not stored
  // A call that is the whole value of a `let`, an assignment or a `return`. It is evaluated before everything else
  // there.
  const Node* stands = nullptr;
  Block* stands_in = nullptr;
};

// Marks a condition, in which effects are forbidden.
struct Pure {
  explicit Pure(RuleContext& rule) : rule_(rule), before_(rule.pure) { rule.pure = true; }
  ~Pure() { rule_.pure = before_; }
  Pure(const Pure&) = delete;

 private:
  RuleContext& rule_;
  bool before_;
};

// A zone in an expression or statement.
struct Where {
  model::Place place;
  Range range;
};

// Restores bindings, elements and narrowed types at the end of a block.
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
    // Facts removed inside the block stay removed; facts learned inside it don't apply outside.
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
