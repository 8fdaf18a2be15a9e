// Ids, variables, zones, offsets.
#pragma once

#include <string>

#include "compiler/lower/function_context.h"

namespace cardwright::lower {

void number_cards(ProgramContext& unit);
void number_variables(ProgramContext& unit);
void number_zones(ProgramContext& unit);
void place_regions(ProgramContext& unit);
Int add_scratch(ProgramContext& unit, std::string name, Int lo, Int hi, Int initial, Int count = 1,
                bool rules_state = false);
// of cards or cells
Int add_scratch_sets(ProgramContext& unit, std::string name, const model::Type& element, Int count = 1,
                     bool rules_state = false);
Int add_scratch_for(ProgramContext& unit, const std::string& name, const model::Type& type);
// Of a list that is a variable: of what kind its single things are, how many there are.
bool is_of_type(const ProgramContext& unit, Int kind, std::uint32_t type);
ValueKind value_kind(const ProgramContext& unit, const model::Type& type);
// Of which enum, or how many parts each player has.
Int enumeration_of(const ProgramContext& unit, const model::Type& type);
// Of a part of an area: index into Program::areas; else -1.
Int area_info(const ProgramContext& unit, const model::Type& part);
bool is_printed(const ProgramContext& unit, std::size_t attribute);

void finish_layout(Program& program, Int frame_bytes);

}   // namespace cardwright::lower
