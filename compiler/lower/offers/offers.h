// Emits code that counts, lists and selects the options of all groups of a decision site (group.h).
#pragma once

#include <functional>
#include <vector>

#include "compiler/lower/context/function_context.h"
#include "compiler/lower/offers/group.h"

namespace cardwright::lower {

std::vector<Group> groups_for(ProgramContext& unit, model::WindowId window, Register player,
                              Register sensible = ir::kNoRegister);
Offers offers_for(const FunctionContext& code, model::WindowId window, Register player,
                  Register sensible = ir::kNoRegister);
// Counts the options; calls `counted` for each group that is counted separately.
Register count_offers(const FunctionContext& code, Offers& offers, Int site,
                      const std::function<void(Group&)>& counted = {});

void list_offers(const FunctionContext& code, Offers& offers);
// Finds the group of the k-th option and calls `mine` with `k` set to the option's number within the group. If the
// option belongs to a family (families.h), calls `of_family` instead. If `k` exceeds the number of options, execution
// continues after choose_offer().
void choose_offer(const FunctionContext& code, Offers& offers, Register k, const std::function<void(Group&)>& mine,
                  const std::function<void(const GroupRun&)>& of_family = {});
void declare_sensible(ProgramContext& unit);
Register sensible_in(const FunctionContext& code, model::WindowId window, Register player);
// `avoids_pass` is 1 if the player's policy avoids passing, or kNoRegister if no policy avoids passing.
Register count_sensible(const FunctionContext& code, Offers& offers, Int site, Register sensible, Register avoids_pass,
                        bool may_pass, const model::Expr* pass_when);
// Records the offered options after the decision.
void note_offered(const FunctionContext& code, Offers& offers);

}   // namespace cardwright::lower
