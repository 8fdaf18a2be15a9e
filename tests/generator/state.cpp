// Generates declarations of variables, zones, areas and teams, and the setup.
#include "tests/generator/writer.h"

namespace cardwright::test {

Type Writer::scalar_type() {
  if (families_.boards && chance_.one_in(4))
    return families_.pieces && chance_.one_in(4) ? maybe(plain(Sort::part, some_pieces())) : board_type();
  if (chance_.one_in(12)) return plain(Sort::kind);
  switch (among(Site::scalar, boards_.empty() ? 8 : 11)) {
    case 0: return plain(Sort::boolean);
    case 1: return plain(Sort::enumeration, chance_.below(static_cast<int>(enums_.size())));
    case 2: return maybe(plain(Sort::player));
    case 3: return maybe(plain(Sort::card));
    case 4: return maybe(plain(Sort::enumeration, 0));
    case 8: return plain(Sort::cell, some_board());
    case 9: return maybe(plain(Sort::cell, some_board()));
    case 10: return directed_type();
    default:
      return chance_.word({"a", "b", "b"}) == "a" ? number(-20, 100)
                                                  : number(0, chance_.pick(std::vector<int>{1, 9, 60, 300, 70000}));
  }
}

Type Writer::variable_type() {
  const auto element = [&]() -> Type {
    switch (chance_.below(boards_.empty() ? 4 : 5)) {
      case 0: return plain(Sort::player);
      case 1: return plain(Sort::card);
      case 2: return number(0, 20);
      case 4: return plain(Sort::cell, some_board());
      default: return plain(Sort::enumeration, chance_.below(static_cast<int>(enums_.size())));
    }
  };
  switch (among(Site::variable, 12)) {
    case 0:
    case 1:
    case 2: return set_of(element());
    case 3: return list_of(element(), chance_.between(2, 6));
    case 4: return list_of(number(-9, 99), chance_.between(2, 6));
    case 5: return list_of(set_of(element()), chance_.between(2, 4));
    case 6: return list_of(list_of(plain(Sort::enumeration, 0), 2), 3);
    case 7:
      return records_.empty() ? scalar_type() : plain(Sort::record, chance_.below(static_cast<int>(records_.size())));
    case 8: return records_.empty() ? scalar_type() : list_of(plain(Sort::record, 0), chance_.between(2, 5));
    default: return scalar_type();
  }
}

std::string Writer::start_of(const Type& type) {
  if (type.optional) return "none";
  switch (type.sort) {
    case Sort::integer: return std::to_string(chance_.between(std::max(0, type.lo), std::min(type.hi, 9)));
    case Sort::boolean: return chance_.word({"true", "false"});
    case Sort::enumeration: return constant(type.which);
    case Sort::cell: return first_cell(type.which);
    case Sort::direction: return direction_at_first(type.which);
    case Sort::edge: return first_edge(type.which);
    case Sort::offset: return "offset(1, 0)";
    case Sort::kind: return kinds_[0];
    case Sort::set:
      if (type.elem->is(Sort::enumeration) && chance_.one_in(2)) return "[" + constant(type.elem->which) + "]";
      if (type.elem->is(Sort::integer) && chance_.one_in(2)) return "[1, 4]";
      if (type.elem->is(Sort::cell) && chance_.one_in(2)) return first_cells(type.elem->which);
      return "";
    case Sort::record: return records_[static_cast<std::size_t>(type.which)].name + "()";
    default: return "";
  }
}

Variable Writer::make_variable(Home home, int area) {
  static const std::vector<std::string> stems{"t", "v", "tm", "ar", "tn"};
  Variable v{fresh(stems[static_cast<std::size_t>(home)]), variable_type(), home, area};
  // An area can't refer to itself or to areas that are declared later.
  if (home == Home::area && v.type.is(Sort::part) && v.type.which >= area) v.type = number(0, 9);
  if (home == Home::turn && (v.type.is(Sort::record) || v.type.is(Sort::card))) v.type = number(0, 99);
  if (chance_.one_in(6) && !v.type.is(Sort::list)) {
    v.per.push_back(chance_.one_in(3)   ? number(0, 3)
                    : chance_.one_in(2) ? plain(Sort::player)
                                        : plain(Sort::enumeration, 0));
  }
  if (secrets_ && (home == Home::player || home == Home::table) && chance_.one_in(3))
    v.sight = home == Home::player && chance_.one_in(2) ? "secret" : "hidden";
  return v;
}

std::string Writer::declared(const Variable& v) {
  std::string per;
  for (const Type& index : v.per)
    per += (per.empty() ? " per " : ", ") +
           (index.is(Sort::integer) ? say("{}..{}", {index.lo, index.hi}) : spelled(index));
  const std::string start = v.home == Home::turn && v.type.is_set_of(Sort::cell) ? "" : start_of(v.type);
  return say("{}{}: {}{}{}{}",
             {v.home == Home::turn ? families_.phases && chance_.one_in(2)
                                         ? "phase var "
                                         : chance_.word({"turn var ", "turn var ", "round var "})
                                   : "",
              v.name, spelled(v.type), per, start.empty() ? "" : " = " + start, v.sight.empty() ? "" : ", " + v.sight});
}

Zone Writer::make_zone(Home home, int area) {
  Zone z{fresh("z"), home, area, Shape::set, ""};
  switch (among(Site::zone, 7)) {
    case 0:
    case 1:
      z.shape = Shape::pile;
      z.sight = chance_.word({"facedown", "faceup"});
      break;
    case 2:
      z.shape = Shape::row;
      z.sight = "public";
      break;
    case 3:
      z.shape = Shape::slot;
      z.sight = chance_.word({"public", "hidden"});
      break;
    case 4: z.sight = "hidden"; break;
    default: z.sight = "public";
  }
  const bool owned = home == Home::player || (home == Home::area && areas_[static_cast<std::size_t>(area)].of_players);
  if (owned && z.shape != Shape::pile && chance_.one_in(3)) z.sight = "owner";
  if (has_teams_ && (home == Home::player || home == Home::team) && z.shape == Shape::set && chance_.one_in(2))
    z.sight = "team";
  return z;
}

std::string Writer::declared(const Zone& z) {
  static const std::vector<std::string> shapes{"set, ", "pile, ", "row, ", "slot, "};
  std::string more;
  if (families_.places && z.home == Home::player && z.name == "pub") more += ", one of a kind";
  if (families_.places && z.shape != Shape::slot && chance_.one_in(4))
    more += say(", starts with {} {}", {chance_.between(1, 2), chance_.pick(kinds_)});
  return say("zone {}: {}{}{}",
             {z.name, z.shape == Shape::set ? "" : shapes[static_cast<std::size_t>(z.shape)], z.sight, more});
}

// Selects variables, zones, areas and other components of the state, before the first rule is written.
void Writer::plan_state() {
  has_roles_ = chance_.one_in(2);
  refills_ = chance_.one_in(2) || about(Subject::refills);
  has_characters_ = chance_.one_in(4);
  if (chance_.one_in(2)) {
    Record r{"Rec", {{"rx", number(0, 50), "0"}, {"rk", plain(Sort::enumeration, 0), "red"}}};
    if (chance_.one_in(2)) r.fields.push_back({"rp", maybe(plain(Sort::player)), "none"});
    if (chance_.one_in(2)) r.fields.push_back({"rs", set_of(plain(Sort::enumeration, 0)), ""});
    if (chance_.one_in(3)) r.fields.push_back({"rb", plain(Sort::boolean), "false"});
    records_.push_back(r);
    if (families_.nested)
      records_.push_back({"Outer", {{"ox", number(0, 50), "0"}, {"oi", plain(Sort::record, 0), "Rec()"}}});
  }
  if (chance_.one_in(3)) areas_.push_back({"nest", chance_.between(2, 4), false});
  if (chance_.one_in(4)) areas_.push_back({"basket", chance_.between(2, 3), true});
  plan_pieces();
  zones_ = {{"hand", Home::player, 0, Shape::set, "owner"},
            {"pub", Home::player, 0, Shape::set, "public"},
            {"draw", Home::table, 0, Shape::pile, "facedown"},
            {"disc", Home::table, 0, Shape::pile, "faceup"},
            {"pool", Home::table, 0, Shape::set, chance_.word({"public", "hidden"})}};
  for (int i = many(0, 3); i > 0; --i) zones_.push_back(make_zone(Home::player, 0));
  for (int i = many(0, 2); i > 0; --i) zones_.push_back(make_zone(Home::table, 0));
  if (has_teams_ && chance_.one_in(2)) zones_.push_back(make_zone(Home::team, 0));
  if (about(Subject::unknown)) unknown_zones();
  for (std::size_t a = 0; a < areas_.size(); ++a)
    if (!areas_[a].piece || chance_.one_in(3)) zones_.push_back(make_zone(Home::area, static_cast<int>(a)));
  variables_ = {{"score", number(-20, 100), Home::player}, {"stage", number(0, 500), Home::table}};
  for (int i = many(2, 7); i > 0; --i) {
    Variable v = make_variable(Home::player, 0);
    // `p is Ant` tests the player's variable of type Side, so there must not be another one of this type.
    if (has_roles_ && v.type.is(Sort::enumeration) && v.type.which == 1) v.type = plain(Sort::boolean);
    variables_.push_back(v);
  }
  for (int i = many(1, 5); i > 0; --i) variables_.push_back(make_variable(Home::table, 0));
  for (int i = many(0, 2); i > 0; --i) variables_.push_back(make_variable(Home::turn, 0));
  if (has_teams_) variables_.push_back(make_variable(Home::team, 0));
  for (std::size_t a = 0; a < areas_.size(); ++a)
    for (int i = chance_.between(1, 2); i > 0; --i)
      variables_.push_back(make_variable(Home::area, static_cast<int>(a)));
}

void Writer::declare_all(Home home, int area) {
  for (const Zone& z : zones_)
    if (z.home == home && z.area == area && z.name != "draw") line(declared(z));
  for (const Variable& v : variables_)
    if (v.home == home && v.area == area) line(declared(v));
}

void Writer::state() {
  const auto area = [&](std::size_t a) {
    open(say("area {} x {}", {areas_[a].name, areas_[a].count}));
    declare_all(Home::area, static_cast<int>(a));
    close();
  };
  for (std::size_t a = 0; a < areas_.size(); ++a)
    if (areas_[a].piece) piece(a);   // pieces are declared before the areas that refer to them
  open("player");
  declare_all(Home::player, 0);
  if (has_roles_) line("side: Side, " + (secrets_ ? chance_.word({"secret", "public", "hidden"}) : "public"));
  if (has_characters_) line("person: Person, public");
  if (has_charm_) line("charm: card? = none");
  for (const std::string& timer : timers_) line("timer " + timer);
  dice_of_players();
  for (std::size_t a = 0; a < areas_.size(); ++a)
    if (areas_[a].of_players && !areas_[a].piece) area(a);
  close();
  open("table");
  line(refills_ ? "zone draw: pile, facedown, refill from disc" : "zone draw: pile, facedown");
  declare_all(Home::table, 0);
  if (families_.dealing) line("zone stock: pile, facedown");
  line("host: player");
  line("host2: player");
  dice_of_table();
  if (has_oracle_) line("nought: int = 0"), line("oracle_failed: 0..1 = 0");
  if (counts_owed()) line("owed: 0..99 = 0");
  if (families_.marks) line("mark: 0..9 per It = 0"), line("keeper: player? per It = none");
  close();
  if (has_teams_) {
    open("team");
    declare_all(Home::team, 0);
    line("marks: 0..99 = 0");
    close();
  }
  for (std::size_t a = 0; a < areas_.size(); ++a)
    if (!areas_[a].of_players && !areas_[a].piece) area(a);
  for (const Variable& v : variables_)
    if (v.home == Home::turn) line(declared(v));
  for (const std::string& timer : timers_) line(say("after {}(p) {{ p.score = min(100, p.score + 1) }}", {timer}));
}

void Writer::setup() {
  const Inside inside(*this);
  at_ = {};
  at_.manner = Manner::quiet;
  at_.values = static_cast<int>(values_.size());
  at_.below = static_cast<int>(events_.size());
  open("setup");
  line("host = first of players");
  line("host2 = last of players");
  line("shuffle draw");
  line(say("deal {} from draw to each hand", {chance_.between(1, 4)}));
  if (families_.dealing) {
    line("shuffle stock");
    if (chance_.one_in(2)) line("deal_hands(1)");
    line("deal_all()");
    if (has_oracle_) line("oracle(stock is empty)");
  }
  if (about(Subject::refills)) nearly_empty_pile();
  if (about(Subject::unknown)) fill_unknown_zones();
  if (has_roles_) line("deal 1 of Roles to each p.side");
  if (has_characters_) line("deal 1 of Persons to each p.person");
  if (families_.pieces) first_places();
  first_laid();
  const int more = chance_.below(4);
  for (int i = 0; i < more; ++i) statement();
  close();
}

}   // namespace cardwright::test
