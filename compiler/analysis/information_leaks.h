// Warns about offers that reveal hidden information to their player, and about boards that show it.
#pragma once

#include "compiler/model/model.h"
#include "support/diagnostics.h"

namespace cardwright::analysis {

class Secrecy;

void report_offer_leaks(const model::Model& model, Diagnostics& diagnostics);
bool shows_secrets(Secrecy& secrecy, const model::Board::Shows& shows);

// Reports an error if a policy reads something that the deciding player may not know, because such a policy could play
// better than any player.
void report_policy_leaks(const model::Model& model, Diagnostics& diagnostics);

}   // namespace cardwright::analysis
