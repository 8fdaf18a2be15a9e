// Dice: areas whose parts show a face. The face is a variable, which is rolled or turned and never stored.
#include <algorithm>
#include <numeric>

#include "compiler/sema/analysis.h"

namespace cardwright::sema {

namespace {

constexpr Int kMostSides = 1000, kMostListed = 100;

}  // namespace

// ---------------------------------------------------------------- declarations

// `die cube x 5 { … }`; in `player { … }` each has so many. Without a number there is one.
void Analysis::count_die(std::uint32_t area, const Node* node, bool of_players) {
  const view::die its(node);
  Int n = 1;
  if (const Node* count = its.count()) {
    const auto said = fixed_int(count);
    if (!said) return forget_area(area);
    n = *said;
  }
  const Int all = n < 1 || n > kMostInSet ? n : n * (of_players ? players_ : 1);
  if (all < 1 || all > kMostInSet) {
    error(Code::out_of_range, its.count() ? its.count()->range : name_range(node),
          all == n ? fmt::format("there are from 1 to {} dice of a kind, not {}", kMostInSet, n)
                   : fmt::format("there are at most {} dice of a kind, and these are {} with {} players", kMostInSet,
                                 all, players_));
    return forget_area(area);
  }
  set_parts(area, all, of_players ? n : 0);
}

void Analysis::declare_die(const Node* node, bool of_players) {
  const auto found = area_of_node_.find(node);
  if (found == area_of_node_.end()) return;
  const std::uint32_t area = found->second;
  const std::string name(node->text);
  const Node* faces = said_in(view::die(node).members(), NodeKind::faces_decl);
  if (!faces)
    return void(error(Code::syntax, name_range(node), fmt::format("what a `{}` has on its faces is missing", name),
                      "`die cube { faces 1..6 }`"));
  const auto shown = faces_of(view::faces_decl(faces).faces());
  if (!shown) return;
  const model::VariableId face = place_variable(name + ".face", shown->first, area_type(area), faces->range);
  model::Variable& v = model_->variables[face.index];
  v.each = areas_[area].each;
  v.initial = constant(shown->first, shown->second.front(), faces->range);
  for (const Node* w : view::faces_decl(faces).words()->children) {
    if (w->text == "secret") v.visibility = of_players ? model::Visibility::owner : model::Visibility::hidden;
    else if (w->text == "hidden") v.visibility = model::Visibility::hidden;
    else if (w->text != "public")
      error(Code::bad_zone, w->range, fmt::format("`{}` is not what faces can be", w->text),
            did_you_mean(w->text, {"secret", "public", "hidden"}));
  }
  areas_[area].variables.emplace("face", face.index);
  model_->areas[area].dice = model::Dice{face, shown->second};
  expand(view::die(node).members(), model::RuleKind::rule, [&](const Node* m, model::RuleKind) {
    if (m->kind == NodeKind::field) declare_area_member(area, m);
  });
}

// `1..6`, `Symbol`, `[hit, hit, miss]`: of what type they are, and what each side shows.
std::optional<std::pair<Type, std::vector<Int>>> Analysis::faces_of(const Node* node) {
  if (node->kind == NodeKind::range_lit) {
    const auto lo = fixed_int(view::range_lit(node).lo()), hi = fixed_int(view::range_lit(node).hi());
    if (!lo || !hi) return std::nullopt;
    if (*lo > *hi || *hi - *lo >= kMostSides)
      return error(Code::out_of_range, node->range, fmt::format("a die has from 1 to {} sides", kMostSides)),
             std::nullopt;
    std::vector<Int> all(static_cast<std::size_t>(*hi - *lo + 1));
    std::iota(all.begin(), all.end(), *lo);
    return std::pair{integer_type(*lo, *hi), std::move(all)};
  }
  if (node->kind == NodeKind::name_ref)
    if (const auto e = enum_names_.find(node->text); e != enum_names_.end() && !model_->enums[e->second].cells) {
      std::vector<Int> all(model_->enums[e->second].constants.size());
      std::iota(all.begin(), all.end(), 0);
      return std::pair{enum_type(e->second), std::move(all)};
    }
  if (node->kind != NodeKind::list_lit || node->children.empty() ||
      static_cast<Int>(node->children.size()) > kMostListed)
    return error(Code::wrong_type, node->range, "the faces of a die are numbers, an enum or a list",
                 "`faces 1..6`, `faces Symbol`, `faces [hit, hit, miss]`"),
           std::nullopt;
  std::optional<Type> type;
  std::vector<Int> all;
  for (const Node* n : node->children) {
    const auto f = fixed(n);
    if (!f) return std::nullopt;
    const bool number = f->kind == Fixed::Kind::integer;
    if (!number && f->kind != Fixed::Kind::enumeration)
      return error(Code::wrong_type, n->range, "a face is a number or a constant of an enum"), std::nullopt;
    const Type one = number ? integer_type(f->value, f->value) : enum_type(f->ref);
    if (type && (type->kind != one.kind || type->ref != one.ref))
      return error(Code::wrong_type, n->range, "the faces of one die are of one type"), std::nullopt;
    if (!type) type = one;
    if (number) type->lo = std::min(type->lo, f->value), type->hi = std::max(type->hi, f->value);
    all.push_back(f->value);
  }
  if (type->hi - type->lo >= kMostSides)
    return error(Code::out_of_range, node->range,
                 fmt::format("between the faces of a die lie less than {} numbers", kMostSides)),
           std::nullopt;
  return std::pair{*type, std::move(all)};
}

// ---------------------------------------------------------------- what is read of them

const model::Dice* Analysis::dice_of(const Type& t) const {
  const Type one = t.kind == TypeKind::set ? element_type(t) : t;
  if (one.kind != TypeKind::integer || one.ref >= model_->areas.size() || !model_->areas[one.ref].dice) return nullptr;
  return &*model_->areas[one.ref].dice;
}

// Whose face is that variable?
const std::string* Analysis::die_with_face(std::uint32_t variable) const {
  for (std::uint32_t a = 0; a < areas_.size(); ++a)
    if (const auto& dice = model_->areas[a].dice; dice && dice->face.index == variable) return &areas_[a].name;
  return nullptr;
}

bool Analysis::has_face(const model::Dice& dice, Int face) {
  return std::find(dice.faces.begin(), dice.faces.end(), face) != dice.faces.end();
}

// ---------------------------------------------------------------- roll and turn

// `roll d`, `roll cubes where not held`; false if these are no dice.
bool Analysis::rolls_dice(const Node* roll, Block& out) {
  const Node* of = view::roll_expr(roll).domain();
  if (!of || of->kind == NodeKind::range_lit ||
      (of->kind == NodeKind::name_ref && enum_names_.contains(of->text) && !find_binding(of->text)))
    return false;
  const Expr* e = expr(of);
  if (is_poison(e)) return true;
  if (!dice_of(e->type)) return false;
  if (effect(roll->range, "rolling")) show_faces(e, nullptr, roll->range, out);
  return true;
}

// `turn d to 5`
void Analysis::turn_to(const Node* node, Block& out) {
  const view::turn_stmt its(node);
  if (!effect(node->range, "turning a die")) return;
  const Expr* e = expr(its.what());
  if (is_poison(e)) return;
  const model::Dice* dice = dice_of(e->type);
  if (!dice)
    return void(error(Code::wrong_type, its.what()->range,
                      fmt::format("dice are turned to a face, not a `{}`", show(e->type)),
                      "cards are turned `faceup` or `facedown`"));
  const Type type = model_->variables[dice->face.index].type;
  const Expr* face = convert(expr(its.facing(), &type), type, "face");
  if (is_poison(face)) return;
  if (face->kind == ExprKind::constant && !has_face(*dice, face->value))
    return void(error(Code::out_of_range, its.facing()->range,
                      fmt::format("no side of a `{}` shows that", *die_with_face(dice->face.index))));
  show_faces(e, face, node->range, out);
}

void Analysis::show_faces(const Expr* dice, const Expr* face, Range range, Block& out) {
  if (dice->type.optional && !is_soft(dice))
    return void(error(Code::may_be_none, dice->range, "this die may be none", "ask first whether it `is not none`"));
  emit(out, StmtKind::show_faces, range, {dice, face})->ref = dice_of(dice->type)->face.index;
}

// `reveal d`, `peek p.cubes by q`: their faces; false if these are no dice.
bool Analysis::show_dice(const Expr* e, Range range, Block& out,
                         const std::function<void(const Expr*, Block&)>& show_one) {
  const model::Dice* dice = dice_of(e->type);
  if (!dice) return false;
  const std::uint32_t face = dice->face.index;
  if (model_->variables[face].visibility == model::Visibility::open)
    suspect(Code::without_effect, range, true, fmt::format("`{}` is public anyway", model_->variables[face].name));
  if (e->type.kind != TypeKind::set) return show_one(variable_of(face, range, {e}), out), true;
  const LocalId one = add_local("", element_type(e->type), range);
  Stmt* s = emit(out, StmtKind::each, range, {e, nullptr, nullptr});
  s->local = one;
  s->blocks.resize(1);
  show_one(variable_of(face, range, {local(one, range)}), s->blocks[0]);
  return true;
}

// ---------------------------------------------------------------- scenarios

// `cube[1]`, `cubes`, `a.cubes`, `a.luck`: which dice, by their numbers.
std::optional<std::pair<std::uint32_t, std::vector<Int>>> Analysis::dice_named(const Node* node) {
  if (area_in(node)) {
    const auto part = area_part(node);
    if (!part || !model_->areas[part->first].dice) return std::nullopt;
    return std::pair{part->first, std::vector<Int>{part->second}};
  }
  const bool of_player = node->kind == NodeKind::member;
  const auto area = of_player                          ? area_of_players(node->text)
                    : node->kind == NodeKind::name_ref ? area_named(node->text)
                                                       : std::nullopt;
  if (!area || !model_->areas[*area].dice || areas_[*area].name == node->text) return std::nullopt;
  Int first = 1, count = areas_[*area].count;
  if (of_player) {
    const auto owner = seat(view::member(node).of());
    if (!owner) return std::nullopt;
    count = areas_[*area].each;
    first = *owner * count + 1;
  }
  std::vector<Int> parts(static_cast<std::size_t>(count));
  std::iota(parts.begin(), parts.end(), first);
  return std::pair{*area, std::move(parts)};
}

// What each of them shows: one face for all, or a list of as many.
std::optional<std::vector<Int>> Analysis::faces_said(std::uint32_t area, std::size_t count, const Node* value) {
  const model::Dice& dice = *model_->areas[area].dice;
  const Type type = model_->variables[dice.face.index].type;
  const bool several = value->kind == NodeKind::list_lit;
  if (several && value->children.size() != count) {
    error(Code::bad_scenario, value->range,
          fmt::format("these are {} dice and {} faces", count, value->children.size()));
    return std::nullopt;
  }
  std::vector<Int> faces;
  for (std::size_t i = 0; i < (several ? count : 1); ++i) {
    const Node* one = several ? value->child(i) : value;
    const auto face = scalar(one, &type);
    if (!face) return std::nullopt;
    if (!has_face(dice, *face))
      return error(Code::out_of_range, one->range,
                   fmt::format("no side of a `{}` shows {}", areas_[area].name, written(one))),
             std::nullopt;
    faces.push_back(*face);
  }
  faces.resize(count, faces.front());
  return faces;
}

// `given cube[1] shows 5`, `given a.cubes show [3, 4]`
void Analysis::given_shows(const Node* node, model::Given g, model::ScenarioLine& line) {
  const view::given its(node);
  const auto dice = dice_named(its.what());
  if (!dice)
    return void(error(Code::bad_scenario, its.what()->range, "dice are needed before `shows`",
                      "`cube[1] shows 5`, `cubes show [3, 4, 4]`, `a.cubes show 6`"));
  const auto faces = faces_said(dice->first, dice->second.size(), its.value());
  if (!faces) return;
  g.kind = model::Given::Kind::variable;
  g.variable = model_->areas[dice->first].dice->face;
  for (std::size_t i = 0; i < faces->size(); ++i) {
    g.indices = {dice->second[i]};
    g.values = {(*faces)[i]};
    line.givens.push_back(g);
  }
}

// `cubes show [3, 4, 4]`, in a claim
const Expr* Analysis::shows_claim(const Node* node) {
  if (!rule_->scenario) {
    error(Code::not_this_here, node->range, "`shows` belongs into scenarios",
          "a rule reads a die's `face`: `d.face == 5`");
    return poison(node->range);
  }
  const auto dice = dice_named(view::binary(node).left());
  if (!dice) {
    error(Code::bad_scenario, view::binary(node).left()->range, "dice are needed before `shows`",
          "`cube[1] shows 5`, `cubes show [3, 4, 4]`, `a.cubes show 6`");
    return poison(node->range);
  }
  const auto faces = faces_said(dice->first, dice->second.size(), view::binary(node).right());
  if (!faces) return poison(node->range);
  const std::uint32_t face = model_->areas[dice->first].dice->face.index;
  const Expr* all = nullptr;
  for (std::size_t i = 0; i < faces->size(); ++i) {
    const Expr* one =
        make(ExprKind::equal, boolean_type(), node->range,
             {variable_of(face, node->range, {constant(area_type(dice->first), dice->second[i], node->range)}),
              constant(model_->variables[face].type, (*faces)[i], node->range)});
    all = all ? make(ExprKind::logical_and, boolean_type(), node->range, {all, one}) : one;
  }
  return all;
}

// `a rolls 3, 5` behind the step in which it happens.
void Analysis::rolls(Int player, const Items& items, const Node* node, model::ScenarioLine& line) {
  model::Step said;
  if (line.steps.empty())
    return void(error(Code::bad_scenario, node->range,
                      "what comes up stands behind the step in which the dice are rolled",
                      "`when a uses throw, a rolls 3, 5`"));
  if (!chooses(items, said)) return;
  for (model::StepItem& item : said.items) line.steps.back().rolls.emplace_back(player, std::move(item));
  line.steps.back().text += ", " + std::string(diagnostics_.sources().text(node->range));
}

}  // namespace cardwright::sema
