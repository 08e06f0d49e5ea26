import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { flatten } from "../../../shared/methods/define.js";
import { registry } from "../../../shared/methods/registry.js";
import { subscriptionMethods } from "../../../shared/methods/subscriptions.js";
import { hostileAbis, listOfZeros } from "../../helpers/abi/hostile-abis.js";
import { bocText } from "../../helpers/contracts/contracts.js";
import { leastCpuMs, longestTurnMs } from "../../helpers/cpu-time.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { sparing } from "./hostile-calls.js";
import { startHostileService } from "./hostile-service.js";

// How long one call keeps the thread that serves all others from its next turn: each method with the dearest parameters that are
// known, and ABIs that are made to be dear for each method that takes one. A file of as many characters as a call may have is read
// in one turn, so the limit is in units of its `JSON.parse`.

const longest = hostileAbis.reduce((a, b) =>
  b.text.startsWith("{") && b.text.length > a.text.length ? b : a,
).text;
const parses = 4;
/** Reading a file takes six to eight units, and the request is sent and answered by the same thread. */
const maxUnits = 16;
/** For calls without such a file. */
const leastLimitMs = 100;

function limitMs(): number {
  const parse = (text: string) => {
    for (let times = 0; times < parses; times++) JSON.parse(text);
  };
  return Math.max(leastLimitMs, (maxUnits * leastCpuMs(0, () => longest, parse)) / parses);
}

const ofSockets: ReadonlySet<string> = new Set(flatten(subscriptionMethods).map(([name]) => name));
const methods = flatten(registry).filter(([name]) => !ofSockets.has(name) && !sparing.has(name));
const files = ["abi", "source_map", "files"];
const takingAbis = methods.filter(([, { params }]) => files.some((name) => name in params.shape));

const largeBody = bocText(listOfZeros(1000, 800));
const number: readonly string[] = ["num", "1"];
/** Values of parameters, by name, with which a method has the most to do. Those that it does not take are left out. */
const dearest: Readonly<Record<string, unknown>> = {
  ...{
    limit: 1000,
    include_abi: true,
    include_metadata: true,
    include_address_book: true,
    include_text: true,
  },
  ...{ include_storage: true, include_boc: true, include_transactions: true, follow: true },
  ...{ boc: largeBody, body: largeBody, bodies: Array.from({ length: 20 }, () => largeBody) },
  opcodes: Array.from({ length: 1000 }, (_, i) => i),
  stack: Array.from({ length: 1000 }, () => number),
  init_data: largeBody,
};

let service: DevnetService;
let limit: number;
const measured = new Map<string, number>();
beforeAll(async () => {
  service = await startHostileService();
  limit = limitMs();
});
afterAll(async () => {
  await service?.close();
  const rows = [...measured].sort(([, a], [, b]) => b - a);
  console.log(rows.map(([name, ms]) => `${ms.toFixed(1)} ms ${name}`).join("\n"));
});

/** Holds the turns of a call to the limit. */
async function expectTurns(label: string, method: string, params: object): Promise<void> {
  const ms = await longestTurnMs(limit, async () => {
    const { error } = (await service.rpc(method, params)) as { error?: { data?: { kind?: string } } };
    if (error) expect(error.data?.kind ?? "internal").not.toBe("internal");
  });
  measured.set(label, Math.max(ms, measured.get(label) ?? 0));
  expect([label, ms < limit || [ms, limit]]).toEqual([label, true]);
}

it.each(methods)(
  "%s lets others have their turns, with the dearest parameters that are known",
  async (name, method) => {
    const known = Object.entries(dearest).filter(([key]) => key in method.params.shape);
    for (const { params } of method.examples)
      for (const given of [{ ...params, ...Object.fromEntries(known) }, params])
        await expectTurns(name, name, given);
  },
);

describe.each(takingAbis)(
  "%s, with an ABI that is made to be dear,",
  (name, { params: { shape }, examples }) => {
    it.each(hostileAbis)("lets others have their turns: $name", async ({ text, bodies }) => {
      const params = {
        ...examples[0]?.params,
        ...("abi" in shape && { abi: text }),
        ...("source_map" in shape && { source_map: text }),
        ...("files" in shape && { files: [{ file: "hostile.abi", content: text }] }),
        ...("include_abi" in shape && { include_abi: true }),
        ...("bodies" in shape && { bodies: bodies.map((body) => bocText(body)) }),
      };
      await expectTurns(`${name}, with an ABI`, name, params);
    });
  },
);
