// Checks dice, which are areas whose parts show a face. The face is stored in a variable that only `roll` and `turn`
// can change.
#include "compiler/sema/expressions/dice.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "compiler/sema/expressions/calls.h"
#include "compiler/sema/options/collect.h"
#include "compiler/sema/declarations/components.h"
#include "compiler/sema/expressions/convert.h"
#include "compiler/sema/expressions/descriptions.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/options/fixed.h"
#include "compiler/sema/scenarios/scenario_setup.h"
#include "compiler/sema/expressions/names.h"
#include "compiler/sema/expressions/narrowing.h"
#include "compiler/sema/options/options.h"
#include "compiler/sema/expressions/pieces.h"
#include "compiler/sema/expressions/sets.h"
#include "compiler/sema/declarations/state.h"
#include "compiler/sema/statements/statements.h"
#include "compiler/sema/scenarios/steps.h"
#include "compiler/sema/checks/warnings.h"

namespace cardwright::sema {

static std::optional<std::pair<Type, std::vector<Int>>> faces_of(SemaContext& sema, const Node* node);
static void show_faces(RuleContext& rule, const Expr* dice, const Expr* face, Range range, Block& out);

namespace {

constexpr Int kMostSides = 1000, kMostListed = 100;

}   // namespace

// ---------------------------------------------------------------- declarations

// Sets the number of dice in `die cube x 5 { … }`. Without a number, there is one die. In `player { … }`, the number
// applies to each player.
void count_die(SemaContext& sema, std::uint32_t area, const Node* node, bool of_players) {
  const view::die its(node);
  Int n = 1;
  if (const Node* count = its.count()) {
    const auto said = fixed_int(sema, count);
    if (!said) return forget_area(sema, area);
    n = *said;
  }
  const Int all = n < 1 || n > kMostInSet ? n : n * (of_players ? sema.players : 1);
  if (all < 1 || all > kMostInSet) {
    error(sema, Code::out_of_range, its.count() ? its.count()->range : name_range(sema, node),
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
  const Node* faces = said_in(sema, view::die(node).members(), NodeKind::faces_decl);
  if (!faces)
    return void(error(sema, Code::syntax, name_range(sema, node), fmt::format("the die `{}` has no faces", name),
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
      error(sema, Code::bad_zone, w->range, fmt::format("expected `secret`, `public` or `hidden`, found `{}`", w->text),
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
    const auto lo = fixed_int(sema, view::range_lit(node).lo()), hi = fixed_int(sema, view::range_lit(node).hi());
    if (!lo || !hi) return std::nullopt;
    if (*lo > *hi || *hi - *lo >= kMostSides)
      return error(sema, Code::out_of_range, node->range,
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
    return error(sema, Code::wrong_type, node->range, "expected a range, an enum or a list for the faces of a die",
                 "`faces 1..6`, `faces Symbol`, `faces [hit, hit, miss]`"),
           std::nullopt;
  std::optional<Type> type;
  std::vector<Int> all;
  for (const Node* n : node->children) {
    const auto f = fixed(sema, n);
    if (!f) return std::nullopt;
    const bool number = f->kind == Fixed::Kind::integer;
    if (!number && f->kind != Fixed::Kind::enumeration)
      return error(sema, Code::wrong_type, n->range, "a face must be a number or a constant of an enum"), std::nullopt;
    const Type one = number ? integer_type(f->value, f->value) : enum_type(f->ref);
    if (type && (type->kind != one.kind || type->ref != one.ref))
      return error(sema, Code::wrong_type, n->range, "all faces of a die must have the same type"), std::nullopt;
    if (!type) type = one;
    if (number) type->lo = std::min(type->lo, f->value), type->hi = std::max(type->hi, f->value);
    all.push_back(f->value);
  }
  if (type->hi - type->lo >= kMostSides)
    return error(sema, Code::out_of_range, node->range,
                 fmt::format("the faces of a die must differ by less than {}", kMostSides)),
           std::nullopt;
  return std::pair{*type, std::move(all)};
}

// ---------------------------------------------------------------- faces

const model::Dice* dice_of(const SemaContext& sema, const Type& t) {
  const Type one = t.kind == TypeKind::set ? element_type(t) : t;
  if (one.kind != TypeKind::integer || one.ref >= sema.model.areas.size() || !sema.model.areas[one.ref].dice)
    return nullptr;
  return &*sema.model.areas[one.ref].dice;
}

// Returns the name of the die whose face is stored in this variable, or null if there is none.
const std::string* die_with_face(const SemaContext& sema, std::uint32_t variable) {
  for (std::uint32_t a = 0; a < sema.areas.all.size(); ++a)
    if (const auto& dice = sema.model.areas[a].dice; dice && dice->face.index == variable)
      return &sema.areas.all[a].name;
  return nullptr;
}

static bool has_face(const model::Dice& dice, Int face) {
  return std::find(dice.faces.begin(), dice.faces.end(), face) != dice.faces.end();
}

// ---------------------------------------------------------------- roll and turn

// Handles `roll d` and `roll cubes where not held`. Returns false if the operand is not dice.
bool rolls_dice(RuleContext& rule, const Node* roll, Block& out) {
  const Node* of = view::roll_expr(roll).domain();
  if (!of || of->kind == NodeKind::range_lit ||
      (of->kind == NodeKind::name_ref && rule.sema.names.enums.contains(of->text) && !find_binding(rule, of->text)))
    return false;
  const Expr* e = expr(rule, of);
  if (is_poison(e)) return true;
  if (!dice_of(rule.sema, e->type)) return false;
  if (effect(rule, roll->range, "rolling")) show_faces(rule, e, nullptr, roll->range, out);
  return true;
}

// Handles `turn d to 5`.
void turn_to(RuleContext& rule, const Node* node, Block& out) {
  const view::turn_stmt its(node);
  if (!effect(rule, node->range, "turning a die")) return;
  const Expr* e = expr(rule, its.what());
  if (is_poison(e)) return;
  const model::Dice* dice = dice_of(rule.sema, e->type);
  if (!dice)
    return void(error(rule.sema, Code::wrong_type, its.what()->range,
                      fmt::format("expected dice, found `{}`", show(rule.sema, e->type)),
                      "to turn cards, use `faceup` or `facedown`"));
  const Type type = rule.model.variables[dice->face.index].type;
  const Expr* face = convert(rule, expr(rule, its.facing(), &type), type, "face");
  if (is_poison(face)) return;
  if (face->kind == ExprKind::constant && !has_face(*dice, face->value))
    return void(error(rule.sema, Code::out_of_range, its.facing()->range,
                      fmt::format("the die `{}` has no such face", *die_with_face(rule.sema, dice->face.index))));
  show_faces(rule, e, face, node->range, out);
}

static void show_faces(RuleContext& rule, const Expr* dice, const Expr* face, Range range, Block& out) {
  if (dice->type.optional && !is_soft(rule, dice))
    return void(
        error(rule.sema, Code::may_be_none, dice->range, "this die may be none", "check first that it `is not none`"));
  emit(rule.sema, out, StmtKind::show_faces, range, {dice, face})->ref = dice_of(rule.sema, dice->type)->face.index;
}

// Handles `reveal d` and `peek p.cubes by q` for dice, whose faces are shown. Returns false if the operand is not dice.
bool show_dice(RuleContext& rule, const Expr* e, Range range, Block& out,
               const std::function<void(const Expr*, Block&)>& show_one) {
  const model::Dice* dice = dice_of(rule.sema, e->type);
  if (!dice) return false;
  const std::uint32_t face = dice->face.index;
  if (rule.model.variables[face].visibility == model::Visibility::open)
    suspect(rule.sema, Code::without_effect, range, true,
            fmt::format("`{}` is already public", rule.model.variables[face].name));
  if (e->type.kind != TypeKind::set) return show_one(variable_of(rule, face, range, {e}), out), true;
  const LocalId one = add_local(rule, "", element_type(e->type), range);
  Stmt* s = emit(rule.sema, out, StmtKind::each, range, {e, nullptr, nullptr});
  s->local = one;
  s->blocks.resize(1);
  show_one(variable_of(rule, face, range, {local(rule, one, range)}), s->blocks[0]);
  return true;
}

// ---------------------------------------------------------------- scenarios

// Resolves `cube[1]`, `cubes`, `a.cubes` or `a.luck`. Returns the area and the numbers of the dice.
static std::optional<std::pair<std::uint32_t, std::vector<Int>>> dice_named(SemaContext& sema, const Node* node) {
  if (area_in(sema, node)) {
    const auto part = area_part(sema, node);
    if (!part || !sema.model.areas[part->first].dice) return std::nullopt;
    return std::pair{part->first, std::vector<Int>{part->second}};
  }
  const bool of_player = node->kind == NodeKind::member;
  const auto area = of_player                          ? area_of_players(sema, node->text)
                    : node->kind == NodeKind::name_ref ? area_named(sema, node->text)
                                                       : std::nullopt;
  if (!area || !sema.model.areas[*area].dice || sema.areas.all[*area].name == node->text) return std::nullopt;
  Int first = 1, count = sema.areas.all[*area].count;
  if (of_player) {
    const auto owner = seat(sema, view::member(node).of());
    if (!owner) return std::nullopt;
    count = sema.areas.all[*area].each;
    first = *owner * count + 1;
  }
  std::vector<Int> parts(static_cast<std::size_t>(count));
  std::iota(parts.begin(), parts.end(), first);
  return std::pair{*area, std::move(parts)};
}

// Returns the face of each die. The source contains either one face for all dice, or a list with one face per die.
static std::optional<std::vector<Int>> faces_in_scenario(SemaContext& sema, std::uint32_t area, std::size_t count,
                                                         const Node* value) {
  const model::Dice& dice = *sema.model.areas[area].dice;
  const Type type = sema.model.variables[dice.face.index].type;
  const bool several = value->kind == NodeKind::list_lit;
  if (several && value->children.size() != count) {
    error(sema, Code::bad_scenario, value->range,
          fmt::format("number of faces does not match: {} dice and {} faces", count, value->children.size()));
    return std::nullopt;
  }
  std::vector<Int> faces;
  for (std::size_t i = 0; i < (several ? count : 1); ++i) {
    const Node* one = several ? view::list_lit(value).elements(i) : value;
    const auto face = scalar(sema, one, &type);
    if (!face) return std::nullopt;
    if (!has_face(dice, *face))
      return error(sema, Code::out_of_range, one->range,
                   fmt::format("the die `{}` has no face {}", sema.areas.all[area].name, written(sema, one))),
             std::nullopt;
    faces.push_back(*face);
  }
  faces.resize(count, faces.front());
  return faces;
}

// Handles `given cube[1] shows 5` and `given a.cubes show [3, 4]`.
void given_shows(SemaContext& sema, const Node* node, model::Given g, model::ScenarioLine& line) {
  const view::given its(node);
  const auto dice = dice_named(sema, its.what());
  if (!dice)
    return void(error(sema, Code::bad_scenario, its.what()->range, "expected dice before `shows`",
                      "`cube[1] shows 5`, `cubes show [3, 4, 4]`, `a.cubes show 6`"));
  const auto faces = faces_in_scenario(sema, dice->first, dice->second.size(), its.value());
  if (!faces) return;
  g.kind = model::Given::Kind::variable;
  g.variable = sema.model.areas[dice->first].dice->face;
  for (std::size_t i = 0; i < faces->size(); ++i) {
    g.indices = {dice->second[i]};
    g.values = {(*faces)[i]};
    line.givens.push_back(g);
  }
}

// Handles `cubes show [3, 4, 4]` in a claim.
const Expr* shows_claim(RuleContext& rule, const Node* node) {
  if (!rule.scenario) {
    error(rule.sema, Code::not_this_here, node->range, "`shows` is allowed only in scenarios",
          "in a rule, compare the `face`: `d.face == 5`");
    return poison(rule.sema, node->range);
  }
  const auto dice = dice_named(rule.sema, view::binary(node).left());
  if (!dice) {
    error(rule.sema, Code::bad_scenario, view::binary(node).left()->range, "expected dice before `shows`",
          "`cube[1] shows 5`, `cubes show [3, 4, 4]`, `a.cubes show 6`");
    return poison(rule.sema, node->range);
  }
  const auto faces = faces_in_scenario(rule.sema, dice->first, dice->second.size(), view::binary(node).right());
  if (!faces) return poison(rule.sema, node->range);
  const std::uint32_t face = rule.model.areas[dice->first].dice->face.index;
  const Expr* all = nullptr;
  for (std::size_t i = 0; i < faces->size(); ++i) {
    const Expr* one =
        make(rule.sema, ExprKind::equal, boolean_type(), node->range,
             {variable_of(rule, face, node->range,
                          {constant(rule.sema, area_type(rule.sema, dice->first), dice->second[i], node->range)}),
              constant(rule.sema, rule.model.variables[face].type, (*faces)[i], node->range)});
    all = all ? make(rule.sema, ExprKind::logical_and, boolean_type(), node->range, {all, one}) : one;
  }
  return all;
}

// Handles `a rolls 3, 5`, which gives the results of the dice rolled in the previous step.
void rolls(RuleContext& rule, Int player, const Items& items, const Node* node, model::ScenarioLine& line) {
  model::Step said;
  if (line.steps.empty())
    return void(error(rule.sema, Code::bad_scenario, node->range,
                      "`rolls` must follow the step in which the dice are rolled",
                      "`when a uses throw, a rolls 3, 5`"));
  if (!chooses(rule, items, said)) return;
  for (model::StepItem& item : said.items) line.steps.back().rolls.emplace_back(player, std::move(item));
  line.steps.back().text += ", " + std::string(rule.sema.diagnostics.sources().text(node->range));
}

}   // namespace cardwright::sema
