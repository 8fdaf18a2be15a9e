// Adds to the Program the names, strings and other data that are displayed to players.
#include "compiler/lower/layout/metadata.h"

#include <set>

#include "compiler/analysis/information_leaks.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/sets/pieces.h"
#include "compiler/model/visit.h"
#include "runtime/ops/ops.h"
#include "runtime/program/words.h"

namespace cardwright::lower {

using model::TypeKind;

static void describe_sides(const model::Board& board, BoardInfo& info) {
  if (board.graph) return;
  info.dir_enumeration = Int(board.dirs.index);
  for (const model::Direction& way : board.ways()) info.ways.emplace_back(Int(way.east), Int(way.north));
  info.edge_enumeration = Int(board.edges.index);
  for (Int edge = 0; edge < Int(board.between.size()); ++edge) {
    const Int cell = board.between[static_cast<std::size_t>(edge)].first;
    Int way = 0;
    while (board.border(cell, way) != edge) ++way;
    info.edges.emplace_back(cell, way);
  }
}

static void describe_enums(ProgramContext& unit) {
  for (const model::Enum& e : unit.model.enums) {
    EnumInfo info;
    info.name = e.name;
    for (const model::EnumConst& c : e.constants) {
      info.constants.push_back(c.name);
      info.labels.push_back(c.label.empty() ? c.name : c.label);
      info.texts.push_back(c.text);
    }
    unit.program.enums.push_back(std::move(info));
  }
}

// Describes the attributes of enums other than cells, edges and directions. All players always know these attributes.
static void describe_attributes_of_enums(ProgramContext& unit) {
  for (std::size_t i = 0; i < unit.model.enums.size(); ++i) {
    const model::Enum& e = unit.model.enums[i];
    for (std::size_t a = 0; a < e.attributes.size() && !e.cells && !e.dirs; ++a) {
      const model::Attribute& attribute = unit.model.attributes[e.attributes[a].index];
      if (attribute.unprinted) continue;
      EnumInfo::Attribute info{attribute.name, value_kind(unit, attribute.type), enumeration_of(unit, attribute.type)};
      for (const model::EnumConst& c : e.constants)
        info.values.push_back(a < c.attributes.size() ? c.attributes[a] : kNone);
      unit.program.enums[i].attributes.push_back(std::move(info));
    }
  }
}

static void describe_cleared(ProgramContext& unit) {
  model::for_each_rule_block(unit.model, [&](const auto&, const model::Block& rules) {
    model::for_each_stmt(rules, [&](const model::Stmt& s) {
      if (s.kind != model::StmtKind::move) return;
      if (const model::Expr& what = *model::view::move(s).what(); what.kind == model::ExprKind::zone)
        unit.program.zone_infos[what.ref].cleared = true;
    });
  });
}

static void describe_areas(ProgramContext& unit) {
  for (const model::Area& area : unit.model.areas)
    if (!area.is_thing()) unit.program.areas.push_back({area.name, area.parts, area.each});
  unit.program.teams = unit.model.teams;
}

static void describe_set_lists(ProgramContext& unit) {
  for (const model::SetList& list : unit.model.set_lists) {
    const model::Type& element = *list.element.elem;
    SetListInfo info{value_kind(unit, element), element.kind == TypeKind::enumeration ? Int(element.ref) : -1,
                     list.sets};
    if (element.kind == TypeKind::card)
      for (auto& set : info.sets)
        for (Int& card : set) card = unit.ids.of_card[static_cast<std::size_t>(card)];
    unit.program.set_lists.push_back(std::move(info));
  }
}

static void describe_boards(ProgramContext& unit) {
  for (const model::Board& board : unit.model.boards) {
    unit.program.boards.push_back(
        {board.name, board.width, board.height, board.across, board.down, board.hex, Int(board.cells.index)});
    BoardInfo& info = unit.program.boards.back();
    describe_sides(board, info);
    for (std::size_t point = 0; point < board.places.size(); ++point) {
      info.places.push_back(board.places[point]);
      for (const Int to : board.joined[point])
        if (to > Int(point)) info.lines.emplace_back(Int(point), to);
    }
  }
}

static void describe_attributes(ProgramContext& unit) {
  for (const model::Attribute& a : unit.model.attributes) {
    AttributeInfo info;
    info.name = a.name;
    info.kind = value_kind(unit, a.type);
    if (const model::Type& of = a.type.elem ? *a.type.elem : a.type; of.kind == TypeKind::enumeration)
      info.enumeration = of.ref;
    info.printed = is_printed(unit, unit.program.attributes.size());
    unit.program.attributes.push_back(std::move(info));
  }
}

static void describe_kinds(ProgramContext& unit) {
  for (const model::Kind& k : unit.model.kinds) {
    const bool varies = k.label.find('{') != std::string::npos;
    unit.program.kinds.push_back({k.name, k.label.empty() || varies ? k.name : k.label, k.text});
  }
}

// Returns, for each card kind, the attributes that distinguish its copies.
static std::vector<std::set<Int>> distinguishing_attributes(const ProgramContext& unit) {
  std::vector<std::set<Int>> distinguishing(unit.model.kinds.size());
  for (std::size_t a = 0; a < unit.model.attributes.size(); ++a) {
    if (!unit.program.attributes[a].printed) continue;
    std::map<std::uint32_t, std::set<Int>> values;
    for (const model::Card& c : unit.model.cards) values[c.kind.index].insert(c.attributes[a]);
    for (auto& [kind, set] : values)
      if (set.size() > 1) distinguishing[kind].insert(Int(a));
  }
  return distinguishing;
}

// Returns the label of a card with the printed attributes that distinguish cards of its kind, such as "Hat (Ducky)".
static std::string label_with_attributes(const Program& program, const model::Card& card,
                                         const std::set<Int>& distinguishing) {
  std::string more;
  for (const Int attribute : distinguishing) {
    const AttributeInfo& a = program.attributes[attribute];
    const Int value = card.attributes[attribute];
    const bool truth = a.kind == ValueKind::boolean;
    if (value == kNone || (truth && !value)) continue;
    // Several numbers are ambiguous without names.
    const bool named = distinguishing.size() > 1 && a.kind == ValueKind::integer;
    more += (more.empty() ? "" : ", ") + (named ? a.name + " " : "") +
            (truth ? a.name : value_in_words(program, a.kind, a.enumeration, value));
  }
  const std::string& label = program.kinds[card.kind.index].label;
  return more.empty() ? label : label + " (" + more + ")";
}

static void describe_cards(ProgramContext& unit) {
  const std::vector<std::set<Int>> distinguishing = distinguishing_attributes(unit);
  for (std::size_t id = 0; id < unit.ids.card.size(); ++id) {
    CardInfo info;
    info.look_alike = unit.ids.class_of[id];
    if (unit.ids.card[id] >= 0) {
      const model::Card& card = unit.model.cards[unit.ids.card[id]];
      const model::Kind& kind = unit.model.kinds[card.kind.index];
      info.kind = card.kind.index;
      info.attributes = card.attributes;
      const std::string &of_type = unit.model.card_types[kind.type.index].label, &own = kind.label;
      if (of_type.empty() && own.find('{') == std::string::npos)
        info.label = label_with_attributes(unit.program, card, distinguishing[card.kind.index]);
      else
        info.label = printed_text(unit.program, info, of_type.empty() ? own : of_type);
    }
    unit.program.cards.push_back(std::move(info));
  }
}

// Returns the variables that rules can change after setup: in any code except the setup and the events that only the
// setup calls.
static std::vector<bool> changing_variables(const model::Model& model) {
  std::vector<bool> out(model.variables.size()), reached(model.events.size());
  std::vector<std::uint32_t> open;
  const auto reach = [&](std::uint32_t event) {
    if (event < reached.size() && !reached[event]) reached[event] = true, open.push_back(event);
  };
  const auto change = [&](std::uint64_t variable) {
    if (variable < out.size()) out[variable] = true;
  };
  const auto scan = [&](const model::Block& block) {
    model::for_each_stmt(block, [&](const model::Stmt& s) {
      using enum model::StmtKind;
      if (s.kind == assign_variable || s.kind == assign_all) change(s.ref);
      if (s.kind == deal_pool) change(static_cast<std::uint64_t>(s.value));
      if (s.kind == turns || s.kind == rounds || s.kind == phase) reach(s.ref);
    });
    model::for_each_expr(block, [&](const model::Expr& e) {
      if (e.kind == model::ExprKind::call_event) reach(e.ref);
    });
  };
  std::set<const model::Block*> later{&model.setup.block};
  for (const model::Event& event : model.events) {
    later.insert(&event.body.block);
    for (const model::Handler& handler : event.handlers) later.insert(&handler.body.block);
  }
  model::for_each_rule_block(model, [&](const model::Body&, const model::Block& block) {
    if (!later.contains(&block)) scan(block);
  });
  while (!open.empty()) {
    const model::Event& event = model.events[open.back()];
    open.pop_back();
    scan(event.body.block);
    for (const model::Handler& handler : event.handlers) scan(handler.body.block);
  }
  return out;
}

// Describes the variables for whose values statistics count wins. Positions and directions are excluded, because they
// do not characterize a player.
static void describe_statistics(ProgramContext& unit) {
  const std::vector<bool> changes = changing_variables(unit.model);
  for (std::size_t i = 0; i < unit.model.variables.size(); ++i) {
    const model::Variable& v = unit.model.variables[i];
    if (!v.per_player || v.type.kind != TypeKind::enumeration || !v.indices.empty()) continue;
    const model::Enum& of = unit.model.enums[v.type.ref];
    if (of.cells || of.dirs) continue;
    unit.program.statistics.push_back(unit.ids.variable[i]);
    if (!changes[i]) unit.program.traits.push_back(unit.ids.variable[i]);
  }
}

void describe(ProgramContext& unit) {
  unit.program.name = unit.model.name;
  unit.program.title = unit.model.title;
  for (const model::OptionValue& o : unit.model.options) unit.program.options.push_back({o.name, o.value});
  describe_enums(unit);
  describe_attributes_of_enums(unit);
  describe_areas(unit);
  describe_cleared(unit);
  describe_set_lists(unit);
  describe_boards(unit);
  describe_pieces(unit);
  describe_attributes(unit);
  describe_kinds(unit);
  describe_cards(unit);
  describe_board_cards(unit);
  describe_statistics(unit);
}

}   // namespace cardwright::lower
