// Assigns card ids, variables, zones and the offsets of regions in the State.
#pragma once

#include <string>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

void number_cards(ProgramContext& unit);
void number_variables(ProgramContext& unit);
void number_zones(ProgramContext& unit);
void place_regions(ProgramContext& unit);
Int add_scratch(ProgramContext& unit, std::string name, Int lo, Int hi, Int initial, Int count = 1,
                bool rules_state = false);
// Adds scratch variables that hold sets of cards or cells.
Int add_scratch_sets(ProgramContext& unit, std::string name, const model::Type& element, Int count = 1,
                     bool rules_state = false);
Int add_scratch_for(ProgramContext& unit, const std::string& name, const model::Type& type);
// Returns whether cards of this kind belong to the card type, directly or through its base types.
bool is_of_type(const ProgramContext& unit, Int kind, std::uint32_t type);
ValueKind value_kind(const ProgramContext& unit, const model::Type& type);
// Returns VariableInfo::enumeration for the type: the index of an enum, kOfTime for a duration, the index of a piece in
// Program::placed, or for a part of an area, the number of parts of each player. -1 for other types.
Int enumeration_of(const ProgramContext& unit, const model::Type& type);
// Returns the index into Program::areas if the type is a part of an area, otherwise -1.
Int area_info(const ProgramContext& unit, const model::Type& part);
bool is_printed(const ProgramContext& unit, std::size_t attribute);

void finish_layout(Program& program, Int frame_bytes);

}   // namespace cardwright::lower
