// Declares the Node functions that the tests use.
declare module "node:test" {
  export function test(name: string, body: () => void | Promise<void>): Promise<void>;
  export function test(
    name: string,
    options: { skip?: string | false; timeout?: number },
    body: () => void | Promise<void>,
  ): Promise<void>;
  export function after(body: () => void | Promise<void>): void;
}
declare module "node:assert/strict" {
  const assert: {
    (value: unknown, message?: string): asserts value;
    equal(actual: unknown, expected: unknown, message?: string): void;
    notEqual(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    match(text: string, pattern: RegExp, message?: string): void;
  };
  export default assert;
}
declare module "node:fs" {
  export function readFileSync(path: string): Uint8Array;
  export function readFileSync(path: string, encoding: "utf8"): string;
  export function existsSync(path: string): boolean;
}
declare const process: { cwd(): string; env: Record<string, string | undefined>; argv: string[] };
