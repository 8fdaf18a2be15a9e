// Records game events as text for each player. An entry shows card names only to players who already know the cards or
// see their source or target zone.
#include "runtime/log.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "runtime/knowledge/knowledge.h"
#include "runtime/ops/variables.h"
#include "runtime/ops/zones.h"

namespace cardwright {

namespace {

std::vector<Int> list_of(const Layout& l, const Word* cards) {
  std::vector<Int> out;
  for (Int w = 0; w < l.words; ++w)
    for (Word rest = cards[w]; rest != 0; rest &= rest - 1) out.push_back(64 * w + lowest_bit(rest));
  return out;
}

std::string cards_counted(std::size_t n) { return n == 1 ? "a card" : fmt::format("{} cards", n); }

}   // namespace

bool Log::has_room() {
  if (entries_.size() == full_at_) add(~Word{0}, "… more happens at once than the log shows");
  return entries_.size() < full_at_;
}

void Log::add(Word informed, std::string full, std::string others) {
  entries_.push_back({informed, std::move(full), std::move(others), {}});
}

std::vector<std::string> Log::lines(Int observer, std::size_t from, std::size_t end, bool places) const {
  std::vector<std::string> out;
  for (News& one : news(observer, from, end, places)) out.push_back(std::move(one.text));
  return out;
}

std::vector<Log::News> Log::news(Int observer, std::size_t from, std::size_t end, bool places) const {
  std::vector<News> out;
  end = std::min(end, entries_.size());
  for (std::size_t i = from; i < end;) {
    const std::size_t next = end_of_moves(i, end, observer);
    if (entries_[i].to >= 0) {
      for (News& move : moves(i, next, observer)) out.push_back(std::move(move));
    } else if (std::string text = text_of(entries_[i], observer);
               entries_[i].asked < 0 && !text.empty() && (places || !entries_[i].place)) {
      out.push_back({.variable = entries_[i].variable, .text = std::move(text)});
    }
    i = next;
  }
  return out;
}

bool Log::reads_all(Word informed, Int observer) const {
  const Word everybody = (Word{1} << program_.layout.players) - 1;
  return observer == kEverything ||
         (observer == kPublic ? (informed & everybody) == everybody : (informed >> observer & 1) != 0);
}

std::string Log::text_of(const Entry& entry, Int observer) const {
  if (observer == kPublic && !entry.each.empty()) return entry.each.back();
  if (observer >= 0 && static_cast<std::size_t>(observer) < entry.each.size())
    return entry.each[static_cast<std::size_t>(observer)];
  return reads_all(entry.informed, observer) ? entry.full : entry.others;
}

std::vector<Int> Log::without_options(std::size_t from) const {
  std::vector<Int> out;
  for (std::size_t i = from; i < entries_.size(); ++i)
    if (entries_[i].asked >= 0) out.push_back(entries_[i].asked);
  return out;
}

// Returns the end of the run of entries that move cards out of the same zone as the first one. Entries hidden from the
// observer are skipped.
std::size_t Log::end_of_moves(std::size_t first, std::size_t end, Int observer) const {
  const auto belongs = [&](const Entry& e) {
    return e.to >= 0 ? e.zone == entries_[first].zone : e.asked >= 0 || text_of(e, observer).empty();
  };
  std::size_t next = first + 1;
  while (entries_[first].to >= 0 && next < end && belongs(entries_[next])) ++next;
  return next;
}

// Returns one entry for each destination, so that cards dealt in turn are combined.
std::vector<Log::News> Log::moves(std::size_t first, std::size_t end, Int observer) const {
  std::vector<News> out;
  for (std::size_t i = first; i < end; ++i) {
    const Entry& entry = entries_[i];
    if (entry.to < 0) continue;
    auto to = std::find_if(out.begin(), out.end(), [&](const News& move) { return move.to == entry.to; });
    if (to == out.end()) to = out.insert(out.end(), News{.from = entries_[first].zone, .to = entry.to});
    if (reads_all(entry.informed, observer))
      to->cards.insert(to->cards.end(), entry.cards.begin(), entry.cards.end());
    else
      to->cards.insert(to->cards.end(), entry.cards.size(), kNone);
  }
  for (News& move : out) {
    std::stable_partition(move.cards.begin(), move.cards.end(), [](Int card) { return card != kNone; });
    move.text = move_in_words(move);
  }
  return out;
}

std::string Log::move_in_words(const News& move) const {
  const auto unknown = std::find(move.cards.begin(), move.cards.end(), kNone);
  const auto counted = static_cast<std::size_t>(move.cards.end() - unknown);
  std::string what = cardwright::cards_in_words(program_, {move.cards.begin(), unknown});
  if (counted > 0) what += (what.empty() ? "" : ", ") + cards_counted(counted);
  const ZoneInstance &source = program_.layout.instance[move.from], &target = program_.layout.instance[move.to];
  const auto is_pile = [](const ZoneInstance& z) { return static_cast<ZoneShape>(z.shape) == ZoneShape::pile; };
  const auto down_of = [&](const ZoneInstance& z) {
    return program_.zone_infos[static_cast<std::size_t>(z.zone)].facedown_zone;
  };
  const bool drawn =
      (source.owner < 0 || source.owner == target.owner) && target.owner >= 0 && is_pile(source) && !is_pile(target);
  const bool turned_up = down_of(target) == source.zone && source.owner == target.owner,
             turned_down = down_of(source) == target.zone && source.owner == target.owner;
  if (turned_up || turned_down)
    return fmt::format("{}: {} turned {}", zone_in_words(program_, turned_up ? move.to : move.from, names_), what,
                       turned_up ? "up" : "face down");
  if (drawn) return fmt::format("{} draws {}", player_name(target.owner, names_), what);
  return fmt::format("{}: {} to {}", zone_in_words(program_, move.from, names_), what,
                     zone_in_words(program_, move.to, names_));
}

void Log::cut(std::size_t size) {
  entries_.resize(std::min(size, entries_.size()));
  allow_more();
  std::erase_if(rolled_, [&](const Rolled& r) { return r.entry >= size; });
}

void Log::moved(Game&, const Byte* s, const Word* cards, Int from, Int to, Int how) {
  if (!has_room()) return;
  const Layout& l = program_.layout;
  std::map<Int, std::vector<Int>> by_zone;
  for (const Int card : list_of(l, cards)) by_zone[find_zone(s, l, card)].push_back(card);
  for (const auto& [zone, group] : by_zone) {
    if (zone == kNone || zone == to) continue;
    const ZoneInstance& source = l.instance[zone];
    const ZoneInstance& target = l.instance[to];
    Word informed = static_cast<Word>(source.visible | target.visible), there[kMaxWords];
    read_set(members_at(s, l, zone), l, there);
    // If some cards stay, a player who does not see the moved cards does not know which of them moved.
    const bool all_go = static_cast<std::size_t>(count_set(l, there)) == group.size();
    for (Int p = 0; p < l.players && (all_go || ((how & 1) == 0 && source.ordered)); ++p)
      if (std::all_of(group.begin(), group.end(), [&](Int card) { return knows_card(l, s, p, card); }))
        informed |= Word{1} << p;
    entries_.push_back({informed, {}, {}, {}, zone, to, group});
  }
  static_cast<void>(from);
}

void Log::revealed(Game&, const Byte* s, const Word* cards) {
  if (!has_room()) return;
  const Layout& l = program_.layout;
  std::map<Int, std::vector<Int>> by_zone;
  for (const Int card : list_of(l, cards)) by_zone[find_zone(s, l, card)].push_back(card);
  for (const auto& [zone, group] : by_zone)
    add(~Word{0},
        fmt::format("{} shows {}", zone_in_words(program_, zone, names_), cardwright::cards_in_words(program_, group)));
}

void Log::peeked(Game&, const Byte*, Int player, const Word* cards) {
  const std::vector<Int> seen = list_of(program_.layout, cards);
  if (seen.empty() || !has_room()) return;
  const std::string who = player_name(player, names_);
  add(Word{1} << player, fmt::format("{} looks at {}", who, cardwright::cards_in_words(program_, seen)),
      fmt::format("{} looks at {}", who, cards_counted(seen.size())));
}

// Adds one entry for each owner of dice: "cubes of a come up 3, 5", "cube 2 is turned to 6".
void Log::faces(Game&, const Byte* s, Int variable, Int dice, bool turned) {
  if (!has_room()) return;
  const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(variable)];
  const PlacedInfo& placed = program_.placed[static_cast<std::size_t>(info.placed)];
  const Int count = program_.variables[static_cast<std::size_t>(variable)].count,
            each = placed.each > 0 ? placed.each : count;
  for (Int first = 0; first < count; first += each) {
    std::vector<Int> which;
    std::vector<std::string> faces;
    for (Int index = first; index < first + each; ++index) {
      if (!(static_cast<Word>(dice) >> (index + 1) & 1)) continue;
      const Int face = value_of_variable(program_, s, variable, index);
      which.push_back(index);
      faces.push_back(value_in_words(program_, info.kind, info.enumeration, face, names_));
      if (!turned) rolled_.push_back({variable, index, placed.each > 0 ? first / each : -1, face, entries_.size()});
    }
    if (which.empty()) continue;
    const bool one = which.size() == 1;
    const std::string who = things_in_words(program_, info.placed, which, names_);
    Word informed = ~Word{0};
    if (info.secret) informed = info.owner_knows && placed.each > 0 ? Word{1} << (first / each) : 0;
    const std::string happened = turned ? (one ? "is turned" : "are turned") : one ? "is rolled" : "are rolled";
    add(informed,
        fmt::format("{} {} {}", who,
                    turned ? happened + " to"
                    : one  ? "comes up"
                           : "come up",
                    fmt::join(faces, ", ")),
        fmt::format("{} {}", who, happened));
  }
}

// Lists the cards in their current order for players who see them.
void Log::arranged(Game&, const Byte* s, Int player, Int pile, const Word* cards) {
  if (!has_room()) return;
  const Layout& l = program_.layout;
  const ZoneInstance& z = l.instance[pile];
  std::vector<Int> above, below;
  for (Int card = fixed_top(s, l, z); card >= 0; card = beyond(s, l, card))
    if (has_bit(cards, card)) above.push_back(card);
  for (Int card = fixed_bottom(s, l, z); card >= 0; card = beyond(s, l, card))
    if (has_bit(cards, card)) below.push_back(card);
  above.insert(above.end(), below.rbegin(), below.rend());
  Word informed = ~Word{0};
  for (const Int card : above)
    if (const Int at = find_zone(s, l, card); at != kNone) informed &= static_cast<Word>(l.instance[at].visible);
  std::vector<std::string> words;
  for (const Int card : above) words.push_back(cardwright::cards_in_words(program_, std::vector<Int>{card}));
  const std::string what = fmt::format("{} arranges {} ({})", player_name(player, names_), cards_counted(above.size()),
                                       zone_in_words(program_, pile, names_));
  add(informed | Word{1} << player, fmt::format("{}: {}", what, fmt::join(words, ", ")), what);
}

// Returns the value of a variable as text; for a list, the whole list that contains `index`. A card unknown to the
// observer appears as "a card".
std::string Log::held(const Byte* s, Int variable, Int index, Int observer) const {
  const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(variable)];
  const auto in_words = [&](ValueKind kind, Int value) {
    return kind == ValueKind::card && value >= 0 && !knows_card(program_.layout, s, observer, value)
               ? "a card"
               : value_in_words(program_, kind, info.enumeration, value, names_);
  };
  const auto words = [&](Int at) { return in_words(info.kind, value_of_variable(program_, s, variable, at)); };
  if (info.list == 0) return words(index);
  std::string out;
  if (program_.variables[static_cast<std::size_t>(variable)].is_set || info.inner > 0) {
    const ValueKind kind = info.kind == ValueKind::card_set   ? ValueKind::card
                           : info.kind == ValueKind::cell_set ? element_kind(info.enumeration)
                                                              : info.kind;
    for (const std::vector<Int>& row : rows_of_list(program_, s, variable, index - index % info.run())) {
      std::string one;
      for (const Int x : row) one += (one.empty() ? "" : ", ") + in_words(kind, x);
      out += (out.empty() ? "[" : ", [") + one + "]";
    }
    return out.empty() ? "nothing" : out;
  }
  for (Int at = index - index % info.list, end = at + info.list;
       at < end && value_of_variable(program_, s, variable, at) != kUnset; ++at)
    out += (out.empty() ? "" : ", ") + words(at);
  return out.empty() ? "nothing" : out;
}

// Adds an entry that shows `before` and the value of the variable to informed players, and `others` to all other
// players.
void Log::add_held(Word informed, const Byte* s, Int variable, Int index, const std::string& before,
                   const std::string& others) {
  const ValueKind kind = program_.variable_infos[static_cast<std::size_t>(variable)].kind;
  add(informed, before + held(s, variable, index, kEverything), others);
  if (kind != ValueKind::card && kind != ValueKind::card_set) return;
  std::vector<std::string>& each = entries_.back().each;
  for (Int p = 0; p < program_.layout.players; ++p)
    each.push_back(reads_all(informed, p) ? before + held(s, variable, index, p) : others);
  each.push_back(reads_all(informed, kPublic) ? before + held(s, variable, index, kPublic) : others);
}

void Log::variable(Game&, const Byte* s, Int variable, Int index, bool to_all) {
  if (!has_room()) return;
  const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(variable)];
  const Int each =
      info.per_player ? program_.variables[static_cast<std::size_t>(variable)].count / program_.layout.players : 0;
  const Int owner = each > 0 ? index / each : -1;
  const std::string who = owner >= 0 ? player_name(owner, names_) : "the table";
  const std::string name = variable_in_words(program_, variable, index, names_);
  const bool piece = info.placed >= 0;   // the name of a piece includes its owner
  if (to_all)
    return add_held(~Word{0}, s, variable, index,
                    piece ? fmt::format("{} is ", name) : fmt::format("{} shows {}: ", who, name), "");
  const Word informed = owner >= 0 && info.owner_knows ? Word{1} << owner : 0;
  const std::string dealt = piece ? name + " is dealt" : fmt::format("{} gets {}", who, name);
  // All players see that a value is dealt.
  if (info.pool >= 0) return add_held(informed, s, variable, index, dealt + ": ", dealt);
  // Other players do not learn that a value was stored.
  add_held(informed, s, variable, index,
           piece ? fmt::format("{} is now ", name) : fmt::format("{}: {} is now ", who, name), "");
}

void Log::shown(Game&, const Byte* s, Int player, Int variable, Int index) {
  if (!has_room()) return;
  const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(variable)];
  const Int each =
      info.per_player ? program_.variables[static_cast<std::size_t>(variable)].count / program_.layout.players : 0;
  const std::string whose = each > 0 && info.placed < 0 ? " of " + player_name(index / each, names_) : "";
  const std::string looks = fmt::format("{} looks at {}{}", player_name(player, names_),
                                        variable_in_words(program_, variable, index, names_), whose);
  add_held(Word{1} << player, s, variable, index, looks + ": ", looks);
}

// Describes the move of a piece: "hero of a: e5 to f5".
std::string Log::moved_piece(const Byte* s, const PlacedInfo& placed, Int variable, Int index, Int old_value,
                             Int new_value) const {
  const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(variable)];
  const std::string who = piece_in_words(program_, info.placed, index, names_);
  const auto words = [&](Int value) { return value_in_words(program_, info.kind, info.enumeration, value, names_); };
  if (variable != placed.at)
    return value_of_variable(program_, s, placed.at, index) == kNone
               ? ""
               : fmt::format("{} faces {}", who, words(new_value));
  // For a card, the entry of its move already shows the destination.
  if (new_value == kNone) return placed.zone >= 0 ? "" : fmt::format("{} leaves the board", who);
  return old_value == kNone ? fmt::format("{} is placed at {}", who, words(new_value))
                            : fmt::format("{}: {} to {}", who, words(old_value), words(new_value));
}

void Log::changed(Game&, const Byte* s, Int variable, Int index, Int old_value, Int new_value) {
  const VariableInfo& info = program_.variable_infos[static_cast<std::size_t>(variable)];
  if (info.hidden || old_value == new_value || info.kind == ValueKind::card || info.kind == ValueKind::card_set) return;
  if (!has_room()) return;
  if (info.placed >= 0) {
    const PlacedInfo& placed = program_.placed[static_cast<std::size_t>(info.placed)];
    if (variable == placed.at || variable == placed.facing) {
      if (std::string words = moved_piece(s, placed, variable, index, old_value, new_value); !words.empty())
        add(~Word{0}, std::move(words)), entries_.back().place = true;   // marks the entry as a move on a board
      return;
    }
  }
  const Int each = info.per_player && info.placed < 0
                       ? program_.variables[static_cast<std::size_t>(variable)].count / program_.layout.players
                       : 0;
  const std::string who = each > 0 ? player_name(index / each, names_) + ": " : "";
  const auto words = [&](Int value) { return value_in_words(program_, info.kind, info.enumeration, value, names_); };
  Word informed = ~Word{0};
  if (info.secret) {
    informed = 0;
    for (Int p = 0; p < program_.layout.players; ++p)
      if (knows_variable(program_, s, p, variable, index)) informed |= Word{1} << p;
  }
  const std::string name = variable_in_words(program_, variable, index, names_);
  std::string full = old_value == kUnset || old_value == kNone
                         ? fmt::format("{}{} {}", who, name, words(new_value))
                         : fmt::format("{}{} {} -> {}", who, name, words(old_value), words(new_value));
  add(informed, std::move(full));
  entries_.back().variable = variable;
}

void Log::log_value(Game&, const Byte*, Int value) { values_.push_back({value, {}, ~Word{0}}); }
void Log::log_value(Game&, const Byte*, const Word* set) {
  values_.push_back({0, list_of(program_.layout, set), ~Word{0}});
}

void Log::readers(Game&, const Byte*, Word players) { values_.back().informed &= players; }

// Lists cards as "Splash, 2 cards": cards unknown to the observer are only counted.
std::string Log::cards_in_words(const std::vector<Int>& cards, const Byte* s, Int observer) const {
  std::vector<Int> known;
  for (const Int card : cards)
    if (knows_card(program_.layout, s, observer, card)) known.push_back(card);
  std::string out = cardwright::cards_in_words(program_, known);
  if (known.size() < cards.size()) out += (out.empty() ? "" : ", ") + cards_counted(cards.size() - known.size());
  return out.empty() ? "no card" : out;
}

std::string Log::in_words(const LoggedValue& logged, std::string_view sort, const Byte* s, Int observer) const {
  if (!reads_all(logged.informed, observer)) return "?";
  const std::size_t of = sort.find("of ");
  const Int enumeration = of == std::string_view::npos ? -1 : std::atoll(sort.data() + of + 3);
  const auto words = [&](ValueKind kind) { return value_in_words(program_, kind, enumeration, logged.value, names_); };
  const auto each_of = [&](ValueKind kind) {
    std::string out;
    const auto add = [&](Int one) {
      out += (out.empty() ? "" : ", ") + value_in_words(program_, kind, enumeration, one, names_);
    };
    for (Word rest = static_cast<Word>(logged.value); rest != 0; rest &= rest - 1) add(lowest_bit(rest));
    for (const Int one : logged.elements) add(one);   // the elements of a set
    return out.empty() ? "none" : out;
  };
  if (sort == "player") return logged.value == kNone ? "nobody" : words(ValueKind::player);
  if (sort == "chosen card" && names_chosen_ && logged.value >= 0)
    return cardwright::cards_in_words(program_, {logged.value});
  if (sort == "card" || sort == "chosen card")
    return logged.value >= 0 ? cards_in_words({logged.value}, s, observer) : unknown_.empty() ? "no card" : unknown_;
  if (sort == "cards") return cards_in_words(logged.elements, s, observer);
  if (sort == "answer") return " " + public_option_words(program_, logged.value, names_);
  if (sort == "taken") return {};
  if (sort.starts_with("listed")) {
    const SetListInfo& list = program_.set_lists[static_cast<std::size_t>(std::atoll(sort.data() + 6))];
    const std::vector<Int>& set = list.sets[static_cast<std::size_t>(logged.value)];
    if (list.kind == ValueKind::card) return cards_in_words(set, s, observer);
    std::string out;
    for (const Int x : set)
      out += (out.empty() ? "" : ", ") + value_in_words(program_, list.kind, list.enumeration, x, names_);
    return out;
  }
  if (sort == "text") {
    const auto part = parts_.find(logged.value);
    if (part == parts_.end()) return program_.playout.texts[static_cast<std::size_t>(logged.value)];
    return part->second[observer < 0 ? part->second.size() - 1 - static_cast<std::size_t>(observer == kPublic)
                                     : static_cast<std::size_t>(observer)];
  }
  if (sort == "bool") return words(ValueKind::boolean);
  if (sort == "kind") return words(ValueKind::kind);
  if (sort == "players") return words(ValueKind::player_set);
  if (sort == "kinds") return each_of(ValueKind::kind);
  if (sort == "numbers") return each_of(ValueKind::integer);
  if (sort == "time") return value_in_words(program_, ValueKind::integer, kOfTime, logged.value, names_);
  if (sort.starts_with("some") || sort.starts_with("cells")) return each_of(ValueKind::enumeration);
  if (sort.starts_with("piece")) return words(ValueKind::piece);
  if (sort.starts_with("part")) return words(ValueKind::part);
  if (sort.starts_with("letter")) return letter_of(program_, enumeration, logged.value);
  if (sort.starts_with("arrow")) return arrow_of(program_, enumeration, logged.value);
  if (sort.starts_with("of")) return words(ValueKind::enumeration);
  return words(ValueKind::integer);
}

std::string Log::fill(std::string_view text, const Byte* s, Int observer) const {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{' || text.substr(i).starts_with("{{")) {
      i += text[i] == '{';
      out += text[i];
      continue;
    }
    const std::size_t colon = text.find(':', i), end = text.find('}', i);
    if (colon == std::string_view::npos || end == std::string_view::npos || colon > end) {
      out += text[i];
      continue;
    }
    const auto at = static_cast<std::size_t>(std::atoll(text.data() + i + 1));
    if (at < values_.size()) out += in_words(values_[at], text.substr(colon + 1, end - colon - 1), s, observer);
    i = end;
  }
  return out;
}

// Returns the player who gives a secret answer and is the only one to read it, or -1.
Int Log::who_answers_secretly(std::string_view text) const {
  const auto player = text.starts_with('{') ? static_cast<std::size_t>(std::atoll(text.data() + 1)) : values_.size();
  const bool answers = text.starts_with(fmt::format("{{{}:player}}{{{}:answer}}", player, player + 1)) ||
                       text.starts_with(fmt::format("{{{}:player}}{{{}:taken}}", player, player + 1));
  if (!answers || player + 1 >= values_.size()) return -1;
  const ActionInfo* const action = option_parts(program_, values_[player + 1].value).action;
  return action && action->secret ? values_[player].value : -1;
}

void Log::without_options(Game&, const Byte*, Int player) {
  if (has_room()) entries_.push_back({0, {}, {}, {}, -1, -1, {}, player});
}

void Log::part(Game&, const Byte* s, Int text) {
  const std::string& words = program_.playout.texts[static_cast<std::size_t>(text)];
  std::vector<std::string>& each = parts_[text];
  each.clear();
  for (Int p = 0; p < program_.layout.players; ++p) each.push_back(fill(words, s, p));
  each.push_back(fill(words, s, kPublic));
  each.push_back(fill(words, s, kEverything));
  values_.clear();
}

void Log::log_text(Game&, const Byte* s, Int text) {
  if (text >= 0 && static_cast<std::size_t>(text) < program_.playout.texts.size() && has_room()) {
    const std::string& words = program_.playout.texts[static_cast<std::size_t>(text)];
    Entry entry{~Word{0}, fill(words, s, kEverything), {}, {}};
    const Int alone = who_answers_secretly(words);
    for (Int p = 0; p < program_.layout.players; ++p)
      entry.each.push_back(alone >= 0 && p != alone ? "" : fill(words, s, p));
    entry.each.push_back(alone >= 0 ? "" : fill(words, s, kPublic));
    if (std::all_of(entry.each.begin(), entry.each.end(), [&](const std::string& one) { return one == entry.full; }))
      entry.each.clear();
    entries_.push_back(std::move(entry));
  }
  clear_values();
}

void Log::clear_values() {
  values_.clear();
  parts_.clear();
}

}   // namespace cardwright
