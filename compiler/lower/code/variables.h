// Adds variables to the Program, and describes them.
#pragma once

#include <string>

#include "compiler/lower/context/function_context.h"

namespace cardwright::lower {

// Returns the size in bytes of a variable that has this number of values.
Int bytes_for(Int codes);
Int add_variable(ProgramContext& unit, VariableSlot slot, VariableInfo info, bool rules_state);
Int add_scratch(ProgramContext& unit, std::string name, Int lo, Int hi, Int initial, Int count = 1,
                bool rules_state = false);
// Adds scratch variables that store sets of cards or cells.
Int add_scratch_sets(ProgramContext& unit, std::string name, const model::Type& element, Int count = 1,
                     bool rules_state = false);
void describe_list(ProgramContext& unit, const model::Type& list, VariableSlot& slot, VariableInfo& info);
Int add_scratch_for(ProgramContext& unit, const std::string& name, const model::Type& type);
ValueKind value_kind(const ProgramContext& unit, const model::Type& type);
// Returns VariableInfo::enumeration for the type: the index of an enum; kOfTime for a duration; the index in
// Program::placed for a piece; the number of parts of each player for a part of an area; -1 for other types.
Int enumeration_of(const ProgramContext& unit, const model::Type& type);
// Returns the index in Program::areas if the type is a part of an area, otherwise -1.
Int area_info(const ProgramContext& unit, const model::Type& part);
Int area_info(const ProgramContext& unit, std::uint32_t area);
bool is_printed(const ProgramContext& unit, std::size_t attribute);
// Returns whether cards of this kind belong to the card type, directly or through its base types.
bool is_of_type(const ProgramContext& unit, Int kind, std::uint32_t type);
Int placed_info(const ProgramContext& unit, std::uint32_t area);

}   // namespace cardwright::lower
