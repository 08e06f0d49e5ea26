import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PartialBlockProof } from "../../../shared/ton/lite/lite-api.js";
import { encodeAnswer, queryOf } from "../../../shared/ton/tl/lite-functions.js";
import { hostileBags } from "../../helpers/chain/hostile-bags.js";
import type { KeyBlockChain } from "../../helpers/chain/key-block-chain.js";
import type { LiteLie } from "../../helpers/peers/lying-tonwire.js";
import { until } from "../../helpers/until.js";
import { config, endOf, grownChain, lied, onlyOf } from "./lied-client.js";

let chain: KeyBlockChain;
beforeAll(async () => {
  chain = await grownChain();
});
afterAll(() => chain?.close());

describe("an answer that is broken", () => {
  test.each([
    ["cut", "network"],
    ["noise", /^(invalid-answer|bad-answer|network|missing-answer)$/],
    ["endless", "answer-too-large"],
    ["silent", "timeout"],
    [{ bytes: 20_000_000 }, "answer-too-large"],
  ] as const)("on its way is an error of the call: %j", async (breaks, code) => {
    const { client, liar, requests } = await lied(chain.api, {
      timeoutMs: breaks === "silent" ? 50 : 10_000,
    });
    const balance = () => endOf(client.getAddressBalance({ address: config }));
    liar.breaks = breaks;
    expect(await balance()).toMatch(code);
    liar.breaks = undefined;
    await until("the same client goes on", async () => (await balance()).startsWith("answered"));
    // Nothing was asked without proof.
    const methods = requests.flatMap(({ body }) => [body].flat().map(({ method }) => method));
    expect(new Set(methods)).toEqual(new Set(["lite.query"]));
  });

  const account = (part: object): LiteLie =>
    onlyOf("getAccountState", (exchange) => exchange.encode({ ...exchange.answer(), ...part }));
  const chained = (part: (answer: PartialBlockProof) => object): LiteLie =>
    onlyOf("getBlockProof", (exchange) => {
      const answer = exchange.answer() as unknown as PartialBlockProof;
      return exchange.encode({ ...answer, ...part(answer) });
    });
  const contents: Record<string, LiteLie> = {
    "to another query": onlyOf("getAccountState", () => encodeAnswer(queryOf("getTime", {}), { now: 5 })),
    "that is an error without a text": onlyOf("getBlockHeader", () => new Uint8Array(4)),
    "that states more bytes than it has": onlyOf("getAccountState", ({ bytes }) =>
      bytes.with(bytes.length - 5, 0xff).subarray(0, -3),
    ),
    "with a state as deep as a stack": account({ state: deepBag(60_000) }),
    "with a proof as deep as a stack": account({ proof: deepBag(60_000) }),
    "with a state of nine million bytes": account({ state: new Uint8Array(9_000_000) }),
    "with a proof of a million cells": account({ proof: wideBag(1_000_000) }),
    "with a chain that leads nowhere": chained(() => ({ steps: [], complete: false })),
    "with a chain whose link is repeated": chained(({ steps }) => ({
      steps: new Array(300).fill(steps[0]),
    })),
    "with a chain that ends early": chained(({ steps, to }) => ({ steps: steps.slice(0, -1), to })),
  };

  test.each(Object.keys(contents))("%s is a ProofError", async (name) => {
    const { client, liar } = await lied(chain.api);
    liar.lie = contents[name];
    expect(await endOf(client.getAddressBalance({ address: config }))).toBe("ProofError");
    expect(liar.lies).toBeGreaterThan(0);
    liar.lie = undefined;
    expect(await endOf(client.getAddressBalance({ address: config }))).toMatch(/^answered/);
  });

  test("with any invalid bag of cells is a ProofError", async () => {
    const { client, liar } = await lied(chain.api, { headMs: 60_000 });
    for (const part of ["state", "proof"])
      for (const [title, hex] of hostileBags.filter(([, bytes]) => bytes !== "")) {
        const bag = new Uint8Array(Buffer.from(hex.replaceAll(" ", ""), "hex"));
        liar.lie = account({ [part]: bag });
        const ended = await endOf(client.getAddressBalance({ address: config }));
        expect([part, title, ended]).toEqual([part, title, "ProofError"]);
      }
  });
});

/** A bag whose cells refer to one another in a line. */
function deepBag(cells: number): Uint8Array {
  return bagOf(cells, (index) =>
    index === cells - 1 ? [0, 0] : [1, 0, (index + 1) >> 16, (index + 1) >> 8, index + 1],
  );
}

/** A bag of empty cells, of which the first is the root. */
function wideBag(cells: number): Uint8Array {
  return bagOf(cells, () => [0, 0]);
}

function bagOf(cells: number, cell: (index: number) => number[]): Uint8Array {
  const data = Uint8Array.from(Array.from({ length: cells }, (_, index) => cell(index)).flat());
  const number = (value: number) => [value >> 16, value >> 8, value];
  const head = [0xb5, 0xee, 0x9c, 0x72, 3, 3, ...number(cells), ...number(1), ...number(0)];
  return Buffer.concat([Uint8Array.from([...head, ...number(data.length), ...number(0)]), data]);
}
