// No regular expression takes more than linear time: one that does stops the whole process for minutes with a text as long as
// a request may be. A pattern whose input has few characters says so in a comment, "// Bounded input: why".
// With arguments it reads these projects, by the paths of their tsconfig.json.
import { relative } from "node:path";
import { patternsOf } from "./pattern-literals.mjs";
import { publishedConfigs, top } from "./project-files.mjs";

// Its other backends are programs for each platform, and are not installed.
process.env.RECHECK_BACKEND = "pure";
const { check } = await import("recheck");

const shownCharacters = 200;
/** For one pattern; a busy machine takes longer than the default of ten seconds for some. */
const timeout = 120_000;
/** Attacks are judged by the characters that they make it read, so that a verdict does not depend on the machine. */
const attacks = { attackTimeout: null, incubationTimeout: null, attackLimit: 100_000_000 };
const given = process.argv.slice(2);

const verdicts = new Map();

/** The problem of a pattern; undefined if it has none. */
async function problemOf({ source, flags }) {
  if (source === undefined) return "the pattern is not a constant, so its time is not known";
  const { status, complexity, attack, error } = await check(source, flags, { timeout, ...attacks });
  if (status === "safe") return undefined;
  if (status === "unknown") return `the pattern is not understood: ${error.kind}`;
  return `${complexity.summary} time, by ${attack.pattern.slice(0, shownCharacters)}`;
}

const patterns = patternsOf(given.length > 0 ? given : publishedConfigs);
let bad = 0;
for (const pattern of patterns) {
  if (pattern.isBounded) continue;
  const key = `${pattern.flags} ${pattern.source}`;
  if (!verdicts.has(key)) verdicts.set(key, await problemOf(pattern));
  const problem = verdicts.get(key);
  if (problem === undefined) continue;
  bad++;
  console.error(`${relative(top, pattern.path)}:${pattern.line} ${pattern.source ?? "RegExp"}: ${problem}`);
}
if (patterns.length === 0) console.error("there is no regular expression in these projects");
process.exit(bad === 0 && patterns.length > 0 ? 0 : 1);
