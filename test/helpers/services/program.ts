import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { v8Flags } from "../v8-flags.js";

/** Arguments with which Node runs a TypeScript program: as it was compiled before the tests, else (in a benchmark) by tsx. */
export function programArguments(source: URL): string[] {
  const path = fileURLToPath(source);
  const compiled = process.env["TONWIRE_TEST_ENTRIES"];
  if (compiled === undefined) return ["--import", "tsx", path];
  return [...v8Flags, join(compiled, `${basename(path, ".ts")}.js`)];
}
