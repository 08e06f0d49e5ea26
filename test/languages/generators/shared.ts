import { fileURLToPath } from "node:url";

/** The claim that the suites test for each generator. */
export const does = "makes clients that compile, and nine calls by them";

/** The parts of REST that have a document each. */
export const apis = ["v2", "v3"] as const;

/** The program in this folder that makes the calls by a generated client. */
export const sourceOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Its check sum is wrong. Some clients do not send what the pattern of an address excludes. */
export const wrongAddress = `EQ${"A".repeat(46)}`;

/** Strict settings of TypeScript for `calls.ts`, as a module that Node runs; generators read them too. */
export const strictTypeScript = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable"],
  module: "nodenext",
  moduleResolution: "nodenext",
  types: ["node"],
  outDir: "out",
};
