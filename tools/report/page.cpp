// Writes a report as one HTML page, with sections in the order of a designer's questions.
#include <algorithm>

#include <fmt/format.h>

#include "cardwright/report.hpp"
#include "cardwright/tools.hpp"
#include "tools/report/data.h"
#include "tools/report/numbers.h"
#include "tools/report/shown.h"
#include "tools/report/tables.h"
#include "tools/report/verdicts.h"

namespace cardwright::report {

namespace {

struct Section {
  std::string id, heading, body;
};

std::string heading_of(statistics::Topic topic) {
  switch (topic) {
    case statistics::Topic::broken: return "Errors";
    case statistics::Topic::winning: return "Winners";
    case statistics::Topic::length: return "Length and endings";
    case statistics::Topic::pace: return "Pace";
    case statistics::Topic::tension: return "Tension";
    case statistics::Topic::cards: return "Cards";
    case statistics::Topic::actions: return "Actions";
    case statistics::Topic::measures: return "Own measures";
  }
  return {};
}

std::string paragraph(const std::string& text, std::string_view of = "") {
  return fmt::format("<p{}>{}</p>\n", of.empty() ? "" : fmt::format(" class=\"{}\"", of), escaped(text));
}

std::string side_text(const Side& side) { return side.title + (side.changed.empty() ? "" : ", " + side.changed); }

std::string letter(const Report& report, const Side& side) {
  if (report.sides.size() < 2) return {};
  return &side == &report.sides[0] ? "A" : "B";
}

// ---- verdicts

std::string found_heading(statistics::Verdict verdict) {
  switch (verdict) {
    case statistics::Verdict::differs: return "Differs";
    case statistics::Verdict::same: return "Same within the margin";
    case statistics::Verdict::open: return "Open";
    case statistics::Verdict::none: return "";
  }
  return {};
}

Section verdicts_section(const Report& report) {
  const Verdicts verdicts = verdicts_of(report);
  std::string body = paragraph(verdicts.sentences[0], "lead") + "<ul class=\"lead\">\n";
  for (std::size_t i = 1; i < verdicts.sentences.size(); ++i)
    body += "<li>" + escaped(verdicts.sentences[i]) + "</li>\n";
  body += "</ul>\n";
  for (const Found& found : verdicts.found) {
    const std::string_view of = found.verdict == statistics::Verdict::differs ? "differs"
                                : found.verdict == statistics::Verdict::same  ? "same"
                                                                              : "open";
    body += fmt::format("<h3><span class=\"verdict {}\">{}</span></h3>\n<ul>\n", of, found_heading(found.verdict));
    for (const std::string& row : found.rows) body += "<li>" + escaped(row) + "</li>\n";
    body += "</ul>\n";
  }
  return {"verdicts", "Verdicts", body};
}

// ---- errors

std::string failure_html(const Report& report, const Side& side, const api::FailureCount& f) {
  std::string out =
      fmt::format("<li><strong>{}</strong>{} in {} of {} games, first in game {}.", escaped(f.failure.text()),
                  letter(report, side).empty() ? "" : " (" + letter(report, side) + ")", grouped(f.count),
                  grouped(report.games), f.first_game);
  return out + fmt::format(" To reproduce: <code>{} --seed {} --first-game {} --games 1 --trace FILE</code></li>\n",
                           escaped(side.command), report.seed, f.first_game);
}

// Lists the rules that had no effect, for the section of errors.
std::string idle_rules_html(const Report& report) {
  std::string out;
  for (const Side& side : report.sides) {
    if (side.without_effect.empty()) continue;
    const std::string of = letter(report, side);
    std::string rules;
    for (const std::string& rule : side.without_effect) rules += "<li><code>" + escaped(rule) + "</code></li>\n";
    out += fmt::format(
        "<details><summary>Rules{} with no effect in random games: {}</summary>\n"
        "<ul>\n{}</ul></details>\n",
        of.empty() ? "" : " of " + of, side.without_effect.size(), rules);
  }
  return out;
}

std::string broken_html(const Report& report) {
  std::string failures;
  for (const Side& side : report.sides)
    for (const api::FailureCount& failure : side.failures) failures += failure_html(report, side, failure);
  std::string out =
      failures.empty() ? paragraph("No game ended with an error.") : "<ul class=\"bad\">\n" + failures + "</ul>\n";
  if (const auto& races = report.timed_out; races && races->races)
    out += paragraph(fmt::format(
        "{} of {} races ({}) ended only at the time limit ({}), because no player took the action that ends them.",
        grouped(races->races), grouped(races->of), percent_text(double(races->races) / double(races->of)),
        races->place));
  return out + idle_rules_html(report);
}

// ---- changes

Section changes_section(const Report& report) {
  std::string body;
  for (const api::Difference& d : report.compared->differences) {
    body += fmt::format("<li><strong>{}</strong> {} {}", escaped(d.change), escaped(d.kind), escaped(d.name));
    if (!d.lines.empty()) {
      body += "\n<pre>";
      for (const std::string& line : d.lines)
        body += fmt::format("<span class=\"{}\">{}</span>\n", line.starts_with('+') ? "comes" : "goes", escaped(line));
      body += "</pre>";
    }
    body += "</li>\n";
  }
  body = body.empty() ? paragraph("The rules of A and B are equivalent.")
                      : paragraph("Differences of B from A:") + "<ul class=\"changes\">\n" + body + "</ul>\n";
  return {"changes", "Changes", body};
}

// ---- method

std::string term(const std::string& name, const std::string& html) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(name), html);
}

std::string options_text(const Side& side) {
  std::string out;
  for (const auto& [name, value] : side.options) out += (out.empty() ? "" : ", ") + name + "=" + value;
  return out.empty() ? "none" : out;
}

std::string meaning_of_intervals(const Report& report) {
  if (!report.compared)
    return paragraph(
        "An interval contains the true figure in 95 of 100 reports, for this number of games, which was fixed in "
        "advance. The sampling unit is the game, since the decisions of players in one game depend on each other: "
        "means use the normal distribution, shares use Wilson's interval with the effective number of games. A "
        "difference from the average player is printed in bold if it is significant at 95 % for all rows of its table "
        "together (Bonferroni).");
  const Compared& c = *report.compared;
  std::string out = paragraph(fmt::format(
      "Game i of A and game i of B form a pair with the same seed, and differences are measured within pairs. "
      "Intervals "
      "hold simultaneously at all interim results in 95 of 100 reports, so the run can stop when all verdicts are "
      "decided: empirical-Bernstein confidence sequences for shares (Howard, Ramdas, McAuliffe, Sekhon 2021), "
      "asymptotic confidence sequences for means (Waudby-Smith and others 2021). The e-BH procedure (Wang, Ramdas "
      "2022) "
      "decides which rows differ: the false discovery rate is at most 5 % for any number of rows, and these rows have "
      "wider intervals to account for the selection. Same: the interval lies within ±{} (for means: {} of A). Open: "
      "neither is established.",
      percent_text(c.margin), percent_text(2 * c.margin)));
  if (c.games_saved)
    out += paragraph(fmt::format("The games of a pair are correlated (r = {:.2f}), which saved {} games.",
                                 c.correlation, grouped(c.games_saved)));
  return out;
}

Section made_section(const Report& report) {
  std::string list = term("Command", "<code>" + escaped(report.command) + "</code>");
  for (const Side& side : report.sides)
    list += term(letter(report, side).empty() ? "Game" : letter(report, side), escaped(side.title)) +
            term("Options", escaped(options_text(side)));
  list += term("Players", escaped(players_text(report)));
  list += term("Policy", escaped(report.policy));
  list += term("Seed", fmt::format("{}{}", report.seed,
                                   report.first_game ? fmt::format(", from game {}", report.first_game) : ""));
  list += term(report.compared ? "Pairs" : "Games", grouped(report.games));
  if (report.digest) list += term("Digest", fmt::format("<code>{:016x}</code>", *report.digest));
  list += term("Made by", "Cardwright " + escaped(api::version()));
  std::string body = "<dl>\n" + list + "</dl>\n" + meaning_of_intervals(report);
  body += paragraph("The same command produces the same page on any machine and with any number of threads.");
  return {"made", "Method", body};
}

// ---- the page

// Returns the sections in the order of topics. Empty ones are omitted, except for errors.
std::vector<Section> topic_sections(const Report& report, const std::vector<ShownTable>& tables) {
  std::vector<Section> out{{"broken", heading_of(statistics::Topic::broken), broken_html(report)}};
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const statistics::Topic topic = tables[i].table.topic;
    const std::string id(statistics::name_of(topic));
    // Tables of errors or wins without rows contain no information.
    if (topic <= statistics::Topic::winning && tables[i].table.rows.empty()) continue;
    if (out.back().id != id) out.push_back({id, heading_of(topic), ""});
    out.back().body += table_html(report, tables[i], i);
  }
  return out;
}

// Returns the subtitle of the page: "5 players who choose at random · 100,000 games · self_target=off".
std::string subtitle(const Report& report) {
  std::string out = fmt::format("{} · {} {}", players_text(report), grouped(report.games),
                                report.compared ? "pairs of games" : "games");
  if (report.sides.size() == 1 && !report.sides[0].changed.empty()) out += " · " + report.sides[0].changed;
  return paragraph(out, "options");
}

std::string header_html(const Report& report) {
  const Side& first = report.sides[0];
  if (report.sides.size() < 2) return fmt::format("<h1>{}</h1>\n{}", escaped(first.title), subtitle(report));
  const Side& second = report.sides[1];
  const bool same = first.title == second.title;
  return fmt::format(
      "<h1>{}</h1>\n{}<p class=\"legend\"><span class=\"of-a\">A: {}</span> <span class=\"of-b\">B: {}</span></p>\n",
      escaped(same ? first.title : first.title + " and " + second.title), subtitle(report),
      escaped(same && first.changed.empty() ? "default rules" : side_text(first)),
      escaped(same && !second.changed.empty() ? second.changed : side_text(second)));
}

std::string title_of(const Report& report) {
  std::string out = side_text(report.sides[0]);
  if (report.sides.size() > 1) out += " and " + side_text(report.sides[1]);
  return out;
}

}   // namespace

std::string as_html(const Report& report, const Bundle& bundle) {
  const std::vector<ShownTable> tables = shown(report);
  std::vector<Section> sections{verdicts_section(report)};
  if (report.compared) sections.push_back(changes_section(report));
  for (Section& section : topic_sections(report, tables)) sections.push_back(std::move(section));
  sections.push_back(made_section(report));
  std::string contents, body;
  for (const Section& section : sections) {
    contents += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, section.heading);
    body += fmt::format(
        "<section id=\"{0}\" aria-labelledby=\"{0}-heading\">\n<h2 id=\"{0}-heading\">{1}</h2>\n{2}</section>\n",
        section.id, section.heading, section.body);
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '{}'; style-src "
      "'unsafe-inline'; img-src data:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{}: report</title>\n<style>\n{}</style>\n</head>\n<body>\n"
      "<header>\n{}</header>\n<nav aria-label=\"Contents\"><ol>\n{}</ol></nav>\n<main>\n{}</main>\n"
      "<script type=\"application/json\" id=\"figures\">{}</script>\n<script>{}</script>\n</body>\n</html>\n",
      bundle.script_hash, escaped(title_of(report)), bundle.style, header_html(report), contents, body,
      escaped_json(page_json(report, tables).dump()), bundle.script);
}

}   // namespace cardwright::report
