// Formats the user-visible part of a game's rules from its Model and Program.
#include "api/describe/rules_in_words.h"

#include <algorithm>

#include "api/compile/compile.h"
#include "runtime/program/words.h"

namespace cardwright::api::detail {

namespace {

void heading(std::vector<std::string>& out, std::string words, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  out.push_back(std::move(words) + ":");
  out.insert(out.end(), lines.begin(), lines.end());
}

void add_new(std::vector<std::string>& lines, std::string line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
}

// Lists the labels of the actions in each window. A play is listed under the label of its card type, because the text
// of the card describes the effect.
void actions_in_words(const GameData& game, std::vector<std::string>& out) {
  const Program& program = game.program();
  const model::Model& model = game.compiled->model();
  for (std::size_t w = 0; w < model.windows.size(); ++w) {
    std::vector<std::string> lines;
    for (std::size_t a = 0; a < model.actions.size(); ++a) {
      const model::Action& action = model.actions[a];
      const bool here =
          std::any_of(action.windows.begin(), action.windows.end(), [&](model::WindowId id) { return id.index == w; });
      if (!here || action.passes) continue;
      const ActionInfo& info = program.actions[a];
      std::string words = info.label;
      for (std::size_t i = words.find('{'); i != std::string::npos; i = words.find('{', i + 1))
        words.replace(i, words.find('}', i) - i + 1, "…");
      add_new(lines, action.play     ? "play " + program.kinds[action.kind.index].label
                     : words.empty() ? spaced(info.name)
                                     : words);
    }
    heading(out, "Possible actions in " + spaced(model.windows[w].name), lines);
  }
}

}   // namespace

std::vector<std::string> endings_in_words(const GameData& game) {
  std::vector<std::string> lines;
  for (const model::EndWhen& end : game.compiled->model().endings)
    if (!end.words.empty()) add_new(lines, end.words);
  for (const EndingInfo& ending : game.program().endings)
    if (!ending.words.empty()) add_new(lines, ending.words);
  return lines;
}

std::vector<std::string> rules_in_words(const GameData& data) {
  const Program& program = data.program();
  const Game game(data.shared_from_this());
  std::vector<std::string> out, cards, characters;
  std::vector<bool> seen(program.kinds.size());
  for (const CardInfo& card : program.cards) {
    if (card.kind < 0 || seen[static_cast<std::size_t>(card.kind)]) continue;
    seen[static_cast<std::size_t>(card.kind)] = true;
    for (std::string& line : game.printed_on(program.kinds[static_cast<std::size_t>(card.kind)].name))
      add_new(cards, std::move(line));
  }
  for (const EnumInfo& e : program.enums)
    for (std::size_t c = 0; c < e.texts.size(); ++c)
      if (!e.texts[c].empty()) add_new(characters, printed_line(e.labels[c], "", e.texts[c]));
  heading(out, "Cards", cards);
  heading(out, "Characters", characters);
  actions_in_words(data, out);
  heading(out, "How the game ends", endings_in_words(data));
  return out;
}

}   // namespace cardwright::api::detail
