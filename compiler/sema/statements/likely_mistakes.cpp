// Warns about unreachable statements, and about statements whose blocks are empty.
#include "compiler/sema/statements/likely_mistakes.h"

#include "compiler/model/visit.h"
#include "compiler/sema/options/written.h"
#include "compiler/sema/symbols/errors.h"

namespace cardwright::sema {

// Returns a description, for a message, of a statement after which nothing runs.
static std::string describe_exit(SemaContext& sema, const Node* node) {
  constexpr std::size_t kShort = 40;
  const std::string words = written(sema, node);
  if (node->kind == NodeKind::if_stmt) return "both branches of the preceding `if` exit";
  if (words.size() > kShort || words.find('\n') != words.npos) return "the preceding statement exits";
  return "it follows `" + words + "`";
}

// Checks a statement in its source form, before options remove branches. `left_by` is the preceding statement if that
// statement always exits, otherwise null.
void check_for_mistakes(SemaContext& sema, const Node* node, const Node* left_by) {
  warn_if(sema, "never_runs"_code, node->range, left_by,
          "unreachable statement: " + (left_by ? describe_exit(sema, left_by) : ""));
  const auto holds_none = [](const Node* list) { return list && list->children.empty(); };
  bool nothing = false;
  if (node->kind == NodeKind::if_stmt) {
    const view::if_stmt its(node);
    nothing = holds_none(its.then()) && (!its.otherwise() || holds_none(its.otherwise()));
  }
  if (node->kind == NodeKind::each_stmt) nothing = holds_none(view::each_stmt(node).body());
  if (node->kind == NodeKind::repeat_stmt) nothing = holds_none(view::repeat_stmt(node).body());
  if (nothing)
    warn_if(sema, "without_effect"_code, first_word(sema, node), true, "statement without effect: its block is empty");
}

}   // namespace cardwright::sema
