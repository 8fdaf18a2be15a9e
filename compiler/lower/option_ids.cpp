// Decision sites, and the ids of the options that are offered there.
#include <algorithm>

#include "compiler/lower/offers.h"

namespace cardwright::lower {

using model::ActionParameter;
using model::TypeKind;

Int Lowering::add_action(ActionInfo info) {
  info.base = next_id_;
  info.count = 1;
  for (const ParameterInfo& p : info.parameters) info.count *= p.count;
  if (info.kind == ActionKind::one_of) info.count = Int(info.choices.size());
  if (info.kind == ActionKind::yes_no) info.count = 2;
  if (info.count > 65536)
    too_large(
        info.where,
        fmt::format(
            "`{}` has {} combinations of parameters, and 65536 is the limit: choose the one first, then the other",
            info.name, info.count));
  next_id_ += info.count;
  program_.actions.push_back(std::move(info));
  return static_cast<Int>(program_.actions.size() - 1);
}

bool Lowering::by_id(const model::Action& action) const {
  for (std::size_t w = 0; w < model_.windows.size(); ++w)
    if ((model_.windows[w].at_once || model_.windows[w].race) &&
        model::is_in(action, model::WindowId{std::uint32_t(w)}))
      return true;
  return false;
}

Int Lowering::digits(const model::Type& type, bool by_id) const {
  if (type.kind == TypeKind::card) return std::max<Int>(1, by_id ? program_.layout.card_ids : class_count_);
  Bounds b = bounds(type);
  return std::max<Int>(1, b.hi - b.lo + 1);
}

Register Lowering::digit(const model::Type& type, Register value, bool by_id) {
  if (type.kind == TypeKind::card) return by_id ? value : b().integer(Op::table_small, {table_index(class_of_), value});
  Bounds bound = bounds(type);
  return bound.lo == 0 ? value : b().integer(Op::sub_small, {value, b().constant(bound.lo)});
}

// The kinds that a condition leaves of cards: `c: Wasp in me.hand`, or the card that is played; none if it says nothing
// of kinds.
std::vector<Int> Lowering::kinds_left(const model::Expr* where, model::LocalId card) {
  if (!where) return {};
  if (where->kind == model::ExprKind::counts_as)
    return where->args[0]->kind == model::ExprKind::local && where->args[0]->local == card ? where->values
                                                                                           : std::vector<Int>();
  if (where->kind != model::ExprKind::logical_and) return {};
  const std::vector<Int> first = kinds_left(where->args[0], card);
  return first.empty() ? kinds_left(where->args[1], card) : first;
}

// The ids of the cards that a parameter can be, whatever the game comes to.
std::vector<Int> Lowering::cards_meant(const ActionParameter& p) const {
  std::vector<Int> kinds = kinds_left(p.where, p.element);
  if (kinds.empty())
    for (std::size_t k = 0; k < model_.kinds.size(); ++k)
      if (p.type.ref >= model_.card_types.size() || is_of_type(static_cast<Int>(k), p.type.ref))
        kinds.push_back(static_cast<Int>(k));
  for (const model::Also& also : model_.alsos)
    if (std::find(kinds.begin(), kinds.end(), Int(also.counts_as.index)) != kinds.end())
      for (const model::KindId k : also.kinds) kinds.push_back(k.index);
  return cards_of_kinds(kinds);
}

// Of a parameter that is a card: a digit for each class of look-alikes among these cards, or for each id.
void Lowering::count_cards(ParameterInfo& info, std::vector<Int> cards) const {
  std::sort(cards.begin(), cards.end());
  if (cards.empty()) cards.push_back(0);
  info.first = info.by_id ? cards.front() : 0;
  info.cards.clear();
  for (const Int card : cards)
    if (!info.by_id && (info.cards.empty() || class_of_[card] != class_of_[info.cards.back()]))
      info.cards.push_back(card);
  info.count = info.by_id ? cards.back() - cards.front() + 1 : static_cast<Int>(info.cards.size());
}

// A card's digit there. Mostly the classes follow each other.
Register Lowering::card_digit(const ParameterInfo& info, Register card) {
  if (info.by_id) return info.first == 0 ? card : b().integer(Op::sub_small, {card, b().constant(info.first)});
  if (class_of_.empty()) return b().constant(0);           // there are no cards at all
  const Int classes = static_cast<Int>(info.cards.size()), first = class_of_[info.cards.front()];
  if (classes == 1) return b().constant(0);
  const bool in_a_row = class_of_[info.cards.back()] - first + 1 == classes;
  std::vector<Int> digits = class_of_;
  for (std::size_t id = 0; id < digits.size() && !in_a_row; ++id) {
    const auto at =
        std::find_if(info.cards.begin(), info.cards.end(), [&](Int one) { return class_of_[one] == class_of_[id]; });
    digits[id] = at == info.cards.end() ? 0 : at - info.cards.begin();
  }
  const Register digit = b().integer(Op::table_small, {table_index(std::move(digits)), card});
  return !in_a_row || first == 0 ? digit : b().integer(Op::sub_small, {digit, b().constant(first)});
}

ParameterInfo Lowering::parameter_info(const std::string& name, const model::Type& type, bool by_id,
                                       bool unseen) const {
  ParameterInfo p;
  p.name = name;
  p.kind = value_kind(type);
  p.enumeration = enumeration_of(type);
  if (type.kind == TypeKind::listed) p.list = type.ref;
  p.by_id = by_id;
  p.first = type.kind == TypeKind::card ? 0 : bounds(type).lo;
  p.count = digits(type, by_id);
  if (type.kind == TypeKind::card) {
    for (std::size_t id = 0; id < class_of_.size() && !by_id; ++id)
      if (id == 0 || class_of_[id] != class_of_[id - 1]) p.cards.push_back(static_cast<Int>(id));
  }
  if (unseen) p.unseen = p.count, p.count += program_.layout.hidden;
  return p;
}

// Of an action: as `parameter_info`, and of a card only what it can be. One that its actor does not know could be any.
ParameterInfo Lowering::parameter_of(const model::Action& action, const ActionParameter& p, bool unseen) const {
  ParameterInfo info = parameter_info(p.name, p.type, by_id(action), unseen);
  if (p.type.kind == TypeKind::card && !p.type.optional && !unseen) count_cards(info, cards_meant(p));
  return info;
}

ParameterInfo Lowering::whose_card(const model::Action& action) const {
  ParameterInfo info = parameter_info("this", simple(TypeKind::card), by_id(action));
  count_cards(info, cards_of_kinds(action.head.carrier.kinds));
  return info;
}

// The ids of unnamed choices: one block per type of element, with its "at random", "done" and "no" behind it.
Int Lowering::choice_block(const model::Type& element, bool by_id, bool unseen) {
  std::string key = fmt::format("{}:{}:{}:{}", int(element.kind), element.ref, element.lo, element.hi);
  if (element.kind == TypeKind::card) key = fmt::format("card {} {}", by_id, unseen);
  auto it = choice_blocks_.find(key);
  if (it != choice_blocks_.end()) return it->second;
  ActionInfo pick;
  pick.kind = ActionKind::choose;
  pick.name = "choose";
  pick.parameters.push_back(parameter_info("choice", element, by_id, unseen));
  Int first = add_action(std::move(pick));
  for (const char* name : {"at random", "at random from the second", "done", "no"}) {
    ActionInfo other;
    other.kind = std::string(name) == "done" ? ActionKind::done
                 : std::string(name) == "no" ? ActionKind::pass
                                             : ActionKind::choose;
    other.name = name;
    add_action(std::move(other));
  }
  choice_blocks_[key] = first;
  return first;
}

Int Lowering::begin_site(std::string window, const model::Expr* prompt, bool flow, Range where,
                         const char* own_prompt) {
  SiteInfo site;
  site.window = std::move(window);
  site.prompt = prompt ? plain_text(prompt) : own_prompt;
  site.flow = flow;
  site.of_window = !site.window.empty() && env().from_flow != ir::kNoRegister;
  site.where = where;
  program_.sites.push_back(std::move(site));
  Int id = static_cast<Int>(program_.sites.size() - 1);
  BlockIndex start = b().add_block();
  b().jump(start);
  b().go_to(start);
  b().effect(Op::site, {id});
  return id;
}

// The options of a decision, in ascending ids, where the host asks for them; what is written next decides. `tell` hands
// the log the texts of the question, where the host asks for those, and `names` what the names in it are.
void Lowering::list_options(const std::function<void()>& write, const std::function<void()>& tell,
                            const std::function<void()>& names) {
  BlockIndex list = b().add_block(), decide = b().add_block();
  const Register listing = b().integer(Op::listing, {}, 1);
  b().branch(listing, list, decide);
  b().go_to(list);
  const auto also = [&](Int what, const std::function<void()>& told) {
    if (!told) return;
    BlockIndex options = b().add_block(), words = b().add_block();
    b().branch(b().integer(Op::eq, {listing, b().constant(what)}, 1), words, options);
    b().go_to(words);
    told();
    b().effect(Op::listed, {});
    b().go_to(options);
  };
  also(kListTexts, tell);
  also(kListNames, names);
  program_.sites.back().tells = program_.sites.back().tells || tell;
  write();
  b().effect(Op::listed, {});
  b().go_to(decide);
}

// Tells the question and its answers, as far as something of them is worked out; of the answers those in the mask
// `offered`.
std::function<void()> Lowering::telling(const std::vector<const model::Expr*>& texts, Register offered) {
  const auto worked_out = [](const model::Expr* text) { return text && text->kind == model::ExprKind::text; };
  if (std::none_of(texts.begin(), texts.end(), worked_out)) return nullptr;
  return [this, texts, offered, worked_out] {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (!worked_out(texts[i])) continue;
      BlockIndex yes = b().add_block(), next = b().add_block();
      if (i > 0) b().branch(b().integer(Op::mask_has, {offered, b().constant(Int(i) - 1)}, 1), yes, next);
      else b().jump(yes);
      b().go_to(yes);
      tell_question(static_cast<Int>(i), texts[i]);
      b().jump(next);
      b().go_to(next);
    }
  };
}

void Lowering::list_option(Register id) { b().effect(Op::list, {id}); }

void Lowering::list_option_if(Register condition, Register id) {
  BlockIndex yes = b().add_block(), next = b().add_block();
  b().branch(condition, yes, next);
  b().go_to(yes);
  list_option(id);
  b().jump(next);
  b().go_to(next);
}

void Lowering::list_each(Register elements, const model::Type& element, Int base, bool by_id) {
  for_each(elements, is_wide_element(element), [&](Register e) {
    list_option(b().integer(Op::add_small, {digit(element, e, by_id), b().constant(base)}));
  });
}

}  // namespace cardwright::lower
