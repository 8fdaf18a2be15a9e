// Builds policies: converts `policy NAME { avoid … weight … }` declarations to Model::policies. These determine which
// options bots and random players avoid, and how they weight the other options.
#include "compiler/sema/rules/policies.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/type_relations.h"
#include "compiler/model/views.h"
#include "compiler/model/visit.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/operations/convert.h"
#include "compiler/sema/options/collect.h"
#include "compiler/sema/rules/rules.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

namespace {

// All choices that rules store in variables of the same name. `type` is unset if no choice has a known type.
struct Chosen {
  std::optional<Type> type;
  bool several = false;   // the choices have different types
  bool numbers = false;   // a choice from a range of integers, which can be large
};

// Collects the `choose` statements of all rules by variable name.
std::map<std::string, Chosen, std::less<>> choices_of(const SemaContext& sema) {
  std::map<std::string, Chosen, std::less<>> all;
  model::for_each_rule_block(sema.model, [&](const model::Body& body, const Block& block) {
    model::for_each_stmt(block, [&](const Stmt& s) {
      if (s.kind != StmtKind::choose || s.ref >= body.locals.size()) return;
      const Type type = without_none(body.locals[s.ref].type);
      Chosen& chosen = all[body.locals[s.local.index].name];
      chosen.numbers =
          chosen.numbers || model::view::sources_of(model::view::choose(s))[0].domain->type.kind == TypeKind::list;
      chosen.several = chosen.several || (chosen.type && !same_type(sema, *chosen.type, type));
      if (!chosen.type) chosen.type = type;
    });
  });
  return all;
}

class Policies {
 public:
  explicit Policies(SemaContext& sema) : sema_(sema), choices_(choices_of(sema)) {}
  void one(const Decl& d);

 private:
  void rule(const Decl& d, model::Policy& policy);
  void of_choice(const Decl& d, model::Policy& policy);
  void of_actions(const Decl& d, model::Policy& policy);
  RuleContext start(const Decl& d, model::PolicyRule& made);
  void finish(RuleContext& rule, const Decl& d, model::PolicyRule& made, model::Policy& policy);
  const Expr* weight(RuleContext& rule, const Node* by);

  SemaContext& sema_;
  const std::map<std::string, Chosen, std::less<>> choices_;
};

bool is_asked(const SemaContext& sema, const model::Policy& policy) {
  const auto& asked = sema.configuration.policies;
  const auto wants = [&](std::string_view name) { return std::find(asked.begin(), asked.end(), name) != asked.end(); };
  return wants(policy.name) || (policy.for_bots && wants("bots"));
}

RuleContext Policies::start(const Decl& d, model::PolicyRule& made) {
  RuleContext rule(sema_);
  start_rule(rule, d, made.body, made.head, d.node->number ? "weight" : "avoid");
  rule.pure = true;
  made.avoid = d.node->number == 0;
  made.head.me = rule.me = add_local(rule, "me", player_type(), d.node->range);   // the acting player
  return rule;
}

// Builds a weight from 0 to kMostWeight. Computed weights are clamped at run time.
const Expr* Policies::weight(RuleContext& rule, const Node* by) {
  const Expr* e = convert(rule, expr(rule, by), integer_type(), "by");
  if (is_poison(e) || e->kind != ExprKind::constant || (e->value >= 0 && e->value <= model::kMostWeight)) return e;
  error(sema_, "out_of_range"_code, e->range,
        fmt::format("weight {} is out of range 0..{}", e->value, model::kMostWeight));
  return poison(sema_, e->range);
}

void Policies::finish(RuleContext& rule, const Decl& d, model::PolicyRule& made, model::Policy& policy) {
  const view::policy_rule its(d.node);
  made.head.when = rule_condition(rule, its.when());
  if (!made.avoid) made.weight = its.weight() ? weight(rule, its.weight()) : poison(sema_, d.node->range);
  const bool bad = (made.head.when && is_poison(made.head.when)) || (made.weight && is_poison(made.weight));
  if (made.weight && made.weight->kind == ExprKind::constant && made.weight->value == 1)
    warn_if(sema_, "without_effect"_code, made.weight->range, true,
            "weight 1 has no effect, because it is the default");
  if (!rule.dropped && !bad) policy.rules.push_back(std::move(made));
}

// Builds `weight choose suit(s) by n`, which applies to all choices that are stored in a variable `suit`.
void Policies::of_choice(const Decl& d, model::Policy& policy) {
  const view::policy_rule its(d.node);
  if (!its.what()) {
    error(sema_, "bad_pattern"_code, d.node->range, "expected the name of a choice",
          "write the variable of the choice: `choose suit(s)` for `choose suit from …`");
    return;
  }
  const auto found = choices_.find(its.what()->text);
  if (found == choices_.end()) {
    if (sema_.collected.absent.contains(its.what()->text)) return;
    std::vector<std::string> names;
    for (const auto& [name, chosen] : choices_) names.push_back(name);
    error(sema_, "unknown_name"_code, its.what()->range,
          fmt::format("unknown choice `{0}`: no rule contains `choose {0} from …`", its.what()->text),
          did_you_mean(its.what()->text, names));
    return;
  }
  if (found->second.numbers) {
    error(sema_, "bad_pattern"_code, its.what()->range, "a policy can't weight a choice from a range of integers",
          "use an action with a parameter instead: `action bid(n: 1..9) in auction { … }`");
    return;
  }
  model::PolicyRule made;
  RuleContext rule = start(d, made);
  made.choice = found->first;
  if (its.patterns() && !its.patterns()->children.empty()) {
    if (found->second.several) {
      error(sema_, "bad_pattern"_code, its.patterns()->range,
            fmt::format("choices named `{}` have different types, so they can't be matched", found->first));
      return;
    }
    Callable c;
    c.names = {found->first};
    c.types = {*found->second.type};
    made.patterns = patterns(rule, its.patterns(), c, d.node, found->first);
  }
  finish(rule, d, made, policy);
}

void Policies::of_actions(const Decl& d, model::Policy& policy) {
  const view::policy_rule its(d.node);
  std::optional<model::GroupId> group;
  if (its.group() && !(group = named_group(sema_, its.group()))) return;
  std::vector<std::uint32_t> found = named_actions(sema_, d.node->text, its.what(), group);
  const bool passes = d.node->text == "pass" && !group;
  if (found.empty() && !passes) return report_no_action(sema_, d.node, its.what());
  if (d.node->text == "any action")
    std::erase_if(found, [&](std::uint32_t a) { return sema_.model.actions[a].passes; });
  const auto build = [&](const std::vector<std::uint32_t>& of, bool matches) {
    model::PolicyRule made;
    RuleContext rule = start(d, made);
    for (const std::uint32_t a : of) made.actions.push_back({a});
    made.passes = passes;
    if (matches) {
      const model::Action& action = sema_.model.actions[of[0]];
      made.patterns = argument_patterns(rule, d.node, its.patterns(), action);
      for (std::size_t i = 0; i < made.patterns.size() && i < action.parameters.size(); ++i)
        if (made.patterns[i].kind != model::Pattern::Kind::any && action.parameters[i].count != model::PickCount::one)
          error(sema_, "bad_pattern"_code, its.patterns()->range,
                fmt::format("parameter `{}` is a selection of several elements, so it can't be matched",
                            action.parameters[i].name),
                "write `_` to match anything");
    }
    finish(rule, d, made, policy);
  };
  if (!its.patterns() || its.patterns()->children.empty()) return build(found, false);
  if (passes) {
    error(sema_, "bad_pattern"_code, its.patterns()->range, "`pass` takes no arguments");
    return;
  }
  // A card kind can have several plays, each with its own parameters.
  const std::size_t before = sema_.errors;
  for (const std::uint32_t a : found)
    if (sema_.errors == before) build({a}, true);
}

void Policies::rule(const Decl& d, model::Policy& policy) {
  if (d.node->text == "choose")
    of_choice(d, policy);
  else
    of_actions(d, policy);
}

void Policies::one(const Decl& d) {
  const view::policy_decl its(d.node);
  model::Policy policy;
  policy.name = d.node->text;
  policy.label = its.label() ? std::string(its.label()->text) : "";
  policy.range = name_range(sema_, d.node);
  for (const char* word : {"uniform", "sensible", "bots", "flat"})
    if (policy.name == word)
      error(sema_, "reserved_word"_code, policy.range,
            fmt::format("`{}` is a built-in policy, so the name can't be used", word));
  for (const model::Policy& other : sema_.model.policies) {
    if (other.name == policy.name) twice(sema_, d.node, "policy", other.range);
    if (other.for_bots && its.whose())
      error(sema_, "duplicate_clause"_code, its.whose()->range, "duplicate policy for bots",
            "remove `for bots` from one of them")
          .notes.push_back({other.range, "first declared here"});
  }
  if (its.whose() && its.whose()->text != "bots")
    error(sema_, "unknown_clause"_code, its.whose()->range,
          fmt::format("expected `bots` after `for`, found `{}`", its.whose()->text),
          "write `for bots` for the policy of bots; choose the policies of seats on the command line");
  policy.for_bots = its.whose() != nullptr;
  policy.asked = is_asked(sema_, policy);
  if (!policy.asked) std::swap(sema_.model.exprs, sema_.model.exprs_aside);
  expand(sema_, its.rules(), d.precedence.kind, [&](const Node* n, model::RuleKind kind) {
    if (n->kind != NodeKind::policy_rule) return;   // reported elsewhere
    Decl of{.node = n, .unit = d.unit, .precedence = next_precedence(sema_, kind, d.unit)};
    rule(of, policy);
  });
  if (!policy.asked) std::swap(sema_.model.exprs, sema_.model.exprs_aside);
  warn_if(sema_, "without_effect"_code, policy.range, policy.rules.empty(),
          fmt::format("policy `{}` is empty, so it equals `sensible`", policy.name),
          "add `avoid …` or `weight … by n`");
  sema_.model.policies.push_back(std::move(policy));
}

}   // namespace

void build_policies(SemaContext& sema) {
  Policies policies(sema);
  for (const Decl& d : sema.collected.decls)
    if (d.node && d.node->kind == NodeKind::policy_decl) policies.one(d);
  const auto& asked = sema.configuration.policies;
  sema.model.seats_have_policies =
      std::any_of(sema.model.policies.begin(), sema.model.policies.end(), [](const auto& p) { return p.asked; }) ||
      std::find(asked.begin(), asked.end(), "sensible") != asked.end();
}

}   // namespace cardwright::sema
