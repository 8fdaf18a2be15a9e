// Serializes Programs, validates Programs read from bytes, and computes their digests.
#include "runtime/program/program_file.h"

#include <algorithm>
#include <iterator>

#include "runtime/ir/fields.h"
#include "runtime/ir/verify.h"

namespace cardwright {

// ---- the fields, in order of program.h. Structured bindings make a missing field a compile error

constexpr ValueKind last_of(ValueKind) { return ValueKind::piece; }
constexpr ZoneShape last_of(ZoneShape) { return ZoneShape::slot; }
constexpr ActionKind last_of(ActionKind) { return ActionKind::one_of; }
constexpr ExplanationStep last_of(ExplanationStep) { return ExplanationStep::done; }
constexpr MeasureWhat last_of(MeasureWhat) { return MeasureWhat::share; }
constexpr MeasureSpan last_of(MeasureSpan) { return MeasureSpan::round; }

template <class A>
void fields(A& a, Layout& l) {
  a.raw(l);
}
FIELDS(VariableSlot, offset, bytes, count, lo, hi, bias, optional, is_set, initial)
FIELDS(ZoneSlot, first, owners, copies)
FIELDS(EnumInfo, name, constants, labels, texts, attributes)
FIELDS(EnumInfo::Attribute, name, kind, enumeration, values)
FIELDS(AreaInfo, name, parts, each)
FIELDS(BoardShows, function, kind, enumeration, variable, secret, text)
FIELDS(BoardInfo, name, width, height, across, down, hex, enumeration, edge_enumeration, dir_enumeration, ways, edges,
       places, lines, shows, edges_show)
FIELDS(PlacedInfo, name, of_players, labels, at, facing, sign, facings, shape_of, shapes, zone, signs, drawn, edges,
       face, each, faces)
FIELDS(ShownInfo, function, of_players)
FIELDS(SetListInfo, kind, enumeration, sets)
FIELDS(KeyInfo, kind, enumeration, first, count)
FIELDS(VariableInfo, name, kind, enumeration, per_player, secret, owner_knows, hidden, rules_state, list, inner, pool,
       secret_first, keys, declared, where, placed, area, temporary)
FIELDS(ZoneInfo, name, shape, per_player, copies, facedown_zone, facedown, area, cleared)
FIELDS(AttributeInfo, name, kind, enumeration, printed)
FIELDS(KindInfo, name, label, text)
FIELDS(CardInfo, kind, look_alike, label, attributes)
FIELDS(PickedFrom, zones, own)
FIELDS(ParameterInfo, name, kind, enumeration, list, first, count, cards, by_id, unknown, nothing, area, from)
FIELDS(ActionInfo, kind, name, label, label_text, base, count, parameters, card_kind, secret, to_open, choices, where)
FIELDS(MeasureKeyInfo, name, kind, enumeration, first, count, optional)
FIELDS(MeasureInfo, name, label, what, along, per_span, duration, keys, where)
FIELDS(EndingInfo, text, words, where)
FIELDS(PolicyInfo, name, label)
FIELDS(Reason, text, words, where)
FIELDS(ExplainedValue, text, format)
FIELDS(ExplanationNode, step, group, text, values)
FIELDS(ExplainedChoice, where, functions)
FIELDS(Explanations, reasons, nodes, actions, choices)
FIELDS(SiteInfo, window, prompt, prompt_has_values, unknown, flow, of_window, secret, clock, arranges, within, together,
       missing, actions, from, where)
FIELDS(AtOnceInfo, asked, pending, first, answers, held, sets)
FIELDS(WindowFieldInfo, name, kind, enumeration, variable)
FIELDS(AfterInfo, quiet, words, where)
FIELDS(RaceInfo, open, time, next_event, paused_until, thinking, waiting, flying, due, free, blocked, answers, held,
       sets, live, speed, factor, clock, races, lengths, guard_at, timers, timer_labels, afters, windows_afters,
       windows_fields, timed_out, guards, landed, late, actions, groups, think)
FIELDS(FrameSlot, offset, bytes, is_set, holds_card)
FIELDS(ResumePoint, where, of, site, size, live)
FIELDS(FrameInfo, first, size, resume)
template <class A>
// Visits all fields except `sources`, which is set again when the Program is read.
void fields(A& a, Program& whole) {
  auto& [name, title, version, options, layout, variables, zones, initial, playout, step, main, flow_functions,
         settle_function, frames, waits, enums, areas, teams, set_lists, boards, placed, shown, attributes, kinds,
         cards, variable_infos, zone_infos, actions, explanations, endings, sites, at_once, race, option_ids,
         pool_counts, initial_sets, homes, active, turn_number, round_number, play_over, sensible_only, seat_policy,
         policies, policy_of_bots, horizon, stale, start_player, start_event, payoff, claims, score, score_name,
         score_least, statistics, traits, measures, turn_note, figures, knowledge_in_playout, plain, sources] = whole;
  a(name, title, version, options, layout, variables, zones, initial, playout, step, main, flow_functions,
    settle_function, frames, waits, enums, areas, teams, set_lists, boards, placed, shown, attributes, kinds, cards,
    variable_infos, zone_infos, actions, explanations, endings, sites, at_once, race, option_ids, pool_counts,
    initial_sets, homes, active, turn_number, round_number, play_over, sensible_only, seat_policy, policies,
    policy_of_bots, horizon, stale, start_player, start_event, payoff, claims, score, score_name, score_least,
    statistics, traits, measures, turn_note, figures, knowledge_in_playout, plain);
}

// ---- checks of all invariants that prevent engines from accessing memory outside the State and the Program

namespace {

class Check {
 public:
  explicit Check(const Program& program) : p_(program), l_(program.layout) {}
  bool run() { return sizes() && places() && metadata() && code(); }

 private:
  static bool within(Int value, Int least, Int most) { return value >= least && value <= most; }
  template <class T>
  static Int count(const std::vector<T>& values) {
    return static_cast<Int>(values.size());
  }
  bool is_function(Int f) const { return within(f, -1, count(p_.playout.functions) - 1); }

  bool sizes() const {
    return within(l_.words, 1, kMaxWords) && within(l_.players, 1, kMaxPlayers) &&
           within(l_.card_ids, 0, std::min(kMaxCardIds, 64 * l_.words)) && within(l_.instances, 0, kMaxInstances) &&
           within(l_.hidden, 0, kMaxHidden) && (l_.card_bytes == 1 || l_.card_bytes == 2) &&
           l_.variables == count(p_.variables) && within(l_.size, 1, Int{1} << 24) && count(p_.initial) == l_.size &&
           stamps() && count(p_.cards) <= kMaxCardIds && p_.main < p_.playout.functions.size() &&
           p_.playout.functions.size() == p_.step.functions.size() && p_.frames.size() == p_.step.functions.size() &&
           waits();
  }
  // Checks that entry times are stored in the rules state; if they are not stored, no zone may record any.
  bool stamps() const {
    const auto times_entries = [](const ZoneInstance& z) { return z.stamped != 0; };
    if (l_.stamps < 0) return std::none_of(std::begin(l_.instance), std::end(l_.instance), times_entries);
    return within(l_.stamps, 0, l_.rules_end - 4 * l_.card_ids) && within(l_.stamp_clock, 0, l_.rules_end - 4);
  }
  // Checks that each suspend point belongs to its function, and that the suspend points of each function are complete.
  bool waits() const {
    Int in_all = 0;
    for (const FrameInfo& frame : p_.frames) {
      in_all += count(frame.resume);
      for (const ResumePoint& point : frame.resume)
        if (point.of >= p_.step.functions.size()) return false;
    }
    if (in_all != count(p_.waits) || in_all > kMaxWaits) return false;
    for (Int wait = 0; wait < in_all; ++wait) {
      const ir::FunctionIndex function = p_.waits[static_cast<std::size_t>(wait)];
      if (function >= p_.frames.size() ||
          !within(wait - p_.frames[function].first, 0, count(p_.frames[function].resume) - 1))
        return false;
    }
    return p_.main < p_.frames.size() && !p_.frames[p_.main].resume.empty();
  }
  bool places() const {
    for (const Int offset :
         {l_.in_game, l_.over,       l_.winners, l_.members,   l_.loose,    l_.next,           l_.rules_end,
          l_.scratch, l_.queue,      l_.streams, l_.decisions, l_.ended_by, l_.live_end,       l_.stack_top,
          l_.frames,  l_.frames_end, l_.where,   l_.places,    l_.arranged, l_.knows_variable, l_.unknown})
      if (!within(offset, 0, l_.size)) return false;
    for (const VariableSlot& v : p_.variables) {
      const Int width = v.is_set ? 8 * l_.words : v.bytes;
      if (!within(width, 1, 8 * kMaxWords) || !within(v.count, 0, l_.size) ||
          !within(v.offset, 0, l_.size - width * v.count))
        return false;
    }
    for (const ZoneSlot& z : p_.zones)
      if (!within(z.owners, 1, kMaxPlayers) || !within(z.copies, 1, kMaxInstances) ||
          !within(z.first, 0, l_.instances - z.owners * z.copies))
        return false;
    for (Int i = 0; i < l_.instances; ++i) {
      const ZoneInstance& z = l_.instance[i];
      if (!within(z.zone, 0, count(p_.zones) - 1) || !within(z.owner, -1, l_.players - 1) ||
          !within(z.refill, -1, l_.instances - 1) || !within(z.other_side, -1, l_.instances - 1) ||
          !within(z.ends, 0, l_.size - 2 * l_.card_bytes))
        return false;
    }
    return true;
  }
  bool metadata() const {
    if (p_.variable_infos.size() != p_.variables.size() || p_.zone_infos.size() != p_.zones.size() ||
        !is_function(p_.settle_function) || !is_function(p_.payoff) || !is_function(p_.score) ||
        !within(p_.stale, -1, count(p_.variables) - 1) || !within(p_.sensible_only, -1, count(p_.variables) - 1) ||
        !within(p_.seat_policy, -1, count(p_.variables) - 1) ||
        !within(p_.policy_of_bots, kSensiblePolicy, kFirstPolicy + count(p_.policies) - 1) ||
        !within(p_.horizon, -1, count(p_.variables) - 1))
      return false;
    for (const ZoneInfo& z : p_.zone_infos)
      if (!within(z.copies, 1, kMaxInstances)) return false;
    for (const VariableInfo& v : p_.variable_infos)
      for (const KeyInfo& key : v.keys)
        if (!within(key.count, 1, l_.size)) return false;
    for (const Int claim : p_.claims)
      if (!is_function(claim)) return false;
    for (const BoardInfo& board : p_.boards) {
      for (const auto* shows : {&board.shows, &board.edges_show})
        if (*shows && (!is_function((*shows)->function) || !within((*shows)->variable, -1, count(p_.variables) - 1)))
          return false;
      for (const auto& [cell, way] : board.edges)
        if (!within(cell, 0, board.width * board.height - 1) || !within(way, 0, 7)) return false;
    }
    for (const PlacedInfo& placed : p_.placed)
      if (!is_function(placed.drawn)) return false;
    for (const ShownInfo& shown : p_.shown)
      if (!is_function(shown.function)) return false;
    for (const auto* variables : {&p_.statistics, &p_.traits})
      for (const Int v : *variables)
        if (!within(v, 0, count(p_.variables) - 1)) return false;
    for (const MeasureInfo& m : p_.measures) {
      Int cells = 1;
      for (const MeasureKeyInfo& key : m.keys) {
        const bool known = key.kind == ValueKind::enumeration ? within(key.enumeration, 0, count(p_.enums) - 1)
                           : key.kind == ValueKind::piece     ? within(key.enumeration, 0, count(p_.placed) - 1)
                                                              : key.kind != ValueKind::part || key.enumeration >= 0;
        if (!known || !within(key.count, 1, kMostMeasureCells)) return false;
        cells *= key.count;
        if (cells > kMostMeasureCells) return false;
      }
    }
    for (const ActionInfo& action : p_.actions)
      if (!is_function(action.label_text) || !within(action.base, 0, p_.option_ids) ||
          !within(action.count, 0, p_.option_ids - action.base))
        return false;
    for (const Int explanation : p_.explanations.actions)
      if (!is_function(explanation)) return false;
    for (const ExplainedChoice& choice : p_.explanations.choices)
      for (const Int explanation : choice.functions)
        if (!is_function(explanation)) return false;
    for (const SiteInfo& site : p_.sites)
      for (const Int action : site.actions)
        if (!within(action, 0, count(p_.actions) - 1)) return false;
    return true;
  }
  bool code() const {
    const ir::Bounds bounds{l_.words, count(p_.variables), count(p_.zones), false};
    return ir::verify(p_.playout, bounds).empty() && ir::verify(p_.step, bounds, true).empty();
  }

  const Program& p_;
  const Layout& l_;
};

}   // namespace

std::string bytes_of(const Program& program) {
  Writer out;
  out(program);
  return out.take();
}

namespace {

bool read(std::string_view bytes, std::vector<SourceId> sources, Program& program) {
  Reader in(bytes, std::move(sources));
  in(program);
  return in.at_end();
}

}   // namespace

std::unique_ptr<Program> program_from(std::string_view bytes, std::vector<SourceId> sources) {
  auto program = std::make_unique<Program>();
#ifdef __cpp_exceptions
  try {
    if (!read(bytes, std::move(sources), *program)) return nullptr;
  } catch (const Damaged&) {
    return nullptr;
  }
#else
  if (!read(bytes, std::move(sources), *program)) return nullptr;
#endif
  return Check(*program).run() ? std::move(program) : nullptr;
}

namespace {

// The digest must cover everything that passes::as_playout or runtime/jit read from a Program; otherwise code of
// another Program could be loaded from the cache.
Digest digest_with(const Program& p, const ir::Module& code) {
  Writer out;
  out(p.layout, p.initial, p.variables, p.zones, code, p.main, p.settle_function, p.payoff, p.claims, p.start_player,
      p.start_event, p.knowledge_in_playout, p.plain);
  for (const ActionInfo& action : p.actions) out(action.label_text);   // the host may call it
  for (const BoardInfo& board : p.boards)
    out(board.shows ? board.shows->function : -1, board.edges_show ? board.edges_show->function : -1);
  for (const PlacedInfo& placed : p.placed) out(placed.drawn);
  for (const ShownInfo& shown : p.shown) out(shown.function);
  return digest_of(out.bytes());
}

}   // namespace

Digest playout_digest(const Program& program) { return digest_with(program, program.playout); }
Digest step_digest(const Program& program) { return digest_with(program, program.step); }
Digest compiled_mark(const Program& program) {
  return digest_of("compiled " + std::string(as_bytes(playout_digest(program))));
}

}   // namespace cardwright
