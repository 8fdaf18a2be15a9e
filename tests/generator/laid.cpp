// Generates code for cards that are placed on a board: declarations, conditions and statements.
#include "tests/generator/writer.h"

namespace cardwright::test {

// Declares in the base card type which cells a card covers.
void Writer::covers_of_cards() {
  if (!families_.laid) return;
  const bool wide = board_of(0).width > 2 && board_of(0).height > 2;
  covers_ = chance_.word({"", "", "2 x 1", "offsets [(0, 0), (1, 0), (0, 1)]"});
  if (covers_.empty() || !wide) covers_.clear();
  line("covers " + (covers_.empty() ? "1 x 1" : covers_));
  cards_face_ = chance_.one_in(2);
  if (cards_face_) line("facing " + direction_at_first(0));
}

std::string Writer::laid_cards(int depth) {
  switch (chance_.below(5)) {
    case 0: return say("(cards at {})", {cell(0, depth)});
    case 1: return say("(cards on {})", {set_of_cells(0, depth)});
    case 2: return say("((all {}) at {})", {chance_.pick(kinds_), cell(0, depth)});
    case 3: return say("((all {}) on field)", {chance_.pick(kinds_)});
    default: return "(cards on field)";
  }
}

// Returns a card that is not none (a local variable or `this`), if cards can be on the board; otherwise "".
std::string Writer::present_card() {
  const auto known = locals_of(plain(Sort::card));
  if (!families_.laid) return "";
  return !known.empty() ? chance_.pick(known).name : at_.self ? "this" : "";
}

std::string Writer::cells_of_card(const std::string& card) {
  if (chance_.one_in(2)) return card + ".cells";
  return say("footprint({}, {}{})", {card, cell(0, 0), cards_face_ && chance_.one_in(2) ? ", " + direction(0, 0) : ""});
}

std::string Writer::truth_of_laid(int depth) {
  const std::string card = present_card();
  switch (chance_.below(card.empty() ? 2 : 4)) {
    case 0: return say("{} is {}empty", {laid_cards(depth), chance_.word({"", "not "})});
    case 1: {
      const std::string x = fresh("x"), all = laid_cards(depth);
      const Inside inside(*this);
      bind(x, plain(Sort::card));
      return say("{} {} in {} has {}", {chance_.word({"any", "no", "every"}), x, all, boolean(depth)});
    }
    case 2: return say("{} is {} field", {card, chance_.word({"on", "off"})});
    default:
      return say("{} {} {}", {cells_of_card(card), chance_.word({"disjoint from", "within"}), set_of_cells(0, depth)});
  }
}

void Writer::first_laid() {
  if (!families_.laid || chance_.one_in(4)) return;
  const std::string c = fresh("c"), cells = covers_.empty()
                                                ? "field.cells"
                                                : say("(field.cells where footprint({}, it) is not empty)", {c});
  open(say("repeat {}", {chance_.between(1, 4)}));
  line(say("let {} = top of draw", {c}));
  line(say("if {0} is not none then place {0} at random of {1}", {c, cells}));
  close();
}

// Places a card. Leaving the board ends the game, so the generated code usually tests for it.
void Writer::lay() {
  const std::string c = fresh("c"), found = maybe_card(2);
  line(say("let {} = {}", {c, found}));
  open(say("if {} is not none", {c}));
  {
    const Inside there(*this);
    bind(c, plain(Sort::card));
    if (cards_face_ && chance_.one_in(4))
      turn_laid(c);
    else
      lay(c);
  }
  close();
}

void Writer::lay(const std::string& card) {
  const std::string x = fresh("x"), there = maybe_cell(0, 2),
                    way = cards_face_ && chance_.one_in(2) ? direction(0, 1) : "";
  const std::string facing = way.empty() ? "" : " facing " + way;
  if (covers_.empty() || chance_.one_in(40)) return line(say("place {} at {}{}", {card, there, facing}));
  line(say("let {} = {}", {x, there}));
  if (!way.empty()) line(say("let {}d = {}", {x, way}));
  const std::string foot = way.empty() ? "" : say(", {}d", {x}), turned = way.empty() ? "" : say(" facing {}d", {x});
  line(say("if {0} is not none and footprint({1}, {0}{2}) is not empty then place {1} at {0}{3}",
           {x, card, foot, turned}));
}

void Writer::turn_laid(const std::string& card) {
  const std::string x = fresh("x"), d = fresh("d"), way = direction(0, 1);
  line(say("let {} = {}.at", {x, card}));
  line(say("let {} = {}", {d, way}));
  line(say("if {0} is not none and footprint({1}, {0}, {2}) is not empty then place {1} facing {2}", {x, card, d}));
}

}   // namespace cardwright::test
