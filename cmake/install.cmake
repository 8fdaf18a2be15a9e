# Installs libcardwright.so with its headers, the JIT, rules, and a CMake package for find_package(cardwright);
# docs/howto/use_the_library.md has an example.
# Also configures CPack, which creates a .deb and a tarball of the same files.

include(CMakePackageConfigHelpers)

# Exports only the C++ interface, so that other versions of its dependencies can be loaded in the same process.
add_library(cardwright_shared SHARED $<TARGET_OBJECTS:cardwright_game> $<TARGET_OBJECTS:cardwright_view>
  $<TARGET_OBJECTS:cardwright_compile> $<TARGET_OBJECTS:cardwright_describe> $<TARGET_OBJECTS:cardwright_api>
  $<TARGET_OBJECTS:cardwright_scenarios> $<TARGET_OBJECTS:cardwright_table> $<TARGET_OBJECTS:cardwright_simulation>
  $<TARGET_OBJECTS:cardwright_statistics> $<TARGET_OBJECTS:cardwright_report>)
target_link_libraries(cardwright_shared PRIVATE cardwright_report cardwright_table)
target_link_options(cardwright_shared PRIVATE
  "-Wl,--version-script,${PROJECT_SOURCE_DIR}/cmake/interface.map")
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  target_link_options(cardwright_shared PRIVATE -Wl,--no-undefined)
endif()
target_include_directories(cardwright_shared INTERFACE $<INSTALL_INTERFACE:include>)
target_compile_features(cardwright_shared INTERFACE cxx_std_20)
set_target_properties(cardwright_shared PROPERTIES
  OUTPUT_NAME cardwright
  EXPORT_NAME cardwright
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}    # before 1.0, any minor version can change the interface
  LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/interface.map"
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")          # as in the installed tree
if(TARGET cardwright_jit)
  add_dependencies(cardwright_shared cardwright_jit)
endif()

install(TARGETS cardwright_shared EXPORT cardwright LIBRARY DESTINATION lib)
install(DIRECTORY include/cardwright DESTINATION include PATTERN server.hpp EXCLUDE)   # only the command contains the server
install(DIRECTORY rulesets stdlib DESTINATION share/cardwright PATTERN mutants EXCLUDE)   # only tests read mutants
install(FILES LICENSE DESTINATION share/doc/cardwright)

set(package lib/cmake/cardwright)
install(EXPORT cardwright NAMESPACE cardwright:: DESTINATION ${package} FILE cardwrightConfig.cmake)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/generated/cardwrightConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/generated/cardwrightConfigVersion.cmake" DESTINATION ${package})

# The paths in the tarball have no prefix, because an installed tree can be moved. A .deb needs a maintainer's address;
# the release workflow passes it to cpack (.github/workflows/release.yml).
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME cardwright)
set(CPACK_PACKAGE_VENDOR Cardwright)
set(CPACK_PACKAGE_CONTACT "Cardwright <cardwright@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compiler and runtime for the rules of card and tabletop games")
set(CPACK_PACKAGE_DESCRIPTION "Checks, plays and simulates games written in the Cardwright language.")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_PACKAGE_FILE_NAME "cardwright_${PROJECT_VERSION}_${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)        # with Debian's name of the architecture, such as amd64
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
