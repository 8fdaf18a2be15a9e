// Lowers the strings of `log`. The code passes the values one by one, each followed by the hidden information on which
// it depends, and then the string, with a placeholder `{index:format}` for each value (runtime/log.h). The code is
// skipped if there is no listener.
#include "compiler/lower/text/log.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/lower/code/calls.h"
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/sets/sets.h"
#include "compiler/lower/sets/zones.h"

namespace cardwright::lower {

using model::ExprKind;
using model::StmtKind;
using model::TypeKind;

struct Secrets;

using Domains = std::vector<std::pair<model::LocalId, const model::Expr*>>;

static void secrets_of_each(const FunctionContext& code, const model::Expr& e, Secrets& out);
static void secrets_of_called(const FunctionContext& code, const model::Expr& e, Secrets& out);
static void emit_secrets(const FunctionContext& code, const Secrets& secrets);
static void find_secrets(const FunctionContext& code, const model::Expr& e, Domains domains, bool later, Secrets& out);

namespace {

// The names bound in an expression, and their domains.
using Domains = std::vector<std::pair<model::LocalId, const model::Expr*>>;

const model::Expr* domain_of(const Domains& domains, model::LocalId local) {
  for (auto it = domains.rbegin(); it != domains.rend(); ++it)
    if (it->first == local) return it->second;
  return nullptr;
}

// Finds the values that a `let` or `var` stores in `local`, and the domain of a loop over `local`.
void stored_in(const model::Block& block, model::LocalId local, std::vector<const model::Expr*>& stored,
               const model::Expr*& loop) {
  for (const model::Stmt* s : block) {
    if (s->local == local && (s->kind == StmtKind::let || s->kind == StmtKind::assign_local) && !s->exprs.empty() &&
        s->exprs.back())
      stored.push_back(s->exprs.back());
    if (s->local == local && s->kind == StmtKind::each) loop = view::each(s).domain();
    for (const model::Block& inner : s->blocks) stored_in(inner, local, stored, loop);
  }
}

bool sets(const model::Block& block, model::LocalId local) {
  return std::any_of(block.begin(), block.end(), [&](const model::Stmt* s) {
    return (s->kind == StmtKind::let && s->local == local) ||
           std::any_of(s->blocks.begin(), s->blocks.end(),
                       [&](const model::Block& inner) { return sets(inner, local); });
  });
}

// Returns whether a name is bound inside a loop. Such a name is read only while the loop is still at the same element.
bool is_set_within(const model::Block& block, model::LocalId loop, model::LocalId local) {
  return std::any_of(block.begin(), block.end(), [&](const model::Stmt* s) {
    if (s->kind == StmtKind::each && s->local == loop) return sets(s->blocks[0], local);
    return std::any_of(s->blocks.begin(), s->blocks.end(),
                       [&](const model::Block& inner) { return is_set_within(inner, loop, local); });
  });
}

}   // namespace

// The hidden information on which a value in a string depends. Only players who know all of it see the value.
struct Secrets {
  std::vector<std::pair<std::uint32_t, Register>> variables;
  std::vector<Register> cards;
  std::set<std::uint32_t> followed;   // names whose values have been analyzed
  std::vector<model::LocalId> following;   // names being analyzed
  std::vector<std::function<void()>> each;   // functions that emit the secrets of each element of a set
  std::uint32_t since = ~std::uint32_t{0};   // position in the rule at which the first followed value was stored
  // True if the value depends on information that cannot be described. No player sees such a value.
  bool unreadable = false;
};

// Returns whether the variable may have been written between the position `since` in a rule and the current position.
static bool is_stored_between(const model::Block& block, std::uint32_t variable, std::uint32_t since, Range now,
                              bool again = false) {
  return std::any_of(block.begin(), block.end(), [&](const model::Stmt* s) {
    const bool stores = (s->kind == StmtKind::assign_variable || s->kind == StmtKind::assign_all) && s->ref == variable;
    if (stores && s->range.source == now.source && s->range.begin > since && (again || s->range.begin < now.begin))
      return true;
    const bool loop = s->kind == StmtKind::repeat || s->kind == StmtKind::each;
    const bool around = loop && since < s->range.begin && s->range.begin < now.begin && now.begin < s->range.end;
    return std::any_of(s->blocks.begin(), s->blocks.end(), [&](const model::Block& inner) {
      return is_stored_between(inner, variable, since, now, again || around);
    });
  });
}

// Adds the cards in `e`, whose properties are logged, to the secrets. If `later` is true, `e` was evaluated at an
// earlier position, so the names bound in it are not available here.
static void depends_on_cards(const FunctionContext& code, const model::Expr& e, const Domains& domains, bool later,
                             Secrets& out) {
  const auto whole = [&](const model::Expr& cards) {
    const bool bound = std::any_of(domains.begin(), domains.end(), [&](auto& d) { return mentions(cards, d.first); });
    if (!is_wide(code.unit, cards.type) || bound || later || !pure(code.unit, cards)) {
      Facts all;
      if (cards.kind != ExprKind::zone || !code.unit.facts.secrecy.fact(cards, all).named) out.unreadable = true;
      return;
    }
    out.cards.push_back(expr(code, cards));
  };
  if (e.kind == ExprKind::constant || e.kind == ExprKind::set_constant) return;
  if (is_wide(code.unit, e.type)) return whole(e);
  if (e.kind != ExprKind::local) {
    const bool bound = std::any_of(domains.begin(), domains.end(), [&](auto& d) { return mentions(e, d.first); });
    if (bound || later || !pure(code.unit, e))
      out.unreadable = true;
    else
      out.cards.push_back(code.set(Op::set_of, {expr(code, e)}));
    return;
  }
  if (const model::Expr* domain = domain_of(domains, e.local)) return whole(*domain);
  std::vector<const model::Expr*> stored;
  const model::Expr* loop = nullptr;
  if (later) stored_in(code.env().body->block, e.local, stored, loop);
  if (loop) return whole(*loop);
  if (!stored.empty()) {
    out.unreadable = true;
    return;
  }
  out.cards.push_back(code.set(Op::set_of, {read_local(code, e.local)}));
}

// Adds the secrets of the value to which a name was bound. If the state has not changed since then, evaluates them on
// the current state.
static void secrets_of_local(const FunctionContext& code, const model::Expr& e, const Domains& domains, bool later,
                             Secrets& out) {
  if (e.type.kind == TypeKind::card || (is_wide(code.unit, e.type) && holds_cards(e.type)) ||
      domain_of(domains, e.local))
    return;
  const analysis::Taint& taint = code.unit.facts.secrecy.taint();
  if (taint.must_be_hidden(*code.env().body, e, code.env().deferred)) {
    out.unreadable = true;
    return;
  }
  if (code.env().deferred || !out.followed.insert(e.local.index).second) return;
  // The state has not changed since the `let`, so its expression can be evaluated again.
  if (auto fresh = code.env().fresh.find(e.local.index); !later && fresh != code.env().fresh.end())
    return find_secrets(code, *fresh->second, {}, false, out);
  std::vector<const model::Expr*> stored;
  const model::Expr* loop = nullptr;
  stored_in(code.env().body->block, e.local, stored, loop);
  const std::vector<const model::Expr*> conditions = taint.secret_conditions(*code.env().body, e.local);
  stored.insert(stored.end(), conditions.begin(), conditions.end());
  out.following.push_back(e.local);
  for (const model::Expr* value : stored) {
    if (value->range.known()) out.since = std::min(out.since, value->range.begin);
    find_secrets(code, *value, {}, true, out);
  }
  out.following.pop_back();
}

constexpr Int kMostOfOne = 64;   // maximum number of values of a variable that are checked individually

static void secrets_of_variable(const FunctionContext& code, const model::Expr& e, const Domains& domains, bool later,
                                Secrets& out) {
  if (code.model.variables[e.ref].visibility == model::Visibility::open) return;
  if (later && code.env().body && is_stored_between(code.env().body->block, e.ref, out.since, code.where())) {
    out.unreadable = true;
    return;
  }
  const auto foreign = [&](const model::Expr* a) {   // the expression may have a different value here
    if (std::any_of(domains.begin(), domains.end(), [&](auto& d) { return mentions(*a, d.first); })) return true;
    if (!later || a->kind == ExprKind::constant) return false;
    std::vector<const model::Expr*> stored;
    const model::Expr* loop = nullptr;
    if (a->kind == ExprKind::local) stored_in(code.env().body->block, a->local, stored, loop);
    if (loop && stored.empty() && is_set_within(code.env().body->block, a->local, out.following.back())) return false;
    return a->kind != ExprKind::local || loop || !stored.empty();
  };
  if (std::none_of(e.args.begin(), e.args.end(), foreign))
    return out.variables.push_back({e.ref, known_at(code, e.ref, e.args, 0)});
  // If the index is unknown here, only players who know all values of the variable see the string.
  const auto number = static_cast<std::size_t>(code.unit.ids.variable[e.ref]);
  const Int values = code.program.variables[number].count,
            run = std::max<Int>(1, code.program.variable_infos[number].run());
  if (values / run > kMostOfOne) {
    out.unreadable = true;
    return;
  }
  for (Int i = 0; i < values; i += run) out.variables.push_back({e.ref, code.constant(i)});
}

static void secrets_of_call(const FunctionContext& code, const model::Expr& e, const Domains& domains, bool later,
                            Secrets& out) {
  for (const model::Expr* a : view::call(e).arguments())
    if (a->type.kind == TypeKind::card || (is_wide(code.unit, a->type) && a->type.elem->kind == TypeKind::card))
      depends_on_cards(code, *a, domains, later, out);
  if (!analysis::reads_secrets(code.model, e) || !code.unit.facts.secrecy.reads_call(e, kSeen)) return;
  // The result can reveal more than the cards that are passed as arguments.
  if (domains.empty() && !later && plain_body(code.unit, e) && pure(code.unit, e))
    secrets_of_called(code, e, out);
  else
    out.unreadable = true;
}

static void find_secrets(const FunctionContext& code, const model::Expr& e, Domains domains, bool later, Secrets& out) {
  const auto each_argument = [&](std::size_t from) {
    for (const model::Expr* a : view::all_from(e.args, from))
      if (a) find_secrets(code, *a, domains, later, out);
  };
  switch (e.kind) {
    case ExprKind::text: return;   // the secrets of its parts were emitted with the inner string
    case ExprKind::call_event:
    case ExprKind::open_window:
    case ExprKind::window_field:
    case ExprKind::window_left:
    case ExprKind::event_field:
      if (code.unit.facts.secrecy.taint().must_be_hidden(*code.env().body, e, code.env().deferred))
        out.unreadable = true;
      break;
    case ExprKind::local: secrets_of_local(code, e, domains, later, out); break;
    case ExprKind::variable: secrets_of_variable(code, e, domains, later, out); break;
    case ExprKind::attribute:
    case ExprKind::kind_of:
    case ExprKind::counts_as:
      if (const model::Expr& of = *view::about_card(e).of(); of.type.kind == TypeKind::card)
        depends_on_cards(code, of, domains, later, out);
      break;
    case ExprKind::equal:
    case ExprKind::not_equal:
    case ExprKind::in_set:
    case ExprKind::within:
    case ExprKind::disjoint:
    case ExprKind::set_equal:
      for (const model::Expr* a : e.args)
        if ((a->type.kind == TypeKind::card || is_wide(code.unit, a->type)) && a->kind != ExprKind::zone &&
            (!a->type.elem || a->type.elem->kind == TypeKind::card))
          depends_on_cards(code, *a, domains, later, out);
      break;
    case ExprKind::exists:
    case ExprKind::filter:
    case ExprKind::aggregate:
    case ExprKind::best: {
      const model::Expr& domain = *view::ranging(e).domain();
      find_secrets(code, domain, domains, later, out);
      if (!later && domains.empty() && domain.type.kind == TypeKind::set && !holds_cards(domain.type) &&
          pure(code.unit, domain))
        return secrets_of_each(code, e, out);
      domains.push_back({e.local, &domain});
      return each_argument(1);
    }
    case ExprKind::call_value:
    case ExprKind::call_function: secrets_of_call(code, e, domains, later, out); break;
    default: break;
  }
  each_argument(0);
}

// Adds the secrets of an inlined value or function. Its names are valid only inside its definition.
static void secrets_of_called(const FunctionContext& code, const model::Expr& e, Secrets& out) {
  const std::size_t before = out.each.size();
  with_called(code, e, [&](const FunctionContext& inner, const model::Expr& body) {
    find_secrets(inner, body, {}, false, out);
  });
  if (out.each.size() == before) return;
  out.each.resize(before);
  out.each.push_back([code, &e] {
    with_called(code, e, [&](const FunctionContext& inner, const model::Expr& body) {
      Secrets again;
      find_secrets(inner, body, {}, false, again);
      again.cards.clear();
      emit_secrets(inner, again);
    });
  });
}

// Adds the secrets of a quantifier over players, constants or cells. Secrets about cards are collected for all
// elements; secrets about variables are emitted for each element.
static void secrets_of_each(const FunctionContext& code, const model::Expr& e, Secrets& out) {
  const auto look = [code, &e](const std::function<void(Secrets&)>& found) {
    const model::Expr& domain = *view::ranging(e).domain();
    for_each(code, expr(code, domain), [&](Register element) {
      bind(code, e.local, element);
      Secrets one;
      for (const model::Expr* part : view::all_from(e.args, 1))
        if (part) find_secrets(code, *part, {}, false, one);
      found(one);
    });
  };
  const Register all = code.make_set();
  code.put(Op::set_empty, all, {});
  bool cards = false, variables = false;
  // This code is emitted in a separate block, which stays unreachable if there are no cards.
  const BlockIndex before = code.here(), aside = code.add_block();
  code.go_to(aside);
  look([&](Secrets& one) {
    for (const Register some : one.cards) code.put(Op::set_or, all, {all, some});
    cards = cards || !one.cards.empty();
    variables = variables || !one.variables.empty() || !one.each.empty();
    out.unreadable = out.unreadable || one.unreadable;
  });
  const BlockIndex end = code.here();
  code.go_to(before);
  if (cards) {
    code.jump(aside);
    code.go_to(end);
    out.cards.push_back(all);
  }
  if (!variables) return;
  out.each.push_back([code, look] {
    look([code](Secrets& one) {
      one.cards.clear();
      emit_secrets(code, one);
    });
  });
}

// Emits the secrets. This code must follow the value that depends on them.
static void emit_secrets(const FunctionContext& code, const Secrets& secrets) {
  for (auto [variable, index] : secrets.variables)
    code.effect(Op::log_secret, {code.unit.ids.variable[variable], index});
  for (Register cards : secrets.cards) code.effect(Op::log_cards, {cards});
  for (const auto& say : secrets.each) say();
  if (secrets.unreadable) code.effect(Op::log_unreadable, {});
}

// Returns the placeholder format for a value of this type.
std::string value_format(const ProgramContext& unit, const model::Type& type) {
  switch (type.kind) {
    case TypeKind::boolean: return "bool";
    case TypeKind::player: return "player";
    case TypeKind::card: return "card";
    case TypeKind::kind: return "kind";
    case TypeKind::text: return "text";
    case TypeKind::listed: return fmt::format("listed {}", type.ref);
    case TypeKind::enumeration: return fmt::format("of {}", type.ref);
    case TypeKind::set:
      switch (type.elem->kind) {
        case TypeKind::card: return "cards";
        case TypeKind::player: return "players";
        case TypeKind::kind: return "kinds";
        case TypeKind::enumeration:
          return fmt::format("{} of {}", is_wide(unit, type) ? "cells" : "some", type.elem->ref);
        default: return "numbers";
      }
    case TypeKind::integer:
      if (type.ref == model::kDurationRef) return "time";
      if (value_kind(unit, type) == ValueKind::piece) return fmt::format("piece of {}", enumeration_of(unit, type));
      return value_kind(unit, type) == ValueKind::part ? fmt::format("part of {}", enumeration_of(unit, type))
                                                       : "number";
    default: return "number";
  }
}

// Returns the placeholder format for a value in a sign, which has space for only one letter.
static std::string value_format_in_sign(const ProgramContext& unit, const model::Type& type) {
  if (type.kind != TypeKind::enumeration) return value_format(unit, type);
  return fmt::format("{} of {}", is_direction(unit, type) ? "arrow" : "letter", type.ref);
}

// Emits code that passes the values of a string. Returns the string with its placeholders.
std::string log_values(const FunctionContext& code, const std::string& pattern,
                       const std::vector<const model::Expr*>& parts, bool as_signs) {
  std::string text;
  std::size_t next = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {   // `{}` becomes `{index:format}`; `{{` is copied unchanged
    text += pattern[i];
    if (pattern[i] != '{') continue;
    if (pattern[i + 1] == '{') {
      text += pattern[++i];
      continue;
    }
    text += fmt::format(
        "{}:{}", next,
        as_signs ? value_format_in_sign(code.unit, parts[next]->type) : value_format(code.unit, parts[next]->type));
    ++next;
  }
  pass_values(code, parts);
  return text;
}

// Passes values with the hidden information on which they depend.
void pass_values(const FunctionContext& code, const std::vector<const model::Expr*>& parts) {
  const FunctionContext text_code = code.in_text();
  std::vector<Register> values;
  for (const model::Expr* e : parts) values.push_back(expr(text_code, *e));
  std::vector<Secrets> secrets(parts.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!code.unit.named_in_labels.contains(parts[i])) find_secrets(text_code, *parts[i], {}, false, secrets[i]);
  for (std::size_t i = 0; i < values.size(); ++i) {
    code.effect(is_wide(code.unit, parts[i]->type) ? Op::log_set : Op::log_value, {values[i]});
    emit_secrets(code, secrets[i]);
  }
}

void log(const FunctionContext& code, const model::Stmt& s) {
  code.effect(Op::log_text, {text_index(code.unit, log_values(code, s.text, s.exprs))});
}

// Lowers a string inside another string. The inner string is formatted first, and its number is passed as a value of
// the outer string. Therefore, each inner string has a unique number.
Register inner_text(const FunctionContext& code, const model::Expr& e) {
  auto& all = code.program.playout.texts;
  all.push_back(log_values(code, e.text, e.args));
  const auto index = static_cast<Int>(all.size()) - 1;
  code.effect(Op::log_part, {index});
  return code.constant(index);
}

// Returns the string of a question without reading a State: computed parts are replaced with "…".
std::string plain_text(const model::Expr* text) {
  if (!text) return {};
  if (text->kind != ExprKind::text) return text->text;
  std::string plain;
  for (std::size_t i = 0; i < text->text.size(); ++i) {
    const char c = text->text[i];
    plain += c == '{' && text->text[i + 1] == '}' ? "…" : std::string(1, c);
    i += c == '{';
  }
  return plain;
}

// Logs a string of a question, preceded by its index on a separate line: 0 for the question, 1 and up for the answers,
// -1 for the elements picked so far. api/game/running.cpp reads these lines.
void log_question(const FunctionContext& code, Int which, const model::Expr* text) {
  if (!text || text->kind != ExprKind::text) return;
  code.effect(Op::log_text,
              {text_index(code.unit, fmt::format("{}\n{}", which, log_values(code, text->text, text->args)))});
}

// Logs the number of picked elements, the number of required elements, and the picked elements.
void log_picked(const FunctionContext& code, Register chosen, Register want, bool cards, const model::Type& element) {
  model::Type all = simple(TypeKind::set);
  all.elem = std::make_shared<model::Type>(element);
  code.effect(Op::log_value, {code.integer(cards ? Op::set_count : Op::mask_count, {chosen})});
  code.effect(Op::log_value, {want});
  code.effect(cards ? Op::log_set : Op::log_value, {chosen});
  code.effect(
      Op::log_text,
      {text_index(code.unit, fmt::format("-1\n{{0:number}} {{1:number}} {{2:{}}}", value_format(code.unit, all)))});
}

void note_without_options(const FunctionContext& code, BlockIndex nothing, Register player, BlockIndex then) {
  code.go_to(nothing);
  code.effect(Op::log_asked, {player});
  code.jump(then);
}

void log_heading(const FunctionContext& code, const char* text, Register number, Register player) {
  code.effect(Op::log_value, {number});
  if (player != ir::kNoRegister) code.effect(Op::log_value, {player});
  code.effect(Op::log_text, {text_index(code.unit, text)});
}

std::string reason_text(const ProgramContext& unit, Range range) {
  return range.known() ? std::string(unit.diagnostics.sources().text(range)) : std::string();
}

}   // namespace cardwright::lower
