// The whole in order, the initial State, and the words that people are shown.
#include <algorithm>

#include "compiler/analysis/tells.h"
#include "compiler/lower/lowering.h"
#include "program/words.h"
#include "runtime/ops/ops.h"

namespace cardwright::lower {

using model::TypeKind;

void Lowering::too_large(Range where, std::string what) {
  if (!too_large_) diagnostics_.report(Code::game_too_large, where, std::move(what));
  too_large_ = true;
}

std::string Lowering::reason_text(Range range) const {
  return range.known() ? std::string(diagnostics_.sources().text(range)) : std::string();
}

void Lowering::describe_edges(const model::Board& board, BoardInfo& info) const {
  if (board.graph) return;
  info.edge_enumeration = Int(board.edges.index);
  for (Int edge = 0; edge < Int(board.between.size()); ++edge) {
    const Int cell = board.between[static_cast<std::size_t>(edge)].first;
    Int way = 0;
    while (board.border(cell, way) != edge) ++way;
    info.edges.emplace_back(cell, way);
  }
}

// What is shown is asked for by screens; no rule calls it.
void Lowering::lower_shown() {
  for (std::size_t i = 0; i < model_.boards.size(); ++i) {
    const model::Board& board = model_.boards[i];
    if (board.shows) program_.boards[i].shows = lower_shown(board, *board.shows, board.cells);
    if (board.edges_show) program_.boards[i].edges_show = lower_shown(board, *board.edges_show, board.edges);
  }
  for (std::uint32_t area = 0; area < model_.areas.size(); ++area)
    if (const auto& drawn = model_.areas[area].drawn)
      program_.placed[static_cast<std::size_t>(placed_info(area))].drawn = lower_shown_text(*drawn, true, true);
  for (const model::ShownText& shown : model_.shown)
    program_.shown.push_back({lower_shown_text(shown, shown.of_players, false), shown.of_players});
}

BoardShows Lowering::lower_shown(const model::Board& board, const model::Board::Shows& shows, model::EnumId by) {
  BoardShows shown{.kind = value_kind(shows.type), .text = shows.text};
  if (shows.type.kind == model::TypeKind::enumeration) shown.enumeration = Int(shows.type.ref);
  const model::Expr& what = *shows.body.block[0]->exprs[0];
  if (what.kind == model::ExprKind::variable && what.args.size() == 1 && what.args[0]->kind == model::ExprKind::local)
    shown.variable = variable_of_[what.ref];
  shown.function = new_function("shown on " + board.name, ir::Returns::integer, {}, false);
  Env at;
  bind_locals(at, shows.body);
  write_function(shown.function, at, [&] {
    bind(model::LocalId{0}, parameter(model::Type{.kind = model::TypeKind::enumeration, .ref = by.index}));
    shown.secret = analysis::shows_secrets(secrecy_, shows);
    block(shows.body.block);
  });
  return shown;
}

// "Hat (Ducky)": what is printed on a card is named where it tells look-alikes of one kind apart.
void Lowering::describe() {
  program_.name = model_.name;
  program_.title = model_.title;
  for (const model::OptionValue& o : model_.options) program_.options.push_back({o.name, o.value});
  for (const model::Enum& e : model_.enums) {
    EnumInfo info;
    info.name = e.name;
    for (const model::EnumConst& c : e.constants) {
      info.constants.push_back(c.name);
      info.labels.push_back(c.label.empty() ? c.name : c.label);
      info.texts.push_back(c.text);
    }
    program_.enums.push_back(std::move(info));
  }
  for (const model::SetList& list : model_.set_lists) {
    const model::Type& element = *list.element.elem;
    SetListInfo info{value_kind(element), element.kind == TypeKind::enumeration ? Int(element.ref) : -1, list.sets};
    if (element.kind == TypeKind::card)
      for (auto& set : info.sets)
        for (Int& card : set) card = card_id_[static_cast<std::size_t>(card)];
    program_.set_lists.push_back(std::move(info));
  }
  for (const model::Board& board : model_.boards) {
    program_.boards.push_back(
        {board.name, board.width, board.height, board.across, board.down, board.hex, Int(board.cells.index)});
    describe_edges(board, program_.boards.back());
    for (std::size_t point = 0; point < board.places.size(); ++point) {
      program_.boards.back().places.push_back(board.places[point]);
      for (const Int to : board.joined[point])
        if (to > Int(point)) program_.boards.back().lines.emplace_back(Int(point), to);
    }
  }
  describe_pieces();
  for (const model::Attribute& a : model_.attributes) {
    AttributeInfo info;
    info.name = a.name;
    info.kind = value_kind(a.type);
    if (const model::Type& of = a.type.elem ? *a.type.elem : a.type; of.kind == TypeKind::enumeration)
      info.enumeration = of.ref;
    info.printed = is_printed(program_.attributes.size());
    program_.attributes.push_back(std::move(info));
  }
  for (const model::Kind& k : model_.kinds) {
    const bool varies = k.label.find('{') != std::string::npos;
    program_.kinds.push_back({k.name, k.label.empty() || varies ? k.name : k.label, k.text});
  }
  auto shown = [&](Int attribute, Int value) -> std::string {
    const AttributeInfo& a = program_.attributes[attribute];
    if (a.kind == ValueKind::other_set) return value_in_words(program_, a.kind, a.enumeration, value);
    if (a.kind == ValueKind::boolean) return a.name;
    return value_in_words(program_, a.kind, a.enumeration, value);
  };
  // attributes that tell copies of a kind apart
  std::vector<std::set<Int>> telling(model_.kinds.size());
  for (std::size_t a = 0; a < model_.attributes.size(); ++a) {
    if (!program_.attributes[a].printed) continue;
    std::map<std::uint32_t, std::set<Int>> values;
    for (const model::Card& c : model_.cards) values[c.kind.index].insert(c.attributes[a]);
    for (auto& [kind, set] : values)
      if (set.size() > 1) telling[kind].insert(Int(a));
  }
  for (std::size_t id = 0; id < id_card_.size(); ++id) {
    CardInfo info;
    info.look_alike = class_of_[id];
    if (id_card_[id] >= 0) {
      const model::Card& card = model_.cards[id_card_[id]];
      info.kind = card.kind.index;
      info.attributes = card.attributes;
      const std::string& of_type = model_.card_types[model_.kinds[card.kind.index].type.index].label;
      const std::string& own = model_.kinds[card.kind.index].label;
      if (of_type.empty() && own.find('{') == std::string::npos) {
        info.label = program_.kinds[card.kind.index].label;
        std::string more;
        for (Int a : telling[card.kind.index])
          // several numbers would not say which is which
          if (card.attributes[a] != kNone &&
              (program_.attributes[a].kind != ValueKind::boolean || card.attributes[a])) {
            const bool named = telling[card.kind.index].size() > 1 && program_.attributes[a].kind == ValueKind::integer;
            more += (more.empty() ? "" : ", ") + (named ? program_.attributes[a].name + " " : "") +
                    shown(a, card.attributes[a]);
          }
        if (!more.empty()) info.label += " (" + more + ")";
      } else {
        info.label = printed_text(program_, info, of_type.empty() ? own : of_type);
      }
    }
    program_.cards.push_back(std::move(info));
  }
  describe_lying_cards();
  // Where somebody stands or looks is no trait to count wins by.
  const auto is_geometry = [&](const model::Enum& e) { return e.cells || e.dirs; };
  for (std::size_t v = 0; v < model_.variables.size(); ++v)
    if (model_.variables[v].per_player && model_.variables[v].type.kind == TypeKind::enumeration &&
        !is_geometry(model_.enums[model_.variables[v].type.ref]) && model_.variables[v].indices.empty())
      program_.statistics.push_back(variable_of_[v]);
}

void finish(Program& program, Int frame_bytes) {
  finish_layout(program, frame_bytes);
  Layout& l = program.layout;
  program.initial.assign(static_cast<std::size_t>(l.size), 0);
  Byte* s = program.initial.data();
  Game game;
  Int everybody = (Int{1} << l.players) - 1;
  s[l.in_game] = Byte(everybody);
  s[l.in_game + 1] = Byte(everybody >> 8);
  for (std::size_t v = 0; v < program.variables.size(); ++v) op_clear(game, s, l, program.variables[v]);
  for (const auto& [variable, words] : program.initial_sets)
    for (Int i = 0; i < program.variables[variable].count; ++i)
      std::memcpy(s + program.variables[variable].offset + i * 8 * l.words, words.data(),
                  static_cast<std::size_t>(8 * l.words));
  for (const auto& [variable, counts] : program.pool_counts)
    for (std::size_t i = 0; i < counts.size(); ++i)
      op_store(game, s, l, program.variables[variable], Int(i), counts[i]);
  for (const auto& [card, instance] : program.homes) {
    const ZoneInstance& z = l.instance[instance];
    auto put_bit = [&](Int offset) {
      Word w;
      std::memcpy(&w, s + offset + 8 * (card / 64), 8);
      w |= Word{1} << (card % 64);
      std::memcpy(s + offset + 8 * (card / 64), &w, 8);
    };
    put_bit(l.members + 8 * l.words * instance);
    if (z.ordered) put_bit(l.loose);
  }
}

std::unique_ptr<Program> Lowering::run() {
  if (model_.players > kMaxPlayers)
    too_large({}, fmt::format("{} players, and {} is the limit", model_.players, kMaxPlayers));
  if (model_.whenevers.size() > 58) too_large(model_.whenevers.back().head.range, "more than 58 `whenever`s");
  number_cards();
  if (too_large_) return nullptr;
  number_variables();
  number_zones();
  if (too_large_) return nullptr;
  describe();
  find_exposed();
  if (!plain_) find_kept();
  make_watches();
  if (!plain_) origins_.emplace(model_, [this](const model::Expr& call) { return plain_body(call); });
  declare_events();
  declare_flow();
  declare_windows();
  declare_answers();
  declare_sensible();
  declare_race();
  for (std::size_t i = 0; i < model_.values.size(); ++i) lower_value(i);
  for (std::size_t i = 0; i < model_.functions.size(); ++i) lower_function(i);
  for (std::size_t i = 0; i < model_.events.size(); ++i) lower_event(i);
  for (std::size_t i = 0; i < model_.windows.size(); ++i) lower_window(i);
  for (std::size_t i = 0; i < model_.actions.size(); ++i) lower_action(i);
  lower_landings();
  lower_settle();
  lower_main();
  for (std::size_t i = 0; i < model_.actions.size(); ++i) lower_why(i);
  for (std::size_t i = 0; i < model_.actions.size(); ++i) lower_label(i);
  lower_claims();
  lower_shown();
  lower_explanations();
  lower_deferred();
  note_ways_out();
  bound_recursion();
  program_.option_ids = next_id_;
  for (std::size_t p = 0; p < model_.pools.size(); ++p)
    program_.pool_counts.push_back({pool_variable_[p], model_.pools[p].counts});
  for (std::size_t c = 0; c < model_.cards.size(); ++c)
    if (model_.cards[c].home)
      program_.homes.push_back(
          {card_id_[c], program_.zones[model_.cards[c].home->index].first + model_.cards[c].home_place});
  place_regions();
  if (too_large_) return nullptr;
  return std::move(owned_);
}

std::unique_ptr<Program> lower(const model::Model& model, Diagnostics& diagnostics, bool plain) {
  return Lowering(model, diagnostics, plain).run();
}

}  // namespace cardwright::lower
