// Formats options, values, cards and zones as text.
#include "runtime/program/words.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace cardwright {

std::string spaced(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '_', ' ');
  while (out.size() > 1 && out.back() == ' ') out.pop_back();   // a parameter called `end` has the name `end_`
  return out;
}

namespace {

Int value_of_digit(const ParameterInfo& parameter, Int digit) {
  if (digit == parameter.nothing) return kNone;
  if (parameter.unknown >= 0 && digit >= parameter.unknown) return kUnseen - (digit - parameter.unknown);
  if (parameter.kind != ValueKind::card || parameter.by_id) return parameter.first + digit;
  return static_cast<std::size_t>(digit) < parameter.cards.size() ? parameter.cards[static_cast<std::size_t>(digit)]
                                                                  : kNone;
}

std::string parameter_words(const Program& program, const ParameterInfo& parameter, Int value,
                            const PlayerNames& names) {
  if (parameter.nothing >= 0 && value == kNone) return "nothing";
  if (parameter.list >= 0) {
    const SetListInfo& list = program.set_lists[static_cast<std::size_t>(parameter.list)];
    std::vector<std::string> words;
    for (const Int element : list.sets[static_cast<std::size_t>(value)])
      words.push_back(value_in_words(program, list.kind, list.enumeration, element, names));
    return fmt::format("{}", fmt::join(words, ", "));
  }
  if (parameter.kind == ValueKind::card && value <= kUnseen && kUnseen - value < program.layout.hidden)
    return "an unseen card, " + zone_in_words(program, program.layout.hidden_instance[kUnseen - value], names);
  return value_in_words(program, parameter.kind, parameter.enumeration, value, names);
}

// Replaces each {name} in a text by the result of `filled`. `{{` is a literal brace.
template <class Filled>
std::string fill_braces(std::string_view text, const Filled& filled) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end =
        text[i] == '{' && !text.substr(i).starts_with("{{") ? text.find('}', i) : std::string_view::npos;
    if (end == std::string_view::npos) {
      i += text.substr(i).starts_with("{{");
      out += text[i];
      continue;
    }
    out += filled(text.substr(i + 1, end - i - 1));
    i = end;
  }
  return out;
}

// Fills in the {parameter}s of a label. Values that need a State become "…".
std::string fill(std::string_view text, const ActionInfo& action, const std::vector<std::string>& words) {
  return fill_braces(text, [&](std::string_view name) -> std::string {
    const auto named = [&](const ParameterInfo& p) { return p.name == name; };
    const auto at = std::find_if(action.parameters.begin(), action.parameters.end(), named);
    return at == action.parameters.end() ? "…" : words[static_cast<std::size_t>(at - action.parameters.begin())];
  });
}

std::string list_with(std::string_view before, const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? std::string(before) : ", ") + word;
  return out;
}

std::string kind_label(const Program& program, Int kind) {
  const KindInfo& info = program.kinds[static_cast<std::size_t>(kind)];
  return info.label.empty() ? info.name : info.label;
}

// Describes a play: "play Splash (Bubble) on a", "play Miss as Splash on a".
std::string play_words(const Program& program, const OptionParts& option, const std::vector<std::string>& words) {
  const ActionInfo& action = *option.action;
  if (words.empty() || action.parameters[0].kind != ValueKind::card || option.values[0] < 0)
    return spaced(action.name) + list_with(" on ", words);
  std::string out = "play " + words[0];
  if (action.card_kind >= 0 && program.cards[static_cast<std::size_t>(option.values[0])].kind != action.card_kind)
    out += " as " + kind_label(program, action.card_kind);
  return out + list_with(" on ", {words.begin() + 1, words.end()});
}

std::string default_words(const Program& program, const OptionParts& option, const std::vector<std::string>& words) {
  const ActionInfo& action = *option.action;
  switch (action.kind) {
    case ActionKind::pass: return action.parameters.empty() ? "pass" : spaced(action.name) + list_with(" ", words);
    case ActionKind::done: return "done";
    case ActionKind::play: return play_words(program, option, words);
    case ActionKind::use: return spaced(action.name) + list_with(": ", words);
    case ActionKind::pick: return words.empty() ? spaced(action.name) : "pick " + list_with("", words);
    case ActionKind::choose: return words.empty() ? spaced(action.name) : "choose " + list_with("", words);
    case ActionKind::yes_no:
    case ActionKind::one_of: break;
  }
  return spaced(action.name) + list_with(" ", words);
}

}   // namespace

std::string unknown_words(const Program& program, Int id, const PlayerNames& names) {
  const OptionParts option = option_parts(program, id);
  for (std::size_t i = 0; i < option.values.size(); ++i)
    if (option.action->parameters[i].kind == ValueKind::card && option.values[i] <= kUnseen &&
        option.values[i] != kNone)
      return parameter_words(program, option.action->parameters[i], option.values[i], names);
  return {};
}

std::string printed_text(const Program& program, const CardInfo& card, std::string_view text) {
  return fill_braces(text, [&](std::string_view name) -> std::string {
    for (std::size_t a = 0; a < card.attributes.size(); ++a) {
      const AttributeInfo& info = program.attributes[a];
      if (info.name == name && card.attributes[a] != kNone)
        return value_in_words(program, info.kind, info.enumeration, card.attributes[a]);
    }
    return {};
  });
}

bool printed_before(const Program& program, Int a, Int b) {
  const CardInfo &one = program.cards[static_cast<std::size_t>(a)], &other = program.cards[static_cast<std::size_t>(b)];
  if (one.kind != other.kind) return one.kind < other.kind;
  for (std::size_t at = 0; at < std::min(one.attributes.size(), other.attributes.size()); ++at)
    if (program.attributes[at].printed && one.attributes[at] != other.attributes[at])
      return one.attributes[at] < other.attributes[at];
  return one.label < other.label;
}

std::string cards_in_words(const Program& program, std::vector<Int> cards) {
  std::sort(cards.begin(), cards.end(), [&](Int a, Int b) { return printed_before(program, a, b); });
  std::vector<std::pair<std::string, int>> counts;
  for (const Int card : cards) {
    const std::string label = card_label(program, card);
    const auto at = std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == label; });
    if (at != counts.end())
      ++at->second;
    else
      counts.emplace_back(label, 1);
  }
  std::string out;
  for (const auto& [label, count] : counts) {
    out += out.empty() ? "" : ", ";
    out += count == 1 ? label : fmt::format("{} x {}", count, label);
  }
  return out;
}

std::string card_label(const Program& program, Int card) {
  if (card < 0 || static_cast<std::size_t>(card) >= program.cards.size()) return "no card";
  return program.cards[static_cast<std::size_t>(card)].label;
}

std::string value_in_words(const Program& program, ValueKind kind, Int enumeration, Int value,
                           const PlayerNames& names) {
  if (value == kNone) return "none";
  if (value == kUnset) return "not set";
  if (kind == ValueKind::player) return player_name(value, names);
  if (kind == ValueKind::card) return card_label(program, value);
  if (kind == ValueKind::boolean) return value != 0 ? "yes" : "no";
  const auto i = static_cast<std::size_t>(value);
  if (kind == ValueKind::kind && value >= 0 && i < program.kinds.size())
    return program.kinds[i].label.empty() ? program.kinds[i].name : program.kinds[i].label;
  if (kind == ValueKind::enumeration && enumeration >= 0 &&
      static_cast<std::size_t>(enumeration) < program.enums.size()) {
    const EnumInfo& info = program.enums[static_cast<std::size_t>(enumeration)];
    if (value >= 0 && i < info.labels.size() && !info.labels[i].empty()) return info.labels[i];
    if (value >= 0 && i < info.constants.size()) return info.constants[i];
  }
  if (kind == ValueKind::part && enumeration > 0 && value > 0)
    return fmt::format("{} of {}", (value - 1) % enumeration + 1, player_name((value - 1) / enumeration, names));
  if (kind == ValueKind::piece && enumeration >= 0 && value > 0)
    return piece_in_words(program, enumeration, value - 1, names);
  if (kind == ValueKind::integer && value >= kUnlimited) return "unlimited";
  if (kind == ValueKind::integer && enumeration == kOfTime)
    return fmt::format("{:g} s", static_cast<double>(value) / 1e6);
  if (kind == ValueKind::player_set) {
    std::string out;
    for (Int p = 0; p < program.layout.players; ++p)
      if (value >> p & 1) out += (out.empty() ? "" : ", ") + player_name(p, names);
    return out.empty() ? "nobody" : out;
  }
  if (kind == ValueKind::other_set) {
    const ValueKind of = element_kind(enumeration);
    std::string out;
    for (Word rest = static_cast<Word>(value); rest != 0; rest &= rest - 1)
      out += (out.empty() ? "" : ", ") + value_in_words(program, of, enumeration, __builtin_ctzll(rest), names);
    return out.empty() ? "none" : out;
  }
  return fmt::format("{}", value);
}

ValueKind element_kind(Int enumeration) {
  return enumeration >= 0 ? ValueKind::enumeration : enumeration == kOfKinds ? ValueKind::kind : ValueKind::integer;
}

Int things_of(const Program& program, const PlacedInfo& placed) {
  return program.variables[static_cast<std::size_t>(placed.at >= 0 ? placed.at : placed.face)].count;
}

namespace {

// Splits a text into UTF-8 characters.
std::vector<std::string> letters_in(std::string_view text) {
  std::vector<std::string> out;
  for (const char c : text)
    if ((static_cast<unsigned char>(c) & 0xc0) == 0x80 && !out.empty())
      out.back() += c;
    else if (c != ' ')
      out.emplace_back(1, c);
  return out;
}

}   // namespace

std::string letter_of(const Program& program, Int enumeration, Int value) {
  if (value < 0) return ".";
  std::vector<std::string> taken;
  for (Int constant = 0; constant <= value; ++constant) {
    const std::vector<std::string> letters =
        letters_in(value_in_words(program, ValueKind::enumeration, enumeration, constant));
    const bool capital =
        !letters.empty() && letters[0].size() == 1 && std::isupper(static_cast<unsigned char>(letters[0][0]));
    const auto written = [&](std::string letter) {   // all letters have the case of the first one
      if (capital && letter.size() == 1)
        letter[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(letter[0])));
      return letter;
    };
    const auto free = std::find_if(letters.begin(), letters.end(), [&](const std::string& l) {
      return std::find(taken.begin(), taken.end(), written(l)) == taken.end();
    });
    taken.push_back(letters.empty() ? "?" : written(free != letters.end() ? *free : letters[0]));
  }
  return taken.back();
}

std::string arrow_of(const Program& program, Int enumeration, Int value) {
  static constexpr std::pair<std::string_view, const char*> kArrows[] = {
      {"N", "↑"}, {"NE", "↗"}, {"E", "→"}, {"SE", "↘"}, {"S", "↓"}, {"SW", "↙"}, {"W", "←"}, {"NW", "↖"}};
  if (value < 0) return ".";
  std::string_view name =
      program.enums[static_cast<std::size_t>(enumeration)].constants[static_cast<std::size_t>(value)];
  // With several boards, a direction has the board's name as a prefix.
  name.remove_prefix(name.find('.') == std::string_view::npos ? 0 : name.find('.') + 1);
  for (const auto& [direction, arrow] : kArrows)
    if (direction == name) return arrow;
  return std::string(name);
}

std::string piece_in_words(const Program& program, Int placed, Int index, const PlayerNames& names) {
  const PlacedInfo& info = program.placed[static_cast<std::size_t>(placed)];
  if (info.of_players) return fmt::format("{} of {}", spaced(info.name), player_name(index, names));
  if (info.each > 1)
    return fmt::format("{} {} of {}", spaced(info.name), index % info.each + 1, player_name(index / info.each, names));
  if (index >= 0 && static_cast<std::size_t>(index) < info.labels.size())
    return info.labels[static_cast<std::size_t>(index)];
  return fmt::format("{} {}", spaced(info.name), index + 1);
}

std::string things_in_words(const Program& program, Int placed, const std::vector<Int>& which,
                            const PlayerNames& names) {
  if (which.size() == 1) return piece_in_words(program, placed, which.front(), names);
  const PlacedInfo& info = program.placed[static_cast<std::size_t>(placed)];
  const Int all = info.each > 0 ? info.each : things_of(program, info);
  std::string out =
      info.name.ends_with("die") ? spaced(info.name).substr(0, info.name.size() - 2) + "ice" : spaced(info.name) + "s";
  std::vector<std::string> numbers;
  for (const Int index : which) numbers.push_back(std::to_string((info.each > 0 ? index % info.each : index) + 1));
  if (static_cast<Int>(which.size()) < all) out += fmt::format(" {}", fmt::join(numbers, ", "));
  return info.each > 0 ? fmt::format("{} of {}", out, player_name(which.front() / info.each, names)) : out;
}

std::string variable_in_words(const Program& program, Int variable, Int index, const PlayerNames& names) {
  const VariableInfo& info = program.variable_infos[static_cast<std::size_t>(variable)];
  if (info.list > 0) index /= info.run();
  std::vector<std::string> keys;
  for (auto key = info.keys.rbegin(); key != info.keys.rend(); ++key) {
    keys.insert(keys.begin(),
                value_in_words(program, key->kind, key->enumeration, key->first + index % key->count, names));
    index /= key->count;
  }
  if (info.placed >= 0) {   // `hero.down` of a: "hero of a: down"
    const std::string name = spaced(info.name.substr(info.name.find('.') + 1));
    return keys.size() == 1 ? fmt::format("{}: {}", keys[0], name)
                            : fmt::format("{}: {}[{}]", keys[0], name, fmt::join(keys.begin() + 1, keys.end(), ", "));
  }
  return keys.empty() ? spaced(info.name) : fmt::format("{}[{}]", spaced(info.name), fmt::join(keys, ", "));
}

std::string zone_in_words(const Program& program, Int instance, const PlayerNames& names) {
  if (instance < 0 || instance >= program.layout.instances) return "nowhere";
  const ZoneInstance& zone = program.layout.instance[instance];
  std::string out = "zone";
  if (static_cast<std::size_t>(zone.zone) < program.zone_infos.size()) {
    const ZoneInfo& info = program.zone_infos[static_cast<std::size_t>(zone.zone)];
    out = spaced(info.name);
    if (info.copies > 1)
      out +=
          fmt::format(" {}", (instance - program.zones[static_cast<std::size_t>(zone.zone)].first) % info.copies + 1);
    if (info.facedown) out += " (face down)";
  }
  if (zone.owner >= 0) out += " of " + player_name(zone.owner, names);
  return out;
}

OptionParts option_parts(const Program& program, Int id) {
  OptionParts parts;
  const auto after = std::upper_bound(program.actions.begin(), program.actions.end(), id,
                                      [](Int wanted, const ActionInfo& action) { return wanted < action.base; });
  if (id < 0 || after == program.actions.begin()) return parts;
  const ActionInfo& action = *(after - 1);
  if (id >= action.base + action.count) return parts;
  parts.action = &action;
  parts.action_index = static_cast<std::size_t>(after - 1 - program.actions.begin());
  Int rest = id - action.base;
  parts.values.assign(action.parameters.size(), 0);
  for (std::size_t i = parts.values.size(); i-- > 0;) {   // mixed radix: the last parameter varies fastest
    const Int count = std::max<Int>(1, action.parameters[i].count);
    parts.values[i] = value_of_digit(action.parameters[i], rest % count);
    rest /= count;
  }
  return parts;
}

std::string option_name(const Program& program, Int id) {
  const OptionParts parts = option_parts(program, id);
  return parts.action ? parts.action->name : fmt::format("option {}", id);
}

std::vector<std::pair<std::string, std::string>> option_arguments(const Program& program, Int id,
                                                                  const PlayerNames& names) {
  const OptionParts parts = option_parts(program, id);
  std::vector<std::pair<std::string, std::string>> out;
  for (std::size_t i = 0; i < parts.values.size(); ++i)
    out.emplace_back(parts.action->parameters[i].name,
                     parameter_words(program, parts.action->parameters[i], parts.values[i], names));
  return out;
}

std::string option_words(const Program& program, Int id, const PlayerNames& names) {
  const OptionParts option = option_parts(program, id);
  if (!option.action) return fmt::format("option {}", id);
  const ActionInfo& action = *option.action;
  std::vector<std::string> words;
  for (auto& [name, value] : option_arguments(program, id, names)) words.push_back(value);
  const auto digit = static_cast<std::size_t>(id - action.base);
  if (digit < action.choices.size() && !action.choices[digit].empty()) return action.choices[digit];
  if (action.kind == ActionKind::yes_no && action.count == 2) return digit == 0 ? "yes" : "no";
  if (action.label.empty() || action.label.find("{#") != std::string::npos)
    return default_words(program, option, words);
  return fill(action.label, action, words);
}

// The description of a play names its kind of card. Other actions do not name cards: if the cards are public, the moves
// that follow name them.
std::string public_option_words(const Program& program, Int id, const PlayerNames& names) {
  const OptionParts option = option_parts(program, id);
  if (!option.action) return {};
  const ActionInfo& action = *option.action;
  if (action.kind != ActionKind::play && action.kind != ActionKind::use && action.kind != ActionKind::pass) return {};
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < option.values.size(); ++i)
    if (action.parameters[i].kind != ValueKind::card && action.parameters[i].list < 0)
      rest.push_back(value_in_words(program, action.parameters[i].kind, action.parameters[i].enumeration,
                                    option.values[i], names));
  if (action.kind == ActionKind::pass && rest.empty()) return "passes";
  if (action.kind == ActionKind::play && action.card_kind >= 0) {
    const std::string kind = value_in_words(program, ValueKind::kind, -1, action.card_kind);
    return rest.empty() ? "plays " + kind : fmt::format("plays {} on {}", kind, fmt::join(rest, ", "));
  }
  std::string name = action.name;
  std::replace(name.begin(), name.end(), '_', ' ');
  return rest.empty() ? fmt::format("uses {}", name) : fmt::format("uses {}: {}", name, fmt::join(rest, ", "));
}

}   // namespace cardwright
