// Every operation of ops.def that is not an engine's own (flag E): op_<name>(Game&, Byte* state, const Layout&,
// operands…).
#pragma once

#include "runtime/ops/control.h"
#include "runtime/ops/decide.h"
#include "runtime/ops/frames.h"
#include "runtime/ops/ints.h"
#include "runtime/ops/knowledge.h"
#include "runtime/ops/lanes.h"
#include "runtime/ops/latency.h"
#include "runtime/ops/lists.h"
#include "runtime/ops/masks.h"
#include "runtime/ops/nested_lists.h"
#include "runtime/ops/note.h"
#include "runtime/ops/players.h"
#include "runtime/ops/queue.h"
#include "runtime/ops/ray.h"
#include "runtime/ops/sets.h"
#include "runtime/ops/variables.h"
#include "runtime/ops/zones.h"
