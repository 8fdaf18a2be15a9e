// Creates the JSON messages of docs/reference/protocol.md that depend on a State.
#include "api/table/messages.h"

namespace cardwright::table {

Text text_of(const Json& message) {
  // Replaces invalid UTF-8, which names of people can contain.
  return std::make_shared<const std::string>(message.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Json news_in_json(const std::vector<api::News>& news) {
  Json out = Json::array();
  for (const api::News& one : news) {
    switch (one.kind) {
      case api::News::Kind::move: {
        Json prints = Json::array();
        for (const int print : one.prints) prints.push_back(print < 0 ? Json(nullptr) : Json(print));
        out.push_back({{"k", "move"}, {"from", one.from}, {"to", one.to}, {"n", prints.size()}, {"prints", prints}});
        break;
      }
      case api::News::Kind::change: out.push_back({{"k", "change"}, {"variable", one.variable}}); break;
      case api::News::Kind::say: out.push_back({{"k", "say"}}); break;
      case api::News::Kind::choice: out.push_back({{"k", "choice"}, {"seat", one.seat}}); break;
      case api::News::Kind::heading: out.push_back({{"k", "heading"}}); break;
    }
    out.back()["text"] = one.text;
  }
  return out;
}

Json things_in_json(const std::vector<api::Thing>& things) {
  Json out = Json::object();
  for (const api::Thing& thing : things) out[thing.key] = Json::parse(thing.value, nullptr, false);
  return out;
}

Json asked_in_json(const api::State& state, int observer) {
  const api::Asked asked = api::asked(state, observer);
  if (!asked.all && asked.seat < 0) return nullptr;
  Json out = {{"window", asked.window}, {"words", asked.prompt}};
  if (asked.all)
    out["all"] = true;
  else
    out["seat"] = asked.seat;
  return out;
}

namespace {

const char* kind_name(api::OptionPart::Kind kind) {
  using Kind = api::OptionPart::Kind;
  switch (kind) {
    case Kind::card: return "card";
    case Kind::unknown: return "unseen";
    case Kind::player: return "player";
    case Kind::cell: return "cell";
    case Kind::edge: return "edge";
    case Kind::direction: return "direction";
    case Kind::piece: return "piece";
    case Kind::part: return "part";
    case Kind::number: return "number";
    case Kind::boolean: return "boolean";
    case Kind::constant: return "constant";
    case Kind::other: return "other";
  }
  return "";
}

Json part_in_json(const api::OptionPart& part) {
  using Kind = api::OptionPart::Kind;
  Json out = {{"name", part.name}, {"kind", kind_name(part.kind)}, {"words", part.words}};
  switch (part.kind) {
    case Kind::card:
      if (part.print >= 0) out["print"] = part.print, out["zones"] = part.zones;
      if (!part.prints.empty()) out["prints"] = part.prints;
      break;
    case Kind::unknown:
      if (!part.zones.empty()) out["zone"] = part.zones[0];
      break;
    case Kind::player: out["seat"] = part.value; break;
    case Kind::cell:
    case Kind::edge:
      out["board"] = part.board;
      if (part.cells.size() == 1)
        out[kind_name(part.kind)] = part.cells[0];
      else
        out[part.kind == Kind::cell ? "cells" : "edges"] = part.cells;
      break;
    case Kind::direction:
      out["value"] = part.value;
      if (!part.cells.empty()) out["board"] = part.board, out["cell"] = part.cells[0];
      break;
    case Kind::piece: out["piece"] = {part.placed, part.piece}; break;
    case Kind::part:
      out["area"] = part.area, out["index"] = part.index;
      out["owner"] = part.owner < 0 ? Json(nullptr) : Json(part.owner);
      break;
    case Kind::number:
    case Kind::constant: out["value"] = part.value; break;
    case Kind::boolean: out["value"] = part.value != 0; break;
    case Kind::other: break;
  }
  return out;
}

}   // namespace

Json question_in_json(const api::State& state) {
  const api::Question question = state.question();
  Json options = Json::array();
  const std::vector<api::OptionShown> all = api::show_options(state);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const api::OptionShown& shown = all[i];
    Json parts = Json::array();
    for (const api::OptionPart& part : shown.parts) parts.push_back(part_in_json(part));
    const api::Option option = state.option(i);
    options.push_back({{"id", option.id}, {"words", option.words}, {"action", shown.action}, {"parts", parts}});
  }
  return {{"window", question.window}, {"prompt", question.prompt}, {"place", question.place}, {"flow", question.flow},
          {"picked", question.picked}, {"wanted", question.wanted}, {"picks", question.picks}, {"options", options}};
}

}   // namespace cardwright::table
