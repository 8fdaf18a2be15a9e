// Generates lookup tables in local variables, in parameters and results of functions, and in memoized values.
#include <algorithm>

#include "tests/generator/writer.h"

namespace cardwright::test {

Type Writer::key_type() {
  if (families_.pieces && chance_.one_in(4)) return plain(Sort::part, some_pieces());
  if (const int b = families_.edges && chance_.one_in(3) ? board_with_edges() : -1; b >= 0) return plain(Sort::edge, b);
  if (!boards_.empty() && chance_.one_in(2)) return plain(Sort::cell, some_board());
  switch (chance_.below(3)) {
    case 0: return plain(Sort::player);
    case 1: return number(0, 3);
    default: return plain(Sort::enumeration, chance_.below(static_cast<int>(enums_.size())));
  }
}

Type Writer::entry_type() {
  switch (chance_.below(boards_.empty() ? 8 : 10)) {
    case 0:
    case 1: return number(0, chance_.pick(std::vector<int>{1, 9, 300}));
    case 2: return maybe(number(0, 20));
    case 3: return plain(Sort::boolean);
    case 4: return maybe(plain(Sort::player));
    case 5: return set_of(plain(Sort::card));
    case 6: return set_of(plain(Sort::player));
    case 7: return plain(Sort::enumeration, 0);
    case 8: return maybe(plain(Sort::cell, some_board()));
    default: return set_of(plain(Sort::cell, some_board()));
  }
}

void Writer::plan_tables() {
  if (!families_.tables) return;
  const auto make = [&](const char* stem) { return Table{fresh(stem), entry_type(), key_type(), {}}; };
  for (int i = chance_.between(1, 2); i > 0; --i) stored_tables_.push_back(make("level"));
  for (int i = chance_.between(1, 2); i > 0; --i) {
    table_functions_.push_back(make("spread"));
    for (int k = chance_.below(3); k > 0; --k) table_functions_.back().parameters.push_back(parameter_type());
  }
  for (int i = chance_.between(1, 3); i > 0;
       --i) {   // variables of the same types, to which the tables can be assigned
    const Table& like = chance_.one_in(2) ? chance_.pick(stored_tables_) : chance_.pick(table_functions_);
    Variable v{fresh("ta"), like.entry, Home::table};
    v.per.push_back(like.key);
    variables_.push_back(v);
  }
}

std::string Writer::spelled_table(const Table& table) const {
  const std::string key =
      table.key.is(Sort::integer) ? say("{}..{}", {table.key.lo, table.key.hi}) : spelled(table.key);
  return spelled(table.entry) + " per " + key;
}

// Returns an initial value for the entries of a table.
std::string Writer::entry(const Type& type, int depth) {
  if (type.is(Sort::set) && chance_.one_in(2)) return "[]";
  if (type.optional && chance_.one_in(2)) return "none";
  if (!type.is(Sort::integer)) return expression(type, depth);
  return say("max({}, min({}, {}))", {type.lo, type.hi, integer(depth)});
}

std::string Writer::all_keys(const Type& key) {
  return key.is(Sort::integer)  ? say("({}..{})", {key.lo, key.hi})
         : key.is(Sort::player) ? "everyone"
         : key.is(Sort::part)   ? areas_[static_cast<std::size_t>(key.which)].name + "s"
         : key.is(Sort::edge)   ? board_of(key.which).name + ".edges"
         : key.is(Sort::cell)   ? board_of(key.which).name + ".cells"
                                : enums_[static_cast<std::size_t>(key.which)].name;
}

// Writes the body of a function or memoized value that returns a table. It uses no random numbers, so that it can be
// called in every context.
void Writer::table_body(const Table& table) {
  const std::string t = fresh("table"), x = fresh("x"), all = all_keys(table.key);
  line(say("var {}: {} = {}", {t, spelled_table(table), entry(table.entry, 0)}));
  bind_table(t, table, true);
  open(say("each {} in {}{}", {x, all, chance_.one_in(3) ? where(table.key, 1) : ""}));
  {
    const Inside loop(*this);
    bind(x, table.key);
    line(say("{}[{}] = {}", {t, x, entry(table.entry, 2)}));
  }
  close();
  if (chance_.one_in(2)) {
    open(say("repeat up to {} times while {}", {chance_.between(1, 4), boolean(2)}));
    line(say("{}[{}] = {}", {t, expression_of_key(table.key, 1), entry(table.entry, 2)}));
    close();
  }
  line("return " + t);
}

void Writer::tables() {
  tables_known_ = false;
  for (const Table& table : stored_tables_) {
    const Inside inside(*this);
    at_ = {};
    only_look(0);
    at_.orderless = true;
    budget(12);
    open(say("kept value {}: {}", {table.name, spelled_table(table)}));
    table_body(table);
    close();
  }
  for (const Table& table : table_functions_) {
    const Inside inside(*this);
    at_ = {};
    only_look(0);
    at_.orderless = true;
    budget(12);
    const std::string given = parameters(table.parameters);
    open(say("function {}({}): {}", {table.name, given, spelled_table(table)}));
    table_body(table);
    close();
    readers(table);
  }
  tables_known_ = true;
}

// Writes a function with a table of this type as its parameter, which adds up numbers over all keys.
void Writer::readers(const Table& table) {
  const std::string name = "read_" + table.name, t = fresh("t"), x = fresh("x");
  locals_.clear();
  bind_table(t, table, false);
  bind(x, table.key);
  budget(8);
  line(say("function {}({}: {}): int = sum of {} for {} in {}",
           {name, t, spelled_table(table), integer(2), x, all_keys(table.key)}));
}

std::string Writer::expression_of_key(const Type& key, int depth) {
  return key.is(Sort::integer) ? std::to_string(chance_.between(key.lo, key.hi)) : expression(key, depth);
}

void Writer::bind_table(const std::string& name, const Table& table, bool writable) {
  locals_.push_back({name, table.entry, writable});
  locals_.back().per.push_back(table.key);
}

// Returns all variables with this type of table that can be read, or assigned if `to_write` is set, as a whole.
std::vector<std::string> Writer::whole_tables(const Table& table, bool to_write) const {
  std::vector<std::string> out;
  const auto same = [](const Type& a, const Type& b) {
    return fits(a, b) && fits(b, a) && a.lo == b.lo && a.hi == b.hi;
  };
  for (const Local& local : locals_)
    if (!local.per.empty() && local.name.front() != '(' && same(local.type, table.entry) &&
        same(local.per[0], table.key) && (local.writable || !to_write))
      out.push_back(local.name);
  for (const Variable& v : variables_)
    if (v.home == Home::table && v.per.size() == 1 && same(v.type, table.entry) && same(v.per[0], table.key))
      out.push_back(v.name);
  return out;
}

// Adds entries of local and memoized tables with this type to `out`.
void Writer::entries_of(const Type& type, bool to_write, std::vector<std::string>& out) {
  const auto add = [&](const std::string& name, const Type& entry, const Type& key) {
    if (fits(entry, type))
      out.push_back(say("{}[{}]", {name, expression_of_key(key, 0)}));
    else if (!to_write && type.is(Sort::integer) && entry.is(Sort::integer))
      out.push_back(say("({}[{}] or else {})", {name, expression_of_key(key, 0), chance_.below(9)}));
  };
  std::vector<Local> held;
  for (const Local& local : locals_)
    if (!local.per.empty() && local.name.front() != '(' && (local.writable || !to_write)) held.push_back(local);
  if (!held.empty()) {
    const Local local = chance_.pick(held);
    add(local.name, local.type, local.per[0]);
  }
  if (to_write || stored_tables_.empty() || !tables_known_) return;
  const Table& stored = chance_.pick(stored_tables_);
  add(stored.name, stored.entry, stored.key);
}

std::string Writer::number_of_tables(int depth) {
  if (!tables_known_) return small_integer();
  const Table& table = chance_.pick(table_functions_);
  const auto held = whole_tables(table, false);
  const std::string given = held.empty() || chance_.one_in(2)
                                ? say("{}({})", {table.name, arguments(table.parameters, std::max(0, depth))})
                                : chance_.pick(held);
  return say("read_{}({})", {table.name, given});
}

// ---------------------------------------------------------------- statements

void Writer::with_tables() {
  const Table table = chance_.one_in(2) ? chance_.pick(stored_tables_) : chance_.pick(table_functions_);
  const auto held = whole_tables(table, true);
  switch (chance_.below(held.empty() ? 3 : 7)) {
    case 0:
    case 3: {
      const std::string t = fresh("table"), first = entry(table.entry, 1);
      line(say("var {}: {} = {}", {t, spelled_table(table), first}));
      return bind_table(t, table, true);
    }
    case 1:
    case 2: {
      const Table& of = chance_.pick(table_functions_);
      const std::string t = fresh("table"), given = arguments(of.parameters, 1);
      line(say("let {} = {}({})", {t, of.name, given}));
      return bind_table(t, of, false);
    }
    case 4: return line(say("{} = {}", {chance_.pick(held), chance_.pick(whole_tables(table, false))}));
    case 5: return line(say("{} = {}", {chance_.pick(held), entry(table.entry, 1)}));
    default: {
      if (at_.loops > 1) return assignment();
      const Inside inside(*this);
      ++at_.loops;
      const std::string t = chance_.pick(held), x = fresh("x");
      open(say("each {} in {}", {x, all_keys(table.key)}));
      bind(x, table.key);
      line(say("{}[{}] = {}", {t, x, entry(table.entry, 2)}));
      return close();
    }
  }
}

// Hides local tables, because deferred code can't use them.
void Writer::forget_tables() {
  for (Local& local : locals_)
    if (!local.per.empty()) local.name = "(" + local.name;
}

}   // namespace cardwright::test
