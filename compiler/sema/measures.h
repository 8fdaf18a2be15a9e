// `measure`: what is noted while games are played.
#pragma once

#include "compiler/sema/context.h"

namespace cardwright::sema {

// Does the configuration ask for this one?
bool is_asked_for(const SemaContext& sema, const Decl& measure);
// The trigger without effect that says what it looks at; null: the end of the game.
const Node* watched_by(const Decl& measure);
// It looks at actions as an event of theirs: before or after them.
bool makes_events(const Decl& measure);
void build_measures(SemaContext& sema);
// When everything is built: nothing that a measure reads may draw.
void check_measures(SemaContext& sema);

}   // namespace cardwright::sema
