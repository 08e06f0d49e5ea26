import { exec } from "node:child_process";
import { readdirSync } from "node:fs";
import { promisify } from "node:util";
import { StepBudget } from "../../server/indexer/actions/attempt.js";
import { BlockTree } from "../../server/indexer/actions/block-tree.js";
import { classify } from "../../server/indexer/actions/classify.js";
import type { ContractLookups } from "../../server/indexer/actions/contracts.js";
import { type Matcher, runPass } from "../../server/indexer/actions/matcher.js";
import { matchers } from "../../server/indexer/actions/matchers.js";
import { nodesOf } from "../../server/indexer/actions/node.js";
import { type TraceRows, traceOfRows } from "../../server/indexer/actions/trace-of-rows.js";
import { actionRows } from "../../server/indexer/classify/action-rows.js";
import { ClassifierThread } from "../../server/indexer/classify/classifier-thread.js";
import { TraceClassifier } from "../../server/indexer/classify/trace-classifier.js";
import { keyOf } from "../../server/indexer/hash-key.js";
import { openPostgres } from "../../server/store/wire/postgres.js";
import { readBody } from "../../shared/ton/bodies/read.js";
import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import { contractsOf, type GoldenCase, goldenCase, rowsOf } from "../helpers/index/golden-case.js";
import { havePostgres, TestPostgres } from "../helpers/store/postgres.js";
import { testData } from "../helpers/test-data.js";
import type { Row, Spent, Suite } from "./harness.js";
import { openRecordedDetection, RecordedIngest, recordedBlocks } from "./v3/recorded-ingest.js";

/**
 * Units are golden traces; in the rows of ingest, transactions. TONWIRE_BENCH_CLASSIFIER can be a command that classifies the
 * same traces in another way and prints `{"units": <traces>, "micros": <processor time>}`.
 */
export const suite: Suite = {
  title: "Actions: golden traces to rows, processor time (baseline: the same messages to typed bodies)",
  needs: "recorded traces, or recorded blocks and PostgreSQL",
  async rows() {
    const traces = (testData().traces ?? []).map((each) => goldenTrace(goldenCase(each)));
    return [...(traces.length > 0 ? await traceRows(traces) : []), ...(await ingestRows())];
  },
  async close() {
    for (const close of closers) await close();
  },
};

const closers: (() => Promise<void>)[] = [];

/** `contracts` are the recognised ones, `bodies` those of its messages, each once. */
type GoldenTrace = { rows: TraceRows; contracts: ContractLookups; bodies: Uint8Array[] };

function goldenTrace(golden: GoldenCase): GoldenTrace {
  const rows = rowsOf(golden);
  const contents = new Map(rows.messageContents.map(({ hash, body }) => [keyOf(hash), body]));
  const hashes = new Map(rows.messages.map(({ msg_hash, body_hash }) => [keyOf(msg_hash), keyOf(body_hash)]));
  return {
    rows,
    contracts: contractsOf(golden),
    bodies: [...hashes.values()].map((hash) => contents.get(hash)!),
  };
}

async function traceRows(traces: readonly GoldenTrace[]): Promise<Row[]> {
  const onAverage = (work: (trace: GoldenTrace) => unknown) => () => ({
    units: traces.length,
    micros: processorMicros(() => traces.forEach(work)),
  });
  const inTheMiddle = (work: (trace: GoldenTrace) => unknown) => () => ({
    units: 1,
    micros: middle(traces.map((trace) => processorMicros(() => work(trace)))),
  });
  const decode = onAverage(decodeTrace);
  const classifyAll = onAverage(classifyTrace);
  const rows: Row[] = [
    { title: "a trace, on average", ours: classifyAll, baseline: decode },
    { title: "a trace, median", ours: inTheMiddle(classifyTrace), baseline: inTheMiddle(decodeTrace) },
  ];
  const other = process.env["TONWIRE_BENCH_CLASSIFIER"];
  if (other !== undefined) {
    const title = "a trace, on average, against the other classifier";
    rows.push({ title, ours: classifyAll, baseline: () => run(other), goal: { floor: 10, aim: 20 } });
  }
  for (const [name, family] of await familiesOfMatchers())
    rows.push({ title: `family ${name}`, ours: () => timeFamily(family, traces), baseline: decode });
  return rows;
}

function classifyTrace({ rows, contracts }: GoldenTrace): unknown {
  return actionRows(classify(traceOfRows(rows), contracts).actions);
}

function decodeTrace({ bodies }: GoldenTrace): void {
  for (const body of bodies) readBody(parseBocRoot(body));
}

/** By the files that declare them. */
async function familiesOfMatchers(): Promise<Map<string, ReadonlySet<Matcher>>> {
  const folder = new URL("../../server/indexer/actions/families/", import.meta.url);
  const families = new Map<string, ReadonlySet<Matcher>>();
  for (const file of readdirSync(folder)) {
    const declared = new Set<unknown>(Object.values(await import(new URL(file, folder).href)));
    const own = matchers.filter((matcher) => declared.has(matcher));
    if (own.length > 0) families.set(file.replace(/\.ts$/, ""), new Set(own));
  }
  return families;
}

/** Time of the family's matchers on traces whose bodies have been parsed, behind the matchers before them. */
function timeFamily(family: ReadonlySet<Matcher>, traces: readonly GoldenTrace[]): Spent {
  let micros = 0;
  for (const { contracts, rows } of traces) {
    const trace = traceOfRows(rows);
    for (const { inMessage, outMessages } of trace.transactions)
      for (const message of [inMessage, ...outMessages]) void message?.body;
    const budget = new StepBudget(Number.POSITIVE_INFINITY);
    const pass = { tree: new BlockTree(nodesOf(trace)), contracts, budget, recorder: undefined };
    for (const matcher of matchers) {
      const start = performance.now();
      runPass(matcher, pass);
      if (family.has(matcher)) micros += (performance.now() - start) * 1000;
    }
  }
  return { units: traces.length, micros };
}

/** All threads of the process count, so that what is collected as garbage does too. */
function processorMicros(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function middle(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!;
}

async function run(command: string): Promise<Spent> {
  const { stdout } = await promisify(exec)(command);
  const { units, micros } = JSON.parse(stdout) as Spent;
  return { units, micros };
}

async function ingestRows(): Promise<Row[]> {
  const blocks = recordedBlocks();
  if (blocks.length === 0 || !havePostgres()) return [];
  const server = await TestPostgres.start();
  closers.push(() => server.stop());
  const postgres = openPostgres(await server.database());
  closers.unshift(() => postgres.close());
  const thread = new ClassifierThread();
  closers.push(() => thread.close());
  const classifier = new TraceClassifier({ thread });
  const detection = await openRecordedDetection(closers);
  const ingest = await RecordedIngest.open(postgres, blocks);
  const plain = ingest.indexing();
  const recognising = ingest.indexing({ detection });
  const both = ingest.indexing({ detection, classifier });
  const goal = { floor: 0.5, aim: 0.7 };
  return [
    {
      title: "ingest with classification, against without",
      ours: ingest.indexing({ classifier }),
      baseline: plain,
      goal,
    },
    {
      title: "ingest with recognition and classification, against recognition alone",
      ours: both,
      baseline: recognising,
      goal,
    },
    {
      title: "ingest with recognition and classification, against neither",
      ours: both,
      baseline: plain,
    },
  ];
}
