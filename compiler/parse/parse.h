// Parses a rules file into an AST. Only this folder uses ANTLR, and this header does not depend on it.
//
// Input:  a source in the SourceMap, read by read_source() or added directly (its text must then be valid UTF-8).
// Output: an ast::File as described in compiler/ast/nodes.def. After syntax errors, the tree contains only the valid
//         declarations, so that later phases can still check them.
// Tests: tests/parse/.
#pragma once

#include <filesystem>
#include <optional>

#include "compiler/ast/ast.h"
#include "support/diagnostics.h"

namespace cardwright::parse {

inline constexpr std::size_t kMostBytes = 256 * 1024;
inline constexpr std::size_t kMostTokens = 100'000;
inline constexpr std::size_t kDeepest = 200;   // maximum depth of nested brackets
inline constexpr std::size_t kTextsDeep = 3;   // maximum depth of nested strings that the grammar supports
inline constexpr std::size_t kMostOperators = 500;   // maximum number of operators in one expression
inline constexpr std::size_t kMostErrors = 12;   // maximum number of reported syntax errors in one file

// Reads a file into the source map. Reports a diagnostic and returns nullopt if the file is missing, too large or not
// valid UTF-8, or if it contains a NUL byte. The source is named `shown`, or by its path if `shown` is empty.
std::optional<SourceId> read_source(const std::filesystem::path& path, SourceMap& sources, Diagnostics& diagnostics,
                                    const std::string& shown = {});

// Performs the checks of read_source() on a source that is already in the source map. Reports a diagnostic and returns
// false if a check fails.
bool acceptable(SourceId source, Diagnostics& diagnostics);

// Parses a source. Sets `thorough` if the fast parse failed, which never happens for a correct file
// (tests/parse/shipped_test.cpp). In the result, `folder` is the parent folder in the source's name, or empty if the
// name is not a path.
ast::File parse(SourceId source, Diagnostics& diagnostics, ast::Arena& arena, bool* thorough = nullptr);

// Returns whether the string is an identifier that is not a reserved word.
bool is_name(std::string_view text);

// Parses one expression in the braces of a string. If it is invalid, reports a diagnostic and returns null.
ast::Node* parse_expression(Range where, Diagnostics& diagnostics, ast::Arena& arena);

}   // namespace cardwright::parse
