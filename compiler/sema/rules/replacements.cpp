// For `p orders replacements`, builds an event that asks p and returns the index of the chosen replacement. Also warns
// about rules that replace each other's events in a cycle.
#include "compiler/sema/rules/replacements.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include "compiler/analysis/causes.h"
#include "compiler/analysis/memoized_values.h"
#include "compiler/analysis/offers.h"
#include "compiler/model/views.h"
#include "compiler/model/visit.h"
#include "compiler/sema/expressions/players.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/operations/pieces.h"
#include "compiler/sema/rules/callables.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

using model::CarrierKind;
using model::Handler;
using model::Hook;
using model::ReplacementOption;
using model::ReplacementOrder;

// ---------------------------------------------------------------- the order of replacements

// Returns whether several players can carry the rule for the same event. If so, the order of the copies can matter.
static bool is_of_several(const model::Model& model, const Handler& rule) {
  const auto is_me = [&](const model::Pattern& p) {
    return p.kind == model::Pattern::Kind::equals && p.value->kind == ExprKind::local && p.value->local == rule.head.me;
  };
  return rule.head.carrier.kind != CarrierKind::none && analysis::is_of_players(model, rule.head) &&
         std::ranges::none_of(rule.patterns, is_me);
}

static std::vector<ReplacementOption> options_of(const model::Model& model, const model::Event& event) {
  std::vector<ReplacementOption> options;
  const auto add = [&](std::size_t h, std::optional<model::KindId> kind) {
    if (!is_of_several(model, event.handlers[h])) return options.push_back({h, kind, std::nullopt});
    for (Int player = 0; player < model.players; ++player) options.push_back({h, kind, player});
  };
  for (std::size_t h = 0; h < event.handlers.size(); ++h) {
    const Handler& rule = event.handlers[h];
    if (rule.hook != Hook::instead) continue;
    if (rule.head.carrier.kind == CarrierKind::card)
      for (const model::KindId kind : rule.head.carrier.kinds) add(h, kind);
    else
      add(h, std::nullopt);
  }
  return options;
}

static std::string name_of(const model::Model& model, const model::Event& event, const ReplacementOption& option) {
  const model::RuleHead& head = event.handlers[option.handler].head;
  if (option.kind) return model.kinds[option.kind->index].label;
  if (head.carrier.kind == CarrierKind::character)
    return model.enums[head.carrier.character_type.index]
        .constants[static_cast<std::size_t>(head.carrier.character)]
        .label;
  return head.name;
}

// Returns the label of each option. If a card replaces the event in two ways, its labels are numbered.
static std::vector<const Expr*> labels_of(SemaContext& sema, const model::Event& event,
                                          const std::vector<ReplacementOption>& options, Range range) {
  std::vector<const Expr*> labels;
  std::map<std::pair<std::string, std::optional<Int>>, int> used;
  for (const ReplacementOption& option : options) {
    std::string name = name_of(sema.model, event, option);
    if (const int times = ++used[{name, option.player}]; times > 1) name += fmt::format(" ({})", times);
    Expr* e = make(sema, option.player ? ExprKind::text : ExprKind::constant, plain_type(TypeKind::text), range);
    if (option.player) e->args = {constant(sema, player_type(), *option.player, range)}, name += " of {}";
    e->text = name;
    sema.collected.answers.push_back(name);
    labels.push_back(e);
  }
  return labels;
}

// Creates the event that asks the player. The parameters are the player and, for each option, whether it applies. The
// event returns the index of the chosen option.
static model::EventId asking_event(SemaContext& sema, const std::string& name, std::vector<const Expr*> labels,
                                   Range range) {
  const model::EventId id{static_cast<std::uint32_t>(sema.model.events.size())};
  const auto n = static_cast<Int>(labels.size());
  model::Event event;
  event.name = "order of " + name;
  event.range = range;
  event.result = integer_type(0, n - 1);
  event.result.optional = event.returns_optional = true;
  const auto parameter = [&](std::string what, const Type& type) {
    event.parameters.push_back({LocalId{static_cast<std::uint32_t>(event.body.locals.size())}, nullptr});
    Expr* e = make(sema, ExprKind::local, type, range);
    e->local = event.parameters.back().local;
    event.body.locals.push_back({std::move(what), type, range});
    return e;
  };
  std::vector<const Expr*> exprs{parameter("who", player_type(true))};
  std::vector<Block> blocks;
  for (Int i = 0; i < n; ++i) {
    exprs.push_back(parameter(fmt::format("applies {}", i + 1), boolean_type()));
    emit(sema, blocks.emplace_back(), StmtKind::return_value, range, {integer_constant(sema, i, range)});
  }
  Expr* question = make(sema, ExprKind::constant, plain_type(TypeKind::text), range);
  question->text = "Which replacement applies first?";
  exprs.push_back(question);
  exprs.insert(exprs.end(), labels.begin(), labels.end());
  emit(sema, event.body.block, StmtKind::choose_one, range, std::move(exprs))->blocks = std::move(blocks);
  event.body.present = true;
  sema.model.events.push_back(std::move(event));
  sema.rules.events.emplace_back().state = Callable::State::done;
  return id;
}

static void order_replacements_of(SemaContext& sema, std::uint32_t index, const Node* orderer) {
  const Callable of = sema.rules.events[index];
  RuleContext rule(sema);
  rule.body = &sema.model.events[index].body;
  rule.event = index;
  bind_parameters(rule, of);
  const Pure pure(rule);
  const Expr* player = decider(rule, orderer, orderer->range);
  if (!is_poison(player)) player = convert(rule, player, player_type(true));
  if (is_poison(player)) return;
  const std::string name = sema.model.events[index].name;
  ReplacementOrder order{player, options_of(sema.model, sema.model.events[index]), {}};
  warn_if(sema, "without_effect"_code, orderer->range, order.options.size() < 2,
          fmt::format("fewer than two rules replace `{}`, so there is no order to choose", name));
  if (order.options.size() < 2) return;
  if (order.options.size() > 62)
    return void(
        error(sema, "limit_exceeded"_code, orderer->range,
              fmt::format("`{}` has {} replacements to choose from; the limit is 62", name, order.options.size()),
              "remove `orders replacements`: then the strongest rule applies first"));
  const auto labels = labels_of(sema, sema.model.events[index], order.options, orderer->range);
  order.asks = asking_event(sema, name, labels, orderer->range);
  sema.model.events[index].order = std::move(order);
}

void order_replacements(SemaContext& sema) {
  for (std::uint32_t e = 0, all = static_cast<std::uint32_t>(sema.rules.events.size()); e < all; ++e)
    if (const Node* n = sema.rules.events[e].node; n && n->kind == NodeKind::event_decl)
      if (const Node* orderer = view::event_decl(n).orderer()) order_replacements_of(sema, e, orderer);
}

// ---------------------------------------------------------------- cycles

namespace {

// A rule that replaces one event by another event.
struct Step {
  std::uint32_t from, to;
  const Handler* rule;
  const Expr* call;   // null if another event, which the rule calls, triggers this event
};

// Returns the argument that the rule passes to the event, or null if it is unknown.
const Expr* given(const Step& step, std::size_t parameter) {
  if (!step.call) return nullptr;
  const model::view::Parts arguments = model::view::call_event(step.call).arguments();
  return parameter < arguments.size() ? arguments[parameter] : nullptr;
}

class Cycles {
 public:
  explicit Cycles(SemaContext& sema) : sema_(sema), model_(sema.model) {
    for (std::uint32_t e = 0; e < model_.events.size(); ++e)
      for (const Handler& rule : model_.events[e].handlers)
        if (rule.hook == Hook::instead) steps_from(e, rule);
  }
  void report() {
    for (std::uint32_t e = 0; e < model_.events.size(); ++e) follow(e, e);
  }

 private:
  void steps_from(std::uint32_t event, const Handler& rule) {
    std::set<std::uint32_t> reached;
    const std::function<void(const Block&, bool)> look = [&](const Block& block, bool own) {
      std::vector<const Expr*> calls;
      sure_calls(block, calls);
      for (const Expr* call : calls) {
        if (!reached.insert(call->ref).second) continue;
        steps_[event].push_back({event, call->ref, &rule, own ? call : nullptr});
        look(model_.events[call->ref].body.block, false);
      }
    };
    look(rule.body.block, true);
  }
  // Visits each cycle once, by starting at its lowest event and continuing only through higher ones.
  void follow(std::uint32_t first, std::uint32_t at) {
    const auto steps = steps_.find(at);
    if (steps == steps_.end() || way_.size() >= kLongest) return;
    for (const Step& step : steps->second) {
      const bool known = std::ranges::any_of(way_, [&](const Step& s) { return s.from == step.to; });
      if (step.to < first || (known && step.to != first)) continue;
      way_.push_back(step);
      if (step.to == first)
        look_at_circle();
      else
        follow(first, step.to);
      way_.pop_back();
    }
  }
  void look_at_circle();
  bool ends() const;
  bool is_bounding(const Expr& condition, std::size_t at) const;
  bool is_passed_new_value(LocalId parameter, std::size_t at) const;
  bool moves_away(const Handler& rule) const;
  bool needs_copies() const;
  bool is_endless() const;
  bool is_written(const Expr& variable) const;
  std::size_t copies_of(const model::Carrier& carrier) const;
  std::string place_of(const Handler& rule) const;

  static constexpr std::size_t kLongest = 8;
  SemaContext& sema_;
  const model::Model& model_;
  std::map<std::uint32_t, std::vector<Step>> steps_;
  std::vector<Step> way_;
};

// Returns whether a rule or event of the cycle writes the variable.
bool Cycles::is_written(const Expr& variable) const {
  bool found = false;
  const auto look = [&](const Block& block) {
    model::for_each_stmt(block, [&](const Stmt& s) {
      found =
          found || ((s.kind == StmtKind::assign_variable || s.kind == StmtKind::assign_all) && s.ref == variable.ref);
    });
  };
  for (const Step& step : way_) look(step.rule->body.block), look(model_.events[step.to].body.block);
  return found;
}

// Returns whether this part of a condition can become false in the next iteration of the cycle.
bool Cycles::is_bounding(const Expr& e, std::size_t at) const {
  if (e.kind == ExprKind::during_event)
    return std::ranges::any_of(way_, [&](const Step& s) { return s.from == e.ref; });
  if (e.kind == ExprKind::variable) return is_written(e);
  if (e.kind == ExprKind::local) return is_passed_new_value(e.local, at);
  return e.kind == ExprKind::zone || e.kind == ExprKind::window_field || e.kind == ExprKind::event_field ||
         e.kind == ExprKind::during_window || e.kind == ExprKind::turn_number;
}

// Returns whether the cycle passes a different value for this parameter in the next iteration.
bool Cycles::is_passed_new_value(LocalId parameter, std::size_t at) const {
  const Step& before = way_[(at + way_.size() - 1) % way_.size()];
  const std::vector<model::Pattern>& patterns = way_[at].rule->patterns;
  for (std::size_t i = 0; i < patterns.size(); ++i)
    if (patterns[i].kind == model::Pattern::Kind::binds && patterns[i].local == parameter)
      return !given(before, i) || given(before, i)->kind != ExprKind::local;
  return false;
}

// Returns whether the rule moves its own card away. A card that has left its zone no longer replaces events.
bool Cycles::moves_away(const Handler& rule) const {
  bool found = false;
  model::for_each_stmt(rule.body.block, [&](const Stmt& s) {
    if (s.kind != StmtKind::move) return;
    model::for_each_expr(model::view::move(s).what(), [&](const Expr& e) {
      found = found || (e.kind == ExprKind::local && e.local == rule.head.self);
    });
  });
  return found && rule.head.self.valid();
}

bool Cycles::ends() const {
  for (std::size_t i = 0; i < way_.size(); ++i) {
    bool bounding = moves_away(*way_[i].rule);
    model::for_each_expr(way_[i].rule->head.when, [&](const Expr& e) { bounding = bounding || is_bounding(e, i); });
    if (bounding) return true;
  }
  return false;
}

std::size_t Cycles::copies_of(const model::Carrier& carrier) const {
  if (carrier.kind == CarrierKind::none) return 1;
  if (carrier.kind == CarrierKind::card)
    return static_cast<std::size_t>(std::ranges::count_if(model_.cards, [&](const model::Card& card) {
      return std::ranges::find(carrier.kinds, card.kind) != carrier.kinds.end();
    }));
  const model::Variable& variable = model_.variables[carrier.character_variable.index];
  if (!variable.dealt_from) return model_.players;
  return static_cast<std::size_t>(
      model_.pools[variable.dealt_from->index].counts[static_cast<std::size_t>(carrier.character)]);
}

// Returns whether the cycle is impossible because the rule calls its own event for another player, but has only one
// copy.
bool Cycles::needs_copies() const {
  const Step& step = way_[0];
  if (way_.size() != 1 || !step.rule->head.me.valid()) return false;
  for (std::size_t i = 0; i < step.rule->patterns.size(); ++i) {
    const model::Pattern& p = step.rule->patterns[i];
    const bool mine = p.kind == model::Pattern::Kind::equals && p.value->kind == ExprKind::local &&
                      p.value->local == step.rule->head.me;
    if (!mine) continue;
    const Expr* argument = given(step, i);
    const bool same = argument && argument->kind == ExprKind::local && argument->local == step.rule->head.me;
    return !same && copies_of(step.rule->head.carrier) < 2;
  }
  return false;
}

// Returns whether the cycle is unconditionally endless, which W0009 already reports.
bool Cycles::is_endless() const {
  return std::ranges::all_of(way_, [](const Step& step) {
    const auto equals = [](const model::Pattern& p) { return p.kind == model::Pattern::Kind::equals; };
    return step.rule->head.carrier.kind == CarrierKind::none && !step.rule->head.when &&
           std::ranges::none_of(step.rule->patterns, equals);
  });
}

std::string Cycles::place_of(const Handler& rule) const {
  const SourceMap& sources = sema_.diagnostics.sources();
  const Range at = rule.head.range, first = way_[0].rule->head.range;
  const std::string file = std::filesystem::path(sources.name(at.source)).filename().string();
  return fmt::format("line {}{}", sources.place(at.source, at.begin).line,
                     at.source == first.source ? "" : " of " + file);
}

void Cycles::look_at_circle() {
  const Range at = way_[0].rule->head.range;
  if (!at.known() || is_endless() || ends() || needs_copies()) return;
  std::string circle;
  for (const Step& step : way_)
    circle += fmt::format("{}`{}` ({}) → `{}`", circle.empty() ? "" : " → ", step.rule->head.name, place_of(*step.rule),
                          model_.events[step.to].name);
  const bool alone = way_.size() == 1;
  warn_if(sema_, "circular_replacement"_code, at, true,
          alone ? fmt::format("this rule triggers the event that it replaces: {}", circle)
                : fmt::format("rules replace each other's events in a cycle: {}", circle),
          alone ? "use `proceed(…)` to continue with other arguments; it applies each copy of a rule once"
                : fmt::format("add `when not during {}` to run it only once", model_.events[way_[0].from].name));
}

}   // namespace

void warn_cycles(SemaContext& sema) { Cycles(sema).report(); }

// Collects the calls of events that the expression always makes.
static void sure_calls(const Expr* e, std::vector<const Expr*>& out) {
  if (!e) return;
  if (e->kind == ExprKind::logical_and || e->kind == ExprKind::logical_or)
    return sure_calls(model::view::pair(e).left(), out);
  if (e->kind == ExprKind::conditional) return sure_calls(model::view::conditional(e).condition(), out);
  if (e->kind == ExprKind::or_else) return sure_calls(model::view::or_else(e).first(), out);
  if (e->kind == ExprKind::exists || e->kind == ExprKind::filter || e->kind == ExprKind::aggregate ||
      e->kind == ExprKind::best)
    return sure_calls(model::view::ranging(e).domain(), out);
  for (const Expr* a : e->args) sure_calls(a, out);
  if (e->kind == ExprKind::call_event) out.push_back(e);
}

void sure_calls(const Block& block, std::vector<const Expr*>& out) {
  for (const Stmt* s : block) {
    if (s->kind == StmtKind::each || s->kind == StmtKind::repeat || s->kind == StmtKind::afterwards ||
        s->kind == StmtKind::choose || s->kind == StmtKind::choose_one) {
      if (s->kind != StmtKind::afterwards && !s->exprs.empty()) sure_calls(s->exprs.front(), out);
      continue;
    }
    if (s->kind == StmtKind::if_else) {
      sure_calls(model::view::if_else(s).condition(), out);
      continue;
    }
    for (const Expr* e : s->exprs) sure_calls(e, out);
    if (s->kind == StmtKind::return_value || s->kind == StmtKind::cancel || s->kind == StmtKind::end_event ||
        s->kind == StmtKind::end_phase || s->kind == StmtKind::end_play || s->kind == StmtKind::end_window)
      return;
  }
}

}   // namespace cardwright::sema
