// Declares dice and their faces.
#include "compiler/sema/declarations/dice.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "compiler/sema/declarations/pieces.h"
#include "compiler/sema/declarations/state.h"
#include "compiler/sema/options/collect.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/symbols/areas.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"

namespace cardwright::sema {

static std::optional<std::pair<Type, std::vector<Int>>> faces_of(SemaContext& sema, const Node* node);

constexpr Int kMostSides = 1000, kMostListed = 100;

// Sets the number of dice in `die cube x 5 { … }`. The default is one die. In `player { … }`, the number applies to
// each player.
void count_die(SemaContext& sema, std::uint32_t area, const Node* node, bool of_players) {
  const view::die its(node);
  Int n = 1;
  if (const Node* count = its.count()) {
    const auto number = tree_int(sema, count);
    if (!number) return forget_area(sema, area);
    n = *number;
  }
  const Int all = n < 1 || n > kMostInSet ? n : n * (of_players ? sema.players : 1);
  if (all < 1 || all > kMostInSet) {
    error(sema, "out_of_range"_code, its.count() ? its.count()->range : name_range(sema, node),
          all == n ? fmt::format("number of dice out of range; expected 1 to {}, found {}", kMostInSet, n)
                   : fmt::format("number of dice out of range; the limit is {}, found {} with {} players", kMostInSet,
                                 all, sema.players));
    return forget_area(sema, area);
  }
  set_parts(sema, area, all, of_players ? n : 0);
}

void declare_die(SemaContext& sema, const Node* node, bool of_players) {
  const auto found = sema.areas.of_node.find(node);
  if (found == sema.areas.of_node.end()) return;
  const std::uint32_t area = found->second;
  const std::string name(node->text);
  const Node* faces = find_member(sema, view::die(node).members(), NodeKind::faces_decl);
  if (!faces)
    return void(error(sema, "syntax"_code, name_range(sema, node), fmt::format("the die `{}` has no faces", name),
                      "`die cube { faces 1..6 }`"));
  const auto shown = faces_of(sema, view::faces_decl(faces).faces());
  if (!shown) return;
  const model::VariableId face =
      place_variable(sema, name + ".face", shown->first, area_type(sema, area), faces->range);
  model::Variable& v = sema.model.variables[face.index];
  v.each = sema.areas.all[area].each;
  v.initial = constant(sema, shown->first, shown->second.front(), faces->range);
  for (const Node* w : view::faces_decl(faces).words()->children) {
    if (w->text == "secret")
      v.visibility = of_players ? model::Visibility::owner : model::Visibility::hidden;
    else if (w->text == "hidden")
      v.visibility = model::Visibility::hidden;
    else if (w->text != "public")
      error(sema, "bad_zone"_code, w->range,
            fmt::format("expected `secret`, `public` or `hidden`, found `{}`", w->text),
            did_you_mean(w->text, {"secret", "public", "hidden"}));
  }
  sema.areas.all[area].variables.emplace("face", face.index);
  sema.model.areas[area].dice = model::Dice{face, shown->second};
  expand(sema, view::die(node).members(), model::RuleKind::rule, [&](const Node* m, model::RuleKind) {
    if (m->kind == NodeKind::field) declare_area_member(sema, area, m);
  });
}

// Returns the type of the faces and the value of each side for `1..6`, `Symbol` or `[hit, hit, miss]`.
static std::optional<std::pair<Type, std::vector<Int>>> faces_of(SemaContext& sema, const Node* node) {
  if (node->kind == NodeKind::range_lit) {
    const auto lo = tree_int(sema, view::range_lit(node).lo()), hi = tree_int(sema, view::range_lit(node).hi());
    if (!lo || !hi) return std::nullopt;
    if (*lo > *hi || *hi - *lo >= kMostSides)
      return error(sema, "out_of_range"_code, node->range,
                   fmt::format("number of sides out of range; expected 1 to {}", kMostSides)),
             std::nullopt;
    std::vector<Int> all(static_cast<std::size_t>(*hi - *lo + 1));
    std::iota(all.begin(), all.end(), *lo);
    return std::pair{integer_type(*lo, *hi), std::move(all)};
  }
  if (node->kind == NodeKind::name_ref)
    if (const auto e = sema.names.enums.find(node->text);
        e != sema.names.enums.end() && !sema.model.enums[e->second].cells) {
      std::vector<Int> all(sema.model.enums[e->second].constants.size());
      std::iota(all.begin(), all.end(), 0);
      return std::pair{enum_type(e->second), std::move(all)};
    }
  if (node->kind != NodeKind::list_lit || node->children.empty() ||
      static_cast<Int>(node->children.size()) > kMostListed)
    return error(sema, "wrong_type"_code, node->range, "expected a range, an enum or a list for the faces of a die",
                 "`faces 1..6`, `faces Symbol`, `faces [hit, hit, miss]`"),
           std::nullopt;
  std::optional<Type> type;
  std::vector<Int> all;
  for (const Node* n : node->children) {
    const auto f = tree_constant(sema, n);
    if (!f) return std::nullopt;
    const bool number = f->kind == TreeConstant::Kind::integer;
    if (!number && f->kind != TreeConstant::Kind::enumeration)
      return error(sema, "wrong_type"_code, n->range, "a face must be a number or a constant of an enum"), std::nullopt;
    const Type one = number ? integer_type(f->value, f->value) : enum_type(f->ref);
    if (type && (type->kind != one.kind || type->ref != one.ref))
      return error(sema, "wrong_type"_code, n->range, "all faces of a die must have the same type"), std::nullopt;
    if (!type) type = one;
    if (number) type->lo = std::min(type->lo, f->value), type->hi = std::max(type->hi, f->value);
    all.push_back(f->value);
  }
  if (type->hi - type->lo >= kMostSides)
    return error(sema, "out_of_range"_code, node->range,
                 fmt::format("the faces of a die must differ by less than {}", kMostSides)),
           std::nullopt;
  return std::pair{*type, std::move(all)};
}

}   // namespace cardwright::sema
