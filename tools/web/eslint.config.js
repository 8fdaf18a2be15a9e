// Configures ESLint for all scripts: the type-checked rules of typescript-eslint, and names in camelCase. `npm run
// lint` runs it together with Prettier.
import { fileURLToPath } from "node:url";
import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

const kNames = [
  { selector: "default", format: ["camelCase"], leadingUnderscore: "allow" },
  { selector: "typeLike", format: ["PascalCase"] },
  // Components of Preact are functions, and contexts are constants.
  { selector: ["function", "variable"], format: ["camelCase", "PascalCase"] },
  // Imported names come from packages, for example default exports.
  { selector: "import", format: null },
  // Object literals can also be messages, attributes of elements, options of packages or settings of themes.
  { selector: ["objectLiteralProperty", "objectLiteralMethod"], format: null },
];

// There is one exception: fields of JSON messages, of data in pages and of the WebAssembly module keep their wire
// names, which are in snake_case. These files declare their types.
const kWireTypes = ["table/protocol.ts", "report/figures.ts", "export/saved_game.ts", "export/module.ts"];
const kWireNames = { selector: ["typeProperty", "typeMethod"], format: null };

export default defineConfig(
  { ignores: ["out/"] },
  js.configs.recommended,
  {
    rules: { "prefer-const": ["error", { ignoreReadBeforeAssign: true }] },
    linterOptions: { reportUnusedDisableDirectives: "error" },
  },
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: fileURLToPath(new URL(".", import.meta.url)) },
    },
    rules: {
      "@typescript-eslint/naming-convention": ["error", ...kNames],
      // Node's test runner waits for tests by itself.
      "@typescript-eslint/no-floating-promises": [
        "error",
        { allowForKnownSafeCalls: [{ from: "package", package: "node:test", name: "test" }] },
      ],
    },
  },
  { files: kWireTypes, rules: { "@typescript-eslint/naming-convention": ["error", ...kNames, kWireNames] } },
  {
    files: ["**/*.js", "**/*.mjs"],
    languageOptions: {
      globals: {
        console: "readonly",
        performance: "readonly",
        process: "readonly",
        TextDecoder: "readonly",
        URL: "readonly",
        WebAssembly: "readonly",
      },
    },
    rules: { camelcase: ["error", { properties: "never" }] },
  },
);
