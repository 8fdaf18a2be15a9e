// Implements a minimal C++ wrapper for SQLite. Only store.cpp includes it.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "cardwright/cardwright.hpp"

namespace cardwright::server {

class Database {
 public:
  explicit Database(const std::string& path) {
    const int code = sqlite3_open_v2(path.c_str(), &handle_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    if (code != SQLITE_OK) fail(code);
    sqlite3_busy_timeout(handle_, 10'000);
  }
  ~Database() { sqlite3_close_v2(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const char* sql) {
    if (const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr); code != SQLITE_OK) fail(code);
  }
  // Rolls back the open transaction, if there is one.
  void roll_back() noexcept {
    if (!sqlite3_get_autocommit(handle_)) sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  [[noreturn]] void fail(int code) const {
    throw api::Error(api::Blame::internal, fmt::format("{}", handle_ ? sqlite3_errmsg(handle_) : sqlite3_errstr(code)));
  }
  sqlite3* handle() const { return handle_; }

 private:
  sqlite3* handle_ = nullptr;
};

// A reusable prepared statement with parameters bound by position.
class Statement {
 public:
  Statement(Database& database, const char* sql) : database_(database) {
    const int code = sqlite3_prepare_v3(database.handle(), sql, -1, SQLITE_PREPARE_PERSISTENT, &handle_, nullptr);
    if (code != SQLITE_OK) database.fail(code);
  }
  ~Statement() { sqlite3_finalize(handle_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  template <class... Values>
  Statement& with(const Values&... values) {
    sqlite3_reset(handle_);
    int position = 0;
    (bind(++position, values), ...);
    return *this;
  }
  // Steps to the next row; returns false after the last one.
  bool step() {
    const int code = sqlite3_step(handle_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) {
      sqlite3_reset(handle_);
      database_.fail(code);
    }
    sqlite3_reset(handle_);
    return false;
  }
  std::int64_t integer(int column) const { return sqlite3_column_int64(handle_, column); }
  std::string text(int column) const {
    const void* bytes = sqlite3_column_blob(handle_, column);
    return {static_cast<const char*>(bytes),
            bytes ? static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)) : 0};
  }

 private:
  void bind(int position, std::int64_t value) { check(sqlite3_bind_int64(handle_, position, value)); }
  void bind(int position, const std::string& text) {
    check(sqlite3_bind_text(handle_, position, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT));
  }
  void check(int code) const {
    if (code != SQLITE_OK) database_.fail(code);
  }
  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

}   // namespace cardwright::server
