// Converts ANTLR parse trees to AST nodes. Private to compiler/parse.
//
// Each function converts one grammar rule. It uses a Cursor to read the children of the rule's parse tree in order.
// Parse trees with errors are never converted (parse.cpp).
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "antlr4-runtime.h"
#include "RulesParser.h"
#include "compiler/ast/ast.h"
#include "compiler/ast/views.h"
#include "support/diagnostics.h"

namespace cardwright::parse {

using P = grammar::RulesParser;
using ast::Node;
using ast::NodeKind;
namespace view = ast::view;
using Nodes = std::vector<Node*>;

// Iterates over the children of a parse tree node.
class Cursor {
 public:
  explicit Cursor(antlr4::ParserRuleContext* context) : children_(&context->children) {}
  bool done() const { return at_ == children_->size(); }
  // Returns the type of the next token, or 0 if the next child is not a token or there is none.
  std::size_t token_type(std::size_t ahead = 0) const {
    auto* t = terminal(ahead);
    return t ? t->getSymbol()->getType() : 0;
  }
  bool take(std::size_t type) {
    if (token_type() != type) return false;
    ++at_;
    return true;
  }
  const antlr4::Token* token() {   // returns the next token of any type, or null
    auto* t = terminal(0);
    if (!t) return nullptr;
    ++at_;
    return t->getSymbol();
  }
  const antlr4::Token* token(std::size_t type) { return token_type() == type ? token() : nullptr; }
  template <class Context>
  Context* rule() {   // returns the next child if it is a Context, otherwise null
    Context* found = peek<Context>();
    if (found) ++at_;
    return found;
  }
  template <class Context>
  Context* peek() const {
    return done() ? nullptr : dynamic_cast<Context*>((*children_)[at_]);
  }
  void skip() { ++at_; }

 private:
  antlr4::tree::TerminalNode* terminal(std::size_t ahead) const {
    if (at_ + ahead >= children_->size()) return nullptr;
    return dynamic_cast<antlr4::tree::TerminalNode*>((*children_)[at_ + ahead]);
  }
  const std::vector<antlr4::tree::ParseTree*>* children_;
  std::size_t at_ = 0;
};

class Builder {
 public:
  Builder(SourceId source, Diagnostics& diagnostics, ast::Arena& arena)
      : source_(source), text_(diagnostics.sources().text(source)), diagnostics_(diagnostics), arena_(arena) {}

  void file(P::FileContext* file, Nodes& out);   // appends the game or library header and the declarations
  // Returns the allowances in the declarations built so far. Reports an error for each allowance that no declaration
  // follows.
  std::vector<Allowance> allowances();
  Node* expr(P::ExprContext* e);

 private:
  // -- common functions (build.cpp)
  Range range(antlr4::ParserRuleContext* c) const;
  Range range(const antlr4::Token* t) const;
  std::string_view text(const antlr4::Token* t) const;
  std::string_view contents(const antlr4::Token* str);
  std::int64_t value(const antlr4::Token* number);
  Node* make(NodeKind kind, Range range, std::string_view text = {}, std::int64_t number = 0,
             const Nodes& children = {}) {
    return arena_.make(kind, range, text, number, children);
  }
  Node* list(Range range, const Nodes& items) { return make(NodeKind::list, range, {}, 0, items); }
  Node* name(const antlr4::Token* t) { return t ? make(NodeKind::name_ref, range(t), text(t)) : nullptr; }
  Node* word(const antlr4::Token* t) { return make(NodeKind::word, range(t), text(t)); }
  Node* string(const antlr4::Token* t) { return t ? make(NodeKind::string, range(t), contents(t)) : nullptr; }
  Node* number(const antlr4::Token* t) { return make(NodeKind::number, range(t), {}, value(t)); }
  void report_unknown_board(Range range, std::string_view what);
  void once(Node*& slot, Node* value);   // reports E0115 if the slot is already set
  void once(std::int64_t& bits, std::int64_t bit, Range at);   // reports E0115 if the bit is already set
  void each_once(const Nodes& named);   // reports E0115 for each node with the name of an earlier node

  // -- declarations (build_declarations.cpp)
  void head(P::HeadContext* h, Nodes& out);
  void decl(P::DeclContext* d, Nodes& out);
  void declaration(antlr4::ParserRuleContext* rule, Nodes& out);
  void allowance(P::AllowanceContext* d);
  void cover(std::vector<Allowance> waiting, Range declaration);
  void nothing_to_allow();
  Node* body(P::BodyContext* b);
  void fields(P::FieldsContext* f, Nodes& out);
  Node* field(P::FieldContext* f, std::int64_t number);
  Node* params(P::ParamsContext* p, bool choose);
  Node* param(P::ParamContext* p);
  Node* type(P::TypeContext* t);
  Node* type_term(P::TypeTermContext* t);
  Node* type_of(Node* n);
  Node* path_end(P::PathContext* p);
  Node* path(P::PathContext* p);
  Node* settings(Cursor& c);
  Node* windows(P::WindowsContext* w);
  Node* limit(P::LimitContext* l);
  Node* clause_of(P::ClampContext* c);
  Node* players_decl(P::PlayersDeclContext* d);
  Node* use_decl(P::UseDeclContext* d);
  Node* unit_decl(P::UnitDeclContext* d);
  Node* const_decl(P::ConstDeclContext* d);
  Node* option_decl(P::OptionDeclContext* d);
  Node* option_value(P::OptionValueContext* v);
  Node* with_decl(P::WithDeclContext* d);
  Node* variant_decl(P::VariantDeclContext* d);
  Node* setting(P::SettingContext* s);
  Node* relation(P::RelationContext* d);
  Node* sentence(P::SentenceContext* d);
  Node* warn_decl(P::WarnDeclContext* d);
  Node* remove_decl(P::RemoveDeclContext* d);
  void replace_decl(P::ReplaceDeclContext* d, Nodes& out);
  Node* enum_decl(P::EnumDeclContext* d);
  Node* enum_items(P::EnumBodyContext* b);
  Node* enum_item(P::EnumItemContext* i);
  Node* record_decl(P::RecordDeclContext* d);
  Node* card_type(P::CardTypeContext* d);
  Node* character_type(P::CharacterTypeContext* d);
  Node* carded(NodeKind kind, antlr4::ParserRuleContext* d);
  Node* deck(P::DeckContext* d);
  void deck_items(P::DeckBodyContext* b, bool by_players, Nodes& out, Node*& total);
  Node* deck_item(P::DeckItemContext* i, bool by_players, Node*& total);
  Node* state_decl(P::StateDeclContext* d);
  Node* teams_decl(P::TeamsDeclContext* d);
  Node* zone(P::ZoneContext* d);
  Node* zone_attr(P::ZoneAttrContext* a);
  Node* area(P::AreaContext* d);
  Node* piece(P::PieceDeclContext* d);
  Node* die(P::DieDeclContext* d);
  Node* faces(P::FacesDeclContext* d);
  Node* shows_decl(P::ShowsDeclContext* d);
  Node* timer_decl(P::TimerDeclContext* d);
  Node* covers(P::CoversDeclContext* d);
  Node* facing_decl(P::FacingDeclContext* d);
  void board(P::BoardDeclContext* d, Nodes& out);
  Node* value_decl(P::ValueDeclContext* d);
  Node* function_decl(P::FunctionDeclContext* d);
  Node* event_decl(P::EventDeclContext* d);
  Node* window_decl(P::WindowDeclContext* d);
  struct Timing {   // the clauses of an action or play in real time
    std::int64_t bits = 0;
    Node *takes = nullptr, *busy = nullptr, *sensible = nullptr, *must_if = nullptr, *late = nullptr, *wrong = nullptr;
  };
  struct Offer {   // the clauses of an action or play
    Nodes limits;
    Timing timing;
    std::int64_t bits = 0;   // 1: free, 2: secret
    Node *when = nullptr, *by = nullptr, *to = nullptr, *label = nullptr;
  };
  template <class Part>
  void offer_part(Part* part, Offer& offer);
  void time_part(P::TimePartContext* p, Timing& timing);
  void aftermath(P::AftermathContext* a, Timing& timing);
  Node* timing_node(Range range, const Timing& timing);
  Node* action_decl(P::ActionDeclContext* d);
  Node* play_decl(P::PlayDeclContext* d);
  Node* plays_to(P::PlaysToContext* d);
  Node* in_force(P::InForceContext* d);
  Node* text_decl(P::TextDeclContext* d);
  Node* has_decl(P::HasDeclContext* d);
  Node* while_decl(P::WhileDeclContext* d);
  Node* modify(P::ModifyContext* d);
  void forbid(P::ForbidContext* d, Nodes& out);
  Node* policy(P::PolicyDeclContext* d);
  void policy_rule(P::PolicyRuleContext* d, Nodes& out);
  Node* trigger(P::TriggerContext* d);
  Node* watched(P::WatchedContext* d, Range whole, std::int64_t hook, Node* when, Node* code);
  Node* measure(P::MeasureDeclContext* d);
  Node* whenever(P::WheneverContext* d);
  Node* setup_decl(P::SetupDeclContext* d);
  Node* end_when(P::EndWhenContext* d);
  Node* named_ending(P::EndingDeclContext* d);
  Node* patterns(P::ArgsContext* a);

  // -- scenarios (build_scenarios.cpp)
  Node* scene(P::SceneContext* d);
  Node* scenario(P::ScenarioContext* d);
  void line(P::LineContext* l, Nodes& out);
  Node* given(P::GivenContext* g);
  Node* step(P::StepContext* s);
  Node* printed(const antlr4::Token* t);
  Node* the_game_begins(Cursor& c, Range range);
  Node* deed(Cursor& c, Range range);
  Node* time(P::TimeContext* t);
  Node* item(P::ItemContext* i);
  Node* card_item(P::ItemContext* i);
  void claims(Node* e, Nodes& out);

  // -- statements (build_statements.cpp)
  Node* block(P::BlockContext* b);
  Node* block_or_stmt(Cursor& c);
  Node* stmt(P::StmtContext* s);
  Node* one_value(NodeKind kind, P::StmtContext* s);
  Node* let_stmt(P::StmtContext* s);
  Node* if_stmt(P::StmtContext* s);
  Node* each_stmt(P::StmtContext* s);
  Node* repeat_stmt(P::StmtContext* s);
  Node* while_stmt(P::StmtContext* s);
  Node* return_stmt(P::StmtContext* s);
  Node* log_stmt(P::StmtContext* s);
  Node* ask_stmt(P::StmtContext* s);
  Node* move_stmt(P::StmtContext* s);
  Node* deal_stmt(P::StmtContext* s);
  Node* shuffle_stmt(P::StmtContext* s);
  Node* turn_over_stmt(P::StmtContext* s);
  Node* turn_stmt(P::StmtContext* s);
  Node* swap_stmt(P::StmtContext* s);
  Node* peek_stmt(P::StmtContext* s);
  Node* turns_stmt(P::StmtContext* s);
  Node* rounds_stmt(P::StmtContext* s);
  Node* with_stmt(P::StmtContext* s);
  Node* phase_stmt(P::StmtContext* s);
  Node* afterwards_stmt(P::StmtContext* s);
  Node* together_stmt(P::StmtContext* s);
  Node* end_stmt(P::StmtContext* s);
  Node* winners_stmt(P::StmtContext* s);
  Node* race_clause(P::StmtContext* s);
  Node* delay_stmt(P::StmtContext* s);
  Node* pause_stmt(P::StmtContext* s);
  Node* timer_stmt(P::StmtContext* s);
  Node* action_names(Cursor& c, Range range);
  Node* latency(P::LatencyContext* l);
  Node* arrange_stmt(P::StmtContext* s);
  Node* at_cell(Node* gen, Node* cell);
  Node* place_stmt(P::StmtContext* s);
  Node* lift_stmt(P::StmtContext* s);
  Node* expr_stmt(P::StmtContext* s);
  Node* value_stmt(Node* e);
  void report_not_a_statement(const Node* e);
  Node* choosing(P::ChoosingContext* c, Range range, Node* decider, bool may);
  Node* choose_stmt(P::StmtContext* s, bool may);
  Node* choose_one(Cursor& c, Range range, Node* decider);
  Node* counted(P::CountedContext* c, std::int64_t& kind, Node*& noun);
  Node* thing(P::ThingContext* t);
  Node* place(P::ExprContext* e, std::int64_t* to_bottom);
  std::int64_t facing(P::FacingContext* f, Node*& way);
  Node* gen(P::GenContext* g, Node** where);

  // -- expressions (build_expressions.cpp)
  class Climber;
  Node* kinds(Range range, Node* subject, P::KindsContext* k, bool negated);
  Node* best(Range range, const antlr4::Token* op, Node* left, Node* key);
  Node* postfix(P::PostfixContext* p);
  Node* called(Node* base, P::ArgsContext* a, Range range);
  Node* number_in(std::string_view unit, const antlr4::Token* t, Range here);
  Node* primary(P::PrimaryContext* p);
  Node* args(P::ArgsContext* a);
  Node* arg(P::ArgContext* a);
  Node* in_brackets(Range here, P::PrimaryContext* p);
  // Converts an unbracketed `S where C`: returns S and sets `condition` to C.
  Node* domain(P::ExprContext* e, Node** condition);

  std::vector<Allowance> allowances_;
  std::vector<Allowance> waiting_;   // allowances that apply to the next declaration
  SourceId source_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  ast::Arena& arena_;
};

}   // namespace cardwright::parse
