// Which copies of which cards there are, and the pools of roles and characters.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/sema/analysis.h"
#include "compiler/sema/csv.h"

namespace cardwright::sema {

namespace {
constexpr Int kMostCards = 500;
constexpr model::CardTypeId kNoType{};

}  // namespace

std::optional<SourceId> Analysis::read_beside(const Node* path, std::uint32_t unit) {
  namespace fs = std::filesystem;
  const std::string name(path->text);
  const fs::path relative(name);
  bool leaves = relative.is_absolute() || name.find('\\') != std::string::npos || name.empty();
  for (const fs::path& part : relative) leaves = leaves || part == "..";
  std::error_code ec;
  const fs::path folder =
      fs::weakly_canonical(ruleset_.units[unit].folder.empty() ? "." : ruleset_.units[unit].folder, ec);
  const fs::path full = leaves ? fs::path() : fs::weakly_canonical(folder / relative, ec);
  if (!leaves) {
    auto [a, b] = std::mismatch(folder.begin(), folder.end(), full.begin(), full.end());
    leaves = a != folder.end();
  }
  if (leaves) {
    error(Code::path_leaves, path->range, fmt::format("\"{}\" leaves the folder of the rules", name),
          "put the file beside the rules and name it without `..`");
    return std::nullopt;
  }
  if (auto it = ruleset_.files.find(full.string()); it != ruleset_.files.end()) return it->second;
  if (!fs::is_regular_file(full, ec)) {
    error(Code::no_file, path->range, fmt::format("there is no file \"{}\"", name),
          "files are looked for beside the rules");
    return std::nullopt;
  }
  if (fs::file_size(full, ec) > kMostCsvBytes) {
    error(Code::bad_csv, path->range, fmt::format("\"{}\" is larger than 1 MB", name));
    return std::nullopt;
  }
  std::ifstream in(full, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  if (!in) {
    error(Code::no_file, path->range, fmt::format("\"{}\" can't be read", name));
    return std::nullopt;
  }
  if (text.str().find('\0') != std::string::npos || first_bad_byte(text.str()) != std::string_view::npos) {
    error(Code::bad_csv, path->range, fmt::format("\"{}\" is not UTF-8 text", name));
    return std::nullopt;
  }
  const SourceId id = diagnostics_.sources().add(name, text.str());
  ruleset_.files.emplace(full.string(), id);
  ruleset_.ways.emplace(fs::absolute(folder / relative, ec).string(), full.string());
  return id;
}

// `enum Weapon from "weapons.csv" { damage: 0..9 }`: a column `name`, the others are attributes.
void Analysis::enum_csv(std::uint32_t id) {
  EnumInfo& info = enum_infos_[id];
  const Node* path = view::enum_decl(info.decl.node).csv();
  const auto source = read_beside(path, info.decl.unit);
  if (!source) return;
  info.csv = read_csv(diagnostics_.sources().text(*source));
  const auto at = [&](std::uint32_t begin, std::uint32_t end) {
    return Range{*source, begin, std::max(begin + 1, end)};
  };
  if (!info.csv.problem.empty())
    return void(error(Code::bad_csv, at(info.csv.problem_at, info.csv.problem_at + 1), info.csv.problem));
  if (info.csv.rows.empty())
    return void(error(Code::bad_csv, path->range, fmt::format("\"{}\" is empty", path->text),
                      "its first line names the columns"));
  const CsvRow& header = info.csv.rows[0];
  const auto column = [&](std::string_view name) {
    return static_cast<std::size_t>(
        std::find_if(header.fields.begin(), header.fields.end(), [&](const CsvField& f) { return f.text == name; }) -
        header.fields.begin());
  };
  const std::size_t name = column("name"), label = column("label");
  if (name == header.fields.size())
    return void(error(Code::bad_csv, at(header.begin, header.end), "a column `name` is missing"));
  info.table = *source;
  for (std::size_t r = 1; r < info.csv.rows.size(); ++r) {
    const CsvRow& row = info.csv.rows[r];
    if (row.fields.size() != header.fields.size()) {
      error(Code::bad_csv, at(row.begin, row.end),
            fmt::format("{} {}, and the header has {}", row.fields.size(), row.fields.size() == 1 ? "field" : "fields",
                        header.fields.size()));
      continue;
    }
    model::Enum& e = model_->enums[id];
    const CsvField& f = row.fields[name];
    if (!can_be_name(f.text)) {
      error(Code::bad_csv, at(f.begin, f.end), fmt::format("`{}` can't be a name in rules", f.text),
            "letters, digits and `_`; what people read stands in a column `label`");
      continue;
    }
    if (std::any_of(e.constants.begin(), e.constants.end(), [&](const auto& c) { return c.name == f.text; })) {
      error(Code::declared_twice, at(f.begin, f.end), fmt::format("`{}` is in `{}` twice", f.text, e.name));
      continue;
    }
    if (e.constants.size() >= model::kMostConstants)
      return void(error(Code::too_many, at(f.begin, f.end),
                        fmt::format("`{}` has more than {} constants", e.name, model::kMostConstants)));
    info.rows.resize(e.constants.size(), 0);
    info.rows.push_back(r);
    constant_names_[f.text].push_back({id, static_cast<Int>(e.constants.size())});
    if (label < header.fields.size() && row.fields[label].text.find('{') != std::string::npos)
      error(Code::brace_as_it_stands, at(row.fields[label].begin, row.fields[label].end),
            "this text is shown as it stands, so nothing is filled in here", "leave the braces out");
    e.constants.push_back({.name = f.text,
                           .label = label < header.fields.size() && !row.fields[label].text.empty()
                                        ? row.fields[label].text
                                        : split_words(f.text),
                           .number = static_cast<Int>(e.constants.size()),
                           .attributes = {},
                           .text = {},
                           .range = at(f.begin, f.end)});
  }
}

void Analysis::enum_csv_attributes(std::uint32_t id) {
  const EnumInfo& info = enum_infos_[id];
  const auto at = [&](const CsvField& f) { return Range{*info.table, f.begin, std::max(f.begin + 1, f.end)}; };
  model::Enum& e = model_->enums[id];
  const CsvRow& header = info.csv.rows[0];
  for (std::size_t i = 0; i < header.fields.size(); ++i) {
    const CsvField& f = header.fields[i];
    const auto a = attribute_of_enum({id}, f.text);
    if (!a && f.text != "name" && f.text != "label") {
      std::vector<std::string> names{"name", "label"};
      for (model::AttributeId known : e.attributes) names.push_back(model_->attributes[known.index].name);
      error(Code::bad_csv, at(f), fmt::format("no attribute is named `{}`", f.text), did_you_mean(f.text, names));
    }
    if (!a) continue;
    const auto position =
        static_cast<std::size_t>(std::find(e.attributes.begin(), e.attributes.end(), *a) - e.attributes.begin());
    for (std::size_t c = 0; c < info.rows.size(); ++c) {
      if (info.rows[c] == 0) continue;
      const CsvField& v = info.csv.rows[info.rows[c]].fields[i];
      if (v.text.empty() || v.text == "-") continue;
      // what is wrong has been said
      e.constants[c].attributes[position] = attribute_text(*a, v.text, at(v)).value_or(0);
    }
  }
}

std::vector<Analysis::Copy>& Analysis::copies_of(DeckInfo& deck, model::KindId kind) {
  for (auto& [k, copies] : deck.copies)
    if (k == kind.index) return copies;
  deck.copies.push_back({kind.index, {}});
  return deck.copies.back().second;
}

bool Analysis::count_of(const Node* node, Int& count) {
  count = 1;
  if (!node) return true;
  auto n = fixed_int(node);
  if (!n) return false;
  if (*n < 0 || *n > kMostCards) {
    error(Code::too_many, name_range(node), fmt::format("{} copies: a deck has at most {} cards", *n, kMostCards));
    return false;
  }
  count = *n;
  return true;
}

void Analysis::add_copies(std::vector<Copy>& out, Copy copy, Int n, Range range) {
  if (static_cast<Int>(out.size()) + n > kMostCards) {
    error(Code::too_many, range, fmt::format("the deck has more than {} cards", kMostCards));
    return;
  }
  for (Int i = 0; i < n; ++i) out.push_back(copy);
}

// One copy of what a row speaks of.
std::optional<Analysis::Copy> Analysis::copy_of_row(const Node* row, model::CardTypeId type) {
  const std::string_view name = row->text;
  std::uint32_t kind = ~0u;
  if (auto it = kind_names_.find(name); it != kind_names_.end()) {
    if (it->second == ~0u) return std::nullopt;
    kind = it->second;
  } else if (auto t = type_names_.find(name); t != type_names_.end()) {
    kind = implicit_kind({t->second}).index;
  } else {
    if (absent_.contains(name)) {
      cards_dropped_ = true;
      return std::nullopt;
    }
    std::vector<std::string> names;
    for (const auto& [n, id] : kind_names_) names.push_back(n);
    error(Code::unknown_name, row->range, fmt::format("no card named `{}`", name), did_you_mean(name, names));
    return std::nullopt;
  }
  const model::CardTypeId of = model_->kinds[kind].type;
  if (type.valid() && !is_a(of.index, type.index))
    error(Code::bad_deck, row->range, fmt::format("`{}` is no `{}`", name, model_->card_types[type.index].name));
  Copy copy{.kind = {kind}, .attributes = {}, .range = row->range};
  for (const auto& [variable, value] : generator_)          // `each colour in Colour { … }` fills the attribute
    if (auto a = attribute_of_type(of, variable)) {
      const Type& t = model_->attributes[a->index].type;
      if ((t.kind == TypeKind::enumeration && value.kind == Fixed::Kind::enumeration && value.ref == t.ref) ||
          (t.kind == TypeKind::integer && value.kind == Fixed::Kind::integer))
        copy.attributes[a->index] = value.value;
    }
  if (row->child(0)) {
    const std::vector<std::string> order = attributes_in_order(of.index);
    std::size_t at = 0;
    std::set<std::string> said;
    for (const Node* a : view::deck_row(row).attributes()->children) {
      if (!a) continue;
      std::string_view attribute;
      if (a->kind == NodeKind::arg && !a->text.empty()) {
        attribute = a->text;
        if (!attribute_of_type(of, attribute) && !composed_attribute(of.index, attribute)) {
          error(Code::unknown_member, a->range, fmt::format("`{}` has no attribute `{}`", name, a->text),
                did_you_mean_one_of(a->text, members_of(card_type(of.index))));
          continue;
        }
      } else if (at < order.size()) {
        attribute = order[at];
      } else {
        error(Code::bad_deck, a->range,
              fmt::format("`{}` has {} attribute{}, and this is one more", name, order.size(),
                          order.size() == 1 ? "" : "s"),
              a->kind == NodeKind::number
                  ? fmt::format("how many there are stands after an `x`: `{} x {}`", name, a->number)
                  : "");
        continue;
      }
      ++at;
      if (!said.insert(std::string(attribute)).second)
        error(Code::twice, a->range, fmt::format("`{}` is given twice", attribute), "leave one of the two out");
      for (const WrittenPart& p : written_attribute(composed_attribute(of.index, attribute), attribute,
                                                    a->kind == NodeKind::arg ? view::arg(a).value() : a))
        if (auto id = attribute_of_type(of, p.name))
          copy.attributes[id->index] = attribute_value(*id, p.value).value_or(kNone);
    }
  }
  return copy;
}

void Analysis::deck_row(const Node* row, std::vector<Copy>& out, model::CardTypeId type) {
  std::optional<Copy> copy = copy_of_row(row, type);
  Int n = 1;
  if (copy && count_of(view::deck_row(row).count(), n)) add_copies(out, std::move(*copy), n, row->range);
}

void Analysis::deck_each(DeckInfo& deck, const Node* each, std::size_t gen, std::vector<Copy>& out,
                         model::CardTypeId type) {
  const Node* gens = view::deck_each(each).generators();
  if (!gens) return;
  if (gen == gens->children.size()) {
    if (view::deck_each(each).where()) {
      auto c = fixed(view::deck_each(each).where());
      if (!c || !c->value) return;
    }
    deck_rows(deck, view::deck_each(each).rows(), out, type);
    return;
  }
  const Node* g = gens->child(gen);
  if (!g || !view::gen(g).domain()) return;
  const Node* domain = view::gen(g).domain();
  const std::string name(g->text);
  auto outer = generator_.find(name) != generator_.end() ? std::optional<Fixed>(generator_[name]) : std::nullopt;
  if (domain->kind == NodeKind::range_lit) {
    auto lo = fixed_int(view::range_lit(domain).lo()), hi = fixed_int(view::range_lit(domain).hi());
    if (lo && hi && *hi - *lo > kMostCards)
      error(Code::too_many, domain->range, fmt::format("a deck has at most {} cards", kMostCards));
    else if (lo && hi)
      for (Int i = *lo; i <= *hi; ++i) {
        generator_[name] = {.kind = Fixed::Kind::integer, .value = i};
        deck_each(deck, each, gen + 1, out, type);
        if (static_cast<Int>(out.size()) >= kMostCards) break;
      }
  } else if (domain->kind == NodeKind::name_ref && enum_names_.contains(domain->text)) {
    const std::uint32_t e = enum_names_.find(domain->text)->second;
    for (std::size_t i = 0; i < model_->enums[e].constants.size(); ++i) {
      generator_[name] = {.kind = Fixed::Kind::enumeration, .value = static_cast<Int>(i), .ref = e};
      deck_each(deck, each, gen + 1, out, type);
    }
  } else if (domain->kind == NodeKind::list_lit) {
    for (const Node* item : domain->children)
      if (auto v = fixed(item)) {
        generator_[name] = *v;
        deck_each(deck, each, gen + 1, out, type);
      }
  } else {
    error(Code::bad_deck, domain->range, "a deck goes through an enum, a range `1..9` or a list");
  }
  if (outer) generator_[name] = *outer;
  else generator_.erase(name);
}

// Did a house file take one of them out? Then what was printed of their number holds no longer.
bool Analysis::lost_a_card(model::CardTypeId type) const {
  return std::ranges::any_of(removed_cards_, [&](const Node* card) {
    const Node* base = view::card(card).base();
    const auto of = base ? type_names_.find(base->text) : type_names_.end();
    return of != type_names_.end() && is_a(of->second, type.index);
  });
}

void Analysis::deck_rows(DeckInfo& deck, const Node* rows, std::vector<Copy>& out, model::CardTypeId type) {
  if (!rows || ++depth_ > 100) {
    if (rows) --depth_;
    return;
  }
  for (const Node* row : rows->children) {
    if (!row) continue;
    switch (row->kind) {
      case NodeKind::deck_row: deck_row(row, out, type); break;
      case NodeKind::deck_each: deck_each(deck, row, 0, out, type); break;
      case NodeKind::list: deck_rows(deck, row, out, type); break;
      case NodeKind::deck_every: {
        Int n = 1;
        if (row->text != "card") error(Code::bad_deck, row->range, "each what", "`each card x 2`, `each n in 1..9: …`");
        else if (!type.valid())
          error(Code::bad_deck, row->range, "each card of which type", "`deck Box: Item into draw { each card x 2 }`");
        else if (count_of(view::deck_every(row).count(), n))
          for (Int k : kinds_of_type(type.index))
            add_copies(out, {.kind = {static_cast<std::uint32_t>(k)}, .attributes = {}, .range = row->range}, n,
                       row->range);
        cards_dropped_ = cards_dropped_ || lost_a_card(type);
        break;
      }
      case NodeKind::with_decl: {
        if (auto holding = branch(row)) deck_rows(deck, row->child(*holding), out, type);
        break;
      }
      case NodeKind::deck_players: case NodeKind::deck_counts:
        error(Code::bad_deck, row->range, "a table by players is for decks of an enum", "write `Miss x 12`");
        --depth_;
        return;
      default: break;
    }
  }
  --depth_;
}

void Analysis::deck_csv(DeckInfo& deck, const Node* node, std::vector<Copy>& out, model::CardTypeId type) {
  auto source = read_beside(view::deck(node).csv(), deck.unit);
  if (!source) return;
  const Csv csv = read_csv(diagnostics_.sources().text(*source));
  const auto at = [&](std::uint32_t begin, std::uint32_t end) {
    return Range{*source, begin, std::max(begin + 1, end)};
  };
  if (!csv.problem.empty()) {
    error(Code::bad_csv, at(csv.problem_at, csv.problem_at + 1), csv.problem);
    return;
  }
  if (csv.rows.empty()) {
    error(Code::bad_csv, view::deck(node).csv()->range, fmt::format("\"{}\" is empty", view::deck(node).csv()->text),
          "its first line names the columns");
    return;
  }
  const CsvRow& header = csv.rows[0];
  std::size_t card = ~std::size_t{0}, count = ~std::size_t{0};
  std::set<std::string> seen;
  for (std::size_t i = 0; i < header.fields.size(); ++i) {
    const CsvField& f = header.fields[i];
    if (f.text == "card" || f.text == "name" || f.text == "kind") card = i;
    else if (f.text == "count") count = i;
    if (!seen.insert(f.text).second)
      error(Code::bad_csv, at(f.begin, f.end), fmt::format("the column `{}` stands twice", f.text));
  }
  // which attribute a column fills depends on the card; a column that none of the deck's cards has is a slip
  for (std::size_t i = 0; i < header.fields.size(); ++i) {
    if (i == card || i == count) continue;
    const CsvField& f = header.fields[i];
    bool known = f.text.empty();
    std::vector<std::string> names{"count"};
    for (std::uint32_t t = 0; t < types_.size(); ++t) {
      if (type.valid() && !is_a(t, type.index) && !is_a(type.index, t)) continue;
      if (attribute_of_type({t}, f.text)) known = true;
      for (model::AttributeId a : types_[t].own) names.push_back(model_->attributes[a.index].name);
    }
    if (!known) {
      if (const Type* whole = composed_attribute(type.valid() ? type.index : ~0u, f.text)) {
        std::string columns;
        for (const Part& p : attribute_leaves(*whole, f.text))
          columns += (columns.empty() ? "`" : ", `") + p.name + "`";
        error(Code::bad_csv, at(f.begin, f.end),
              fmt::format("`{}` is a `{}`, and one column holds one value", f.text, show(*whole)),
              "columns " + columns);
        return;
      }
      error(Code::bad_csv, at(f.begin, f.end), fmt::format("no attribute is named `{}`", f.text),
            did_you_mean(f.text, names));
      return;
    }
  }
  if (card == ~std::size_t{0} && !type.valid()) {
    error(Code::bad_csv, at(header.begin, header.end), "a column `card` is missing");
    return;
  }
  const auto kinds = kinds_of_type(type.index);
  if (card == ~std::size_t{0} &&
      std::any_of(kinds.begin(), kinds.end(), [&](Int k) { return !kinds_[static_cast<std::size_t>(k)].implicit; })) {
    error(Code::bad_csv, at(header.begin, header.end), "a column `card` is missing: it says which card each line is");
    return;
  }
  for (std::size_t r = 1; r < csv.rows.size(); ++r) {
    const CsvRow& row = csv.rows[r];
    if (row.fields.size() != header.fields.size()) {
      error(Code::bad_csv, at(row.begin, row.end),
            fmt::format("{} {}, and the header has {}", row.fields.size(), row.fields.size() == 1 ? "field" : "fields",
                        header.fields.size()));
      continue;
    }
    std::uint32_t kind;
    if (card == ~std::size_t{0}) {
      kind = implicit_kind(type).index;
    } else {
      const CsvField& f = row.fields[card];
      auto it = kind_names_.find(f.text);
      if (it == kind_names_.end()) {
        if (absent_.contains(f.text)) {
          cards_dropped_ = true;
          continue;
        }
        std::vector<std::string> names;
        for (const auto& [n, id] : kind_names_) names.push_back(n);
        error(Code::bad_csv, at(f.begin, f.end), fmt::format("no card named `{}`", f.text),
              did_you_mean(f.text, names));
        continue;
      }
      kind = it->second;
      if (kind == ~0u) continue;
      if (type.valid() && !is_a(model_->kinds[kind].type.index, type.index)) {
        error(Code::bad_csv, at(f.begin, f.end),
              fmt::format("`{}` is no `{}`", f.text, model_->card_types[type.index].name));
        continue;
      }
    }
    Copy copy{.kind = {kind}, .attributes = {}, .range = at(row.begin, row.end)};
    for (std::size_t i = 0; i < row.fields.size(); ++i) {
      const CsvField& f = row.fields[i];
      if (i == card || i == count || f.text.empty() || f.text == "-") continue;
      auto a = attribute_of_type(model_->kinds[kind].type, header.fields[i].text);
      if (!a) {
        error(Code::bad_csv, at(f.begin, f.end),
              fmt::format("`{}` has no attribute `{}`", model_->kinds[kind].name, header.fields[i].text),
              "leave the field empty");
        continue;
      }
      copy.attributes[a->index] = attribute_text(*a, f.text, at(f.begin, f.end)).value_or(kNone);
    }
    Int n = 1;
    if (count != ~std::size_t{0}) {
      const CsvField& f = row.fields[count];
      if (f.text.empty() || f.text == "-") {                // as if there were no such column
        n = 1;
      } else if (f.text.size() > 4 || f.text.find_first_not_of("0123456789") != std::string::npos) {
        error(Code::bad_csv, at(f.begin, f.end), fmt::format("`{}` is no number of copies", f.text));
        continue;
      } else {
        n = std::stoll(f.text);
      }
    }
    const std::size_t before = errors_;
    const bool wanted = !view::deck(node).where() || row_holds(view::deck(node).where(), copy);
    if (wanted && errors_ == before) add_copies(out, std::move(copy), n, at(row.begin, row.end));
    if (errors_ != before) return;
  }
}

// `from "cards.csv" where C`: does C hold for the card of that line?
bool Analysis::row_holds(const Node* where, const Copy& copy) {
  Body& body = scratch_.emplace_back();
  Rule rule;
  rule.body = &body;
  rule.pure = true;
  bool holds = false;
  in_rule(rule, [&] {
    rule_->elements.push_back(
        {local(add_local("this", card_type(model_->kinds[copy.kind.index].type.index), where->range), where->range),
         true});
    const Expr* c = condition(where);
    if (is_poison(c)) return;
    copy_ = &copy;
    Frame frame;
    const auto value = evaluate(*c, frame);
    copy_ = nullptr;
    if (!value)
      not_known(where->range, "which lines are meant must be known before the game",
                "it may use attributes, options and `const`s");
    holds = value && value->value;
  });
  return holds;
}

// `by players`: one column per number of players. Else rows as in any deck.
void Analysis::build_pool(DeckInfo& deck) {
  const Node* first = deck.nodes.front();
  const std::uint32_t e = enum_names_.find(view::deck(first).type()->text)->second;
  deck.pool = model::PoolId{static_cast<std::uint32_t>(model_->pools.size())};
  model_->pools.push_back({.name = std::string(first->text), .element = {e}, .counts = {}, .range = first->range});
  model_->pools.back().counts.assign(model_->enums[e].constants.size(), 0);
  Int total = 0;
  for (const Node* node : deck.nodes) {
    model::Pool& pool = model_->pools[deck.pool->index];
    if (node != first && (node->number & 1)) std::fill(pool.counts.begin(), pool.counts.end(), 0);
    if (node->number & 1) std::fill(pool.counts.begin(), pool.counts.end(), 1);
    Int copies = 1;
    if (view::deck(node).copies() && node == first && count_of(view::deck(node).copies(), copies))
      std::fill(pool.counts.begin(), pool.counts.end(), copies);
    std::optional<std::size_t> column;
    std::size_t columns = 0;
    if (!view::deck(node).rows()) continue;
    // in this declaration: a second row adds, a first one replaces
    std::set<Int> mentioned;
    expand(view::deck(node).rows(), model::RuleKind::rule, [&](const Node* row, model::RuleKind) {
      if (row->kind == NodeKind::deck_players) {
        columns = row->children.size();
        for (std::size_t i = 0; i < columns; ++i)
          if (row->child(i) && row->child(i)->number == players_) column = i;
        if (!column)
          error(Code::bad_deck, row->range, fmt::format("`{}` says nothing of {} players", pool.name, players_),
                "add a column");
        return;
      }
      if (row->kind != NodeKind::deck_counts && row->kind != NodeKind::deck_row) return;
      Int index = -1;
      std::vector<std::string> names;
      for (std::size_t i = 0; i < model_->enums[e].constants.size(); ++i) {
        names.push_back(model_->enums[e].constants[i].name);
        if (names.back() == row->text) index = static_cast<Int>(i);
      }
      if (index < 0) {
        if (!absent_.contains(row->text))
          error(Code::unknown_name, row->range, fmt::format("`{}` has no `{}`", model_->enums[e].name, row->text),
                did_you_mean(row->text, names));
        return;
      }
      if (row->kind == NodeKind::deck_row) {
        Int n = 1;
        if (count_of(view::deck_row(row).count(), n))
          pool.counts[index] = n + (mentioned.insert(index).second ? 0 : pool.counts[index]);
        return;
      }
      if (columns && row->children.size() != columns) {
        error(Code::bad_deck, row->range,
              fmt::format("`{}` has {} numbers, and the header has {}", row->text, row->children.size(), columns));
        return;
      }
      if (column && row->child(*column)) {
        const Int n = row->child(*column)->number;
        if (n < 0 || n > kMostCards)
          error(Code::too_many, row->child(*column)->range, fmt::format("at most {} of them", kMostCards));
        else
          pool.counts[index] = n;
      }
    });
    if (view::deck(node).total())
      if (auto wanted = fixed_int(view::deck(node).total())) {
        for (Int n : pool.counts) total += n;
        if (total != *wanted)
          error(Code::bad_deck, view::deck(node).total()->range,
                fmt::format("there are {} of them, not {}", total, *wanted));
      }
  }
}

void Analysis::declare_decks() {
  for (const Decl& d : decls_) {
    if (d.node->kind != NodeKind::deck) continue;
    auto [it, fresh] = decks_.try_emplace(std::string(d.node->text));
    DeckInfo& deck = it->second;
    if (!fresh && ruleset_.units[deck.unit].depth == d.precedence.depth) {
      twice(d.node, "deck", deck.node->range);
      continue;
    }
    if (fresh) deck_order_.push_back(it->first);
    // `deck Cards: Splash x 30` changes counts; a whole list would drop the base's
    const bool one_count = !fresh && view::deck(d.node).type() && view::deck(d.node).copies() &&
                           !view::deck(d.node).into() && d.node->number == 0 &&
                           view::deck(d.node).rows()->children.empty();
    const bool whole =
        !one_count && (view::deck(d.node).csv() ||
                       (view::deck(d.node).type() && type_names_.contains(view::deck(d.node).type()->text)) ||
                       (view::deck(d.node).type() && decks_.contains(view::deck(d.node).type()->text) &&
                        view::deck(d.node).type()->text != d.node->text));
    if (whole && !fresh) {
      twice(d.node, "deck", deck.node->range).help =
          fmt::format("`replace deck {} …` puts this list in its place; `deck {}: Card x 3` changes one count",
                      d.node->text, d.node->text);
      continue;
    }
    deck.node = d.node;
    if (deck.nodes.empty()) deck.unit = d.unit;
    deck.nodes.push_back(d.node);
  }
  for (auto& [name, deck] : decks_)
    if (const Node* t = view::deck(deck.nodes.front()).type())
      if (auto other = decks_.find(t->text); other != decks_.end() && other->first != name) other->second.used = true;
  for (const std::string& name : deck_order_) {
    DeckInfo& deck = decks_[name];
    const Node* t = view::deck(deck.nodes.front()).type();
    if (t && enum_names_.contains(t->text)) build_pool(deck);
  }
}

// There are n copies of what agrees with `design` now; where that is printed differently, of each as large a part as
// before.
void Analysis::change_count(DeckInfo& deck, const Copy& design, Int n) {
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

// `deck Cards: Splash x 30, Coin(worth: 5) x 2` in a house file, or such rows in braces.
void Analysis::override_counts(DeckInfo& deck, const Node* node) {
  const auto change = [&](const Node* row) {
    Int n = 1;
    if (std::optional<Copy> design = copy_of_row(row, kNoType); design && count_of(view::deck_row(row).count(), n))
      change_count(deck, *design, n);
  };
  if (view::deck(node).type()) {   // one count alone
    Int n = 1;
    if (std::optional<Copy> design = copy_of_row(view::deck(node).type(), kNoType);
        design && count_of(view::deck(node).copies(), n))
      change_count(deck, *design, n);
  }
  if (!view::deck(node).rows()) return;
  expand(view::deck(node).rows(), model::RuleKind::rule, [&](const Node* row, model::RuleKind) {
    if (row->kind == NodeKind::deck_row) return change(row);
    if (row->kind != NodeKind::deck_each) return;
    std::vector<Copy> fresh;
    deck_each(deck, row, 0, fresh, kNoType);
    for (auto it = fresh.begin(); it != fresh.end();) {
      const auto end = std::find_if(
          it, fresh.end(), [&](const Copy& c) { return c.kind != it->kind || c.attributes != it->attributes; });
      change_count(deck, *it, end - it);
      it = end;
    }
  });
}

void Analysis::build_deck(DeckInfo& deck) {
  if (deck.built) return;
  if (deck.building) {
    error(Code::circular, name_range(deck.node), fmt::format("the deck `{}` is made of itself", deck.node->text));
    return;
  }
  deck.building = true;
  cards_dropped_ = false;
  for (std::size_t i = 0; i < deck.nodes.size(); ++i) {
    const Node* node = deck.nodes[i];
    if (i > 0) {
      override_counts(deck, node);
      continue;
    }
    std::vector<Copy> copies;
    model::CardTypeId type = kNoType;
    bool counted = false;
    if (const Node* t = view::deck(node).type()) {
      if (auto it = type_names_.find(t->text); it != type_names_.end()) {
        type = {it->second};
      } else if (auto k = kind_names_.find(t->text); k != kind_names_.end()) {
        counted = true;
        Int n = 1;
        if (k->second != ~0u && count_of(view::deck(node).copies(), n))
          add_copies(copies, {.kind = {k->second}, .attributes = {}, .range = t->range}, n, t->range);
      } else if (auto other = decks_.find(t->text); other != decks_.end() && &other->second != &deck) {
        counted = true;
        build_deck(other->second);
        Int n = 1;
        if (count_of(view::deck(node).copies(), n))
          for (const auto& [kind, of] : other->second.copies)
            for (const Copy& c : of) add_copies(copies, c, n, t->range);
      } else {
        std::vector<std::string> names;
        for (const auto& [n, id] : type_names_) names.push_back(n);
        for (const auto& [n, id] : decks_) names.push_back(n);
        for (const auto& [n, id] : enum_names_) names.push_back(n);
        error(Code::unknown_name, t->range, fmt::format("no card type, deck or enum named `{}`", t->text),
              did_you_mean(t->text, names));
        break;
      }
    }
    if (view::deck(node).csv()) deck_csv(deck, node, copies, type);
    deck_rows(deck, view::deck(node).rows(), copies, type);
    if ((node->number & 1) && type.valid()) cards_dropped_ = cards_dropped_ || lost_a_card(type);
    if ((node->number & 1) && type.valid())
      for (Int k : kinds_of_type(type.index))
        add_copies(copies, {.kind = {static_cast<std::uint32_t>(k)}, .attributes = {}, .range = node->range}, 1,
                   node->range);
    if (type.valid() && view::deck(node).copies() && !counted) {
      Int n = 1;
      if (count_of(view::deck(node).copies(), n)) {
        if (copies.empty()) copies.push_back({.kind = implicit_kind(type), .attributes = {}, .range = node->range});
        const std::vector<Copy> once = copies;
        copies.clear();
        for (const Copy& c : once) add_copies(copies, c, n, node->range);
      }
    }
    for (Copy& c : copies) copies_of(deck, c.kind).push_back(std::move(c));
  }
  Int size = 0;
  for (const auto& [kind, copies] : deck.copies) size += static_cast<Int>(copies.size());
  const Node* last = deck.nodes.back();
  if (view::deck(last).total() && !cards_dropped_)
    if (auto total = fixed_int(view::deck(last).total()); total && *total != size && errors_ == 0)
      error(Code::bad_deck, view::deck(last).total()->range,
            fmt::format("the deck `{}` has {} cards, not {}", last->text, size, *total));
  deck.building = false;
  deck.built = true;
}

const Expr* Analysis::default_of(std::uint32_t attribute, model::CardTypeId type) {
  std::uint32_t t = type.index;
  for (std::size_t steps = 0; steps <= types_.size() && t < types_.size(); ++steps) {
    auto it = types_[t].initial.find(attribute);
    if (it != types_[t].initial.end()) {
      auto [made, fresh] = defaults_.try_emplace({t, attribute}, nullptr);
      if (fresh) {
        Body* body = &scratch_.emplace_back();
        Rule rule;
        rule.body = body;
        rule.pure = true;
        const Expr* result = nullptr;
        in_rule(rule, [&] {
          const LocalId self = add_local("this", card_type(t), it->second->range);
          rule.elements.push_back({local(self, it->second->range), false});
          const Type wanted = model_->attributes[attribute].type;
          result = convert(expr(it->second, &wanted), wanted, model_->attributes[attribute].name);
        });
        made->second = result;
      }
      return made->second;
    }
    if (!model_->card_types[t].base) break;
    t = model_->card_types[t].base->index;
  }
  return nullptr;
}

// An attribute of the copy that is being made: printed, or computed from the others.
std::optional<Int> Analysis::attribute_of_copy(std::uint32_t attribute, Range range) {
  if (auto it = copy_->attributes.find(attribute); it != copy_->attributes.end()) return it->second;
  const KindInfo& kind = kinds_[copy_->kind.index];
  if (auto it = kind.attributes.find(attribute); it != kind.attributes.end()) return it->second;
  const Expr* initial = default_of(attribute, model_->kinds[copy_->kind.index].type);
  const model::Attribute& a = model_->attributes[attribute];
  if (!initial) {
    if (a.type.optional) return kNone;
    if (a.type.kind == TypeKind::set) return 0;
    const Range at = copy_->range.known() ? copy_->range : range;
    if (a.type.kind != TypeKind::poison && !kind.wrong)
      error(Code::bad_attribute, at, fmt::format("`{}` has no `{}`", model_->kinds[copy_->kind.index].name, a.name),
            "give it in the deck or with the card, or give the attribute a default");
    return std::nullopt;
  }
  if (is_poison(initial)) return std::nullopt;
  if (!computing_.insert(attribute).second) {
    error(Code::circular, initial->range, fmt::format("the attribute `{}` is computed from itself", a.name));
    return std::nullopt;
  }
  Frame frame;
  const auto before = errors_;
  auto value = evaluate(*initial, frame);
  computing_.erase(attribute);
  if (!value && (errors_ != before || kind.wrong)) return std::nullopt;   // it hangs on what is missing
  if (!value) {
    not_known(initial->range, fmt::format("what the attribute `{}` is must be known before the game", a.name),
          "it may use other attributes, options, `const`s, and values that nothing changes during the game");
    return std::nullopt;
  }
  if (a.type.kind == TypeKind::set) {
    Int mask = 0;
    for (const Int e : value->values) mask |= Int{1} << e;
    return mask;
  }
  if (!fits_attribute(a.type, a.name, value->value, initial->range)) return std::nullopt;
  return value->value;
}

// `deck Cards: …` for each deck that a house file could mean.
std::string Analysis::decks_of_base() const {
  std::string out;
  for (const std::string& name : deck_order_)
    if (const DeckInfo& deck = decks_.at(name);
        !deck.pool && ruleset_.units[deck.unit].depth == 0 && !ruleset_.units[deck.unit].library)
      out += fmt::format("{}deck {}: …", out.empty() ? "" : "` or `", name);
  return out;
}

void Analysis::make_card(const Copy& copy, std::optional<model::ZoneId> home, Int place, Range range,
                         std::vector<Made>& made) {
  kinds_[copy.kind.index].in_deck = true;
  model::Card card{.kind = copy.kind, .attributes = {}, .home = home, .home_place = place};
  card.attributes.assign(model_->attributes.size(), kNone);
  copy_ = &copy;
  std::uint32_t t = model_->kinds[copy.kind.index].type.index;
  const std::size_t before = errors_;
  for (std::size_t steps = 0; steps <= types_.size() && t < types_.size(); ++steps) {
    for (model::AttributeId a : types_[t].own)
      if (auto v = attribute_of_copy(a.index, range)) card.attributes[a.index] = *v;
    if (!model_->card_types[t].base) break;
    t = model_->card_types[t].base->index;
  }
  copy_ = nullptr;
  if (errors_ == before) made.push_back({std::move(card), copy.range});
}

void Analysis::make_deck(const std::string& name, DeckInfo& deck, std::vector<Made>& made) {
  const Node* into = nullptr;
  for (const Node* n : deck.nodes)
    if (view::deck(n).into()) into = view::deck(n).into();
  if (deck.pool || (deck.used && !into)) return;
  if (!into && ruleset_.units[deck.unit].library) return;
  build_deck(deck);
  std::optional<model::ZoneId> home;
  if (into) {
    auto z = table_zones_.find(into->text);
    if (z != table_zones_.end()) {
      home = model::ZoneId{z->second};
    } else {
      std::vector<std::string> names;
      for (const auto& [n, id] : table_zones_) names.push_back(n);
      error(Code::unknown_name, into->range, fmt::format("no zone of the table is named `{}`", into->text),
            did_you_mean(into->text, names));
    }
  } else {
    std::string help = "write `into draw`, with a zone of the table";
    if (const std::string base = decks_of_base(); ruleset_.units[deck.unit].depth > 0 && !base.empty())
      help = fmt::format(
          "the base has no deck of this name: to change its counts say `{}`, for another deck write `into draw`", base);
    error(Code::bad_deck, name_range(deck.node), fmt::format("where do the cards of `{}` lie at first", name), help);
  }
  for (const auto& [kind, copies] : deck.copies)
    for (const Copy& c : copies) make_card(c, home, 0, deck.node->range, made);
}

// `zone hand: owner, starts with 2 Coin`: in that of each player, in that of each part of an area.
void Analysis::make_at_start(std::uint32_t zone, const Node* starts, std::vector<Made>& made) {
  const Node* row = view::zone_attr(starts).arguments(0);
  if (!row) return void(error(Code::bad_zone, starts->range, "how many of which cards", "`starts with 2 Coin`"));
  const std::optional<Copy> copy = copy_of_row(row, kNoType);
  const model::Zone& z = model_->zones[zone];
  const Int places = z.copies * (z.per_player ? players_ : 1);
  Int n = 0;
  if (!copy || !count_of(view::deck_row(row).count(), n)) return;
  if (places * n > kMostCards)
    return void(error(Code::too_many, starts->range,
                      fmt::format("{} cards in {} places: a game has at most {}", n, places, kMostCards)));
  for (Int i = 0; i < places * n; ++i) make_card(*copy, model::ZoneId{zone}, i / n, starts->range, made);
}

// Of all that lies in one slot at first, the second card is too many.
void Analysis::look_for_full_slots(const std::vector<Made>& made) {
  std::map<std::pair<std::uint32_t, Int>, Int> lying;
  std::set<std::uint32_t> told;
  const auto in_slot = [&](const Made& m) {
    return m.card.home && model_->zones[m.card.home->index].shape == model::ZoneShape::slot;
  };
  for (const Made& m : made)
    if (in_slot(m)) ++lying[{m.card.home->index, m.card.home_place}];
  for (const Made& m : made)
    if (const Int n = in_slot(m) ? lying[{m.card.home->index, m.card.home_place}] : 0;
        n > 1 && told.insert(m.card.home->index).second)
      error(Code::bad_zone, m.range, fmt::format("a slot holds one card, not {}", n), "make it a `row`");
}

// Cards are made when something needs them: a const that names one, or the end of the analysis.
void Analysis::ensure_cards() {
  if (cards_built_ || building_cards_) return;
  building_cards_ = true;
  std::vector<Made> made;
  for (const std::string& name : deck_order_) make_deck(name, decks_[name], made);
  for (const auto& [zone, starts] : starts_) make_at_start(zone, starts, made);
  if (static_cast<Int>(made.size()) > kMostCards)
    error(Code::too_many, {}, fmt::format("the game has {} cards, and {} is the limit", made.size(), kMostCards));
  look_for_full_slots(made);
  std::stable_sort(made.begin(), made.end(), [](const Made& a, const Made& b) {
    return std::tie(a.card.kind, a.card.attributes) < std::tie(b.card.kind, b.card.attributes);
  });
  for (Made& m : made) model_->cards.push_back(std::move(m.card));
  for (model::Card& c : model_->cards) c.attributes.resize(model_->attributes.size(), kNone);
  building_cards_ = false;
  cards_built_ = true;
}

}  // namespace cardwright::sema
