// One rule while it is read. Where one is read in the middle of another, such as a value that the first asks for, it
// has a context of its own.
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
  const Expr* value = nullptr;   // instead of a local
};
struct Held {   // a local of one body that another one takes over
  std::string_view name;
  LocalId outer, inner;
};
struct KnownCard {   // a test has shown that this expression is such a card (narrowing.h)
  std::string key;
  Type type;
};
struct Element {   // what bare attributes belong to
  const Expr* value;
  bool is_it = true;
};

// The rule whose code is being written: its body, what names mean in it, and what may happen there.
struct RuleContext {
  explicit RuleContext(SemaContext& of);

  SemaContext& sema;
  model::Model& model;   // sema.model
  Body* body = nullptr;
  std::vector<Binding> bindings;
  std::vector<Element> elements;
  std::vector<std::string> narrowed;   // known not to be none
  std::vector<KnownCard> known_cards;
  LocalId me, self;
  LocalId here;   // once an effect has spoken of it: as it was when the effect began
  bool in_effect = false;
  bool borrowed = false;
  bool pure = false;   // a condition, value or function: nothing may happen
  bool scenario = false;
  bool constant = false;   // a const
  std::optional<Type> yields;   // a sequence of that
  Rules rules;   // by the names of parameters
  bool before_game = false;   // setup
  bool flow = false;   // setup, play, turns
  bool in_turn = false;
  bool late = false;   // `after`, `afterwards`: what the rule belongs to may be over when this runs
  bool deferred = false;   // in an `afterwards`
  bool instead = false;   // `proceed`, `cancel`
  bool ending = false;
  std::optional<std::uint32_t> event;   // whose body or handler this is
  std::optional<std::uint32_t> window;   // whose body this is
  std::optional<std::uint32_t> action;
  std::vector<model::WindowId> windows;   // of the action whose effect this is
  Type result;   // of `return`
  std::string result_of;   // the name of the function, value or event that returns it
  bool checks_result = true;   // against its declared range; a value's number is checked after the rules that modify it
  std::string part;   // a function that gives a record: which of its fields is returned
  bool infer_result = false;
  bool infer_seen = false;
  int loops = 0;
  bool tail = true;   // nothing comes after the statement at hand
  std::map<std::uint32_t, Opened> opened;
  std::set<std::uint32_t> variables;   // locals that may be assigned
  std::map<std::uint32_t, const Expr*> walked_lists = {};   // of records, by the local that is a place in it
  const Expr* timed = nullptr;   // whose latency it is: times that vary may stand here
  std::set<std::uint32_t> soft;   // locals that may be none, and nobody said so: see is_soft
  bool droppable = false;   // may be left out if it names what another variant has
  bool dropped = false;
  std::string dropped_for;   // … and what that is
  Carrier carrier;
  const Node* owner = nullptr;
  const Node* force = nullptr;
  std::vector<const Expr*> pattern_conditions;   // what the patterns of the rule's head demand
  LocalId each_index;   // `each x at i in S`: the place, where the walk is over a list
  const Node* walked = nullptr;   // an expression whose elements are only walked through
  // a call that stands by itself after `let`, `=` or `return`: it may happen before all else there
  const Node* stands = nullptr;
  Block* stands_in = nullptr;
};

// For the time of a condition nothing may happen.
struct Pure {
  explicit Pure(RuleContext& rule) : rule_(rule), before_(rule.pure) { rule.pure = true; }
  ~Pure() { rule_.pure = before_; }
  Pure(const Pure&) = delete;

 private:
  RuleContext& rule_;
  bool before_;
};

// A place where cards lie.
struct Where {
  model::Place place;
  Range range;
};

// Puts bindings, elements and narrowings back at the end of a block.
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
    // Facts that were removed inside stay removed, and facts that were learnt inside don't hold outside.
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
