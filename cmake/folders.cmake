# The folders of the product: what each may include, and the library that is built from it. The only such list:
# CMakeLists.txt makes the libraries of it, tests/layering_test.cpp holds the includes against it, cmake/lint reads it.
#
#   cardwright_folder(<folder> [USES <folders…>] [LINKS <libraries…>] [HIDES <libraries…>] [WITHOUT <regex>])
#
# The library of a/b is cardwright_b. It consists of the folder's *.cpp files except those that match WITHOUT; a new file
# needs no line. USES names the folders that it includes; LINKS and HIDES are libraries of others, public and private. A
# folder stands below the folders that use it, so there are no cycles. `ninja link_alone` proves the same of what is called.
cardwright_folder(support LINKS fmt::fmt nlohmann_json::nlohmann_json Threads::Threads HIDES ZLIB::ZLIB)

# ---- runtime: plays a Program
cardwright_folder(runtime/ir USES support)
cardwright_folder(runtime/program USES runtime/ir support)
cardwright_folder(runtime/ops USES runtime/ir runtime/program WITHOUT /ops_bitcode\\.cpp$)
# IR to IR: the driver runs these passes on what is lowered, engines on the form that they play.
cardwright_folder(runtime/passes USES runtime/ir runtime/ops runtime/program)
cardwright_folder(runtime USES runtime/ops runtime/program)
cardwright_folder(runtime/interp USES runtime runtime/ir runtime/ops runtime/passes runtime/program)
cardwright_folder(runtime/jit USES runtime runtime/interp runtime/ir runtime/ops runtime/passes runtime/program support)
cardwright_folder(runtime/search USES runtime runtime/ops runtime/program)

# ---- compiler: makes a Program from text
cardwright_folder(compiler/ast USES support)
cardwright_folder(compiler/parse USES compiler/ast support HIDES ${grammar_libraries})
cardwright_folder(compiler/model USES support)
# Arithmetic on constants and folding call the operations of the runtime.
cardwright_folder(compiler/analysis USES compiler/model runtime/ops support)
cardwright_folder(compiler/sema USES compiler/analysis compiler/ast compiler/model compiler/parse support)
cardwright_folder(compiler/plan USES compiler/analysis compiler/model runtime/ops runtime/program)
cardwright_folder(compiler/lower
  USES compiler/analysis compiler/model compiler/plan runtime/ir runtime/ops runtime/program support)
cardwright_folder(compiler/driver
  USES compiler/analysis compiler/lower compiler/model runtime runtime/passes runtime/program support)
cardwright_folder(compiler/theme USES support)

# ---- api: the library behind include/
cardwright_folder(include/cardwright)
# Games, states, logs, views and bots need no compiler, so an exported page contains them.
cardwright_folder(api/game
  USES include/cardwright runtime runtime/interp runtime/ir runtime/ops runtime/program runtime/search support)
cardwright_folder(api/view USES api/game include/cardwright runtime runtime/ops runtime/program)
cardwright_folder(api/compile
  USES api/game compiler/ast compiler/driver compiler/model compiler/sema include/cardwright runtime runtime/interp
    runtime/ir runtime/jit runtime/ops runtime/passes runtime/program support
  LINKS ${CMAKE_DL_LIBS})
cardwright_folder(api/describe
  USES api/compile api/game compiler/driver compiler/model compiler/parse compiler/theme include/cardwright runtime
    runtime/interp runtime/program support)
cardwright_folder(api USES api/compile api/describe api/game api/view runtime/interp)
cardwright_folder(api/scenarios
  USES api api/compile api/describe api/game compiler/ast compiler/model include/cardwright runtime runtime/ops
    runtime/program support)
cardwright_folder(api/table USES api include/cardwright support)

# ---- simulation: many games, and what they show
cardwright_folder(simulation
  USES api api/compile api/describe api/game api/scenarios compiler/driver compiler/model include/cardwright runtime
    runtime/ops runtime/program)
cardwright_folder(simulation/statistics USES api/game include/cardwright simulation)

# ---- tools: programs, built on include/ alone
cardwright_folder(tools/report USES include/cardwright simulation/statistics support)
# Beast and Asio are headers; nothing else of Boost is used.
cardwright_folder(tools/server USES api/table include/cardwright support HIDES Boost::headers SQLite::SQLite3)
