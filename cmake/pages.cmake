# Bundles the scripts of the web pages of `cardwright report` and `cardwright serve` from tools/web/ with npm. No other
# target depends on this one, so other builds do not need Node. The scripts are installed if they were built.
set(pages "${PROJECT_BINARY_DIR}/share/cardwright/pages")
file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/tools/web/*.ts" "${PROJECT_SOURCE_DIR}/tools/web/*.tsx" "${PROJECT_SOURCE_DIR}/tools/web/*.css"
  "${PROJECT_SOURCE_DIR}/tools/web/*.html" "${PROJECT_SOURCE_DIR}/tools/web/*.js*"
  "${PROJECT_SOURCE_DIR}/tools/web/*.mjs"
  "${PROJECT_SOURCE_DIR}/tools/web/.npmrc" "${PROJECT_SOURCE_DIR}/tools/web/.prettierignore")
list(FILTER web_sources EXCLUDE REGEX "/node_modules/")

add_custom_command(
  OUTPUT "${pages}/report.js" "${pages}/report.js.sha256" "${pages}/report.css"
         "${pages}/table.html" "${pages}/table.js" "${pages}/table.js.sha256" "${pages}/table.css"
         "${pages}/export.html" "${pages}/export.js" "${pages}/export.js.sha256" "${pages}/export.css"
  COMMAND "${PROJECT_SOURCE_DIR}/tools/web/build" "${PROJECT_BINARY_DIR}/web" "${pages}"
  DEPENDS ${web_sources} "${PROJECT_SOURCE_DIR}/tools/web/build"
  USES_TERMINAL)
add_custom_target(pages DEPENDS "${pages}/report.js" "${pages}/table.js" "${pages}/export.js")

install(DIRECTORY "${pages}" DESTINATION share/cardwright OPTIONAL)
