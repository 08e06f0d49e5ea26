import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { flatten, restPaths } from "../../../shared/methods/define.js";
import { registry } from "../../../shared/methods/registry.js";
import { friend } from "../../../shared/methods/v2/examples.js";
import { sized } from "../../helpers/effort.js";
import { openSocket } from "../../helpers/http/socket.js";
import { formNames } from "../../helpers/http/wire.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { sharedService } from "../../helpers/services/shared-service.js";
import { untilIndexed } from "../../helpers/services/until-indexed.js";

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("indexed");
  // The state that the examples refer to.
  await service.run("devnet.faucet", { address: friend, amount: "1000000000" });
  const { last } = await service.run<{ last: { seqno: number } }>("getMasterchainInfo");
  await untilIndexed(service, last.seqno);
});
afterAll(() => service.close());

/** Methods with side effects or random results, and those that depend on earlier calls, are tested elsewhere. */
const repeatable = flatten(registry).filter(
  ([name, { freshness, needsKey }]) =>
    freshness.kind !== "effect" &&
    !needsKey &&
    !["devnet.transactionLog", "devnet.calls", "v3.emulate.trace"].includes(name) &&
    // Their examples name a transaction by its hash.
    !["v4.transactions", "v4.parsedTransactions"].includes(name),
);

/** Errors of examples whose objects do not exist on an empty devnet. */
const absentThere = new Map([
  ["getTokenData", 409],
  ["dnsResolve", 500],
  ["v3.acton.decode", 404],
  ["v3.acton.runGetMethod", 404],
  ["v3.adjacentTransactions", 404],
  ["v3.balanceChanges", 404],
  ["v3.debug.code", 404],
  ["v3.debug.find", 404],
  ["v3.debug.profile", 404],
  ["v3.debug.state", 404],
  ["v3.debug.steps", 404],
  ["v3.debug.trace", 404],
  ["v3.debug.trail", 404],
  ["v3.debug.transaction", 404],
  ["v3.emulate.tonConnect", 500],
  ["v3.staking.nominatorPools.pool", 404],
]);

describe.each(repeatable)("the examples of %s on a devnet", (name, definition) => {
  // In `npm test` one of each method.
  it.each(definition.examples.slice(0, sized(1, 100)))(
    "are answered in one way by all wire forms: %j",
    async ({ params }) => {
      const rest = restPaths(name, definition).length > 0;
      const ends = rest
        ? await service.inAllForms(name, params)
        : [["strict JSON-RPC", { result: await service.run(name, params) }] as const];
      const forms = formNames.filter(
        (form) => (form !== "GET" && form !== "POST") || definition.verbs.includes(form),
      );
      if (rest) expect(ends.map(([form]) => form)).toEqual(forms);
      const [[, first]] = ends as [[string, object]];
      for (const [form, ended] of ends) expect([form, ended]).toEqual([form, first]);
      if (absentThere.has(name)) {
        expect(first).toEqual({ error: expect.any(String), code: absentThere.get(name) });
      } else {
        const { result } = first as { result: unknown };
        expect(definition.result.parse(result)).toEqual(result);
      }
    },
  );
});

describe("one WebSocket", () => {
  it("answers every example as HTTP does, in any order", async () => {
    const socket = await openSocket(service.url, { headers: { "X-API-Key": service.key } });
    const some = repeatable.filter((_, at) => at % sized(5, 1) === 0);
    const calls = some.flatMap(([method, { examples }]) =>
      examples.map(({ params }) => ({ jsonrpc: "2.0", method, params })),
    );
    for (const [id, call] of calls.entries()) socket.send({ ...call, id });
    const answers = new Map<number, unknown>();
    while (answers.size < calls.length) {
      const answer = (await socket.next()) as { id: number };
      answers.set(answer.id, answer);
    }
    for (const [id, { method, params }] of calls.entries())
      expect(answers.get(id)).toEqual({ ...((await service.rpc(method, params)) as object), id });
    socket.close();
  });
});

describe("answers that do not depend on a chain", () => {
  const fixed = repeatable.filter(
    ([name, { freshness }]) => freshness.kind === "none" && !name.includes("."),
  );
  it.each(fixed)("of %s are the examples' own", async (name, { examples }) => {
    for (const { params, result } of examples) expect(await service.run(name, params)).toEqual(result);
  });
});
