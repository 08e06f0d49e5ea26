// The formats of profiles that viewers open. Gas takes the place of time.
import { crossed, type GasNode, type GasTree, pathOf } from "./gas-tree.js";

/** The profile of Chrome's DevTools: a unit of gas is a microsecond. */
export function cpuProfile({ nodes, order, total }: GasTree) {
  const children = nodes.map((): number[] => []);
  for (const [at, { parent }] of nodes.entries()) children[parent]?.push(at + firstId);
  const roots = nodes.flatMap(({ parent }, at) => (parent < 0 ? [at + firstId] : []));
  return {
    nodes: [
      {
        id: rootId,
        callFrame: callFrameOf({ name: "(root)", place: undefined }),
        hitCount: 0,
        children: roots,
      },
      ...nodes.map((node, at) => ({
        id: at + firstId,
        callFrame: callFrameOf(node),
        hitCount: node.steps,
        children: children[at] ?? [],
      })),
    ],
    startTime: 0,
    endTime: total,
    samples: [...order.map(({ node }) => node + firstId), rootId],
    // A delta is the time since the sample before, so that the gas of a sample is that of the next one.
    timeDeltas: [0, ...order.map(({ gas }) => gas)],
  };
}

const rootId = 1;
const firstId = 2;

function callFrameOf({ name, place }: Pick<GasNode, "name" | "place">) {
  return {
    functionName: name,
    scriptId: "0",
    url: place?.file ?? "",
    // These count from zero.
    lineNumber: place ? place.line - 1 : -1,
    columnNumber: place ? place.column - 1 : -1,
  };
}

/** Lines of `frame;frame <gas>`, sorted: those that flame graphs are made of. */
export function collapsed({ nodes }: GasTree): string {
  const lines = new Map<string, number>();
  for (const [at, { gas }] of nodes.entries()) {
    if (gas === 0) continue;
    const line = pathOf(nodes, at)
      .map((node) => nodes[node]!.name.replaceAll(/[;\s]+/g, "_"))
      .join(";");
    lines.set(line, (lines.get(line) ?? 0) + gas);
  }
  return [...lines]
    .map(([line, gas]) => `${line} ${gas}\n`)
    .sort()
    .join("");
}

const schema = "https://www.speedscope.app/file-format-schema.json";

/** The profile of speedscope, whose frames open and close at gas. */
export function speedscope({ nodes, order, total }: GasTree, name: string) {
  const frames: { name: string; file?: string; line?: number }[] = [];
  const numbers = new Map<string, number>();
  const frameOf = (node: number) => {
    const { name, place } = nodes[node]!;
    const frame = { name, ...(place && { file: place.file, line: place.line }) };
    const key = JSON.stringify(frame);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, frames.length);
    return frames.push(frame) - 1;
  };
  const events: { type: "O" | "C"; frame: number; at: number }[] = [];
  let open: readonly number[] = [];
  let at = 0;
  const goTo = (path: readonly number[]) => {
    const { left, entered } = crossed(open, path);
    for (const node of left) events.push({ type: "C", frame: frameOf(node), at });
    for (const node of entered) events.push({ type: "O", frame: frameOf(node), at });
    open = path;
  };
  for (const { node, gas } of order) {
    goTo(pathOf(nodes, node));
    at += gas;
  }
  goTo([]);
  return {
    $schema: schema,
    name,
    exporter: "tonwire",
    activeProfileIndex: 0,
    shared: { frames },
    profiles: [{ type: "evented", name, unit: "none", startValue: 0, endValue: total, events }],
  };
}

type GasEntry = { name: string; gas: number; total: number; steps: number };

/** Gas by name, most first: of itself, and with all that it called. */
export function gasEntries({ nodes }: GasTree): GasEntry[] {
  const entries = new Map<string, GasEntry>();
  for (const [at, { gas, steps }] of nodes.entries()) {
    const names = new Set(pathOf(nodes, at).map((node) => nodes[node]!.name));
    for (const name of names) {
      const entry = entries.get(name) ?? { name, gas: 0, total: 0, steps: 0 };
      entries.set(name, entry);
      entry.total += gas;
      if (name !== nodes[at]!.name) continue;
      entry.gas += gas;
      entry.steps += steps;
    }
  }
  return [...entries.values()].sort(
    (a, b) => b.gas - a.gas || b.total - a.total || (a.name < b.name ? -1 : 1),
  );
}
