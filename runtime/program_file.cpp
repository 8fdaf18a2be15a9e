// See program_file.h.
#include "runtime/program_file.h"

#include "compiler/ir/fields.h"
#include "compiler/ir/verify.h"

namespace cardwright {

// ---- the fields, in order of program.h

constexpr ValueKind last_of(ValueKind) { return ValueKind::cell_set; }
constexpr ZoneShape last_of(ZoneShape) { return ZoneShape::slot; }
constexpr ActionKind last_of(ActionKind) { return ActionKind::one_of; }

template <class A>
void fields(A& a, Layout& l) { a.raw(l); }
template <class A>
void fields(A& a, VariableSlot& v) { a(v.offset, v.bytes, v.count, v.lo, v.hi, v.bias, v.optional, v.is_set, v.initial); }
template <class A>
void fields(A& a, ZoneSlot& z) { a(z.first, z.owners, z.copies); }
template <class A>
void fields(A& a, EnumInfo& e) { a(e.name, e.constants, e.labels, e.texts); }
template <class A>
void fields(A& a, BoardInfo& b) { a(b.name, b.width, b.height, b.across, b.down, b.enumeration); }
template <class A>
void fields(A& a, SetListInfo& l) { a(l.kind, l.enumeration, l.sets); }
template <class A>
void fields(A& a, VariableInfo& v) {
  a(v.name, v.kind, v.enumeration, v.per_player, v.secret, v.hidden, v.rules_state, v.pool, v.secret_first);
}
template <class A>
void fields(A& a, ZoneInfo& z) { a(z.name, z.shape, z.per_player, z.facedown_zone, z.facedown); }
template <class A>
void fields(A& a, AttributeInfo& i) { a(i.name, i.kind, i.enumeration, i.printed); }
template <class A>
void fields(A& a, KindInfo& k) { a(k.name, k.label, k.text); }
template <class A>
void fields(A& a, CardInfo& c) { a(c.kind, c.look_alike, c.label, c.attributes); }
template <class A>
void fields(A& a, ParameterInfo& p) { a(p.name, p.kind, p.enumeration, p.list, p.first, p.count, p.by_id, p.unseen); }
template <class A>
void fields(A& a, ActionInfo& i) {
  a(i.kind, i.name, i.label, i.base, i.count, i.parameters, i.card_kind, i.choices, i.why, i.where);
}
template <class A>
void fields(A& a, Reason& r) { a(r.text, r.words, r.where); }
template <class A>
void fields(A& a, SiteInfo& s) {
  a(s.window, s.prompt, s.flow, s.of_window, s.secret, s.clock, s.within, s.together, s.missing, s.actions, s.where);
}
template <class A>
void fields(A& a, AtOnceInfo& i) { a(i.pending, i.first, i.answers, i.held, i.sets); }
template <class A>
void fields(A& a, RaceInfo& r) {
  a(r.open, r.time, r.next_event, r.paused_until, r.thinking, r.waiting, r.flying, r.due, r.free, r.blocked, r.answers, r.held, r.sets, r.live,
    r.speed, r.factor, r.eager, r.clock, r.races, r.lengths, r.guard_at, r.timed_out, r.guards, r.landed, r.late, r.actions, r.groups, r.think);
}
template <class A>
void fields(A& a, FrameSlot& s) { a(s.offset, s.bytes, s.is_set, s.holds_card); }
template <class A>
void fields(A& a, ResumePoint& r) { a(r.where, r.site, r.live); }
template <class A>
void fields(A& a, FrameInfo& f) { a(f.size, f.resume); }
template <class A>
void fields(A& a, Program& p) {
  a(p.name, p.title, p.version, p.options, p.layout, p.variables, p.zones, p.initial, p.playout, p.step, p.main, p.flow_functions,
    p.settle_function, p.frames, p.enums, p.set_lists, p.boards, p.attributes, p.kinds, p.cards, p.variable_infos, p.zone_infos, p.actions,
    p.reasons, p.sites, p.at_once, p.race, p.option_ids, p.pool_counts, p.initial_sets, p.homes, p.active, p.turn_number, p.round_number,
    p.play_over, p.start_player, p.start_phase, p.payoff, p.claims, p.statistics, p.knowledge_in_playout);
}

// ---- what engines rely on to stay inside the State and the Program

namespace {

class Check {
 public:
  explicit Check(const Program& program) : p_(program), l_(program.layout) {}
  bool run() { return sizes() && places() && metadata() && code(); }

 private:
  static bool within(Int value, Int least, Int most) { return value >= least && value <= most; }
  template <class T>
  static Int count(const std::vector<T>& values) { return static_cast<Int>(values.size()); }
  bool is_function(Int f) const { return within(f, -1, count(p_.playout.functions) - 1); }

  bool sizes() const {
    return within(l_.words, 1, kMaxWords) && within(l_.players, 1, kMaxPlayers) && within(l_.card_ids, 0, std::min(kMaxCardIds, 64 * l_.words)) &&
           within(l_.instances, 0, kMaxInstances) && within(l_.hidden, 0, kMaxHidden) && (l_.card_bytes == 1 || l_.card_bytes == 2) &&
           l_.variables == count(p_.variables) && within(l_.size, 1, Int{1} << 24) && count(p_.initial) == l_.size &&
           count(p_.cards) <= kMaxCardIds && p_.main < p_.playout.functions.size() && p_.playout.functions.size() == p_.step.functions.size() &&
           p_.frames.size() == p_.step.functions.size();
  }
  bool places() const {
    for (const Int offset : {l_.in_game, l_.over, l_.winners, l_.location, l_.members, l_.rules_end, l_.scratch, l_.queue, l_.streams, l_.decisions,
                             l_.live_end, l_.result, l_.stack_top, l_.frames, l_.frames_end, l_.where, l_.places, l_.knows_variable, l_.unknown})
      if (!within(offset, 0, l_.size)) return false;
    for (const VariableSlot& v : p_.variables) {
      const Int width = v.is_set ? 8 * l_.words : v.bytes;
      if (!within(width, 1, 8 * kMaxWords) || !within(v.count, 0, l_.size) || !within(v.offset, 0, l_.size - width * v.count)) return false;
    }
    for (const ZoneSlot& z : p_.zones)
      if (!within(z.owners, 1, kMaxPlayers) || !within(z.copies, 1, kMaxInstances) || !within(z.first, 0, l_.instances - z.owners * z.copies)) return false;
    for (Int i = 0; i < l_.instances; ++i) {
      const ZoneInstance& z = l_.instance[i];
      if (!within(z.zone, 0, count(p_.zones) - 1) || !within(z.owner, -1, l_.players - 1) || !within(z.refill, -1, l_.instances - 1) ||
          !within(z.bag, 0, l_.size) || !within(z.order, 0, l_.size) || !within(z.counts, 0, l_.size))
        return false;
    }
    return true;
  }
  bool metadata() const {
    if (p_.variable_infos.size() != p_.variables.size() || p_.zone_infos.size() != p_.zones.size() || !is_function(p_.settle_function) || !is_function(p_.payoff)) return false;
    for (const Int claim : p_.claims)
      if (!is_function(claim)) return false;
    for (const Int v : p_.statistics)
      if (!within(v, 0, count(p_.variables) - 1)) return false;
    for (const ActionInfo& action : p_.actions)
      if (!is_function(action.why) || !within(action.base, 0, p_.option_ids) || !within(action.count, 0, p_.option_ids - action.base)) return false;
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

}  // namespace

std::string bytes_of(const Program& program) {
  Writer out;
  out(program);
  return out.take();
}

std::unique_ptr<Program> program_from(std::string_view bytes, std::vector<SourceId> sources) {
  auto program = std::make_unique<Program>();
  try {
    Reader in(bytes, std::move(sources));
    in(*program);
    if (!in.at_end()) return nullptr;
  } catch (const Damaged&) {
    return nullptr;
  }
  return Check(*program).run() ? std::move(program) : nullptr;
}

namespace {

Digest digest_with(const Program& p, const ir::Module& code) {
  Writer out;
  out(p.layout, p.variables, p.zones, code, p.main, p.settle_function, p.payoff, p.claims, p.start_player, p.start_phase, p.knowledge_in_playout);
  for (const ActionInfo& action : p.actions) out(action.why);   // the host may call it
  return digest_of(out.bytes());
}

}  // namespace

Digest playout_digest(const Program& program) { return digest_with(program, program.playout); }
Digest step_digest(const Program& program) { return digest_with(program, program.step); }

}  // namespace cardwright
