// Determines what one observer sees of a State, by asking runtime/knowledge for each card and each secret value.
#include "api/view/observed_state.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/game/timing.h"
#include "runtime/knowledge/knowledge.h"
#include "runtime/log.h"
#include "runtime/ops/zones.h"
#include "runtime/program/words.h"

namespace cardwright::api::detail {

namespace {

class Observer {
 public:
  Observer(const StateData& state, int observer)
      : state_(state), program_(state.program()), l_(program_.layout), s_(state.bytes.get()), observer_(observer) {}

  ObservedState see(ObservedParts parts) const {
    ObservedState out;
    out.observer = observer_;
    out.over = is_over(l_, s_);
    // The winners may reveal hidden cards, so the host announces them (State::winners).
    if (out.over && sees_all()) out.winners = winners_of(program_, s_);
    out.in = players_in(program_, s_);
    const auto number = [&](Int variable) {
      return variable < 0 ? kNone : value_of_variable(program_, s_, variable, 0);
    };
    out.active = number(program_.active), out.turn = number(program_.turn_number);
    out.round = number(program_.round_number);
    out.zones.reserve(at(l_.instances));
    for (Int i = 0; i < l_.instances; ++i) out.zones.push_back(zone(i));
    out.variables.reserve(program_.variables.size());
    for (Int v = 0; at(v) < program_.variables.size(); ++v)
      out.variables.push_back(parts >= ObservedParts::components || is_position(v) ? variable(v) : ObservedVariable());
    if (parts < ObservedParts::boards) return out;
    for (const BoardInfo& board : program_.boards) out.boards.push_back(this->board(board, parts));
    if (parts < ObservedParts::table) return out;
    out.texts = texts(-1);
    for (int seat = 0; seat < l_.players; ++seat) out.player_texts.push_back(texts(seat));
    return out;
  }

 private:
  bool sees_all() const { return observer_ == kKnowsAll; }
  bool knows(Int card) const { return knows_card(l_, s_, observer_, card); }
  bool knows(Int variable, Int index) const { return knows_variable(program_, s_, observer_, variable, index); }
  int log_reader() const { return state_.keeps_knowledge ? observer_ : static_cast<int>(cardwright::Log::kEverything); }
  static std::size_t at(Int index) { return static_cast<std::size_t>(index); }

  // ---- zones

  ObservedZone zone(Int i) const {
    ObservedZone out{cards(cards_in_zone(l_, s_, i))};
    const ZoneInstance& instance = l_.instance[i];
    if (!instance.ordered) return out;
    const std::vector<Int> top = cards_from_top(l_, s_, i);
    out.fixed = static_cast<Int>(top.size());
    out.has_top = instance.other_side < 0 || (!top.empty() && top[0] == fixed_top(s_, l_, instance));
    out.from_top = known_part(top);
    out.from_bottom = known_part(cards_from_bottom(l_, s_, i));
    return out;
  }
  ObservedSet cards(const std::vector<Int>& all) const {
    ObservedSet out;
    out.elements.reserve(all.size());
    for (const Int card : all)
      if (knows(card)) out.elements.push_back(card);
    out.unknown = static_cast<Int>(all.size() - out.elements.size());
    const std::vector<Int>& prints = state_.game->prints().of;
    std::ranges::sort(out.elements,
                      [&](Int a, Int b) { return std::pair(prints[at(a)], a) < std::pair(prints[at(b)], b); });
    return out;
  }
  std::vector<Int> known_part(std::vector<Int> order) const {
    for (Int& card : order)
      if (!knows(card)) card = kHiddenCard;
    while (!order.empty() && order.back() == kHiddenCard) order.pop_back();
    return order;
  }

  // ---- variables

  ObservedVariable variable(Int v) const {
    const VariableInfo& info = program_.variable_infos[at(v)];
    if (info.hidden || !info.rules_state) return {};
    const VariableSlot& slot = program_.variables[at(v)];
    const Int each = info.list > 0 ? info.run() : 1;
    ObservedVariable out{true};
    out.values.reserve(at(slot.count / each));
    for (Int index = 0; index < slot.count; index += each) {
      const bool known = !info.secret || knows(v, index), has_sets = slot.is_set || info.list > 0;
      out.values.push_back(!known     ? kHiddenValue
                           : has_sets ? kUnset
                                      : single(info, value_of_variable(program_, s_, v, index)));
      if (has_sets) out.sets.push_back(known ? sets(info, v, index) : std::vector<ObservedSet>());
    }
    return out;
  }
  std::vector<ObservedSet> sets(const VariableInfo& info, Int v, Int index) const {
    const VariableSlot& slot = program_.variables[at(v)];
    if (slot.is_set && info.list == 0) return {set(info, elements_of_set(l_, s_, slot, index))};
    std::vector<ObservedSet> out;
    if (slot.is_set || info.inner > 0) {
      for (const std::vector<Int>& row : rows_of_list(program_, s_, v, index)) out.push_back(set(info, row));
      return out;
    }
    std::vector<Int>& elements = out.emplace_back().elements;
    for (Int i = index; i < index + info.list; ++i)
      if (const Int x = value_of_variable(program_, s_, v, i); x != kUnset) elements.push_back(single(info, x));
    return out;
  }
  ObservedSet set(const VariableInfo& info, std::vector<Int> elements) const {
    if (info.kind == ValueKind::card_set) return cards(elements);
    for (Int& x : elements) x = single(info, x);
    return {std::move(elements)};
  }
  Int single(const VariableInfo& info, Int x) const {
    const bool is_card_id = info.kind == ValueKind::card && x >= 0;
    return is_card_id && !(is_card(l_, x) && knows(x)) ? kHiddenCard : x;
  }

  // ---- boards

  ObservedBoard board(const BoardInfo& board, ObservedParts parts) const {
    ObservedBoard out;
    out.shows = shown(board.shows, program_.enums[at(board.enumeration)].constants.size());
    out.edges_show = shown(board.edges_show, board.edges.size());
    if (parts < ObservedParts::table) return out;
    out.on_cells = pieces(board);
    add_marks(board, out.on_cells);
    put_in_drawing_order(out.on_cells);
    if (!board.is_graph()) out.on_edges = on_edges(board);
    return out;
  }

  std::optional<ObservedCells> shown(const std::optional<BoardShows>& shows, std::size_t count) const {
    if (!shows || (shows->secret && !sees_all())) return std::nullopt;
    std::vector<std::vector<Int>> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back({static_cast<Int>(i)});
    ObservedCells out;
    for (const std::optional<Int>& value : call_each(state_, shows->function, all, out.failure))
      out.values.push_back(value.value_or(kNone));
    return out;
  }

  // Positions of pieces are public.
  std::vector<ObservedObject> pieces(const BoardInfo& board) const {
    std::vector<ObservedObject> out;
    std::size_t place = 0;
    for (std::size_t p = 0; p < program_.placed.size(); ++p) {
      const PlacedInfo& placed = program_.placed[p];
      if (placed.at < 0) continue;   // dice have no position
      const Int count = program_.variables[at(placed.at)].count;
      if (program_.variable_infos[at(placed.at)].enumeration == board.enumeration)
        for (Int index = 0; index < count; ++index) {
          std::vector<Int> cells = cells_of_piece(board, placed, index);
          if (cells.empty()) continue;
          ObservedObject& piece = out.emplace_back(this->piece(static_cast<int>(p), index, std::move(cells)));
          name_piece(placed, piece);
          if (const std::size_t i = place + at(index); i < state_.placed.size()) piece.when = state_.placed[i].when;
        }
      place += at(count);
    }
    return out;
  }
  ObservedObject piece(int p, Int index, std::vector<Int> cells) const {
    const PlacedInfo& placed = program_.placed[static_cast<std::size_t>(p)];
    ObservedObject out{placed.at, index, p};
    out.cells = std::move(cells);
    if (const Int each = placed.of_players ? 1 : placed.each; each > 0) out.seat = static_cast<int>(index / each);
    if (placed.facing >= 0) out.facing = value_of_variable(program_, s_, placed.facing, index);
    return out;
  }

  // Returns the cells that a piece covers, which depend on its shape and facing.
  std::vector<Int> cells_of_piece(const BoardInfo& board, const PlacedInfo& placed, Int index) const {
    const Int origin = value_of_variable(program_, s_, placed.at, index);
    if (origin < 0) return {};
    if (placed.shape_of.empty()) return {origin};
    const Int facing = placed.facings > 1 ? value_of_variable(program_, s_, placed.facing, index) : 0;
    const std::vector<Int>& shape = placed.shapes[at(placed.shape_of[at(index)] + facing)];
    std::vector<Int> cells;
    for (std::size_t i = 0; i + 1 < shape.size(); i += 2) {
      const Int x = origin % board.width + shape[i] + board.width,
                y = origin / board.width + shape[i + 1] + board.height;
      cells.push_back(y % board.height * board.width + x % board.width);
    }
    if (const auto own = std::find(cells.begin(), cells.end(), origin); own != cells.end())
      std::iter_swap(cells.begin(), own);
    return cells;
  }

  // Sets the symbol and meaning of a piece: those computed by the rules if declared, otherwise those of its kind or
  // card.
  void name_piece(const PlacedInfo& placed, ObservedObject& piece) const {
    const bool card = placed.zone >= 0;
    piece.sign = card ? placed.signs[at(piece.index)] : placed.sign;
    piece.means = card ? placed.labels[at(piece.index)] : spaced(placed.name);
    if (placed.drawn < 0) return;
    cardwright::Log log(program_);
    call(state_, placed.drawn, {piece.index + 1}, nullptr, &log);
    const auto lines = log.lines(log_reader());
    piece.sign = lines.empty() ? "?" : lines[0];   // `?` if the symbol cannot be computed
    if (lines.size() > 1 && !lines[1].empty())
      piece.means = lines[1].find(piece.means) != std::string::npos ? lines[1] : piece.means + " " + lines[1];
  }

  bool is_position(Int variable) const {
    return std::ranges::any_of(program_.placed, [&](const PlacedInfo& p) { return p.at == variable; });
  }
  std::vector<Int> cells_in(Int variable, Int index) const {
    const VariableSlot& slot = program_.variables[at(variable)];
    if (slot.is_set) return elements_of_set(l_, s_, slot, index);
    const Int cell = value_of_variable(program_, s_, variable, index);
    return cell < 0 ? std::vector<Int>{} : std::vector<Int>{cell};
  }

  // Adds the variables that contain cells, except lists of sets and lists of lists.
  void add_marks(const BoardInfo& board, std::vector<ObservedObject>& out) const {
    for (std::size_t v = 0; v < program_.variables.size(); ++v) {
      const VariableInfo& info = program_.variable_infos[v];
      const bool of_many = info.list > 0 && (program_.variables[v].is_set || info.inner > 0);
      if (of_many || !contains_places(info, board.enumeration) || is_position(static_cast<Int>(v))) continue;
      const Int count = program_.variables[v].count, each = info.per_player ? count / l_.players : count;
      for (Int index = 0; index < count; ++index) {
        if (!knows(static_cast<Int>(v), index)) continue;
        ObservedObject mark{static_cast<Int>(v), index};
        mark.cells = cells_in(mark.variable, index);
        if (mark.cells.empty()) continue;
        mark.means = spaced(info.name);
        if (info.per_player) {
          mark.seat = static_cast<int>(index / each);
          mark.means += " of " + player_name(mark.seat);
        }
        out.push_back(std::move(mark));
      }
    }
  }
  static bool contains_places(const VariableInfo& info, Int enumeration) {
    return !info.hidden && info.rules_state && info.enumeration == enumeration &&
           (info.kind == ValueKind::cell_set || info.kind == ValueKind::enumeration);
  }

  // Pieces placed later are on top; of pieces placed at the same time, the smaller piece is on top. Below all pieces
  // are variables with single cells, and below these are sets.
  void put_in_drawing_order(std::vector<ObservedObject>& objects) const {
    constexpr std::size_t kAllCells = 5000;   // larger than the number of cells of any board
    const auto depth = [&](const ObservedObject& o) {
      return o.is_piece() ? o.cells.size() : program_.variables[at(o.variable)].is_set ? 2 * kAllCells : kAllCells;
    };
    std::ranges::stable_sort(objects, [&](const ObservedObject& a, const ObservedObject& b) {
      if (a.is_piece() != b.is_piece()) return a.is_piece();
      return a.when != b.when ? a.when > b.when : depth(a) < depth(b);
    });
  }

  std::vector<ObservedObject> on_edges(const BoardInfo& board) const {
    std::vector<ObservedObject> out;
    for (std::size_t v = 0; v < program_.variables.size(); ++v) {
      const VariableInfo& info = program_.variable_infos[v];
      if (info.list > 0 || !contains_places(info, board.edge_enumeration)) continue;
      const Int count = program_.variables[v].count;
      for (Int index = 0; index < count; ++index) {
        if (!knows(static_cast<Int>(v), index)) continue;
        std::vector<Int> edges = cells_in(static_cast<Int>(v), index);
        if (edges.empty()) continue;
        if (is_position(static_cast<Int>(v))) {
          const PlacedInfo& placed = program_.placed[at(info.placed)];
          if (!placed.edges.empty()) edges = placed.edges[at(placed.shape_of[at(index)])][at(edges[0])];
          out.push_back(piece(static_cast<int>(info.placed), index, std::move(edges)));
          out.back().means = spaced(placed.name);
        } else {
          ObservedObject& mark = out.emplace_back(ObservedObject{static_cast<Int>(v), index});
          mark.cells = std::move(edges);
          mark.means = spaced(info.name);
          if (info.per_player) mark.seat = static_cast<int>(index / (count / l_.players));
        }
      }
    }
    return out;
  }

  // ---- texts

  std::vector<std::string> texts(int seat) const {
    std::vector<std::string> out;
    for (const ShownInfo& shown : program_.shown)
      if (shown.of_players == (seat >= 0))
        if (std::string text = this->text(shown, seat); !text.empty()) out.push_back(std::move(text));
    return out;
  }
  // Returns an empty text if it cannot be computed, or if it depends on values hidden from the observer.
  std::string text(const ShownInfo& shown, int seat) const {
    cardwright::Log log(program_);
    if (!call(state_, shown.function, seat < 0 ? std::vector<Int>{} : std::vector<Int>{seat}, nullptr, &log)) return {};
    const auto read_by = [&](int reader) {
      const auto lines = log.lines(reader);
      return lines.empty() ? std::string() : lines[0];
    };
    const auto unknown = [](const std::string& line) { return std::ranges::count(line, '?'); };
    const std::string all = read_by(kKnowsAll), line = read_by(log_reader());
    return unknown(line) > unknown(all) ? std::string() : line;
  }

  const StateData& state_;
  const Program& program_;
  const Layout& l_;
  const Byte* s_;
  const int observer_;
};

}   // namespace

std::vector<Int> ObservedCells::edges_in_use(ValueKind kind) const {
  const bool zero_is_nothing = kind == ValueKind::integer || kind == ValueKind::boolean;
  std::vector<Int> out;
  for (std::size_t edge = 0; edge < values.size(); ++edge)
    if (values[edge] != kNone && !(zero_is_nothing && values[edge] == 0)) out.push_back(static_cast<Int>(edge));
  return out;
}

ObservedState observe(const StateData& state, int observer, ObservedParts parts) {
  return Observer(state, observer).see(parts);
}

ObservedDecision observe_decision(const StateData& state, int observer) {
  ObservedDecision out;
  if (state.over || state.site < 0 || waits_for_clock(state)) return out;
  const SiteInfo& site = state.program().sites[static_cast<std::size_t>(state.site)];
  out.site = state.site;
  out.simultaneous = site.secret;
  if (!site.secret)
    out.seat = static_cast<int>(state.actor), out.prompt = prompt_in_words(state, observer);
  else if (!site.prompt_has_values)   // a question with values can differ between players
    out.prompt = site.prompt;
  return out;
}

ObservedDecision observe_question(const StateData& state, int observer) {
  ObservedDecision out;
  if (state.over || state.site < 0 || waits_for_clock(state)) return out;
  StateData own(state);   // listing options changes caches, and the State must stay constant
  ask_first(own, observer);   // in a simultaneous decision, each player sees their own question
  out.simultaneous = state.program().sites[static_cast<std::size_t>(state.site)].secret;
  const bool is_own = observer == kKnowsAll || observer == own.actor;
  if (out.simultaneous && !is_own) return out;
  out.site = own.site;
  out.seat = static_cast<int>(own.actor);
  out.prompt = prompt_in_words(own, observer);
  if (!is_own) return out;
  const std::vector<std::string>& words = words_of_options(own);
  std::vector<ObservedOption>& options = out.options.emplace();
  for (std::size_t i = 0; i < words.size(); ++i) options.push_back({own.offers[i], words[i]});
  return out;
}

}   // namespace cardwright::api::detail
