# Lists the folders of the product with their allowed includes and libraries. CMakeLists.txt builds the libraries from
# this list, tests/layering_test.cpp checks includes, and cmake/lint reads it.
#
#   cardwright_folder(<folder> [USES <folders…>] [LINKS <libraries…>] [HIDES <libraries…>] [WITHOUT <regex>])
#
# The library of a/b/c is cardwright_b_c. It consists of the folder's *.cpp files except those that match WITHOUT. USES
# lists the folders that it includes; LINKS and HIDES are public and private external libraries. A folder is listed
# before the folders that use it, so there are no cycles. `ninja link_alone` verifies this for linked symbols.
cardwright_folder(support LINKS fmt::fmt nlohmann_json::nlohmann_json Threads::Threads HIDES ZLIB::ZLIB)

# ---- runtime: executes a Program
cardwright_folder(runtime/ir USES support)
cardwright_folder(runtime/program USES runtime/ir support)
cardwright_folder(runtime/ops USES runtime/ir runtime/program WITHOUT /ops_bitcode\\.cpp$)
# IR-to-IR passes. The driver runs them on the lowered IR, and each engine runs some of them on its own copy.
cardwright_folder(runtime/passes USES runtime/ir runtime/ops runtime/program)
cardwright_folder(runtime/state USES runtime/ops runtime/program)
cardwright_folder(runtime/knowledge USES runtime/ops runtime/program runtime/state)
cardwright_folder(runtime USES runtime/knowledge runtime/ops runtime/program runtime/state)
cardwright_folder(runtime/interp USES runtime runtime/ir runtime/ops runtime/passes runtime/program)
cardwright_folder(runtime/jit USES runtime runtime/interp runtime/ir runtime/ops runtime/passes runtime/program support)
cardwright_folder(runtime/search USES runtime runtime/knowledge runtime/ops runtime/program runtime/state)

# ---- compiler: translates source text to a Program
cardwright_folder(compiler/ast USES support)
cardwright_folder(compiler/parse USES compiler/ast support HIDES ${grammar_libraries})
cardwright_folder(compiler/model USES support)
# Constant arithmetic and folding call runtime operations.
cardwright_folder(compiler/analysis USES compiler/model runtime/ops support)
cardwright_folder(compiler/loading USES compiler/ast compiler/model compiler/parse support)
# sema consists of phases. Each phase uses only phases that precede it in this list.
cardwright_folder(compiler/sema/context USES compiler/analysis compiler/ast compiler/loading compiler/model support)
cardwright_folder(compiler/sema/symbols USES compiler/loading compiler/model compiler/sema/context support)
cardwright_folder(compiler/sema/options USES compiler/analysis compiler/sema/context compiler/sema/symbols support)
cardwright_folder(compiler/sema/operations
  USES compiler/model compiler/parse compiler/sema/context compiler/sema/symbols support)
cardwright_folder(compiler/sema/expressions
  USES compiler/analysis compiler/loading compiler/model compiler/parse compiler/sema/context compiler/sema/operations
    compiler/sema/options compiler/sema/symbols support)
cardwright_folder(compiler/sema/declarations
  USES compiler/loading compiler/sema/context compiler/sema/expressions compiler/sema/operations compiler/sema/options
    compiler/sema/symbols support)
cardwright_folder(compiler/sema/statements
  USES compiler/model compiler/sema/context compiler/sema/expressions compiler/sema/operations compiler/sema/options
    compiler/sema/symbols support)
cardwright_folder(compiler/sema/rules
  USES compiler/analysis compiler/model compiler/sema/context compiler/sema/declarations compiler/sema/expressions
    compiler/sema/operations compiler/sema/options compiler/sema/statements compiler/sema/symbols)
cardwright_folder(compiler/sema/scenarios
  USES compiler/model compiler/sema/context compiler/sema/expressions compiler/sema/operations compiler/sema/options
    compiler/sema/rules compiler/sema/statements compiler/sema/symbols support)
cardwright_folder(compiler/sema/checks
  USES compiler/analysis compiler/model compiler/sema/context compiler/sema/operations compiler/sema/options
    compiler/sema/rules compiler/sema/symbols)
cardwright_folder(compiler/sema
  USES compiler/analysis compiler/model compiler/sema/checks compiler/sema/context compiler/sema/declarations
    compiler/sema/expressions compiler/sema/operations compiler/sema/options compiler/sema/rules compiler/sema/scenarios
    compiler/sema/symbols)
cardwright_folder(compiler/plan USES compiler/analysis compiler/model runtime/ops runtime/program)
# Each folder of lowering uses only folders that precede it. Expressions, conditions and statements can contain each
# other, so these folders call each other through lower::Hooks.
cardwright_folder(compiler/lower/context
  USES compiler/analysis compiler/model compiler/plan runtime/ir runtime/ops runtime/program support)
cardwright_folder(compiler/lower/code USES compiler/lower/context runtime/ops runtime/program)
cardwright_folder(compiler/lower/sets USES compiler/lower/code compiler/lower/context runtime/ops)
cardwright_folder(compiler/lower/rules
  USES compiler/lower/code compiler/lower/context compiler/lower/sets runtime/ops runtime/program)
cardwright_folder(compiler/lower/plans
  USES compiler/lower/code compiler/lower/context compiler/lower/rules compiler/lower/sets compiler/plan runtime/ops)
cardwright_folder(compiler/lower/text
  USES compiler/analysis compiler/lower/code compiler/lower/context compiler/lower/plans compiler/lower/sets
    compiler/model runtime/program)
cardwright_folder(compiler/lower/expressions
  USES compiler/analysis compiler/lower/code compiler/lower/context compiler/lower/plans compiler/lower/rules
    compiler/lower/sets compiler/lower/text support)
cardwright_folder(compiler/lower/events
  USES compiler/analysis compiler/lower/code compiler/lower/context compiler/lower/expressions compiler/lower/rules
    compiler/lower/sets compiler/lower/text compiler/model runtime/program)
cardwright_folder(compiler/lower/offers
  USES compiler/lower/code compiler/lower/context compiler/lower/expressions compiler/lower/plans compiler/lower/rules
    compiler/lower/sets compiler/lower/text runtime/ops)
cardwright_folder(compiler/lower/windows
  USES compiler/lower/code compiler/lower/context compiler/lower/events compiler/lower/expressions
    compiler/lower/offers compiler/lower/rules compiler/lower/sets compiler/lower/text)
cardwright_folder(compiler/lower/race
  USES compiler/lower/code compiler/lower/context compiler/lower/events compiler/lower/offers compiler/lower/sets
    compiler/lower/text compiler/lower/windows)
cardwright_folder(compiler/lower/statements
  USES compiler/lower/code compiler/lower/context compiler/lower/events compiler/lower/expressions
    compiler/lower/offers compiler/lower/race compiler/lower/sets compiler/lower/text compiler/lower/windows)
cardwright_folder(compiler/lower/layout
  USES compiler/analysis compiler/lower/code compiler/lower/context compiler/lower/sets compiler/model runtime/ops
    runtime/program)
cardwright_folder(compiler/lower
  USES compiler/lower/code compiler/lower/context compiler/lower/events compiler/lower/expressions
    compiler/lower/layout compiler/lower/offers compiler/lower/race compiler/lower/rules compiler/lower/statements
    compiler/lower/text compiler/lower/windows compiler/model runtime/program support)
cardwright_folder(compiler/driver
  USES compiler/analysis compiler/lower compiler/model runtime/knowledge runtime/passes runtime/program support)
cardwright_folder(compiler/theme USES support)

# ---- api: the implementation of include/
cardwright_folder(include/cardwright)
# Games, states, logs, views and bots do not need the compiler, so exported pages can contain them.
cardwright_folder(api/game
  USES include/cardwright runtime runtime/interp runtime/ir runtime/knowledge runtime/ops runtime/program
    runtime/search runtime/state support)
cardwright_folder(api/view USES api/game include/cardwright runtime runtime/knowledge runtime/ops runtime/program)
cardwright_folder(api/compile
  USES api/game compiler/ast compiler/driver compiler/loading compiler/model compiler/sema include/cardwright runtime
    runtime/interp runtime/ir runtime/jit runtime/ops runtime/passes runtime/program support
  LINKS ${CMAKE_DL_LIBS})
cardwright_folder(api/describe
  USES api/compile api/game compiler/driver compiler/model compiler/parse compiler/theme include/cardwright runtime
    runtime/interp runtime/program support)
cardwright_folder(api USES api/compile api/describe api/game api/view runtime/interp)
cardwright_folder(api/scenarios
  USES api api/compile api/describe api/game compiler/ast compiler/model include/cardwright runtime runtime/knowledge
    runtime/ops runtime/program support)
cardwright_folder(api/table USES api include/cardwright support)

# ---- simulation: many games and their statistics
cardwright_folder(simulation
  USES api api/compile api/describe api/game api/scenarios compiler/driver compiler/model include/cardwright runtime
    runtime/ops runtime/program runtime/state)
cardwright_folder(simulation/statistics USES api/game include/cardwright simulation)

# ---- tools: programs that use only include/
cardwright_folder(tools/report USES include/cardwright simulation/statistics support)
# Only the header-only Boost libraries Beast and Asio are used.
cardwright_folder(tools/server USES api/table include/cardwright support HIDES Boost::headers SQLite::SQLite3)
# A client for load tests and for tests of the server.
cardwright_folder(tools/server/client LINKS nlohmann_json::nlohmann_json)
