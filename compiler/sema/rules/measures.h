// Builds `measure` declarations, which record statistics while games are played.
#pragma once

#include "compiler/sema/context/context.h"

namespace cardwright::sema {

// Returns whether the configuration selects this measure.
bool is_asked_for(const SemaContext& sema, const Decl& measure);
// Returns the trigger that names the observed events or actions, or null if the measure is recorded at the end of the
// game.
const Node* watched_by(const Decl& measure);
// Returns whether the measure observes actions before or after they take effect. Each of these actions then needs an
// event.
bool makes_events(const Decl& measure);
void build_measures(SemaContext& sema);
// Checks that measures read only data that the State stores because of the rules, and that they draw no random cards.
// Must be called after everything else has been built.
void check_measures(SemaContext& sema);

}   // namespace cardwright::sema
