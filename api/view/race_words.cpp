// Describes an open race in words: its clock, its timers and the busy players. All of these are public, unlike the
// actions that players have begun.
#include <fmt/format.h>

#include "api/game/timing.h"
#include "runtime/program/words.h"

namespace cardwright::api::detail {

namespace {

class Running {
 public:
  Running(const StateData& state, Int now)
      : program_(state.program()), race_(*program_.race), s_(state.bytes.get()), now_(now), clock_(clock_of(state)) {}

  std::vector<std::string> words() const {
    std::vector<std::string> out;
    if (clock_.paused_until != kNone && clock_.paused_until > now_)
      out.push_back("continues in " + left(clock_.paused_until));
    for (std::size_t i = 0; i < race_.timers.size(); ++i) add_timer(race_.timers[i], race_.timer_labels[i], out);
    for (int seat = 0; seat < program_.layout.players; ++seat) add_busy(seat, out);
    for (std::size_t i = 0; i < afters().size(); ++i) add_after(i, out);
    for (const WindowFieldInfo& field : race_.windows_fields[window()])
      if (const Int held = value(field.variable); held != kNone)
        out.push_back(
            fmt::format("{} {}", spaced(field.name), value_in_words(program_, field.kind, field.enumeration, held)));
    return out;
  }

 private:
  Int value(Int variable, Int index = 0) const { return value_of_variable(program_, s_, variable, index); }
  std::size_t window() const { return static_cast<std::size_t>(value(race_.open) - 1); }
  const std::vector<AfterInfo>& afters() const { return race_.windows_afters[window()]; }
  std::string left(Int until) const { return fmt::format("{:.1f} s", double(std::max<Int>(0, until - now_)) / 1e6); }

  void add_timer(Int timer, const std::string& label, std::vector<std::string>& out) const {
    const Int count = program_.variables[static_cast<std::size_t>(timer)].count;
    for (Int i = 0; i < count; ++i)
      if (const Int at = value(timer, i); at != kNone)
        out.push_back(
            fmt::format("{}{} {}", label, count > 1 ? " of " + Game::seat_name(static_cast<int>(i)) : "", left(at)));
  }

  // Adds texts for a player who cannot begin any action or some actions yet. A limit that ends before the current pause
  // is omitted, because no player can begin an action during a pause.
  void add_busy(int seat, std::vector<std::string>& out) const {
    const Int begin = std::max(now_, clock_.paused_until), free = value(race_.free, seat),
              groups = static_cast<Int>(race_.groups.size());
    if (!(players_in(program_, s_) >> seat & 1)) return;
    if (free > begin) out.push_back(fmt::format("{} busy {}", Game::seat_name(seat), left(free)));
    for (Int group = 0; group < groups; ++group)
      if (const Int at = value(race_.blocked, seat * groups + group); at > std::max(begin, free))
        out.push_back(fmt::format("{} can't {} {}", Game::seat_name(seat), actions_of(group), left(at)));
  }
  std::string actions_of(Int group) const {
    std::vector<std::string> names;
    for (const Int action : race_.groups[static_cast<std::size_t>(group)])
      names.push_back(option_name(program_, program_.actions[static_cast<std::size_t>(action)].base));
    return fmt::format("{}", fmt::join(names, ", "));
  }

  void add_after(std::size_t i, std::vector<std::string>& out) const {
    const Int at = value(race_.afters, static_cast<Int>(i));
    if (at == kNone) return;
    out.push_back(fmt::format("{}in {}{}", afters()[i].quiet ? "if nothing happens " : "", left(at),
                              afters()[i].words.empty() ? " the game continues" : ": " + afters()[i].words));
  }

  const Program& program_;
  const RaceInfo& race_;
  const Byte* s_;
  Int now_;
  Clock clock_;
};

}   // namespace

}   // namespace cardwright::api::detail

namespace cardwright::api {

std::vector<std::string> State::running_in_words(std::int64_t time) const {
  detail::need_time(time);
  return detail::clock_of(*data_).open ? detail::Running(*data_, time).words() : std::vector<std::string>{};
}

}   // namespace cardwright::api
