// Stores rulesets and Programs in the disk cache, and loads entries whose source files have not changed.
#include "api/compile/program_cache.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cardwright/tools.hpp"
#include "compiler/loading/csv.h"
#include "support/archive.h"
#include "support/disk_cache.h"
#include "runtime/program/program_file.h"

namespace cardwright::api {

FIELDS(OptionValue, name, label)
FIELDS(RulesetOption, name, label, standard, values, least, most)
FIELDS(RulesetMeasure, name, label, own)
// The cache does not store results of Ruleset::check, which sets the other members.
template <class A>
void fields(A& archive, Report& report) {
  archive(report.text, report.json, report.errors, report.warnings);
}

}   // namespace cardwright::api

namespace cardwright::api::detail {

namespace fs = std::filesystem;

namespace {

// Path, displayed name and digest of a source file. Files are stored in the order of SourceMap.
struct Source {
  std::string path, shown, digest;
};
FIELDS(Source, path, shown, digest)

struct Sources {
  std::vector<Source> all;
  // The result of each file lookup, as in loading::Ruleset::ways.
  std::vector<std::pair<std::string, std::string>> ways;
};
FIELDS(Sources, all, ways)

std::string digest_text(std::string_view bytes) { return std::string(as_bytes(digest_of(bytes))); }

// The key includes the build, because an entry is valid only for the build that stored it.
Digest key_for(const std::string& what, const std::string& of) {
  static const std::string build = build_id_of(reinterpret_cast<const void*>(&key_for));
  Writer out;
  out(build, what, of);
  return digest_of(out.bytes());
}

bool is_known_build() { return !build_id_of(reinterpret_cast<const void*>(&key_for)).empty(); }

std::optional<DiskCache> cache() { return is_known_build() ? DiskCache::open() : std::nullopt; }

Digest ruleset_key(const RulesetData& rules) {
  std::error_code none;
  Writer out;
  out(rules.path, fs::weakly_canonical(rules.path, none).string(), share_folder(), rules.measures_path);
  return key_for("ruleset", out.bytes());
}

Digest program_key(const RulesetData& rules, const Configuration& asked) {
  Writer out;
  for (SourceId id = 0; id < rules.keyed_sources; ++id)
    out(std::string(rules.sources.name(id)), digest_text(rules.sources.text(id)));
  out(rules.path, share_folder(), static_cast<std::int64_t>(asked.players ? asked.players : rules.usual), asked.options,
      asked.plain, asked.measures, asked.policies, rules.measures_path);
  return key_for("program", out.bytes());
}

// Returns the sources of a ruleset; nullopt if a source is not from a file.
std::optional<Sources> sources_of(const RulesetData& rules) {
  Sources sources;
  sources.all.resize(rules.sources.size());
  for (const auto& [path, id] : rules.files())
    sources.all[id] = {path, std::string(rules.sources.name(id)), digest_text(rules.sources.text(id))};
  for (const Source& source : sources.all)
    if (source.path.empty()) return std::nullopt;
  sources.ways.assign(rules.cached_parse->ways.begin(), rules.cached_parse->ways.end());
  return sources;
}

bool leads_there(const std::string& from, const std::string& to) {
  std::error_code none;
  if (to.empty()) return !fs::is_regular_file(from, none);
  return fs::weakly_canonical(from, none) == to;
}

std::optional<std::string> text_of(const Source& source) {
  std::ifstream file(source.path, std::ios::binary);
  std::string text(loading::kMostCsvBytes + 1, '\0');
  if (!file) return std::nullopt;
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return digest_text(text) == source.digest ? std::optional(std::move(text)) : std::nullopt;
}

// Reads the files that have not been read yet. Returns the ids of all files in order, or nullopt if a file or the
// result of a lookup has changed.
std::optional<std::vector<SourceId>> read(const Sources& sources, const RulesetData& rules) {
  for (const auto& [from, to] : sources.ways)
    if (!leads_there(from, to)) return std::nullopt;
  std::vector<std::string> texts(sources.all.size());
  for (std::size_t i = 0; i < sources.all.size(); ++i) {
    const auto known = rules.files().find(sources.all[i].path);
    if (known != rules.files().end()) {
      if (digest_text(rules.sources.text(known->second)) != sources.all[i].digest) return std::nullopt;
    } else if (auto text = text_of(sources.all[i])) {
      texts[i] = std::move(*text);
    } else {
      return std::nullopt;
    }
  }
  std::vector<SourceId> ids;
  for (std::size_t i = 0; i < sources.all.size(); ++i) {
    const auto [file, fresh] = rules.files().try_emplace(sources.all[i].path, kNoSource);
    if (fresh) file->second = rules.sources.add(sources.all[i].shown, std::move(texts[i]));
    ids.push_back(file->second);
  }
  return ids;
}

}   // namespace

bool load_ruleset(RulesetData& rules) {
  const auto disk = cache();
  const auto bytes = disk ? disk->load("ruleset", ruleset_key(rules)) : std::nullopt;
  if (!bytes) return false;
  try {
    Reader in(*bytes);
    Sources sources;
    std::string shown, title;
    int least = 0, most = 0, usual = 0;
    std::vector<RulesetOption> options;
    std::vector<RulesetMeasure> measures;
    Report report;
    in(sources, shown, title, least, most, usual, options, measures, report);
    if (!in.at_end() || !read(sources, rules)) return false;
    rules.shown = shown, rules.title = title, rules.least = least, rules.most = most, rules.usual = usual;
    rules.options = std::move(options);
    rules.measures = std::move(measures);
    rules.report = std::move(report);
    rules.keyed_sources = static_cast<SourceId>(rules.sources.size());
    return true;
  } catch (const Damaged&) {
    return false;
  }
}

void keep_ruleset(const RulesetData& rules) {
  const auto to = cache();
  const auto sources = to ? sources_of(rules) : std::nullopt;
  if (!sources) return;
  Writer out;
  out(*sources, rules.shown, rules.title, rules.least, rules.most, rules.usual, rules.options, rules.measures,
      rules.report);
  to->store("ruleset", ruleset_key(rules), out.bytes());
}

std::shared_ptr<Compiled> load_program(const std::shared_ptr<const RulesetData>& rules, const Configuration& asked) {
  const auto disk = cache();
  const auto bytes = disk ? disk->load("program", program_key(*rules, asked)) : std::nullopt;
  if (!bytes) return nullptr;
  try {
    Reader in(*bytes);
    Sources sources;
    std::string program;
    auto compiled = std::make_shared<Compiled>();
    in(sources, compiled->configuration.players, compiled->configuration.options, compiled->configuration.plain,
       compiled->configuration.measures, compiled->configuration.policies, compiled->options, compiled->report,
       compiled->fingerprint, program);
    const auto ids = in.at_end() ? read(sources, *rules) : std::nullopt;
    if (!ids || !(compiled->program = program_from(program, *ids))) return nullptr;
    compiled->ruleset = rules;
    compiled->key = key_of(compiled->configuration);
    compiled->program->sources = &rules->sources;
    return compiled;
  } catch (const Damaged&) {
    return nullptr;
  }
}

void keep_program(const Compiled& compiled, const Configuration& asked) {
  const RulesetData& rules = *compiled.ruleset;
  const auto to = cache();
  if (!to || !rules.cached_parse) return;
  const auto sources = sources_of(rules);
  if (!sources) return;
  Writer out;
  out(*sources, compiled.configuration.players, compiled.configuration.options, compiled.configuration.plain,
      compiled.configuration.measures, compiled.configuration.policies, compiled.options, compiled.report,
      compiled.fingerprint, bytes_of(*compiled.program));
  to->store("program", program_key(rules, asked), out.bytes());
}

}   // namespace cardwright::api::detail
