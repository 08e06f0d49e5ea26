// npm run bench [-- suite ...] [--rows TEXT] [--rounds N] [--round-ms N] [--minutes N] [--transactions N] [--short] [--floors] [--shard K/N]:
// every suite file of this folder, or those named; with --rows only the rows whose titles contain the text; --minutes is for `steady`,
// --transactions for `capacity`. With --short everything runs once on little data, which shows that it runs; its figures mean nothing.
// With --floors only the rows run that have a floor, and the exit code is 1 if one of them is below it.
// --shard runs one of N parts of the suites. Each of several suites has a process of its own, so that what one leaves in memory does
// not change what the next one measures.
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { keptCode } from "../../server/process/engine-flags.js";
import { belowFloor, measure, type Row, type Suite, table } from "./harness.js";

const infrastructure = ["main.ts", "harness.ts"];

const { values, positionals, tokens } = parseArgs({
  allowPositionals: true,
  tokens: true,
  options: {
    rows: { type: "string", default: "" },
    rounds: { type: "string", default: "5" },
    "round-ms": { type: "string", default: "200" },
    minutes: { type: "string" },
    transactions: { type: "string" },
    short: { type: "boolean", default: false },
    floors: { type: "boolean", default: false },
    shard: { type: "string", default: "1/1" },
  },
});
if (values.short && values.floors)
  throw new Error("figures of --short mean nothing: leave it out, or --floors");
setFlagsFromString(keptCode);
// `sized` reads it for the suites.
process.env["TONWIRE_TEST_MODE"] = values.short ? "test" : "all";
const options = { rounds: Number(values.rounds), roundMs: Number(values["round-ms"]), isShort: values.short };
const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));
const reporting = { minutes: numberOf(values.minutes), transactions: numberOf(values.transactions) };
const known = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && !infrastructure.includes(file))
  .map((file) => file.slice(0, -".ts".length));
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0)
  throw new Error(`no suite is called ${unknown.join(", ")}; there are ${known.join(", ")}`);

const [part, parts] = values.shard.split("/").map(Number) as [number, number];
if (!(part >= 1 && part <= parts)) throw new Error("--shard names a part, as 1/2");
const names = (positionals.length > 0 ? positionals : known).filter((_, i) => i % parts === part - 1);
if (names.length === 1) await run(names[0]!);
else for (const name of names) await runApart(name);

async function run(name: string): Promise<void> {
  const { suite } = (await import(`./${name}.js`)) as { suite: Suite };
  console.log(`\n${suite.title}`);
  try {
    const results = [];
    for (const row of await suite.rows()) if (isWanted(row)) results.push(await measure(row, options));
    const isWhole = values.rows === "" && !values.floors;
    const report = isWhole ? await suite.report?.(reporting) : undefined;
    if (results.length > 0) console.log(table(results));
    else if (report === undefined) console.log(`nothing to measure: it needs ${suite.needs ?? "other rows"}`);
    if (report !== undefined) console.log(`\n${report}`);
    if (values.floors && results.some(belowFloor)) process.exitCode = 1;
  } finally {
    await suite.close?.();
  }
}

function isWanted({ title, goal }: Row): boolean {
  return title.includes(values.rows) && (!values.floors || goal !== undefined);
}

async function runApart(name: string): Promise<void> {
  const given = tokens.flatMap((token) =>
    token.kind === "option" && token.name !== "shard"
      ? [`--${token.name}${token.value === undefined ? "" : `=${token.value}`}`]
      : [],
  );
  const [code, signal] = await once(fork(import.meta.filename, [name, ...given]), "exit");
  // The suites after one below its floors are measured as well.
  if (values.floors && code === 1) process.exitCode = 1;
  else if (code !== 0) throw new Error(`the suite ${name} has ended with ${signal ?? `exit code ${code}`}`);
}
