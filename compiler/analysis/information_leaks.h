// Warns of offers that would tell their player what they may not know, and of boards that would show it.
#pragma once

#include "compiler/model/model.h"
#include "support/diagnostics.h"

namespace cardwright::analysis {

class Secrecy;

void look_at_offers(const model::Model& model, Diagnostics& diagnostics);
bool shows_secrets(Secrecy& secrecy, const model::Board::Shows& shows);

// What a policy looks at that the player who chooses may not know is an error: it would play better than anybody can.
void look_at_policies(const model::Model& model, Diagnostics& diagnostics);

}   // namespace cardwright::analysis
