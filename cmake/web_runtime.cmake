# Builds the table core as WebAssembly for exported pages: the folders below the compiler, and
# tools/web/wasm/module.cpp. No other target depends on `web_runtime`, so other builds do not need wasi-libc, libc++ and
# lld (packages.txt, "exported pages"). The code runs without exceptions and threads: see raise() and
# api/game/parallel.h.
# The code that reads saved games is excluded, because only the terminal uses it.
file(GLOB web_runtime_sources CONFIGURE_DEPENDS
  support/*.cpp runtime/*.cpp runtime/interp/*.cpp runtime/ir/*.cpp runtime/knowledge/*.cpp runtime/ops/*.cpp
  runtime/passes/*.cpp runtime/program/*.cpp runtime/search/*.cpp runtime/state/*.cpp
  api/game/*.cpp api/table/*.cpp api/view/*.cpp tools/web/wasm/*.cpp)
list(FILTER web_runtime_sources EXCLUDE REGEX
  "/(ops_bitcode|parallel|disk_cache|gzip|saved_game|old_journal)\\.cpp$|/runtime/ir/parse\\.cpp$")

set(web_runtime "${PROJECT_BINARY_DIR}/web_runtime")
set(web_runtime_flags --target=wasm32-wasi -std=c++20 -Oz -fno-exceptions -fno-rtti -w -ffunction-sections -fdata-sections
  -DJSON_NOEXCEPTION -DFMT_HEADER_ONLY -DFMT_EXCEPTIONS=0
  -I "${PROJECT_SOURCE_DIR}/include" -I "${PROJECT_SOURCE_DIR}" -I "${PROJECT_BINARY_DIR}/generated"
  -isystem "${web_runtime}/include")
# Copies of the headers, since their folder also contains system headers that do not work for WebAssembly.
file(MAKE_DIRECTORY "${web_runtime}/include")
foreach(library fmt nlohmann)
  find_path(${library}_headers ${library} REQUIRED)
  file(CREATE_LINK "${${library}_headers}/${library}" "${web_runtime}/include/${library}" SYMBOLIC)
endforeach()
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(web_runtime_launcher "${CCACHE_PROGRAM}")
endif()

set(web_runtime_objects)
foreach(source IN LISTS web_runtime_sources)
  file(RELATIVE_PATH name "${PROJECT_SOURCE_DIR}" "${source}")
  string(REPLACE "/" "_" name "${name}")
  set(object "${web_runtime}/${name}.o")
  set(faster)
  if(source MATCHES "/runtime/interp/execute\\.cpp$")   # the hot loop of bots
    set(faster -O2)
  endif()
  add_custom_command(
    OUTPUT "${object}"
    COMMAND ${web_runtime_launcher} clang++-19 ${web_runtime_flags} ${faster} -MD -MF "${object}.d" -c "${source}"
            -o "${object}"
    DEPENDS "${source}"
    DEPFILE "${object}.d"
    VERBATIM)
  list(APPEND web_runtime_objects "${object}")
endforeach()

set(web_runtime_module "${PROJECT_BINARY_DIR}/lib/cardwright/table.wasm")
add_custom_command(
  OUTPUT "${web_runtime_module}"
  COMMAND clang++-19 --target=wasm32-wasi -mexec-model=reactor -fno-exceptions -Oz ${web_runtime_objects}
    -Wl,--gc-sections,-s,--export=free,-z,stack-size=1048576 -o "${web_runtime_module}"
  DEPENDS ${web_runtime_objects}
  VERBATIM)
add_custom_target(web_runtime DEPENDS "${web_runtime_module}")
install(FILES "${web_runtime_module}" DESTINATION lib/cardwright OPTIONAL)
