#include "compiler/lower/offers/weights.h"

#include <algorithm>

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/context/hooks.h"
#include "compiler/lower/offers/group.h"
#include "compiler/lower/offers/levels.h"
#include "compiler/lower/offers/policies.h"
#include "compiler/lower/offers/policy_rules.h"
#include "compiler/lower/sets/sets.h"

namespace cardwright::lower {

using model::PolicyRule;

namespace {

constexpr Int kMostProduct = 1'000'000;   // maximum product of an option's weights, so that sums stay within range

// Multiplies `weight` by the weights of the rules that apply.
void weigh(const FunctionContext& code, const std::vector<const PolicyRule*>& rules, Register me,
           const std::vector<Register>& arguments, Register weight) {
  for (const PolicyRule* rule : rules) {
    const BlockIndex after = code.add_block();
    where_it_holds(code, *rule, me, arguments, after, [&](const FunctionContext& inner) {
      Register by = expr(inner, *rule->weight);
      if (rule->weight->kind != model::ExprKind::constant)
        by = inner.integer(Op::max,
                           {inner.constant(0), inner.integer(Op::min, {by, inner.constant(model::kMostWeight)})});
      inner.put(Op::min, weight, {inner.integer(Op::mul_small, {weight, by}), inner.constant(kMostProduct)});
    });
    code.jump(after);
    code.go_to(after);
  }
}

}   // namespace

bool is_weighed(const ProgramContext& unit, std::size_t action) { return any_rule(unit, false, about_action(action)); }

namespace {

// The weights of a group for one policy. The weight of an option is `each`, multiplied by the weights that depend on
// its arguments, if there are any. `total` is the sum of the weights.
struct Weighed {
  std::vector<const PolicyRule*> by_arguments;
  Register each = ir::kNoRegister, total = ir::kNoRegister;
};

Register weight_of_option(const FunctionContext& code, const Group& g, const Weighed& weighed) {
  const Register weight = code.make_int();
  code.assign(weight, weighed.each);
  weigh(code, weighed.by_arguments, g.me, arguments_of(code, g), weight);
  return weight;
}

Weighed weigh_group(const FunctionContext& code, Group& g, Register count,
                    const std::vector<const PolicyRule*>& rules) {
  Weighed weighed;
  std::vector<const PolicyRule*> whole;
  for (const PolicyRule* rule : rules) (depends_on_arguments(*rule) ? weighed.by_arguments : whole).push_back(rule);
  weighed.each = code.make_int();
  weighed.total = code.make_int();
  const BlockIndex some = code.add_block(), after = code.add_block();
  code.assign_constant(weighed.each, 1);
  code.assign_constant(weighed.total, 0);
  code.branch(count, some, after);
  code.go_to(some);
  weigh(code, whole, g.me, {}, weighed.each);
  if (weighed.by_arguments.empty()) {
    code.put(Op::mul_small, weighed.total, {weighed.each, count});
  } else {
    each_option(code, g, [&](const FunctionContext& of_option, BlockIndex) {
      of_option.put(Op::add_small, weighed.total, {weighed.total, weight_of_option(of_option, g, weighed)});
    });
  }
  code.jump(after);
  code.go_to(after);
  return weighed;
}

// Stores in `k` the number of the group's option that the drawn number selects.
void find_in_group(const FunctionContext& code, Group& g, const Weighed& weighed, Register number, Register k) {
  if (weighed.by_arguments.empty()) return code.put(Op::div_small, k, {number, weighed.each});
  const BlockIndex found = code.add_block();
  code.assign_constant(k, 0);
  each_option(code, g, [&](const FunctionContext& of_option, BlockIndex next) {
    const Register weight = weight_of_option(of_option, g, weighed);
    const BlockIndex other = of_option.add_block();
    of_option.branch(of_option.integer(Op::lt_small, {number, weight}, 1), found, other);
    of_option.go_to(other);
    of_option.put(Op::sub_small, number, {number, weight});
    of_option.put(Op::add_small, k, {k, of_option.constant(1)});
    of_option.jump(next);
  });
  code.effect(Op::trap, {Int(Trap::fell_through)});
  code.go_to(found);
}

// Emits `write` for the case that a decision with several options was drawn at random. The emitted code may jump to
// `after`, where execution continues.
void where_drawn(const FunctionContext& code, Register n, Register k,
                 const std::function<void(BlockIndex after)>& write) {
  const BlockIndex drawn = code.add_block(), several = code.add_block(), after = code.add_block();
  code.branch(code.integer(Op::draws, {}, 1), drawn, after);
  code.go_to(drawn);
  code.branch(code.integer(Op::lt_small, {code.constant(1), n}, 1), several, after);
  code.go_to(several);
  write(after);
  code.jump(after);
  code.go_to(after);
  code.effect(Op::leaned, {k});
}

// Draws a number below the sum of all weights. If the sum is 0, jumps to `after` and thus leaves the original draw in
// effect, in which all options are equally likely.
Register draw_below_sum(const FunctionContext& code, Register player, Register sum, BlockIndex after) {
  const BlockIndex some = code.add_block();
  code.branch(code.integer(Op::lt_small, {code.constant(0), sum}, 1), some, after);
  code.go_to(some);
  const Register number = code.make_int();
  code.put(Op::draw_of, number, {player, sum});
  return number;
}

class WeightedDraw {
 public:
  WeightedDraw(const FunctionContext& code, const RequestedPolicy& by, Offers& offers, Register player, Register k,
               Register n, bool passes)
      : code_(code), offers_(offers), player_(player), k_(k), n_(n), weighed_(offers.runs.size()) {
    for (std::size_t r = 0; r < offers.runs.size(); ++r) {
      const GroupRun& run = offers.runs[r];
      if (run.size == 1)
        rules_.push_back(rules_of(by.policy, false, about_action(offers.groups[run.first].index)));
      else
        rules_.emplace_back();
    }
    if (passes) of_passing_ = rules_of(by.policy, false, about_passing());
  }
  bool has_no_rules() const {
    return of_passing_.empty() && std::all_of(rules_.begin(), rules_.end(), [](const auto& r) { return r.empty(); });
  }
  void write(BlockIndex after) {
    sum_up();
    const Register number = draw_below_sum(code_, player_, sum_, after);
    code_.assign_constant(k_, 0);
    for (std::size_t r = 0; r < weighed_.size(); ++r) find_in_run(r, number, after);
  }

 private:
  Register total_of(std::size_t r) const { return rules_[r].empty() ? offers_.runs[r].count : weighed_[r].total; }
  void sum_up() {
    const FunctionContext& code = code_;
    sum_ = code.make_int();
    const Register counted = code.make_int(), rest = code.make_int(), weight = code.make_int();
    code.assign_constant(sum_, 0);
    code.assign_constant(counted, 0);
    for (std::size_t r = 0; r < weighed_.size(); ++r) {
      const GroupRun& run = offers_.runs[r];
      if (!rules_[r].empty()) weighed_[r] = weigh_group(code, offers_.groups[run.first], run.count, rules_[r]);
      code.put(Op::add_small, sum_, {sum_, total_of(r)});
      code.put(Op::add_small, counted, {counted, run.count});
    }
    code.put(Op::sub_small, rest, {n_, counted});   // 1 if passing or waiting is an additional option, otherwise 0
    code.assign_constant(weight, 1);
    weigh(code, of_passing_, player_, {}, weight);
    code.put(Op::add_small, sum_, {sum_, code.integer(Op::mul_small, {rest, weight})});
  }
  // Jumps to `after` if the number belongs to one of the run's options.
  void find_in_run(std::size_t r, Register number, BlockIndex after) {
    const FunctionContext& code = code_;
    const GroupRun& run = offers_.runs[r];
    const BlockIndex here = code.add_block(), next = code.add_block();
    code.branch(code.integer(Op::lt_small, {number, total_of(r)}, 1), here, next);
    code.go_to(here);
    Register in_group = number;
    if (!rules_[r].empty()) {
      in_group = code.make_int();
      find_in_group(code, offers_.groups[run.first], weighed_[r], number, in_group);
    }
    code.put(Op::add_small, k_, {k_, in_group});
    code.jump(after);
    code.go_to(next);
    code.put(Op::sub_small, number, {number, total_of(r)});
    code.put(Op::add_small, k_, {k_, run.count});
  }

  const FunctionContext& code_;
  Offers& offers_;
  const Register player_, k_, n_;
  std::vector<std::vector<const PolicyRule*>> rules_;   // the rules that affect each run
  std::vector<const PolicyRule*> of_passing_;
  std::vector<Weighed> weighed_;
  Register sum_ = ir::kNoRegister;
};

}   // namespace

void lean(const FunctionContext& code, Offers& offers, Register player, Register k, Register n, bool passes) {
  std::vector<std::pair<Int, WeightedDraw>> all;
  for (const RequestedPolicy& one : requested_policies(code.unit))
    if (WeightedDraw leaning(code, one, offers, player, k, n, passes); !leaning.has_no_rules())
      all.emplace_back(one.number, std::move(leaning));
  if (all.empty()) return;
  where_drawn(code, n, k, [&](BlockIndex after) {
    const Register policy = policy_of(code, player);
    for (auto& [number, leaning] : all) {
      const BlockIndex mine = code.add_block(), next = code.add_block();
      code.branch(code.integer(Op::eq, {policy, code.constant(number)}, 1), mine, next);
      code.go_to(mine);
      leaning.write(after);
      code.jump(after);
      code.go_to(next);
    }
  });
}

void lean_choice(const FunctionContext& code, const NamedChoice& choice, Register k, Register n) {
  const About about = about_choice(choice.name);
  if (!any_rule(code.unit, false, about)) return;
  where_drawn(code, code.integer(Op::add_small, {n, choice.others}), k, [&](BlockIndex after) {
    each_policy(code, policy_of(code, choice.player), false, about, [&](const std::vector<const PolicyRule*>& rules) {
      const auto weight_of = [&](Register element) {
        const Register weight = code.make_int();
        code.assign_constant(weight, 1);
        weigh(code, rules, choice.player, {element}, weight);
        return weight;
      };
      const Register sum = code.make_int();
      code.assign(sum, choice.others);
      for_each(code, choice.candidates, [&](Register element) {
        code.put(Op::add_small, sum, {sum, weight_of(element)});
      });
      const Register number = draw_below_sum(code, choice.player, sum, after);
      code.assign_constant(k, 0);
      for_each(code, choice.candidates, [&](Register element) {
        const Register weight = weight_of(element);
        const BlockIndex other = code.add_block();
        code.branch(code.integer(Op::lt_small, {number, weight}, 1), after, other);
        code.go_to(other);
        code.put(Op::sub_small, number, {number, weight});
        code.put(Op::add_small, k, {k, code.constant(1)});
      });
      code.put(Op::add_small, k, {k, number});
      code.jump(after);
    });
  });
}

}   // namespace cardwright::lower
