// From the text of a rules file to its tree. The only folder that knows ANTLR; this header does not show it.
//
// In:    a source in the SourceMap, read by read_source() or added by hand (then it must be UTF-8).
// Out:   ast::File as compiler/ast/nodes.def describes it. After errors the tree has the declarations that were
//        understood and leaves out the others, so that later phases can still look at the rest.
// Tests: tests/parse/.
#pragma once

#include <filesystem>
#include <optional>

#include "compiler/ast/ast.h"
#include "support/diagnostics.h"

namespace cardwright::parse {

inline constexpr std::size_t kMostBytes = 256 * 1024;
inline constexpr std::size_t kMostTokens = 100'000;
inline constexpr std::size_t kDeepest = 200;   // brackets in brackets
inline constexpr std::size_t kTextsDeep = 3;   // texts in texts, as the grammar reads them
inline constexpr std::size_t kMostOperators = 500;   // in one expression
inline constexpr std::size_t kMostErrors = 12;   // of syntax, in one file

// Reads a file into the source map: one message and nothing if it is missing, not UTF-8, too large, or has zero bytes.
std::optional<SourceId> read_source(const std::filesystem::path& path, SourceMap& sources, Diagnostics& diagnostics,
                                    const std::string& shown = {});

// The same checks for a text that is already here; false after a message.
bool acceptable(SourceId source, Diagnostics& diagnostics);

// `thorough` is set if the fast way was not enough; for a correct file it must not be (tests/parse/shipped_test.cpp).
// `folder` stays empty if the source is no file; read_source() names sources by their path, or `shown`.
ast::File parse(SourceId source, Diagnostics& diagnostics, ast::Arena& arena, bool* thorough = nullptr);

// One expression out of a source: what stands between the braces of a text. Null after a message.
ast::Node* parse_expression(Range where, Diagnostics& diagnostics, ast::Arena& arena);

}   // namespace cardwright::parse
