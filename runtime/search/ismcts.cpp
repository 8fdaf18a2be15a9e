// Implements multiple-observer information set Monte Carlo tree search (Cowling, Powley, Whitehouse, "Information set
// Monte Carlo tree search", 2012). Each iteration samples a world that is possible for the searcher, descends to the
// first new position, and plays on from there at random.
//
// A node belongs to the player who decides there: it is the public position together with that player's secret actions
// since the root. The statistics of an opponent are therefore combined over all worlds, regardless of the opponent's
// cards in each, and positions reached in several ways share a node. Options that are not offered in every world are
// weighted by their availability (UCB1 with availability counts). Each player maximizes their own returns (max^n),
// which are scaled by the standard deviation of that player's returns so far.
//
// In games of two players with perfect information and one winner, positions are also proven won or lost if they do not
// depend on chance (Winands, Björnsson, Saito, "Monte-Carlo tree search solver", 2008).
//
// For simultaneous decisions each player learns a mixed strategy by regret matching at their own node (Lisý et al.,
// "Convergence of Monte Carlo tree search in simultaneous move games", 2013): the choice at a node does not depend on
// the answers of others.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "runtime/ops/random.h"
#include "runtime/ops/variables.h"
#include "runtime/search/halving.h"
#include "runtime/search/logarithms.h"
#include "runtime/search/search.h"
#include "runtime/search/sight.h"
#include "runtime/search/table.h"

namespace cardwright::search {

namespace {

constexpr double kExploration = 0.7;   // exploration constant of UCB1, in standard deviations
constexpr double kOthers = 0.5;   // weight of the other players' mean payoff relative to the player's own
constexpr double kExploring = 0.2;   // share of a mixed strategy that is distributed over all options
constexpr std::size_t kManyOptions = 64;   // if there are more options, they are added gradually
// The number of added options is at most kFirstOptions plus kMoreOptions times the square root of the visits.
constexpr double kFirstOptions = 8, kMoreOptions = 2;
// After a node, new nodes are created only while their number is at most the number of options tried there plus this
// factor times the square root of the visits. Chance could otherwise create a new node in each iteration.
constexpr double kMoreAfter = 1.5;
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr Int kRaceDepth = 12;   // in real time, the search looks this many decisions of the searching player ahead

// Hashes of a player's actions that are secret, or not yet visible in the public position.
struct Eyes {
  Word secret = 0, path = 0, seen = 0;
};

struct Step {
  std::uint32_t edge = 0;   // index of the edge in the arena
  Int player = 0;
  std::uint32_t node = 0;
  std::uint32_t options = 0;   // number of options offered
  bool together = false;
  // For simultaneous decisions.
  std::uint32_t first = 0;   // first edge of the node
  Word offered = 0;   // mask of the offered edges
  double share = 1;   // probability of the chosen edge
};

struct Payments {   // mean and standard deviation of one player's payoffs (Welford's algorithm)
  double count = 0, mean = 0, squares = 0;
  void add(double value) {
    const double before = value - mean;
    mean += before / ++count;
    squares += before * (value - mean);
  }
  double deviation() const { return count > 1 ? std::sqrt(squares / count) : 0; }
};

class Ismcts final : public Searcher {
 public:
  Ismcts(const Program& program, Engine& engine, Source& source, const Root& root, Word seed, std::size_t most_bytes)
      : program_(program),
        source_(source),
        root_(root),
        seed_(seed),
        world_(program, engine),
        sight_(program),
        table_(most_bytes),
        narrows_((program.sensible_only >= 0 || !program.policies.empty()) && !program.race),
        proves_(sight_.is_perfect() && program.layout.players == 2 && program.payoff < 0 && root.turns == 0 &&
                !narrows_),
        eyes_(static_cast<std::size_t>(program.layout.players)),
        payments_(eyes_.size()),
        deviations_(eyes_.size()),
        worth_(eyes_.size()) {
    write(stream_, mix_word(seed ^ kGoldenGamma));
    if (root.halving) halving_.emplace(root.options.size());
    bool made = false;
    table_.find_or_make(kRoot, made);
  }

  bool iterate() override {
    const Byte* const from = source_.draw(seed_of(seed_, draws_++));
    if (from == nullptr) return false;
    table_.make_room();
    world_.take(from, root_.player);
    begin_ = world_.decisions();
    std::fill(eyes_.begin(), eyes_.end(), Eyes{});
    path_.clear();
    const Word chance = next_chance();
    sure_winner_ = kNone;
    go_down();
    if (proves_ && next_chance() == chance) prove();
    if (sure_winner_ == kNone) world_.play_on();
    back_up();
    return true;
  }

  std::vector<Tried> tried() const override {
    std::vector<Tried> all(root_.options.size());
    for (const Edge& edge : table_.edges(table_.node(table_.find(kRoot)))) {
      const auto at = std::lower_bound(root_.options.begin(), root_.options.end(), edge.id) - root_.options.begin();
      all[static_cast<std::size_t>(at)] = {edge.visits, root_.together ? 0 : edge.sum,
                                           root_.together ? double(edge.weight) : 0, edge.proven};
    }
    return all;
  }

  void progress(double share) override {
    if (halving_ && halving_->is_due(share)) halving_->progress(share, tried());
  }

  bool is_settled() const override { return table_.node(table_.find(kRoot)).proven != Proven::open; }

 private:
  static constexpr Word kRoot = 1;

  void go_down() {
    std::uint32_t at = table_.find(kRoot);
    Int option =
        halving_ ? take(at, halving_->next(), root_.options, root_.player) : choose(at, root_.options, root_.together);
    if (option < 0) return world_.step(root_.indices[0]);
    note(root_.player, 0, root_.options[static_cast<std::size_t>(option)], root_.together);
    world_.step(root_.indices[static_cast<std::size_t>(option)]);
    look_ahead(program_, world_.bytes(), root_.turns);
    if (narrows_ && !world_.is_over()) world_.step(-1);
    for (Int own = 1; !world_.is_over();) {
      if (world_.options() == 1) {
        world_.step(0);
        continue;
      }
      const Word seen = sight_.hash(world_.bytes());
      bool made = false;
      const std::uint32_t next = node_here(at, seen, made);
      if (next == Table::kNowhere || made) return;
      at = next;
      if (table_.node(at).proven != Proven::open) {
        sure_winner_ = table_.node(at).proven == Proven::won ? world_.player() : 1 - world_.player();
        return;
      }
      const std::span<const Int> offered = world_.list();
      const Int player = world_.player(), site = world_.site();
      if (offered.empty() || (program_.race && player == root_.player && ++own > kRaceDepth)) return;
      const bool together = answer_together(player, site);
      option = choose(at, offered, together);
      if (option < 0) return;
      note(player, seen, offered[static_cast<std::size_t>(option)],
           together || sight_.is_secret(site, offered[static_cast<std::size_t>(option)]));
      world_.step(option);
    }
  }

  // Returns the node of the deciding player after the node of the previous decision. If chance has already created many
  // nodes after that one, all new positions share one node.
  std::uint32_t node_here(std::uint32_t before, Word seen, bool& made) {
    Eyes& eyes = eyes_[static_cast<std::size_t>(world_.player())];
    if (eyes.seen != seen) eyes.path = 0, eyes.seen = seen;
    const Word place = static_cast<Word>(world_.player()) << 56 ^ static_cast<Word>(world_.site()) << 32 ^
                       static_cast<Word>(world_.decisions() - begin_);
    const Word here = mix_word(place + kGoldenGamma) ^ mix_word(eyes.secret + 2 * eyes.path);
    const std::uint32_t found = table_.find(key(seen, here));
    if (found != Table::kNowhere) return found;
    Node& parent = table_.node(before);
    const double room = parent.count + kMoreAfter * std::sqrt(double(parent.visits));
    if (parent.after > room)
      return table_.find_or_make(key(parent.key ^ mix_word(static_cast<Word>(last_)), here), made);
    const std::uint32_t next = table_.find_or_make(key(seen, here), made);
    if (made) ++parent.after;
    return next;
  }
  static Word key(Word seen, Word here) { return std::max<Word>(kRoot + 1, mix_word(seen + kGoldenGamma) ^ here); }

  void note(Int player, Word seen, Int option, bool secret) {
    Eyes& eyes = eyes_[static_cast<std::size_t>(player)];
    if (eyes.seen != seen) eyes.path = 0, eyes.seen = seen;
    last_ = option;
    Word& path = secret ? eyes.secret : eyes.path;
    path = mix_word(path + kGoldenGamma) ^ static_cast<Word>(option + 1);
  }

  // Returns true if this decision is one of several answers in a simultaneous window.
  bool answer_together(Int player, Int site) {
    if (!program_.sites[static_cast<std::size_t>(site)].secret) return false;
    Game context;
    const auto mask = [&](Int variable) {
      return static_cast<Word>(op_load_raw(context, world_.bytes(), program_.layout,
                                           program_.variables[static_cast<std::size_t>(variable)], 0));
    };
    for (const AtOnceInfo& window : program_.at_once)
      if (mask(window.pending) >> player & 1) return (mask(window.asked) & (mask(window.asked) - 1)) != 0;
    return false;
  }

  // Chooses an option and returns its index among those offered, or -1 if the table is full.
  Int choose(std::uint32_t at, std::span<const Int> offered, bool together) {
    Node& node = table_.node(at);
    ++node.visits;
    const Int player = path_.empty() ? root_.player : world_.player();
    return together && offered.size() <= kManyOptions ? mix(node, offered, player) : climb(at, offered, player);
  }

  // ---- UCB1

  Int climb(std::uint32_t node_at, std::span<const Int> offered, Int player) {
    Node& node = table_.node(node_at);
    const std::span<Edge> edges = table_.edges(node);
    const double reach = kExploration * deviations_[static_cast<std::size_t>(player)];
    std::size_t at = 0, tried = 0, best = 0, best_edge = 0;
    double most = 0, spread = 0;
    float offers = 0;
    for (std::size_t i = 0; i < offered.size(); ++i) {
      while (at < edges.size() && edges[at].id < offered[i]) ++at;
      if (at == edges.size() || edges[at].id != offered[i]) continue;
      Edge& edge = edges[at];
      edge.weight += 1;
      // Most options were offered equally often, so the value is reused.
      if (edge.weight != offers) offers = edge.weight, spread = logarithms_.of(static_cast<std::uint64_t>(offers));
      const double share = 1 / static_cast<double>(std::max<std::uint32_t>(1, edge.visits));
      const double bound =
          edge.proven == Proven::lost ? -kInfinite : edge.sum * share + reach * std::sqrt(spread * share);
      if (tried == 0 || bound > most) most = bound, best = i, best_edge = at;
      ++tried;
    }
    if (tried < offered.size() && (tried == 0 || may_try_more(node, tried, offered.size())))
      return try_new(node_at, offered, offered.size() - tried, player);
    note_step(node_at, best_edge, offered.size(), player);
    return static_cast<Int>(best);
  }

  void note_step(std::uint32_t node, std::size_t edge, std::size_t options, Int player) {
    path_.push_back({table_.node(node).first + static_cast<std::uint32_t>(edge), player, node,
                     static_cast<std::uint32_t>(options)});
  }

  // Takes the offered option with this index.
  Int take(std::uint32_t node_at, std::size_t option, std::span<const Int> offered, Int player) {
    Node& node = table_.node(node_at);
    ++node.visits;
    const std::span<Edge> edges = table_.edges(node);
    const auto at = static_cast<std::size_t>(std::lower_bound(edges.begin(), edges.end(), offered[option],
                                                              [](const Edge& edge, Int id) { return edge.id < id; }) -
                                             edges.begin());
    if ((at == edges.size() || edges[at].id != offered[option]) && !table_.insert(node, at, offered[option])) return -1;
    note_step(node_at, at, offered.size(), player);
    return static_cast<Int>(option);
  }

  static bool may_try_more(const Node& node, std::size_t tried, std::size_t offered) {
    return offered <= kManyOptions ||
           static_cast<double>(tried) < kFirstOptions + kMoreOptions * std::sqrt(double(node.visits));
  }

  // Takes a random option that was not tried at this node.
  Int try_new(std::uint32_t node_at, std::span<const Int> offered, std::size_t untried, Int player) {
    Node& node = table_.node(node_at);
    std::size_t left = static_cast<std::size_t>(draw_below(stream_, static_cast<Int>(untried))), at = 0;
    const std::span<Edge> edges = table_.edges(node);
    for (std::size_t i = 0; i < offered.size(); ++i) {
      while (at < edges.size() && edges[at].id < offered[i]) ++at;
      if (at < edges.size() && edges[at].id == offered[i]) continue;
      if (left-- != 0) continue;
      Edge* const edge = table_.insert(node, at, offered[i]);
      if (edge == nullptr) return -1;
      edge->weight = 1;
      note_step(node_at, at, offered.size(), player);
      return static_cast<Int>(i);
    }
    return -1;
  }

  // ---- regret matching

  Int mix(Node& node, std::span<const Int> offered, Int player) {
    for (std::size_t i = 0, at = 0; i < offered.size(); ++i, ++at) {
      while (at < node.count && table_.edges(node)[at].id < offered[i]) ++at;
      if ((at == node.count || table_.edges(node)[at].id != offered[i]) && !table_.insert(node, at, offered[i]))
        return -1;
    }
    const std::span<Edge> edges = table_.edges(node);
    // With too many options for learning, choose at random.
    if (edges.size() > kManyOptions) return draw_below(stream_, static_cast<Int>(offered.size()));
    double all = 0;
    Step step;
    step.player = player, step.together = true, step.first = node.first;
    for (std::size_t i = 0, at = 0; i < offered.size(); ++i, ++at) {
      while (edges[at].id < offered[i]) ++at;
      step.offered |= Word{1} << at;
      all += std::max(0.0, edges[at].sum);
    }
    const double even = 1 / static_cast<double>(offered.size());
    double draw = static_cast<double>(next_word(stream_) >> 11) * 0x1p-53;
    Int taken = -1, index = 0;
    for (Word left = step.offered; left != 0; left &= left - 1, ++index) {
      const auto at = static_cast<std::size_t>(lowest_bit(left));
      const double wanted = all > 0 ? std::max(0.0, edges[at].sum) / all : even,
                   share = (1 - kExploring) * wanted + kExploring * even;
      edges[at].weight += static_cast<float>(wanted);
      if (taken >= 0) continue;
      draw -= share;
      if (draw >= 0 && (left & (left - 1)) != 0) continue;
      taken = index;
      step.edge = node.first + static_cast<std::uint32_t>(at);
      step.share = share;
    }
    path_.push_back(step);
    return taken;
  }

  // ---- proven positions

  Word next_chance() { return read<Word>(chance_stream(world_.bytes(), program_.layout)); }

  // Updates proofs after the game has ended or reached a proven position. A node is won for its player if some option
  // wins, and lost if all options lose.
  void prove() {
    if (world_.is_over()) {
      const std::span<const Int> won = world_.returns();   // no winner after a trap
      if (won[0] != won[1]) sure_winner_ = won[0] > won[1] ? 0 : 1;
    }
    if (sure_winner_ == kNone) return;
    for (std::size_t i = path_.size(); i-- > 0;) {
      const Step& step = path_[i];
      const Proven proven = step.player == sure_winner_ ? Proven::won : Proven::lost;
      Node& node = table_.node(step.node);
      table_.edge(step.edge).proven = proven;
      const std::span<const Edge> edges = table_.edges(node);
      if (proven == Proven::lost &&
          (edges.size() < step.options ||
           std::any_of(edges.begin(), edges.end(), [](const Edge& edge) { return edge.proven != Proven::lost; })))
        return;
      node.proven = proven;
    }
  }

  // ---- back-propagation

  // A player's value is their payoff minus half the mean payoff of the others. This distinguishes a draw from a loss
  // even if the rules pay nothing for either, and players who can win together do so.
  void back_up() {
    const std::span<const Int> returns = world_.returns(sure_winner_);
    double all = 0;
    for (const Int paid : returns) all += static_cast<double>(paid);
    const double others = std::max<double>(1, static_cast<double>(returns.size()) - 1);
    for (std::size_t p = 0; p < returns.size(); ++p) {
      const double own = static_cast<double>(returns[p]), worth = own - kOthers * (all - own) / others;
      worth_[p] = worth;
      least_ = std::min(least_, worth), most_ = std::max(most_, worth);
      payments_[p].add(worth);
      deviations_[p] = payments_[p].deviation();
    }
    for (const Step& step : path_) {
      const double worth = worth_[static_cast<std::size_t>(step.player)];
      Edge& edge = table_.edge(step.edge);
      ++edge.visits;
      if (step.together)
        regret(step, (worth - least_) / (most_ - least_));
      else
        edge.sum += worth;
    }
  }

  void regret(const Step& step, double value) {
    for (Word left = step.offered; left != 0; left &= left - 1)
      table_.edge(step.first + static_cast<std::uint32_t>(lowest_bit(left))).sum -= value;
    table_.edge(step.edge).sum += value / step.share;
  }

  const Program& program_;
  Source& source_;
  const Root& root_;
  const Word seed_;
  World world_;
  Sight sight_;
  Table table_;
  const Logarithms& logarithms_ = logarithms();
  const bool narrows_;
  const bool proves_;   // true if positions are proven won or lost
  Int sure_winner_ = kNone;   // the player with a proven win in this iteration, or kNone
  std::vector<Eyes> eyes_;   // by seat
  std::vector<Payments> payments_;
  std::vector<double> deviations_, worth_;
  double least_ = 0, most_ = 1;   // least and greatest value of any player so far
  std::vector<Step> path_;
  Int begin_ = 0;   // number of decisions before the root
  Int last_ = 0;   // the option taken last
  std::optional<Halving> halving_;
  std::uint64_t draws_ = 0;
  Byte stream_[8];
};

}   // namespace

std::unique_ptr<Searcher> make_ismcts(const Program& program, Engine& engine, Source& source, const Root& root,
                                      Word seed, std::size_t most_bytes) {
  return std::make_unique<Ismcts>(program, engine, source, root, seed, most_bytes);
}

}   // namespace cardwright::search
