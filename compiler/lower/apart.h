// While a function is written in the middle of another: nothing of that one is known in it.
#pragma once

#include <utility>

#include "compiler/lower/lowering.h"

namespace cardwright::lower {

struct Lowering::Apart {
  explicit Apart(Lowering& l)
      : of(l),
        scope(std::exchange(l.hoist_, nullptr)),
        deep(std::exchange(l.called_deep_, 0)),
        inlining(std::exchange(l.inlining_, {})),
        whether(std::exchange(l.only_whether_, nullptr)),
        first(std::exchange(l.first_option_, std::nullopt)),
        kept(std::exchange(l.kept_zone_, {})),
        taken(std::exchange(l.taken_, nullptr)),
        collected(std::exchange(l.collected_, ir::kNoRegister)),
        recheck(std::exchange(l.recheck_, false)),
        all_cards(std::exchange(l.all_cards_, false)),
        telling(std::exchange(l.telling_, false)),
        asking(std::exchange(l.asking_, {})) {}
  ~Apart() {
    of.hoist_ = scope, of.called_deep_ = deep, of.inlining_ = std::move(inlining), of.only_whether_ = whether,
    of.first_option_ = first;
    of.kept_zone_ = kept, of.taken_ = taken, of.collected_ = collected, of.recheck_ = recheck,
    of.all_cards_ = all_cards, of.telling_ = telling;
    of.asking_ = asking;
  }
  Apart(const Apart&) = delete;
  Lowering& of;
  HoistScope* scope;
  int deep;
  std::vector<std::uint32_t> inlining;
  const model::Expr* whether;
  std::optional<BlockIndex> first;
  KeptZone kept;
  const Taken* taken;
  Register collected;
  bool recheck, all_cards, telling;
  Asking asking;
};

}  // namespace cardwright::lower
