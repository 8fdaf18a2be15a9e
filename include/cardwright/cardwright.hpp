// The C++ interface of Cardwright: load rules, compile them for a table, play, look, branch, simulate.
//
//   using namespace cardwright::api;
//   Ruleset rules = Ruleset::load("splash");
//   Game game = rules.compile({.players = 5});
//   State state = game.new_state(/*seed*/ 1, /*game index*/ 0);
//   while (!state.is_over()) state.apply(0);          // always the first option
//
// Seats are numbered from 0; in rules and in words they are a, b, c … An option has a stable id in
// [0, Game::option_ids()), the same in every game of the same rules, players and options; `legal()` lists the ids in
// ascending order and `apply(i)` takes the i-th of them.
//
// Errors: what can't be done throws `Error`, whose `blame()` says whose turn it is to mend it: a seat, index or time
// that there is not is always the caller's. A rule that goes wrong while a game runs throws nothing: it ends that game,
// and `State::failure()` says how.
//
// Threads: Ruleset and Game are immutable and may be shared. A State belongs to one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cardwright/figures.hpp"
#include "cardwright/measures.hpp"
#include "cardwright/policies.hpp"

namespace cardwright::api {

// ------------------------------------------------------------------ errors

// What was found in rules, ready to be shown.
struct Report {
  std::string text;   // "splash.rules:14:9: error[E0312]: …" with the source line; ends in a newline, or empty
  std::string json = "[]";   // array of {code, severity, file, line, column, end_line, end_column, message, …}
  std::size_t errors = 0;
  std::size_t warnings = 0;
  // Of Ruleset::check:
  bool unplayable = false;   // an error ended every random game at some table
  std::size_t tables = 0;   // numbers of players and options at which random games were played
  // tables that were analysed, but at which not all random games were played: "--with night: 3 of 20 games"
  std::vector<std::string> not_played;
  // rules of the file itself that took no effect in these games: "rules.rules:12: forbid take when me.tired"
  std::vector<std::string> without_effect;
};

enum class Blame : std::uint8_t {
  caller,   // a wrong argument: no such game, too many players, no such option
  author,   // the rules are wrong; `report()` says where
  internal,   // Cardwright failed: a file can't be written, no JIT, a bug
};

// what() is one line of UTF-8, whatever names of files and games it speaks of.
class Error : public std::runtime_error {
 public:
  Error(Blame blame, const std::string& message, Report report = {});
  Blame blame() const { return blame_; }
  const Report& report() const { return report_; }

 private:
  Blame blame_;
  Report report_;
};

// Throws it. Where there are no exceptions, as in WebAssembly, says it and ends the program: see web/wasm.
[[noreturn]] void raise(Blame blame, const std::string& message, Report report = {});

// ------------------------------------------------------------------ what a ruleset offers

// jit compiles what it is asked for before it goes on; automatic interprets meanwhile, and goes over when that is
// ready.
enum class EngineKind : std::uint8_t { interpreter, jit, automatic };
std::string_view name_of(EngineKind kind);   // "interp", "jit", "auto"
// Whether the JIT can be loaded here; where not, `why` gets the reason.
bool jit_is_available(std::string* why = nullptr);

struct OptionValue {
  std::string name;   // as written: "icon20", "on", "5"
  std::string label;   // for people; the name where the rules give none
};
struct RulesetOption {
  std::string name;
  std::string label;
  std::string standard;   // its value where nobody says otherwise
  std::vector<OptionValue> values;   // empty for a number
  std::int64_t least = 0, most = 0;   // of a number
};

struct RulesetMeasure {
  std::string name, label;   // the label may be empty
  bool own = true;   // false if a library that comes with Cardwright declares it
};

// Players and options to compile for. Options that are not named keep their standard value.
struct Configuration {
  int players = 0;   // 0: the usual number
  std::vector<std::pair<std::string, std::string>> options;   // an empty value means "on"
  // Compiled without short cuts: what a rule says is worked out when it is asked for, element by element, and nothing
  // is folded. The same games as ever, more slowly; if they differ, the compiler is wrong.
  bool plain = false;
  // What is noted while many games are played: names of measures, `own` (those of the game's files, and of a file of
  // measures) or `all` (those of its libraries, too), kTurnOrder and kFigures. The same games as ever. What is not
  // named costs nothing.
  std::vector<std::string> measures;
  // Names of the rules' policies that somebody will play by (`policies_named` makes them of what a command is given):
  // they are compiled in. `sensible` stands for seats of which only some play sensibly, `bots` for the policy that the
  // rules have for bots, if there is one. Without any the Program is what it would be if the rules had no policies.
  std::vector<std::string> policies = {};
};

class Game;

namespace detail {
struct RulesetData;
struct GameData;
struct StateData;
struct LogData;
}   // namespace detail

// A rules file with all that it uses, read and parsed.
class Ruleset {
 public:
  // `what` is a path to a .rules file or the name of a bundled game.
  // Throws Error: caller (no such file or game), author (it doesn't parse).
  // `measures` is a library beside it that only measures, or empty.
  static Ruleset load(const std::string& what, const std::string& measures = {});

  const std::string& name() const;   // "splash"
  const std::string& title() const;   // "Splash"
  const std::string& path() const;
  const std::string& shown_as() const;   // the path, or "rulesets/splash/splash.rules" of a bundled game
  // The game that it extends; none where it extends no game. Throws Error like load().
  std::optional<Ruleset> base() const;
  // What the game is: the first sentence of the comment at the head of its file; may be empty.
  std::string about() const;
  // Paths of all files that were read for it so far, sorted: rules, libraries, bases, and once it was compiled tables
  // of cards (CSV).
  std::vector<std::string> files() const;
  int least_players() const;
  int most_players() const;
  int usual_players() const;
  const std::vector<RulesetOption>& options() const;
  const std::vector<RulesetMeasure>& measures() const;   // whatever the options are

  // Checks and compiles for one table. While a Game lives, compiling for the same table again gives the same one.
  // Throws Error: caller (players, options), author (the rules are wrong), us (no JIT in this build).
  Game compile(const Configuration& configuration = {}, EngineKind engine = EngineKind::interpreter) const;
  // Everything that can be said about the rules, for every number of players, or for one configuration.
  Report check() const;
  Report check(const Configuration& configuration) const;

  const std::shared_ptr<const detail::RulesetData>& data() const { return data_; }
  explicit Ruleset(std::shared_ptr<const detail::RulesetData> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<const detail::RulesetData> data_;
};

// ------------------------------------------------------------------ a game in progress

// How rules went wrong while a game ran: the same on every engine.
struct Failure {
  std::string trap;   // kind: "value out of range"
  std::string details;   // "`chips` of b would be 23, but is declared 0..20 (splash.rules:4)", of the first game if it
      // is of many; may be empty
  std::string place;   // "splash.rules:14"
  std::string rule;   // "event lose"
  std::vector<std::string> stack;   // innermost first: "event lose at splash.rules:131"
  std::string kind() const;   // one line: what and where
  std::string text() const;   // … and its details, which may say what is secret
};

struct Argument {
  std::string name;   // parameter, as written in the rules
  std::string value;   // in words: "b", "Hat (Ducky)", "3"
};
struct Option {
  std::int64_t id = 0;
  std::string action;   // "play Splash", "pass", "choose card"
  std::vector<Argument> arguments;
  std::string words;   // "play Splash on b"
};

// The question of the pending decision.
struct Question {
  int player = -1;
  std::string window;   // "incoming", "main", or "" for a choice without a name
  std::string prompt;   // "Keep one per towel", or ""
  std::string place;   // "splash.rules:96": where the rules ask
  bool flow = false;   // nothing is under way: a phase's own question
  bool hidden_basis = false;   // the offer depends on hidden information, so the question itself reveals some
  std::int64_t picked = 0;   // of a set that is picked one by one: how many are picked already,
  std::int64_t wanted = -1;   // how many are wanted (-1: any number),
  std::string picks;   // and which are picked: "nine of clubs, jack of clubs"
  std::int64_t within =
      -1;   // where all answer at once: microseconds that people have for it; -1: all the time they want
};

// Some of what a screen shows of the table.
struct TablePart {
  bool drawn = false;   // the rows of a board, which are never broken; else lines of words
  std::vector<std::string> lines;
  std::vector<std::string> legend;   // of a board: what its signs mean, one by one
};

// What happened, kept by the host beside a State and told to each player as far as they may know it.
class Log {
 public:
  explicit Log(const Game& game);
  ~Log();
  Log(Log&&) noexcept;
  Log& operator=(Log&&) noexcept;
  // Number of entries so far; an entry may be silent for some players.
  std::size_t size() const;
  // The lines from entry `from` on (at most size()), as this player may read them; player -1 reads everything, player
  // -2 what all may read. A line that begins with "— " is a heading: "— round 2", "— turn 5: b". Without `places`
  // nothing is said of where pieces and cards come to lie on a board, which the board shows.
  std::vector<std::string> lines(int player, std::size_t from = 0, bool places = true) const;
  // Who would have been asked since that entry, but had nothing to answer, where others can't see that: in order.
  std::vector<int> asked_in_vain(std::size_t from) const;
  // Forgets the entries from `size` on (undo); at most size().
  void cut(std::size_t size);
  detail::LogData& data() const { return *data_; }

 private:
  std::unique_ptr<detail::LogData> data_;
};

// The clock of the open race, in microseconds since it was opened.
struct RaceClock {
  bool open = false;
  std::int64_t time = 0;
  std::int64_t next_event = 0;   // when something happens by itself, if the host waits for the clock
  std::int64_t paused_until = -1;   // -1: not paused
};

// One game, somewhere between its start and its end: a value, copied with one memcpy.
class State {
 public:
  State(const State& other);
  State& operator=(const State& other);
  State(State&&) noexcept;
  State& operator=(State&&) noexcept;
  ~State();

  bool is_over() const;
  // Set when a rule went wrong and ended the game.
  const std::optional<Failure>& failure() const;
  // Why the game is over: the text that the rules have for people; without one the condition of the `end when` that
  // ended it, or `winners S` where a rule says so. Empty before, and where a rule went wrong.
  std::string ending() const;
  // Likewise, but empty where the rules have no text for people.
  std::string ending_for_people() const;
  // Who decides; -1 when the game is over, -2 while a race waits for its clock. Then nobody is asked, and what is about
  // the pending question throws Error(caller).
  int actor() const;
  // What the actor is asked.
  Question question() const;
  // Number of options; 0 when nobody is asked.
  std::size_t legal_count() const;
  // Ids of the options, ascending. Valid until the state changes.
  std::span<const std::int64_t> legal() const;
  // The i-th option with its name, arguments and words.
  Option option(std::size_t index) const;

  // Takes an option and runs to the next decision or the end. Throws Error(caller) when there is no such option, or the
  // log is of another game.
  void apply(std::size_t index, Log* log = nullptr);
  void apply_id(std::int64_t id, Log* log = nullptr);
  // Where all are asked at once: mask of those who have still to answer, else 0. The host's alone: players may not
  // know.
  std::uint64_t still_to_answer() const;
  // Lets that one answer first: the order has no meaning. False when they have nothing to answer.
  bool ask_first(int player);
  // The option taken for somebody who has not answered within Question::within; drawn where the rules say `otherwise
  // random`.
  std::size_t missing_answer();

  // Races with people (Game::new_state, `live`). Nobody is asked then: the host lets time go on, and says who acts.
  bool waits_for_clock() const;   // actor() is -2
  RaceClock race() const;
  std::uint64_t live() const;   // mask of the people
  // Who these are from now on, in races to come. Throws Error(caller) while a race is open.
  void set_live(std::uint64_t live);
  // What runs in the open race, as it is at `time` if nothing happens until then: "goes on in 1.8 s", "a busy 0.4 s",
  // what comes after a time, the window's variables. All of it is public. Empty where no race is open.
  std::vector<std::string> running_in_words(std::int64_t time) const;
  // Lets all happen that is due by then, up to a bot's decision; at the latest it is that time. Never backwards.
  void run_clock(std::int64_t time, Log* log = nullptr);
  // A person acts now: their options are pending then. Else the state is unchanged, and the reason is given.
  std::optional<std::string> arrive(int player);

  // A uniformly random option, drawn from the actor's own stream: option by option the game that `playout` plays.
  std::size_t random_index();

  // Per player, when the game is over: what `value payoff` says, else 1 for winners and 0 for the others. Before, and
  // where a rule went wrong, all are 0 and nobody has won.
  std::vector<std::int64_t> returns() const;
  std::vector<int> winners() const;
  std::uint64_t winners_mask() const;
  // Decisions so far, also those with a single option.
  std::int64_t decisions() const;
  // Turns so far; -1 where the rules have none.
  std::int64_t turns() const;
  bool is_in(int player) const;
  // The rest of the sentence "the game ends when": the texts that the rules have for people, and before them who this
  // player is, as far as a text speaks of it. Empty where the rules have none.
  std::vector<std::string> goals(int player) const;
  // Value of a player's enum or character variable that statistics report, e.g. ("role", 0) -> "BirthdayKid"; empty if
  // it is unset or there is none of that name.
  std::string trait(std::string_view variable, int player) const;

  // What this player may know, as JSON; player -1: everything.
  std::string view(int player) const;
  // The whole state as JSON: every zone with its cards, every variable, who is in, and what is printed on each card.
  // `simulate --trace` writes the same, but what is printed on the cards only once.
  std::string everything() const;
  // Lines for a screen, as this player may know the table.
  std::vector<std::string> table_in_words(int player) const;
  // The same in parts: what lies around, each board, and last what lies before the player.
  std::vector<TablePart> table_in_parts(int player) const;
  // A state that this player can't tell from the true one, with fresh chance: the view is the same, and so are the
  // turn, who is in, who is asked where, the player's own options, and all that they have seen. What others have
  // answered at once or begun in a race they decide again, and nobody is live. Player -1 knows everything: then only
  // chance is new. Throws Error(us) where no such state is found, which no bundled game has ever shown.
  State resample(int player, std::uint64_t seed) const;
  // Stops keeping who knows what, for a search that goes on in a world it has decided on, as resample() makes them: who
  // acts, options, chance and results stay the same, and a decision costs a fraction. From then on no view but -1, log,
  // resample() or save() can be had of the State and its copies: they throw Error(caller). It can't be taken back.
  void drop_knowledge();
  bool keeps_knowledge() const;
  // Equal as long as chance has not been asked: nothing was drawn, shuffled or rolled. Says nothing of what came of it.
  std::uint64_t chance() const;
  // Gives chance and policies new streams; what is on the table stays.
  void reseed(std::uint64_t seed);

  // Hash of the rules state: equal for equal positions, on every engine and machine.
  std::uint64_t hash() const;
  // Hash of all bytes, with knowledge and suspended rules.
  std::uint64_t whole_hash() const;
  // Bytes for Game::restore(). Throws Error(caller) when a failure ended the game.
  std::string save() const;

  // Plays to the end with uniformly random options.
  void playout();

  // Why this player can't use a card ("Splash", the words of a card in the hand) or an action: one answer per action
  // that might have been meant, naming the condition that fails and its place. Empty when nothing goes by that name.
  std::vector<std::string> why(int player, std::string_view what) const;

  std::span<const std::uint8_t> bytes() const;
  detail::StateData& data() const { return *data_; }
  explicit State(std::unique_ptr<detail::StateData> data);

 private:
  std::unique_ptr<detail::StateData> data_;
};

// ------------------------------------------------------------------ a compiled game

class Game {
 public:
  const std::string& name() const;
  const std::string& title() const;
  int players() const;
  EngineKind engine() const;
  // All options of the ruleset with the values it was compiled for.
  const std::vector<std::pair<std::string, std::string>>& options() const;
  // What the rules say about these options: those that change nothing, those they warn of.
  const Report& report() const;
  // Size of the action space.
  std::int64_t option_ids() const;
  // Of an id, without a state: name and arguments as declared.
  Option option(std::int64_t id) const;
  // Bytes of a State.
  std::size_t state_size() const;
  // Identifies rules, players, options and version; saves and journals carry it.
  std::uint64_t fingerprint() const;
  // Names of the players' variables that statistics report: "role", "attendee".
  std::vector<std::string> traits() const;
  // What is printed on the cards, or the character, of that name. Where copies differ in more than three ways, in one
  // line what there is. Empty if there is none.
  std::vector<std::string> printed_on(std::string_view name) const;
  // Seat as a letter: 0 -> "a"; -1, nobody's, is "-".
  static std::string seat_name(int seat);
  // The rules as far as they are written for people: what is printed on cards and characters, what one may do and when,
  // how the game ends. A line that ends in a colon is a heading.
  std::vector<std::string> rules_in_words() const;
  // The rules' policies that it was compiled with: names, and what they are called for people.
  std::vector<std::pair<std::string, std::string>> policies() const;
  // Whether `value payoff` says what a game pays; else 1 to winners.
  bool has_payoff() const;

  // All of it as bytes, without the text of its rules: names, what is printed, what they say of conditions, and numbers
  // of lines. For the very build that wrote them. What `why` and `rules_in_words` say of it is as far as a file can
  // tell.
  std::string bytes() const;
  // The game of such bytes, for the interpreter. Throws Error(caller) where they are damaged or of another build.
  static Game from_bytes(std::string_view bytes);

  // A new game, set up until the first decision. Game `index` of the run `seed`.
  // `live`: mask of the people who act in races when they like, instead of as the rules say people do. `time_factor`:
  // of all times in races, from 1 to 1000.
  State new_state(std::uint64_t seed, std::uint64_t index = 0, Log* log = nullptr, std::uint64_t live = 0,
                  int time_factor = 1) const;
  // Whether some window is in real time.
  bool races() const;
  // The state that save() wrote. Throws Error(caller) when the bytes are damaged or of another game.
  State restore(std::string_view bytes) const;

  const std::shared_ptr<const detail::GameData>& data() const { return data_; }
  explicit Game(std::shared_ptr<const detail::GameData> data) : data_(std::move(data)) {}

 private:
  std::shared_ptr<const detail::GameData> data_;
};

// ------------------------------------------------------------------ many games

// An interval of 95 % for a fixed number of games, the unit whatever its players have in common.
struct Share {   // how often somebody won
  std::string name;   // "BirthdayKid", "a"
  std::uint64_t games = 0;   // times at the table (players, not games)
  std::uint64_t wins = 0;
  std::uint64_t tables = 0;   // games in which somebody of that name was at the table
  // Mean over these games of the share of them who won, and how far single games are from it.
  double mean = 0, deviation = 0;
  double rate() const { return mean; }
  // Wilson's interval, for as many games as would vary as much if each were won by all or by none of them.
  std::pair<double, double> interval() const;
};
struct ShareGroup {
  std::string
      name;   // "role", "attendee", "seat"; "speed" where speeds were given, "policy" where seats have different ones
  std::vector<Share> shares;   // those never at the table are left out
};

struct Spread {   // of a count per game
  std::int64_t least = 0, most = 0, median = 0;
  double mean = 0, deviation = 0;
  std::uint64_t games = 0;
  // Of the mean, 95 % by the normal law; from -infinity to infinity for less than two games.
  std::pair<double, double> interval() const;
  // How many games have which value: {from, to, games}, ascending; one value each up to 65,535, in steps of 1,024
  // beyond.
  struct Bin {
    std::int64_t from = 0, to = 0;
    std::uint64_t games = 0;
    bool operator==(const Bin&) const = default;
  };
  std::vector<Bin> bins;
};

struct FailureCount {
  Failure failure;
  std::uint64_t count = 0;
  std::uint64_t first_game = 0;   // lowest game index; `--first-game` reproduces it
};

// What races came to: the time they took, and what became of what was begun.
struct RaceCount {
  std::string action;   // "play", "reload"
  std::vector<std::uint64_t> landed, late;   // per seat
};
struct RaceStatistics {
  std::uint64_t races = 0;
  Spread per_race, per_game;   // milliseconds; of a game with more than 16 races per_race takes the last 16
  std::uint64_t timed_out = 0;   // races that ended at the last `after D` of their window, and not before
  std::string guard;   // where that stands, of the window to which it happened most: "race.rules:38"
  std::vector<RaceCount> actions;
};

// How many games were over for the same reason, in the words of the rules (State::ending).
struct EndingCount {
  std::string text,
      place;   // "birthday_kid is out", "splash.rules:89"; no place where the play was over and no rule says what then
  std::uint64_t games = 0;
  std::uint64_t of = 0;   // … of so many that no rule that went wrong ended
  std::pair<double, double> interval() const;   // of their share, as Share::interval
};

struct Statistics {
  std::uint64_t seed = 0, first_game = 0;
  int threads = 1;
  std::uint64_t games = 0;   // played, with those that failed
  std::uint64_t decisions = 0;
  // Decisions with more than one option, per game: as many of all as were in the first `asked_sample` games. 0 of 0
  // where none were looked at.
  double asked_per_game = 0;
  std::uint64_t asked_sample = 0;
  double seconds = 0;   // of playing
  double compile_seconds = 0;   // in which nothing was played, since the compiler was waited for
  std::uint64_t compiled_games = 0;   // played by compiled code from start to end
  bool stopped = false;   // by the caller, before all games were played
  Spread turns, lengths;   // per game; length in decisions
  bool has_turns = false;
  std::uint64_t without_winner = 0;
  std::vector<EndingCount> endings;   // the most frequent first; games that failed are in none
  std::vector<ShareGroup> groups;
  std::vector<MeasureTable> measures;   // that the Configuration asks for
  std::optional<BuiltInFigures> figures;   // likewise
  std::optional<TensionFigures> tension;   // where SimulateSettings::figures names it
  std::optional<RaceStatistics> race;   // of games with windows in real time
  std::vector<FailureCount> failures;
  std::uint64_t failed = 0;   // games that a failure ended
  // Sum mod 2^64 of hash(game index, rules state, winners): says that two runs played the same games.
  std::uint64_t digest = 0;
};

struct SimulateSettings {
  std::uint64_t games = 100'000;
  std::uint64_t seed = 1;
  std::uint64_t first_game = 0;
  int threads = 0;   // 0: one per core; at most 1,024
  // How players choose, per seat; a single one is everybody's, missing ones are uniform. Where seats differ or bots
  // play, games are played decision by decision, as slowly as that is; all uniform or all sensible, in the playout
  // form.
  std::vector<PlayerPolicy> policies;
  std::vector<double>
      speeds;   // in races, per seat: 2 is twice as fast as the rules say people are (0.01 to 100); missing ones are 1
  int time_factor = 1;   // in races, of all times: 1 to 1000
  // If not 0: the same deals and dice, but other choices. What players draw, and the seeds of bots, depend on it.
  std::uint64_t policy_seed = 0;
  // Which figures of any game are told: "actions", "cards" and "pace" of those that the Configuration asks for
  // (kFigures), "fairness" of the turn order; "tension" also looks into games, at most 300 and as many as are played, 0
  // the first. Tension is of uniform play at the rules' own speed.
  std::vector<std::string> figures;
  // Called while tension is looked at, with the number of games done and of all.
  std::function<void(std::uint64_t done, std::uint64_t all)> looked_into;
  // Called about ten times a second from one of the threads, with the number of games done.
  std::function<void(std::uint64_t done)> progress;
  // Set it to end early; what was played is reported.
  const std::atomic<bool>* stop = nullptr;
};
// Memory does not grow with the number of games. Throws Error(caller) for bots that think for a time: their games can't
// be had again.
Statistics simulate(const Game& game, const SimulateSettings& settings = {});

// Writes the same games option by option, as JSON lines: per decision {"game", "decision", "player", "window",
// "prompt", "options": [{"id", "words"}], "choice", "state"}, and per game a last line {"game", "over", "winners",
// "ending" (Log::ending), "state"}. Throws Error(caller) when the file can't be made, Error(us) when writing to it
// fails.
Statistics trace(const Game& game, const SimulateSettings& settings, const std::string& path);

// Uniformly random games; the same figures with any number of threads. Throws Error(caller) for fewer than 1 moment, or
// 2 playouts.
TensionFigures tension(const Game& game, const TensionSettings& settings = {});

}   // namespace cardwright::api
