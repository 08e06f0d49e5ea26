import type { Profile } from "./thread-profiles.js";

type Frame = Profile["nodes"][number]["callFrame"];

/** Stages of an indexer; the innermost call that belongs to a stage counts. */
const stages: readonly (readonly [stage: string, isPart: (frame: Frame) => boolean])[] = [
  [
    "fetch and parse",
    ({ functionName, url }) => functionName === "openBlock" || url.includes("/chain-units."),
  ],
  ["decode", inFiles("/indexer/decode/", "/indexer/traces/trace-assembler.")],
  ["store, this side", inFiles("/copy/write-steps.", "/store/pooled-sql.", "/store/queries/", "/pg/")],
  ["encode rows", inFiles("/store/copy/", "/indexer/batch/row-batch.", "/indexer/batch/store-batch.")],
  ["recognise", inFiles("/indexer/recognition/", "/server/contracts/", "/chain/run/", "/chain/executor/")],
  ["classify", inFiles("/indexer/classify/", "/indexer/actions/")],
  ["other steps of the index", inFiles("/server/indexer/")],
];
const rest = "runtime and garbage collection";

/** A thread that waits outside of the event loop is in the program; profiles are begun and ended by `dispatch`. */
const outside: ReadonlySet<string> = new Set(["(idle)", "(program)", "dispatch"]);

/** In the order in which they are shown. */
export const stageNames: readonly string[] = [...stages.map(([stage]) => stage), rest];

function inFiles(...parts: readonly string[]): (frame: Frame) => boolean {
  return ({ url }) => parts.some((part) => url.includes(part));
}

/** Microseconds that a thread was busy with each stage. */
export function timesOfStages({ nodes, samples = [], timeDeltas = [] }: Profile): Map<string, number> {
  const times = new Map<string, number>();
  const stageOf = new Map<number, string | undefined>();
  const learn = (id: number, outer: string | undefined) => {
    const { callFrame, children = [] } = byId.get(id)!;
    const own = stages.find(([, isPart]) => isPart(callFrame))?.[0] ?? outer;
    stageOf.set(id, outside.has(callFrame.functionName) ? undefined : (own ?? rest));
    for (const child of children) learn(child, own);
  };
  const byId = new Map(nodes.map((node) => [node.id, node]));
  learn(nodes[0]!.id, undefined);
  samples.forEach((id, i) => {
    const stage = stageOf.get(id);
    if (stage !== undefined) times.set(stage, (times.get(stage) ?? 0) + timeDeltas[i]!);
  });
  return times;
}
