#include "compiler/lower/text/shown.h"

#include "compiler/analysis/information_leaks.h"
#include "compiler/lower/code/blocks.h"
#include "compiler/lower/code/constants.h"
#include "compiler/lower/code/functions.h"
#include "compiler/lower/code/locals.h"
#include "compiler/lower/code/variables.h"
#include "compiler/lower/context/function_context.h"
#include "compiler/lower/text/log.h"

namespace cardwright::lower {

static BoardShows lower_shown(ProgramContext& unit, const model::Board& board, const model::Board::Shows& shows,
                              model::EnumId by);

// Lowers a text that is displayed for a player, the table or a piece. For a sign, a second text explains its letters.
static Int lower_shown_text(ProgramContext& unit, const model::ShownText& shown, bool of_something, bool sign) {
  ir::FunctionIndex f = new_function(unit, "shown in words", ir::Returns::integer, shown.range, false);
  Env at;
  bind_locals(at, shown.body);
  const model::Stmt& statement = *shown.body.block[0];
  write_function(unit, f, at, [&](const FunctionContext& code) {
    if (of_something) bind(code, model::LocalId{0}, parameter(code, shown.body.locals[0].type));
    code.effect(Op::log_text, {text_index(code.unit, log_values(code, statement.text, statement.exprs, true, sign))});
    if (sign) {
      std::vector<const model::Expr*> explained;
      std::copy_if(statement.exprs.begin(), statement.exprs.end(), std::back_inserter(explained),
                   [&](const model::Expr* e) { return !is_direction(code.unit, e->type); });
      std::string pattern;
      for (std::size_t i = 0; i < explained.size(); ++i) pattern += i == 0 ? "{}" : ", {}";
      code.effect(Op::log_text, {text_index(code.unit, log_values(code, pattern, explained))});
    }
    code.effect(Op::ret_int, {code.constant(0)});
  });
  return Int(f);
}

// Lowers displayed values as functions. These functions are called only for display, never by rules.
void lower_shown(ProgramContext& unit) {
  for (std::size_t i = 0; i < unit.model.boards.size(); ++i) {
    const model::Board& board = unit.model.boards[i];
    if (board.shows) unit.program.boards[i].shows = lower_shown(unit, board, *board.shows, board.cells);
    if (board.edges_show) unit.program.boards[i].edges_show = lower_shown(unit, board, *board.edges_show, board.edges);
  }
  for (std::uint32_t area = 0; area < unit.model.areas.size(); ++area)
    if (const auto& drawn = unit.model.areas[area].drawn)
      unit.program.placed[static_cast<std::size_t>(placed_info(unit, area))].drawn =
          lower_shown_text(unit, *drawn, true, true);
  for (const model::ShownText& shown : unit.model.shown)
    unit.program.shown.push_back({lower_shown_text(unit, shown, shown.of_players, false), shown.of_players});
}

static BoardShows lower_shown(ProgramContext& unit, const model::Board& board, const model::Board::Shows& shows,
                              model::EnumId by) {
  BoardShows shown{.kind = value_kind(unit, shows.type), .text = shows.text};
  if (shows.type.kind == model::TypeKind::enumeration) shown.enumeration = Int(shows.type.ref);
  const model::Expr& what = *view::return_value(shows.body.block[0]).value();
  if (what.kind == model::ExprKind::variable && what.args.size() == 1 &&
      view::variable(what).owner()->kind == model::ExprKind::local)
    shown.variable = unit.ids.variable[what.ref];
  shown.function = new_function(unit, "shown on " + board.name, ir::Returns::integer, {}, false);
  Env at;
  bind_locals(at, shows.body);
  write_function(unit, shown.function, at, [&](const FunctionContext& code) {
    bind(code, model::LocalId{0}, parameter(code, model::Type{.kind = model::TypeKind::enumeration, .ref = by.index}));
    shown.secret = analysis::shows_secrets(code.unit.facts.secrecy, shows);
    block(code, shows.body.block);
  });
  return shown;
}

}   // namespace cardwright::lower
