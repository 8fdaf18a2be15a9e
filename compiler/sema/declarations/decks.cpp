// Checks decks and builds the cards of the game.
// Input:  `deck` declarations, CSV files and the initial contents of zones.
// Output: the cards of the Model, and its pools of roles and characters.
#include "compiler/sema/declarations/decks.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/sema/operations/locals.h"
#include "compiler/loading/csv.h"
#include "compiler/sema/declarations/csv_tables.h"
#include "compiler/sema/expressions/card_attributes.h"
#include "compiler/sema/expressions/evaluate.h"
#include "compiler/sema/expressions/expressions.h"
#include "compiler/sema/expressions/records.h"
#include "compiler/sema/operations/names.h"
#include "compiler/sema/operations/records.h"
#include "compiler/sema/options/collect.h"
#include "compiler/sema/options/tree_constants.h"
#include "compiler/sema/symbols/components.h"
#include "compiler/sema/symbols/errors.h"
#include "compiler/sema/symbols/make.h"
#include "compiler/sema/symbols/types.h"

namespace cardwright::sema {

using loading::CsvField;
using loading::CsvRow;

struct Made {
  model::Card card;
  Range range;
};

static void deck_rows(SemaContext& sema, DeckInfo& deck, const Node* rows, std::vector<Copy>& out,
                      model::CardTypeId type);
static bool row_holds(SemaContext& sema, const Node* where, const Copy& copy);

namespace {
constexpr model::CardTypeId kNoType{};

}   // namespace

// Reads the constants of `enum Weapon from "weapons.csv" { damage: 0..9 }`. The column `name` contains the constants,
// the column `label` contains their labels, and the other columns contain attributes.
void enum_csv(SemaContext& sema, std::uint32_t id) {
  EnumInfo& info = sema.types.enums[id];
  auto table = read_table(sema, view::enum_decl(info.decl.node).csv());
  if (!table) return;
  const auto name = column_of(*table, "name"), label = column_of(*table, "label");
  if (!name) {
    error(sema, "bad_csv"_code, table->at(table->header()), "missing column `name`",
          "the column `name` contains the constants of the enum");
    return;
  }
  info.table = table->source;
  info.csv = table->csv;
  for (std::size_t r = 1; r < info.csv.rows.size(); ++r) {
    const CsvRow& row = info.csv.rows[r];
    model::Enum& e = sema.model.enums[id];
    const CsvField& f = row.fields[*name];
    // A printed name, such as `Water Pistol`, also becomes the label.
    const std::string constant = loading::can_be_name(f.text) ? f.text : loading::name_of_words(f.text);
    if (constant.empty()) {
      error(sema, "bad_csv"_code, table->at(f),
            f.text.empty() ? "this row has no name" : fmt::format("`{}` is not a valid name", f.text),
            "use letters, digits and `_`, and no reserved word; a column `label` can contain any text");
      continue;
    }
    if (has_constant(sema, id, constant)) {
      error(sema, "duplicate_declaration"_code, table->at(f),
            fmt::format("duplicate constant `{}` in `{}`", constant, e.name));
      continue;
    }
    if (e.constants.size() >= model::kMostConstants)
      return void(error(sema, "limit_exceeded"_code, table->at(f),
                        fmt::format("too many constants in `{}`; the limit is {}", e.name, model::kMostConstants)));
    info.rows.resize(e.constants.size(), 0);
    info.rows.push_back(r);
    sema.names.constants[constant].push_back({id, static_cast<Int>(e.constants.size())});
    const bool labeled = label && !row.fields[*label].text.empty();
    if (labeled && row.fields[*label].text.find('{') != std::string::npos)
      error(sema, "brace_in_constant"_code, table->at(row.fields[*label]),
            "expressions in braces are not evaluated in this field", "remove the braces");
    e.constants.push_back({.name = constant,
                           .label = labeled              ? row.fields[*label].text
                                    : constant != f.text ? f.text
                                                         : split_words(constant),
                           .number = static_cast<Int>(e.constants.size()),
                           .attributes = {},
                           .text = {},
                           .range = table->at(f)});
  }
}

void enum_csv_attributes(SemaContext& sema, std::uint32_t id) {
  const EnumInfo& info = sema.types.enums[id];
  const CsvTable table{.source = *info.table, .csv = info.csv};
  model::Enum& e = sema.model.enums[id];
  std::vector<std::string> names;
  for (model::AttributeId known : e.attributes) names.push_back(sema.model.attributes[known.index].name);
  std::vector<std::size_t> ignored;
  for (std::size_t i = 0; i < table.header().fields.size(); ++i) {
    const auto meant = name_meant(names, table.header().fields[i].text);
    const auto a = meant ? attribute_of_enum(sema, {id}, *meant) : std::nullopt;
    if (!a) {
      if (i != column_of(table, "name") && i != column_of(table, "label")) ignored.push_back(i);
      continue;
    }
    const auto position =
        static_cast<std::size_t>(std::find(e.attributes.begin(), e.attributes.end(), *a) - e.attributes.begin());
    for (std::size_t c = 0; c < info.rows.size(); ++c) {
      if (info.rows[c] == 0) continue;
      const CsvField& v = info.csv.rows[info.rows[c]].fields[i];
      if (v.text.empty() || v.text == "-") continue;
      // If the text is not a valid value, attribute_text() has reported an error.
      e.constants[c].attributes[position] = attribute_text(sema, *a, v.text, table.at(v)).value_or(0);
    }
  }
  warn_ignored(sema, table, view::enum_decl(info.decl.node).csv(), ignored, names);
}

static std::vector<Copy>& copies_of(DeckInfo& deck, model::KindId kind) {
  for (auto& [k, copies] : deck.copies)
    if (k == kind.index) return copies;
  deck.copies.push_back({kind.index, {}});
  return deck.copies.back().second;
}

static bool count_of(SemaContext& sema, const Node* node, Int& count) {
  count = 1;
  if (!node) return true;
  auto n = tree_int(sema, node);
  if (!n) return false;
  if (*n < 0 || *n > kMostCards) {
    error(sema, "limit_exceeded"_code, name_range(sema, node),
          fmt::format("too many copies: found {}, but a deck can have at most {} cards", *n, kMostCards));
    return false;
  }
  count = *n;
  return true;
}

static void add_copies(SemaContext& sema, std::vector<Copy>& out, const Copy& copy, Int n, Range range) {
  if (static_cast<Int>(out.size()) + n > kMostCards) {
    error(sema, "limit_exceeded"_code, range, fmt::format("too many cards in the deck; the limit is {}", kMostCards));
    return;
  }
  for (Int i = 0; i < n; ++i) out.push_back(copy);
}

// Reports a name with a blank, `Water Pistol x 3`, once: at the first word if it is unknown, or else at the second.
// Both words are rows of their own.
static bool report_blank_in_name(SemaContext& sema, const Node* row) {
  const std::string_view text = sema.diagnostics.sources().text(row->range.source);
  const auto in_word = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_');
  };
  const std::size_t begin = row->range.begin, end = begin + row->text.size();
  std::size_t from = begin, to = end;
  while (from > 0 && text[from - 1] == ' ') --from;
  const std::size_t blank = from;
  while (from > 0 && in_word(from - 1)) --from;
  while (to < text.size() && text[to] == ' ') ++to;
  const std::size_t second = to;
  while (in_word(to)) ++to;
  const std::string before(text.substr(from, blank - from)), after(text.substr(second, to - second));
  const auto report = [&](std::size_t first, std::size_t last, const std::string& name) {
    error(sema, "unknown_name"_code,
          {row->range.source, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)},
          "a name can't contain a blank", fmt::format("write `{}`", name));
    return true;
  };
  const std::string with_next = std::string(row->text) + after, with_last = before + std::string(row->text);
  if (!after.empty() && second > end && sema.names.kinds.contains(with_next)) return report(begin, to, with_next);
  if (before.empty() || blank == begin || !sema.names.kinds.contains(with_last)) return false;
  return !sema.names.kinds.contains(before) || report(from, end, with_last);
}

// Returns one copy of the card that a row of a deck names.
static std::optional<Copy> copy_of_row(SemaContext& sema, const Node* row, model::CardTypeId type) {
  const std::string_view name = row->text;
  std::uint32_t kind = ~0u;
  if (auto it = sema.names.kinds.find(name); it != sema.names.kinds.end()) {
    if (it->second == ~0u) return std::nullopt;
    kind = it->second;
  } else if (auto t = sema.names.card_types.find(name); t != sema.names.card_types.end()) {
    kind = implicit_kind(sema, {t->second}).index;
  } else {
    if (sema.collected.absent.contains(name)) {
      sema.cards.dropped = true;
      return std::nullopt;
    }
    std::vector<std::string> names;
    for (const auto& [n, id] : sema.names.kinds) names.push_back(n);
    if (report_blank_in_name(sema, row)) return std::nullopt;
    error(sema, "unknown_name"_code, row->range, fmt::format("unknown card `{}`", name), did_you_mean(name, names));
    return std::nullopt;
  }
  const model::CardTypeId of = sema.model.kinds[kind].type;
  if (type.valid() && !is_a(sema, of.index, type.index))
    error(sema, "bad_deck"_code, row->range,
          fmt::format("`{}` is not a card of type `{}`", name, sema.model.card_types[type.index].name));
  Copy copy{.kind = {kind}, .attributes = {}, .range = row->range};
  for (const auto& [variable, value] : sema.constants.generator)   // `each colour in Colour { … }` sets this attribute
    if (auto a = attribute_of_type(sema, of, variable)) {
      const Type& t = sema.model.attributes[a->index].type;
      if ((t.kind == TypeKind::enumeration && value.kind == TreeConstant::Kind::enumeration && value.ref == t.ref) ||
          (t.kind == TypeKind::integer && value.kind == TreeConstant::Kind::integer))
        copy.attributes[a->index] = value.value;
    }
  if (view::deck_row(row).attributes()) {
    const std::vector<std::string> order = attributes_in_order(sema, of.index);
    std::size_t at = 0;
    std::set<std::string> used;
    for (const Node* a : view::deck_row(row).attributes()->children) {
      if (!a) continue;
      std::string_view attribute;
      if (a->kind == NodeKind::arg && !a->text.empty()) {
        attribute = a->text;
        if (!attribute_of_type(sema, of, attribute) && !composed_attribute(sema, of.index, attribute)) {
          error(sema, "unknown_member"_code, a->range, fmt::format("`{}` has no attribute `{}`", name, a->text),
                did_you_mean_one_of(a->text, members_of(sema, card_type(of.index))));
          continue;
        }
      } else if (at < order.size()) {
        attribute = order[at];
      } else {
        error(sema, "bad_deck"_code, a->range,
              fmt::format("too many values: `{}` has {} attribute{}", name, order.size(), order.size() == 1 ? "" : "s"),
              a->kind == NodeKind::number
                  ? fmt::format("write the number of copies after `x`: `{} x {}`", name, a->number)
                  : "");
        continue;
      }
      ++at;
      if (!used.insert(std::string(attribute)).second)
        error(sema, "duplicate_clause"_code, a->range, fmt::format("duplicate argument `{}`", attribute),
              "remove one of the two");
      for (const WrittenPart& p : written_attribute(sema, composed_attribute(sema, of.index, attribute), attribute,
                                                    a->kind == NodeKind::arg ? view::arg(a).value() : a))
        if (auto id = attribute_of_type(sema, of, p.name))
          copy.attributes[id->index] = attribute_value(sema, *id, p.value).value_or(kNone);
    }
  }
  return copy;
}

static void deck_row(SemaContext& sema, const Node* row, std::vector<Copy>& out, model::CardTypeId type) {
  std::optional<Copy> copy = copy_of_row(sema, row, type);
  Int n = 1;
  if (copy && count_of(sema, view::deck_row(row).count(), n)) add_copies(sema, out, *copy, n, row->range);
}

static void deck_each(SemaContext& sema, DeckInfo& deck, const Node* each, std::size_t gen, std::vector<Copy>& out,
                      model::CardTypeId type) {
  const Node* gens = view::deck_each(each).generators();
  if (!gens) return;
  if (gen == gens->children.size()) {
    if (view::deck_each(each).where()) {
      auto c = tree_constant(sema, view::deck_each(each).where());
      if (!c || !c->value) return;
    }
    deck_rows(sema, deck, view::deck_each(each).rows(), out, type);
    return;
  }
  const Node* g = view::list(gens).items(gen);
  if (!g || !view::gen(g).domain()) return;
  const Node* domain = view::gen(g).domain();
  const std::string name(g->text);
  auto outer = sema.constants.generator.find(name) != sema.constants.generator.end()
                   ? std::optional<TreeConstant>(sema.constants.generator[name])
                   : std::nullopt;
  if (domain->kind == NodeKind::range_lit) {
    auto lo = tree_int(sema, view::range_lit(domain).lo()), hi = tree_int(sema, view::range_lit(domain).hi());
    if (lo && hi && *hi - *lo > kMostCards)
      error(sema, "limit_exceeded"_code, domain->range,
            fmt::format("too many cards in the deck; the limit is {}", kMostCards));
    else if (lo && hi)
      for (Int i = *lo; i <= *hi; ++i) {
        sema.constants.generator[name] = {.kind = TreeConstant::Kind::integer, .value = i};
        deck_each(sema, deck, each, gen + 1, out, type);
        if (static_cast<Int>(out.size()) >= kMostCards) break;
      }
  } else if (domain->kind == NodeKind::name_ref && sema.names.enums.contains(domain->text)) {
    const std::uint32_t e = sema.names.enums.find(domain->text)->second;
    for (std::size_t i = 0; i < sema.model.enums[e].constants.size(); ++i) {
      sema.constants.generator[name] = {
          .kind = TreeConstant::Kind::enumeration, .value = static_cast<Int>(i), .ref = e};
      deck_each(sema, deck, each, gen + 1, out, type);
    }
  } else if (domain->kind == NodeKind::list_lit) {
    for (const Node* item : domain->children)
      if (auto v = tree_constant(sema, item)) {
        sema.constants.generator[name] = *v;
        deck_each(sema, deck, each, gen + 1, out, type);
      }
  } else {
    error(sema, "bad_deck"_code, domain->range, "expected an enum, a range such as `1..9` or a list");
  }
  if (outer)
    sema.constants.generator[name] = *outer;
  else
    sema.constants.generator.erase(name);
}

// Returns whether a house file removed a card of this type. In this case, the deck's declared total number of cards is
// not checked.
static bool has_removed_card(const SemaContext& sema, model::CardTypeId type) {
  return std::ranges::any_of(sema.collected.removed_cards, [&](const Node* card) {
    const Node* base = view::card(card).base();
    const auto of = base ? sema.names.card_types.find(base->text) : sema.names.card_types.end();
    return of != sema.names.card_types.end() && is_a(sema, of->second, type.index);
  });
}

static void deck_rows(SemaContext& sema, DeckInfo& deck, const Node* rows, std::vector<Copy>& out,
                      model::CardTypeId type) {
  if (!rows || ++sema.depth > 100) {
    if (rows) --sema.depth;
    return;
  }
  for (const Node* row : rows->children) {
    if (!row) continue;
    switch (row->kind) {
      case NodeKind::deck_row: deck_row(sema, row, out, type); break;
      case NodeKind::deck_each: deck_each(sema, deck, row, 0, out, type); break;
      case NodeKind::list: deck_rows(sema, deck, row, out, type); break;
      case NodeKind::deck_every: {
        Int n = 1;
        if (row->text != "card")
          error(sema, "bad_deck"_code, row->range, "expected `card` or a loop variable after `each`",
                "`each card x 2`, `each n in 1..9: …`");
        else if (!type.valid())
          error(sema, "bad_deck"_code, row->range, "`each card` needs a deck with a card type",
                "`deck Box: Item into draw { each card x 2 }`");
        else if (count_of(sema, view::deck_every(row).count(), n))
          for (Int k : kinds_of_type(sema, type.index))
            add_copies(sema, out, {.kind = {static_cast<std::uint32_t>(k)}, .attributes = {}, .range = row->range}, n,
                       row->range);
        sema.cards.dropped = sema.cards.dropped || has_removed_card(sema, type);
        break;
      }
      case NodeKind::with_decl: {
        if (const auto side = branch(sema, row)) deck_rows(sema, deck, side->taken, out, type);
        break;
      }
      case NodeKind::deck_players:
      case NodeKind::deck_counts:
        error(sema, "bad_deck"_code, row->range, "a table by number of players is allowed only in a deck of an enum",
              "write `Miss x 12`");
        --sema.depth;
        return;
      default: break;
    }
  }
  --sema.depth;
}

// A CSV file of cards. One of its columns can name the card, and another one can contain the number of copies.
struct DeckTable : CsvTable {
  const Node* path;
  model::CardTypeId type;   // the type of all cards; invalid if it is not known
  std::vector<std::string> names = {};   // the attributes that the cards can have
  std::vector<std::string> attributes = {};   // the attribute of each column, or empty
  std::optional<std::size_t> card = {}, count = {};
  std::vector<std::size_t> ignored = {};
};

static bool admits_named_cards(const SemaContext& sema, const DeckTable& table) {
  if (!table.type.valid()) return true;
  const auto kinds = kinds_of_type(sema, table.type.index);
  return std::ranges::any_of(kinds, [&](Int k) { return !sema.types.kinds[static_cast<std::size_t>(k)].implicit; });
}

static void find_names(const SemaContext& sema, DeckTable& table) {
  for (std::uint32_t t = 0; t < sema.types.cards.size(); ++t) {
    if (table.type.valid() && !is_a(sema, t, table.type.index) && !is_a(sema, table.type.index, t)) continue;
    for (model::AttributeId a : sema.types.cards[t].own) table.names.push_back(sema.model.attributes[a.index].name);
  }
}

// Reports a column `card` or `count` if an attribute has this name.
static void report_two_meanings(SemaContext& sema, const DeckTable& table, std::size_t column, std::string_view means) {
  const CsvField& f = table.header().fields[column];
  if (const auto attribute = name_meant(table.names, f.text))
    error(sema, "bad_csv"_code, table.at(f),
          fmt::format("the column `{}` is {}, but the cards also have an attribute `{}`", f.text, means, *attribute),
          "rename the attribute");
}

// Finds the column that names the cards: `card`, or else `name` or `kind`, unless the cards have such an attribute.
static void find_special_columns(SemaContext& sema, DeckTable& table) {
  table.card = column_of(table, "card");
  if (table.card) report_two_meanings(sema, table, *table.card, "the name of the card");
  for (const std::string_view other : {"name", "kind"})
    if (!table.card && admits_named_cards(sema, table) && !name_meant(table.names, other))
      table.card = column_of(table, other);
  table.count = column_of(table, "count");
  if (table.count) report_two_meanings(sema, table, *table.count, "the number of copies");
}

// Reports a column for an attribute that needs several columns.
static bool report_composed(SemaContext& sema, const DeckTable& table, const CsvField& f) {
  const Type* whole = composed_attribute(sema, table.type.valid() ? table.type.index : ~0u, f.text);
  if (!whole) return false;
  std::string columns;
  for (const Part& p : attribute_leaves(sema, *whole, f.text))
    columns += (columns.empty() ? "`" : ", `") + p.name + "`";
  error(sema, "bad_csv"_code, table.at(f),
        fmt::format("the attribute `{}` has type `{}`, which needs several columns", f.text, show(sema, *whole)),
        "use the columns " + columns);
  return true;
}

static void find_columns(SemaContext& sema, DeckTable& table) {
  find_names(sema, table);
  find_special_columns(sema, table);
  for (std::size_t i = 0; i < table.header().fields.size(); ++i) {
    const CsvField& f = table.header().fields[i];
    table.attributes.emplace_back();
    if (i == table.card || i == table.count) continue;
    if (const auto meant = f.text.empty() ? std::nullopt : name_meant(table.names, f.text))
      table.attributes.back() = *meant;
    else if (f.text.empty() || !report_composed(sema, table, f))
      table.ignored.push_back(i);
  }
}

static bool has_card_column(SemaContext& sema, const DeckTable& table) {
  if (table.card || (table.type.valid() && !admits_named_cards(sema, table))) return true;
  error(sema, "bad_csv"_code, table.at(table.header()), "missing column `card`, which names the card of each line",
        name_meant(table.names, "name") && column_of(table, "name")
            ? "the column `name` is the attribute `name` of the cards"
            : "");
  return false;
}

// Reports an attribute that all cards of the deck need and that no column contains, once for the file. The column may
// be misspelled. Returns these attributes.
static std::vector<std::uint32_t> report_missing_columns(SemaContext& sema, DeckTable& table) {
  std::vector<std::uint32_t> missing;
  if (!table.type.valid()) return missing;
  std::vector<Int> kinds = kinds_of_type(sema, table.type.index);
  if (!table.card) kinds = {static_cast<Int>(implicit_kind(sema, table.type).index)};
  std::vector<std::string> headers;
  for (const std::size_t i : table.ignored) headers.push_back(table.header().fields[i].text);
  for (const std::string& name : table.names) {
    const auto a = attribute_of_type(sema, table.type, name);
    if (!a || std::ranges::find(table.attributes, name) != table.attributes.end()) continue;
    if (kinds.empty() ||
        !std::ranges::all_of(kinds, [&](Int k) { return needs_value(sema, a->index, static_cast<std::uint32_t>(k)); }))
      continue;
    missing.push_back(a->index);
    const auto misspelled = std::ranges::find_if(
        table.ignored, [&](std::size_t i) { return nearest(name, headers) == table.header().fields[i].text; });
    if (misspelled == table.ignored.end()) {
      error(sema, "bad_csv"_code, table.at(table.header()), fmt::format("missing column `{}`", name),
            "add the column, or declare a default for the attribute");
      continue;
    }
    const CsvField& f = table.header().fields[*misspelled];
    error(sema, "bad_csv"_code, table.at(f), fmt::format("unknown attribute `{}`", f.text),
          did_you_mean(f.text, {name}));
  }
  return missing;
}

// Returns the kind of the card in a row. Returns nullopt if the card does not exist with the chosen options, or after
// reporting an error.
static std::optional<std::uint32_t> kind_of_row(SemaContext& sema, const DeckTable& table, const CsvRow& row) {
  if (!table.card) return implicit_kind(sema, table.type).index;
  const CsvField& f = row.fields[*table.card];
  std::vector<std::uint32_t> kinds = kinds_of_text(sema, f.text);
  if (kinds.size() > 1 && table.type.valid())
    std::erase_if(kinds, [&](std::uint32_t k) {
      return k != ~0u && !is_a(sema, sema.model.kinds[k].type.index, table.type.index);
    });
  if (kinds.empty()) {
    if (sema.collected.absent.contains(f.text)) {
      sema.cards.dropped = true;
      return std::nullopt;
    }
    std::vector<std::string> names;
    for (const auto& [n, id] : sema.names.kinds) names.push_back(n);
    error(sema, "bad_csv"_code, table.at(f),
          f.text.empty() ? "this row names no card" : fmt::format("unknown card `{}`", f.text),
          did_you_mean(f.text, names));
    return std::nullopt;
  }
  if (kinds.size() > 1) {
    error(sema, "bad_csv"_code, table.at(f), fmt::format("several cards are called `{}`", f.text),
          fmt::format("write `{}` or `{}`", sema.model.kinds[kinds[0]].name, sema.model.kinds[kinds[1]].name));
    return std::nullopt;
  }
  const std::uint32_t kind = kinds[0];
  if (kind == ~0u) return std::nullopt;
  if (table.type.valid() && !is_a(sema, sema.model.kinds[kind].type.index, table.type.index)) {
    error(sema, "bad_csv"_code, table.at(f),
          fmt::format("`{}` is not a card of type `{}`", f.text, sema.model.card_types[table.type.index].name));
    return std::nullopt;
  }
  return kind;
}

static Copy copy_of_row(SemaContext& sema, const DeckTable& table, const CsvRow& row, std::uint32_t kind) {
  Copy copy{.kind = {kind}, .attributes = {}, .range = table.at(row)};
  for (std::size_t i = 0; i < row.fields.size(); ++i) {
    const CsvField& f = row.fields[i];
    if (table.attributes[i].empty() || f.text.empty() || f.text == "-") continue;
    auto a = attribute_of_type(sema, sema.model.kinds[kind].type, table.attributes[i]);
    if (!a) {
      error(sema, "bad_csv"_code, table.at(f),
            fmt::format("`{}` has no attribute `{}`", sema.model.kinds[kind].name, table.attributes[i]),
            "clear this field");
      continue;
    }
    copy.attributes[a->index] = attribute_text(sema, *a, f.text, table.at(f)).value_or(kNone);
  }
  return copy;
}

static std::optional<Int> copies_of_row(SemaContext& sema, const DeckTable& table, const CsvRow& row) {
  if (!table.count) return 1;
  const CsvField& f = row.fields[*table.count];
  if (f.text.empty() || f.text == "-") return 1;
  const std::string n = loading::plain_number(f.text);
  if (n.size() <= 4 && n.find_first_not_of("0123456789") == std::string::npos) return std::stoll(n);
  error(sema, "bad_csv"_code, table.at(f), fmt::format("expected a number of copies, found `{}`", f.text));
  return std::nullopt;
}

static void deck_csv(SemaContext& sema, const Node* node, std::vector<Copy>& out, model::CardTypeId type) {
  auto read = read_table(sema, view::deck(node).csv());
  if (!read) return;
  DeckTable table{std::move(*read), view::deck(node).csv(), type};
  find_columns(sema, table);
  if (!has_card_column(sema, table)) return;
  const std::vector<std::uint32_t> missing = report_missing_columns(sema, table);
  warn_ignored(sema, table, table.path, table.ignored, table.names);
  for (std::size_t r = 1; r < table.csv.rows.size(); ++r) {
    const CsvRow& row = table.csv.rows[r];
    const auto kind = kind_of_row(sema, table, row);
    if (!kind) continue;
    Copy copy = copy_of_row(sema, table, row, *kind);
    for (const std::uint32_t a : missing) copy.attributes.emplace(a, kNone);
    const auto n = copies_of_row(sema, table, row);
    if (!n) continue;
    const std::size_t before = sema.errors;
    if (!view::deck(node).where() || row_holds(sema, view::deck(node).where(), copy))
      add_copies(sema, out, copy, *n, table.at(row));
    if (sema.errors != before) return;
  }
}

// Evaluates the condition C of `from "cards.csv" where C` for the card of one row.
static bool row_holds(SemaContext& sema, const Node* where, const Copy& copy) {
  Body& body = sema.scratch.emplace_back();
  RuleContext rule(sema);
  rule.body = &body;
  rule.pure = true;
  rule.elements.push_back(
      {local(rule, add_local(rule, "this", card_type(sema.model.kinds[copy.kind.index].type.index), where->range),
             where->range),
       true});
  const Expr* c = condition(rule, where);
  if (is_poison(c)) return false;
  sema.cards.copy = &copy;
  const auto value = evaluate(sema, *c);
  sema.cards.copy = nullptr;
  if (!value)
    not_known(sema, where->range, "the condition must be known before the game starts",
              "it may use attributes, options and `const`s");
  return value && value->value;
}

// Builds a deck of enum constants. With `by players`, each row lists one count for each number of players; otherwise,
// each row has a single count.
static void build_pool(SemaContext& sema, DeckInfo& deck) {
  const Node* first = deck.nodes.front();
  const std::uint32_t e = sema.names.enums.find(view::deck(first).type()->text)->second;
  deck.pool = model::PoolId{static_cast<std::uint32_t>(sema.model.pools.size())};
  sema.model.pools.push_back({.name = std::string(first->text), .element = {e}, .counts = {}, .range = first->range});
  sema.model.pools.back().counts.assign(sema.model.enums[e].constants.size(), 0);
  Int total = 0;
  for (const Node* node : deck.nodes) {
    model::Pool& pool = sema.model.pools[deck.pool->index];
    if (node != first && (node->number & 1)) std::fill(pool.counts.begin(), pool.counts.end(), 0);
    if (node->number & 1) std::fill(pool.counts.begin(), pool.counts.end(), 1);
    Int copies = 1;
    if (view::deck(node).copies() && node == first && count_of(sema, view::deck(node).copies(), copies))
      std::fill(pool.counts.begin(), pool.counts.end(), copies);
    std::optional<std::size_t> column;
    std::size_t columns = 0;
    if (!view::deck(node).rows()) continue;
    // Constants mentioned in this declaration. The first row for a constant replaces the count, and further rows add to
    // it.
    std::set<Int> mentioned;
    expand(sema, view::deck(node).rows(), model::RuleKind::rule, [&](const Node* row, model::RuleKind) {
      if (row->kind == NodeKind::deck_players) {
        columns = row->children.size();
        for (std::size_t i = 0; i < columns; ++i)
          if (const Node* n = view::deck_players(row).counts(i); n && n->number == sema.players) column = i;
        if (!column)
          error(sema, "bad_deck"_code, row->range,
                fmt::format("`{}` has no column for {} players", pool.name, sema.players), "add a column");
        return;
      }
      if (row->kind != NodeKind::deck_counts && row->kind != NodeKind::deck_row) return;
      Int index = -1;
      std::vector<std::string> names;
      for (std::size_t i = 0; i < sema.model.enums[e].constants.size(); ++i) {
        names.push_back(sema.model.enums[e].constants[i].name);
        if (names.back() == row->text) index = static_cast<Int>(i);
      }
      if (index < 0) {
        if (!sema.collected.absent.contains(row->text))
          error(sema, "unknown_name"_code, row->range,
                fmt::format("`{}` has no constant `{}`", sema.model.enums[e].name, row->text),
                did_you_mean(row->text, names));
        return;
      }
      if (row->kind == NodeKind::deck_row) {
        Int n = 1;
        if (count_of(sema, view::deck_row(row).count(), n))
          pool.counts[index] = n + (mentioned.insert(index).second ? 0 : pool.counts[index]);
        return;
      }
      if (columns && row->children.size() != columns) {
        error(sema, "bad_deck"_code, row->range,
              fmt::format("`{}` has {} numbers, but the header has {}", row->text, row->children.size(), columns));
        return;
      }
      if (const Node* cell = column ? view::deck_counts(row).counts(*column) : nullptr) {
        const Int n = cell->number;
        if (n < 0 || n > kMostCards)
          error(sema, "limit_exceeded"_code, cell->range,
                fmt::format("count out of range; the limit is {}", kMostCards));
        else
          pool.counts[index] = n;
      }
    });
    if (view::deck(node).total())
      if (auto wanted = tree_int(sema, view::deck(node).total())) {
        for (Int n : pool.counts) total += n;
        if (total != *wanted)
          error(sema, "bad_deck"_code, view::deck(node).total()->range,
                fmt::format("the total is {}, not {}", total, *wanted));
      }
  }
}

void declare_decks(SemaContext& sema) {
  for (const Decl& d : sema.collected.decls) {
    if (d.node->kind != NodeKind::deck) continue;
    auto [it, fresh] = sema.cards.decks.try_emplace(std::string(d.node->text));
    DeckInfo& deck = it->second;
    if (!fresh && sema.ruleset.units[deck.unit].depth == d.precedence.depth) {
      twice(sema, d.node, "deck", deck.node->range);
      continue;
    }
    if (fresh) sema.cards.deck_order.push_back(it->first);
    // `deck Cards: Splash x 30` changes counts. A complete list is an error, because it would discard the list of the
    // base game.
    const bool one_count = !fresh && view::deck(d.node).type() && view::deck(d.node).copies() &&
                           !view::deck(d.node).into() && d.node->number == 0 &&
                           view::deck(d.node).rows()->children.empty();
    const bool whole =
        !one_count && (view::deck(d.node).csv() ||
                       (view::deck(d.node).type() && sema.names.card_types.contains(view::deck(d.node).type()->text)) ||
                       (view::deck(d.node).type() && sema.cards.decks.contains(view::deck(d.node).type()->text) &&
                        view::deck(d.node).type()->text != d.node->text));
    if (whole && !fresh) {
      twice(sema, d.node, "deck", deck.node->range).help =
          fmt::format("use `replace deck {} …` to replace the list, or `deck {}: Card x 3` to change one count",
                      d.node->text, d.node->text);
      continue;
    }
    deck.node = d.node;
    if (deck.nodes.empty()) deck.unit = d.unit;
    deck.nodes.push_back(d.node);
  }
  for (auto& [name, deck] : sema.cards.decks)
    if (const Node* t = view::deck(deck.nodes.front()).type())
      if (auto other = sema.cards.decks.find(t->text); other != sema.cards.decks.end() && other->first != name)
        other->second.used = true;
  for (const std::string& name : sema.cards.deck_order) {
    DeckInfo& deck = sema.cards.decks[name];
    const Node* t = view::deck(deck.nodes.front()).type();
    if (t && sema.names.enums.contains(t->text)) build_pool(sema, deck);
  }
}

// Sets the number of copies that match `design` to n. If several printed versions match, their proportions are
// preserved.
static void change_count(DeckInfo& deck, const Copy& design, Int n) {
  std::vector<Copy>& copies = copies_of(deck, design.kind);
  const auto agrees = [&](const Copy& c) {
    return std::all_of(design.attributes.begin(), design.attributes.end(), [&](const auto& a) {
      auto it = c.attributes.find(a.first);
      return it != c.attributes.end() && it->second == a.second;
    });
  };
  std::vector<Copy> base;
  std::copy_if(copies.begin(), copies.end(), std::back_inserter(base), agrees);
  std::erase_if(copies, agrees);
  for (Int i = 0; i < n; ++i)
    copies.push_back(base.empty() ? design
                                  : base[static_cast<std::size_t>(i) * base.size() / static_cast<std::size_t>(n)]);
}

// Applies `deck Cards: Splash x 30, Coin(worth: 5) x 2` in a house file, or such rows in braces.
static void override_counts(SemaContext& sema, DeckInfo& deck, const Node* node) {
  const auto change = [&](const Node* row) {
    Int n = 1;
    if (std::optional<Copy> design = copy_of_row(sema, row, kNoType);
        design && count_of(sema, view::deck_row(row).count(), n))
      change_count(deck, *design, n);
  };
  if (view::deck(node).type()) {   // a single count
    Int n = 1;
    if (std::optional<Copy> design = copy_of_row(sema, view::deck(node).type(), kNoType);
        design && count_of(sema, view::deck(node).copies(), n))
      change_count(deck, *design, n);
  }
  if (!view::deck(node).rows()) return;
  expand(sema, view::deck(node).rows(), model::RuleKind::rule, [&](const Node* row, model::RuleKind) {
    if (row->kind == NodeKind::deck_row) return change(row);
    if (row->kind != NodeKind::deck_each) return;
    std::vector<Copy> fresh;
    deck_each(sema, deck, row, 0, fresh, kNoType);
    for (auto it = fresh.begin(); it != fresh.end();) {
      const auto end = std::find_if(
          it, fresh.end(), [&](const Copy& c) { return c.kind != it->kind || c.attributes != it->attributes; });
      change_count(deck, *it, end - it);
      it = end;
    }
  });
}

static void build_deck(SemaContext& sema, DeckInfo& deck) {
  if (deck.built) return;
  if (deck.building) {
    error(sema, "circular"_code, name_range(sema, deck.node),
          fmt::format("the deck `{}` contains itself", deck.node->text));
    return;
  }
  deck.building = true;
  sema.cards.dropped = false;
  for (std::size_t i = 0; i < deck.nodes.size(); ++i) {
    const Node* node = deck.nodes[i];
    if (i > 0) {
      override_counts(sema, deck, node);
      continue;
    }
    std::vector<Copy> copies;
    model::CardTypeId type = kNoType;
    bool counted = false;
    if (const Node* t = view::deck(node).type()) {
      if (auto it = sema.names.card_types.find(t->text); it != sema.names.card_types.end()) {
        type = {it->second};
      } else if (auto k = sema.names.kinds.find(t->text); k != sema.names.kinds.end()) {
        counted = true;
        Int n = 1;
        if (k->second != ~0u && count_of(sema, view::deck(node).copies(), n))
          add_copies(sema, copies, {.kind = {k->second}, .attributes = {}, .range = t->range}, n, t->range);
      } else if (auto other = sema.cards.decks.find(t->text);
                 other != sema.cards.decks.end() && &other->second != &deck) {
        counted = true;
        build_deck(sema, other->second);
        Int n = 1;
        if (count_of(sema, view::deck(node).copies(), n))
          for (const auto& [kind, of] : other->second.copies)
            for (const Copy& c : of) add_copies(sema, copies, c, n, t->range);
      } else {
        std::vector<std::string> names;
        for (const auto& [n, id] : sema.names.card_types) names.push_back(n);
        for (const auto& [n, id] : sema.cards.decks) names.push_back(n);
        for (const auto& [n, id] : sema.names.enums) names.push_back(n);
        error(sema, "unknown_name"_code, t->range, fmt::format("unknown card type, deck or enum `{}`", t->text),
              did_you_mean(t->text, names));
        break;
      }
    }
    if (view::deck(node).csv()) deck_csv(sema, node, copies, type);
    deck_rows(sema, deck, view::deck(node).rows(), copies, type);
    if ((node->number & 1) && type.valid()) sema.cards.dropped = sema.cards.dropped || has_removed_card(sema, type);
    if ((node->number & 1) && type.valid())
      for (Int k : kinds_of_type(sema, type.index))
        add_copies(sema, copies, {.kind = {static_cast<std::uint32_t>(k)}, .attributes = {}, .range = node->range}, 1,
                   node->range);
    if (type.valid() && view::deck(node).copies() && !counted) {
      Int n = 1;
      if (count_of(sema, view::deck(node).copies(), n)) {
        if (copies.empty())
          copies.push_back({.kind = implicit_kind(sema, type), .attributes = {}, .range = node->range});
        const std::vector<Copy> once = copies;
        copies.clear();
        for (const Copy& c : once) add_copies(sema, copies, c, n, node->range);
      }
    }
    for (Copy& c : copies) copies_of(deck, c.kind).push_back(std::move(c));
  }
  Int size = 0;
  for (const auto& [kind, copies] : deck.copies) size += static_cast<Int>(copies.size());
  const Node* last = deck.nodes.back();
  if (view::deck(last).total() && !sema.cards.dropped)
    if (auto total = tree_int(sema, view::deck(last).total()); total && *total != size && sema.errors == 0)
      error(sema, "bad_deck"_code, view::deck(last).total()->range,
            fmt::format("the deck `{}` has {} cards, not {}", last->text, size, *total));
  deck.building = false;
  deck.built = true;
}

// Returns the decks of the base game that a house file can change, formatted for a help text as `deck Cards: …`.
static std::string decks_of_base(const SemaContext& sema) {
  std::string out;
  for (const std::string& name : sema.cards.deck_order)
    if (const DeckInfo& deck = sema.cards.decks.at(name);
        !deck.pool && sema.ruleset.units[deck.unit].depth == 0 && !sema.ruleset.units[deck.unit].library)
      out += fmt::format("{}deck {}: …", out.empty() ? "" : "` or `", name);
  return out;
}

static void make_card(SemaContext& sema, const Copy& copy, std::optional<model::ZoneId> home, Int place, Range range,
                      std::vector<Made>& made) {
  sema.types.kinds[copy.kind.index].in_deck = true;
  model::Card card{.kind = copy.kind, .attributes = {}, .home = home, .home_place = place};
  card.attributes.assign(sema.model.attributes.size(), kNone);
  sema.cards.copy = &copy;
  std::uint32_t t = sema.model.kinds[copy.kind.index].type.index;
  const std::size_t before = sema.errors;
  for (std::size_t steps = 0; steps <= sema.types.cards.size() && t < sema.types.cards.size(); ++steps) {
    for (model::AttributeId a : sema.types.cards[t].own)
      if (auto v = attribute_of_copy(sema, a.index, range)) card.attributes[a.index] = *v;
    if (!sema.model.card_types[t].base) break;
    t = sema.model.card_types[t].base->index;
  }
  sema.cards.copy = nullptr;
  if (sema.errors == before) made.push_back({std::move(card), copy.range});
}

static void make_deck(SemaContext& sema, const std::string& name, DeckInfo& deck, std::vector<Made>& made) {
  const Node* into = nullptr;
  for (const Node* n : deck.nodes)
    if (view::deck(n).into()) into = view::deck(n).into();
  if (deck.pool || (deck.used && !into)) return;
  if (!into && sema.ruleset.units[deck.unit].library) return;
  build_deck(sema, deck);
  std::optional<model::ZoneId> home;
  if (into) {
    auto z = sema.names.table_zones.find(into->text);
    if (z != sema.names.table_zones.end()) {
      home = model::ZoneId{z->second};
    } else {
      std::vector<std::string> names;
      for (const auto& [n, id] : sema.names.table_zones) names.push_back(n);
      error(sema, "unknown_name"_code, into->range, fmt::format("unknown zone of the table `{}`", into->text),
            did_you_mean(into->text, names));
    }
  } else {
    std::string help = "add a zone of the table: `into draw`";
    if (const std::string base = decks_of_base(sema); sema.ruleset.units[deck.unit].depth > 0 && !base.empty())
      help = fmt::format(
          "the base game has no deck with this name; to change the counts of its deck, write `{}`; for a new deck, add "
          "`into draw`",
          base);
    error(sema, "bad_deck"_code, name_range(sema, deck.node), fmt::format("the deck `{}` has no initial zone", name),
          help);
  }
  for (const auto& [kind, copies] : deck.copies)
    for (const Copy& c : copies) make_card(sema, c, home, 0, deck.node->range, made);
}

// Applies `zone hand: owner, starts with 2 Coin` by adding the cards to the zone of each player or of each part of an
// area.
static void make_at_start(SemaContext& sema, std::uint32_t zone, const Node* starts, std::vector<Made>& made) {
  const Node* row = view::zone_attr(starts).arguments(0);
  if (!row)
    return void(error(sema, "bad_zone"_code, starts->range, "expected a number and a card after `starts with`",
                      "`starts with 2 Coin`"));
  const std::optional<Copy> copy = copy_of_row(sema, row, kNoType);
  const model::Zone& z = sema.model.zones[zone];
  const Int places = z.copies * (z.per_player ? sema.players : 1);
  Int n = 0;
  if (!copy || !count_of(sema, view::deck_row(row).count(), n)) return;
  if (places * n > kMostCards)
    return void(error(
        sema, "limit_exceeded"_code, starts->range,
        fmt::format("too many cards: {} cards in {} zones, but a game can have at most {}", n, places, kMostCards)));
  for (Int i = 0; i < places * n; ++i) make_card(sema, *copy, model::ZoneId{zone}, i / n, starts->range, made);
}

// Reports slots that contain more than one card at the start.
static void check_slots(SemaContext& sema, const std::vector<Made>& made) {
  std::map<std::pair<std::uint32_t, Int>, Int> in_slots;
  std::set<std::uint32_t> reported;
  const auto in_slot = [&](const Made& m) {
    return m.card.home && sema.model.zones[m.card.home->index].shape == model::ZoneShape::slot;
  };
  for (const Made& m : made)
    if (in_slot(m)) ++in_slots[{m.card.home->index, m.card.home_place}];
  for (const Made& m : made)
    if (const Int n = in_slot(m) ? in_slots[{m.card.home->index, m.card.home_place}] : 0;
        n > 1 && reported.insert(m.card.home->index).second)
      error(sema, "bad_zone"_code, m.range, fmt::format("a slot can contain one card, not {}", n),
            "declare the zone as a `row`");
}

// Builds all cards of the game. Called when an expression first needs the cards, at the latest before the final checks.
void ensure_cards(SemaContext& sema) {
  if (sema.cards.built || sema.cards.building) return;
  sema.cards.building = true;
  std::vector<Made> made;
  for (const std::string& name : sema.cards.deck_order) make_deck(sema, name, sema.cards.decks[name], made);
  for (const auto& [zone, starts] : sema.state.starts) make_at_start(sema, zone, starts, made);
  if (static_cast<Int>(made.size()) > kMostCards)
    error(sema, "limit_exceeded"_code, {},
          fmt::format("too many cards: the game has {}, and the limit is {}", made.size(), kMostCards));
  check_slots(sema, made);
  std::stable_sort(made.begin(), made.end(), [](const Made& a, const Made& b) {
    return std::tie(a.card.kind, a.card.attributes) < std::tie(b.card.kind, b.card.attributes);
  });
  for (Made& m : made) sema.model.cards.push_back(std::move(m.card));
  for (model::Card& c : sema.model.cards) c.attributes.resize(sema.model.attributes.size(), kNone);
  sema.cards.building = false;
  sema.cards.built = true;
}

}   // namespace cardwright::sema
