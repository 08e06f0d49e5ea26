import { fileURLToPath } from "node:url";

/** What the suites of generators show of each. */
export const does = "makes clients that compile, and nine calls by them";

/** The parts of REST that have a document each. */
export const apis = ["v2", "v3"] as const;

/** The program in this folder that makes the calls by a generated client. */
export const sourceOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
