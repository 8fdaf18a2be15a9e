// Writes a ruleset from a seed, with every kind of declaration, type and statement of the
// language that is valid in the context.
//   writer.cpp        order of the file, names, scopes
//   themes.cpp        frequent and excluded features of a ruleset
//   subjects.cpp      subjects of themes: rare features that occur together
//   components.cpp    enums, records, cards, characters, decks, options
//   state.cpp         variables, zones, areas, teams, the setup
//   rules.cpp         values, modifiers, functions, events, handlers, windows, actions, plays, the order of play
//   expressions.cpp   numbers, conditions, players, cards, constants, cells
//   collections.cpp   sets, lists, records, aggregates
//   statements.cpp    statements
//   wider.cpp         rarer features: constants, functions with rules as parameters, relations of options, other files
//   boards.cpp        boards, their cells and directions
//   laid.cpp          cards on a board
//   edges.cpp         edges of boards, offsets
//   tables.cpp        lookup tables in rules
//   pieces.cpp        pieces: objects on a board with variables of their own
// Most rulesets compile (the checks count the others); their games end and usually contain decisions.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tests/generator/chance.h"
#include "tests/generator/types.h"

namespace cardwright::test {

// A text or number that say() inserts.
struct Piece {
  std::string text;
  Piece(std::string t) : text(std::move(t)) {}
  Piece(const char* t) : text(t) {}
  Piece(int n) : text(std::to_string(n)) {}
};
// Formats like fmt::format with `{}`, `{0}` and doubled braces. Every compiler evaluates the elements of a braced list
// from left to right, so a seed gives the same ruleset everywhere.
std::string say(std::string_view pattern, std::initializer_list<Piece> pieces);

// Returns the ruleset of a seed: a file, then other files after lines `// file NAME`. With `secrets`, it has secret and
// hidden variables; with `families`, it uses the later features (types.h).
std::string write_ruleset(std::uint64_t seed, bool secrets = true, bool families = true);

// Return the names of all subjects (subjects.cpp), and the subject of a seed, which is one of these names or "none".
const std::vector<std::string>& subjects();
std::string subject_of(std::uint64_t seed, bool families = true);

class Writer {
 public:
  Writer(std::uint64_t seed, bool secrets, bool families) : chance_(seed), seed_(seed), secrets_(secrets) {
    if (!families) return;   // uses separate random streams
    choose_families(Chance(seed ^ 0x426f6172640a));
    choose_theme(Chance(seed ^ 0x5468656d650a));
  }
  std::string ruleset();
  int subject() const { return static_cast<int>(subject_); }

 private:
  // The context of generated code: its permitted effects, and the elements that it may use.
  struct Context {
    Manner manner = Manner::loud;
    bool me = false, self = false, active = false;
    int below = 0;   // only events and windows from this index on may be called, which prevents cycles
    int values = 0;   // only values before this index may be called
    int window = -1;   // the window whose fields are known
    int loops = 0;
    int here = -1;   // the area to which `here` refers
    bool sequences = true;   // sequences may be iterated; false where this could be recursive
    bool handler = false;   // `instead of`: may proceed and cancel
    bool in_turn = false, can_return = false;
    // If true, the code must not read the order of a pile: reading it draws a card, but the code may be evaluated an
    // unspecified number of times.
    bool orderless = false;
    Type result = {};
  };
  // At the end of its scope, restores the context and removes the local variables that were declared since.
  class Inside {
   public:
    explicit Inside(Writer& writer)
        : writer_(writer), locals_(writer.locals_.size()), context_(writer.at_), budget_(writer.budget_) {}
    ~Inside() {
      writer_.locals_.resize(locals_);
      writer_.at_ = context_;
    }
    Inside(const Inside&) = delete;

   private:
    Writer& writer_;
    std::size_t locals_;
    Context context_;
    int budget_;
  };

  // ---- themes.cpp
  enum class Site {
    statement,
    odd,
    local,
    move,
    look,
    condition,
    loop,
    choice,
    integer,
    boolean,
    compared,
    about_cards,
    player,
    maybe_card,
    cards,
    players,
    constants,
    walked,
    aggregate,
    scalar,
    variable,
    zone,
    parameter,
    given,
    watcher,
    kCount
  };
  static constexpr int kMostWays = 32;
  void choose_theme(Chance chance);
  int among(Site site, int ways);
  int many(int least, int most);
  std::string turning_point();

  // ---- subjects.cpp
  enum class Subject { none, refills, places, waiting, pauses, unknown, answers, printed };
  void choose_subject(Chance chance);
  bool about(Subject subject) const { return subject_ == subject; }
  std::string turning_point_of_subject();
  std::string repeated_condition(const std::string& condition);
  bool statement_of_subject();
  void draw_from_pile();
  void nearly_empty_pile();
  bool counts_owed() const { return about(Subject::waiting) && has_oracle_; }
  void await();
  void put_off();
  std::string step_of_stage();
  bool keep_over_pause();
  void use(const std::string& name, const Type& type);
  void unknown_zones();
  void fill_unknown_zones();
  std::string named_cards();
  std::string hidden_zone(int depth);
  std::string unknown_card();
  std::string unknown_sets(const std::string& name);
  std::string unknown_cards();
  std::string offered_cards(int depth) {
    return about(Subject::unknown) && chance_.percent(70) ? unknown_cards() : set_of_cards(depth);
  }
  std::string truth_of_unknown();
  std::string count_of_mixed();
  std::string number_of_unknown();
  std::string of_unknown(const Type& type);
  std::string printed_condition(int depth);
  void filter_by_print();
  std::string unknown_parameter(const std::string& name, bool last);
  bool opens_at_once() const {
    return !windows_.empty() && (about(Subject::waiting) || about(Subject::pauses) || about(Subject::answers));
  }

  // ---- writer.cpp
  void line(const std::string& text);
  void open(const std::string& head);   // "head {", one level deeper
  void reopen(const std::string& head);   // "} else {"
  void close();
  std::string fresh(const std::string& stem) { return stem + std::to_string(++names_); }
  void bind(const std::string& name, Type type, bool writable = false) {
    locals_.push_back({name, std::move(type), writable});
  }
  std::vector<Local> locals_of(const Type& type) const;
  std::string spelled(const Type& type) const;
  void budget(int nodes) { budget_ = nodes; }
  bool has_budget() { return --budget_ > 0; }
  bool orderless() const { return at_.manner == Manner::still || at_.orderless; }
  void watched();   // sets the context for a condition that is evaluated only when its inputs have changed

  // ---- components.cpp
  void enums();
  void records();
  void options();
  void cards();
  void card_body(int card);
  void decks();
  void deck_from_file();
  void characters();
  std::string constant(int which) { return chance_.pick(enums_[static_cast<std::size_t>(which)].constants); }

  // ---- state.cpp
  Type scalar_type();   // a type for one value
  Type variable_type();
  std::string start_of(const Type& type);
  Variable make_variable(Home home, int area);
  std::string declared(const Variable& variable);
  std::string declared(const Zone& zone);
  Zone make_zone(Home home, int area);
  void plan_state();
  void declare_all(Home home, int area);
  void state();
  void setup();

  // ---- rules.cpp
  void plan_rules();
  std::string parameters(const std::vector<Type>& types);
  std::string patterns(const std::vector<Type>& types);
  Type parameter_type();
  Type result_type();
  void only_look(int values);
  void values();
  void modifiers(const std::string& head, int count);
  void modifier(bool held);
  void functions();
  void sequences();
  void events();
  void event_body(const std::string& head, std::size_t which);
  void handler(int event, bool held);
  void whenever(bool held);
  std::string watched_condition();
  void watchers();   // watchers of turns, phases, actions and plays; and `forbid` rules
  void watcher();
  void windows();
  void fields_known(int window);
  void race_lines(const Window& window);
  void action(int window, const std::string& name, bool of_card = false, bool of_character = false);
  std::string action_parameter(const std::string& name, bool last);
  std::string chosen_where(const Type& element);
  std::string kind_parameter(const std::string& name);
  std::string listed_set_parameter(const std::string& name);
  std::string set_parameter(const std::string& name, int which);
  std::string number_between(const std::string& name);
  void expect_picked(const std::string& name, const std::string& count, const std::string& from);
  std::string condition_on_parameters();
  void play_of_card(int window);
  void effects(int count);
  void flow();
  void endings();

  // ---- expressions.cpp
  std::string expression(const Type& type, int depth);
  std::string integer(int depth);
  std::string small_integer();
  std::string boolean(int depth);
  std::string compared(int depth);
  std::string about_cards(int depth);
  std::string player(int depth);
  std::string maybe_player(int depth);
  std::string maybe_card(int depth);
  std::string constant_of(int which, int depth);
  std::string part(int which);
  std::string team(int depth);
  std::string call(const Callable& callable, int depth);
  std::string arguments(const std::vector<Type>& types, int depth);
  const Callable* callable_giving(const Type& type);
  std::string of_variable(const Variable& variable, int depth);
  void fields_of(int which, const std::function<std::string()>& place, const Type& type,
                 std::vector<std::string>& out) const;
  std::vector<std::string> places_of(const Type& type, bool to_write, int depth);
  std::string stored(const Type& type, int depth);   // a variable of this type, or ""
  std::string zone(int depth, const std::function<bool(const Zone&)>& wanted = {});
  std::string ordered_zone(int depth, bool draws = false);
  std::string kinds();

  // ---- collections.cpp
  std::string set(const Type& elem, int depth);
  std::string set_of_cards(int depth);
  std::string set_of_players(int depth);
  std::string set_of_constants(int which, int depth);
  std::string set_of_numbers(int depth);
  std::string set_of_parts(int which);
  std::string list(const Type& type, int depth);
  bool single_card() const { return !locals_of(plain(Sort::card)).empty(); }
  std::string record(int which, int depth);
  std::string where(const Type& elem, int depth);   // " where …"
  std::string aggregate(int depth);
  std::string collection(Type& elem, int depth, bool lists = true);
  std::string quantified(int depth);

  // ---- wider.cpp
  void plan_more();
  void imports();
  void const_lists();
  std::string const_list(Type& elem);
  std::string constant_number(int depth, Chance& chance, bool opaque);
  void oracles();
  void records_agree(std::vector<std::string>& checks);
  std::string rest_is_default(const std::string& place, const std::string& but);
  void sets_agree(std::vector<std::string>& checks);
  const Callable* bending_value();
  std::string argument_of(const Type& type);
  void handed_rules();
  std::string points_rule(int depth);
  void charms();
  void relations();
  bool has_option(const std::string& name) const;
  std::string library();
  std::string house(const std::string& base_text);
  void replace_value(std::size_t which);
  void replace_event(std::size_t which);

  // ---- boards.cpp
  void choose_families(Chance chance);
  void boards();
  void board(const std::string& name, Grid grid);
  void points(Board& board);
  const Board& board_of(int which) const { return boards_[static_cast<std::size_t>(which)]; }
  int some_board() { return chance_.below(static_cast<int>(boards_.size())); }
  bool is_directed(int which) const { return board_of(which).grid != Grid::graph; }
  std::string on(int which, const std::string& name) const;   // `field.flood` if there are several boards
  std::string some_cell(int which);   // by its name
  std::string first_cell(int which) const {
    return on(which, board_of(which).points.empty() ? "a1" : board_of(which).points[0]);
  }
  std::string first_cells(int which) const;
  std::string direction_at_first(int which) const {
    return on(which, board_of(which).grid == Grid::hexagons ? "NE" : "N");
  }
  std::string cell(int which, int depth);
  std::string maybe_cell(int which, int depth);
  std::string step(int which, int depth);   // a neighbor of a cell: a cell or none
  std::string direction(int which, int depth);
  std::string turned(int which, int depth);
  std::string set_of_cells(int which, int depth);
  std::string of_library(int which, int depth);
  std::string set_of_directions(int which, int depth);
  std::string about_cell(int which, int depth);   // condition on `it`
  std::string number_on_board(int depth);
  std::string truth_on_board(int depth);
  Type board_type();
  Type directed_type();   // a direction, or a cell if there are no directions
  std::string board_parameter(const std::string& name, bool last);
  void on_board();
  void choice_on_board();

  // ---- laid.cpp
  void covers_of_cards();
  std::string laid_cards(int depth);
  std::string present_card();
  std::string cells_of_card(const std::string& card);
  std::string truth_of_laid(int depth);
  void first_laid();
  void lay();
  void lay(const std::string& card);
  void turn_laid(const std::string& card);

  // ---- edges.cpp
  int board_with_edges();
  Type edge_type(int which);
  std::string side(int which);
  std::string first_edge(int which) const;
  std::string edge(int which, int depth);
  std::string maybe_edge(int which, int depth);
  std::string set_of_edges(int which, int depth);
  std::string cells_by_edges(int which, int depth);
  std::string truth_of_edges(int which, int depth);
  std::string number_of_edges(int which, int depth);
  std::string offset(int depth);

  // ---- pieces.cpp
  void plan_pieces();
  void piece(std::size_t which);
  void first_places();
  int some_pieces();
  int pieces_on(int board);
  Type piece_type();
  std::string maybe_part(int which, int depth);
  std::string set_of_pieces(int which, int depth);
  std::string footprint(int which, const std::string& piece, int depth);
  std::string cells_of_pieces(int which, int depth);
  std::string truth_of_pieces(int depth);
  std::string number_of_pieces(int depth);
  std::string piece_parameter(const std::string& name);
  void with_pieces();
  void place_piece(int which);
  void turn_piece(int which);

  // ---- tables.cpp
  Type key_type();
  Type entry_type();
  void plan_tables();
  std::string spelled_table(const Table& table) const;
  std::string entry(const Type& type, int depth);
  std::string all_keys(const Type& key);
  void table_body(const Table& table);
  void tables();
  void readers(const Table& table);
  std::string expression_of_key(const Type& key, int depth);
  void bind_table(const std::string& name, const Table& table, bool writable);
  std::vector<std::string> whole_tables(const Table& table, bool to_write) const;
  void entries_of(const Type& type, bool to_write, std::vector<std::string>& out);
  std::string number_of_tables(int depth);
  void with_tables();

  // ---- dice.cpp
  void dice_of_table();
  void dice_of_players();
  std::string some_dice(int depth);
  std::string number_of_dice(int depth);
  std::string truth_of_dice(int depth);
  void with_dice();
  void forget_tables();

  // ---- statements.cpp
  void block(int statements);
  void statement();
  void assignment();
  void assign_to(const Variable& variable);
  void list_changes(const std::string& place, const Type& type);
  void move();
  void secret_things();
  void loop();
  void condition();
  void call_event();
  std::vector<int> windows_to_open() const;
  void open_window(int which);
  void count_event();
  void mark_card();
  void choice();
  void local();
  void odd_ones();
  void pause(const std::function<void()>& first);
  void log_line();
  std::string within(const std::string& value, int lo, int hi);

  Chance chance_;
  std::uint64_t seed_, theme_ = 0;   // 0: none
  bool small_ = false;
  Subject subject_ = Subject::none;
  std::vector<std::string> turning_points_;   // valid in any context
  std::vector<int> modified_by_holders_;   // values with a modifier on a card or character
  std::vector<int> weights_[static_cast<std::size_t>(Site::kCount)];
  bool secrets_;
  std::string text_;
  int depth_ = 0, names_ = 0, budget_ = 0;
  Context at_;
  std::vector<Local> locals_;

  std::vector<Enum> enums_;
  std::vector<Record> records_;
  std::vector<Variable> variables_;
  std::vector<Zone> zones_;
  std::vector<Area> areas_;
  std::vector<Board> boards_;
  Families families_;
  bool has_luck_ = false;
  std::vector<Callable> values_, sequences_;
  std::vector<Table> stored_tables_, table_functions_;
  std::string covers_;   // the cells that all cards cover; empty: one cell
  bool cards_face_ = false;
  bool tables_known_ = true;   // table functions may be called; false in their own bodies
  std::vector<Event> events_;
  std::vector<Window> windows_;
  std::vector<std::string> kinds_, played_, types_of_cards_, groups_, timers_;
  std::vector<std::pair<std::string, std::vector<std::string>>> options_;   // name and values; no values: on or off
  std::string number_option_, phase_;
  std::vector<std::string> actions_;
  std::vector<std::string> expected_;   // oracle conditions on the arguments of the current action
  int least_ = 2, most_ = 2;
  bool has_teams_ = false, has_characters_ = false, has_race_ = false, has_roles_ = false, has_seats_ = false,
       refills_ = false;
  bool has_unit_ = false, has_charm_ = false, has_handed_ = false, has_oracle_ = false;
  bool values_look_at_order_ = false;   // if false, conditions of `whenever` and `end when` may use values
  std::string library_, base_;
  std::string files_;   // text of the files after the main one
  std::vector<std::pair<std::string, Type>> const_lists_;   // name and element type
  std::vector<std::size_t> scopes_;   // number of locals at each open brace
};

}   // namespace cardwright::test
