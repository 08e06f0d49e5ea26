import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ProofError, type VerifiedClient } from "../../../client/verified/index.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import type { KeyBlockChain } from "../../helpers/chain/key-block-chain.js";
import { isLong } from "../../helpers/effort.js";
import { flippedAt } from "../../helpers/peers/lite-lies.js";
import { liteQueryService } from "../../helpers/peers/lite-query-service.js";
import { type LiteLie, LyingTonwire } from "../../helpers/peers/lying-tonwire.js";
import { nowhere } from "../../helpers/peers/rpc-server.js";
import { clientOf, config, endOf, grownChain, onlyOf } from "./lied-client.js";

let chain: KeyBlockChain;
beforeAll(async () => {
  chain = await grownChain();
});
afterAll(() => chain?.close());

describe("several services", () => {
  const balance = (client: VerifiedClient) => client.getAddressBalance({ address: config });
  const cutAt = (length: number): LiteLie =>
    onlyOf("getAccountState", ({ bytes }) => bytes.subarray(0, length));

  /** Services behind proxies, of which each tells its lie. */
  async function services(lies: readonly (LiteLie | undefined)[]) {
    return Promise.all(
      lies.map(async (lie) => {
        const liar = await LyingTonwire.before(new URL((await liteQueryService(chain.api)).url).origin);
        liar.lie = lie;
        return liar;
      }),
    );
  }

  const urlsOf = (liars: readonly LyingTonwire[]) => liars.map(({ url }) => `${url}/jsonRPC`);

  test("are tried one after the other, and the evidence against each is kept", async () => {
    const liars = await services([cutAt(40), cutAt(80), undefined]);
    const told: ProofError[] = [];
    const options = { fallOver: true, onProofError: (error: ProofError) => told.push(error) };
    const client = await clientOf(chain.api, urlsOf(liars), options);
    const [honest] = await services([undefined]);
    expect(await balance(client)).toBe(await balance(await clientOf(chain.api, urlsOf([honest!]))));
    expect(told.map(({ evidence: { method, bytes } }) => [method, bytes!.at(-1)!.answer.length])).toEqual([
      ["getAccountState", 40],
      ["getAccountState", 80],
    ]);
  });

  test("that all lie are a ProofError with the bytes of all, never another answer", async () => {
    const client = await clientOf(chain.api, urlsOf(await services([cutAt(40), cutAt(80), cutAt(120)])), {
      fallOver: true,
    });
    const error = await balance(client).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(ProofError);
    const lengths = (error as ProofError).evidence.bytes!.map(({ answer }) => answer.length);
    expect(lengths).toEqual(expect.arrayContaining([40, 80, 120]));
  });

  test("are not tried after a lie unless the caller wants that", async () => {
    const liars = await services([cutAt(40), undefined]);
    expect(await endOf(balance(await clientOf(chain.api, urlsOf(liars))))).toBe("ProofError");
    expect(liars[1]!.asked).not.toContain("getAccountState");
  });

  test("need not all be reachable", async () => {
    const [honest] = await services([undefined]);
    const client = await clientOf(chain.api, [await nowhere(), ...urlsOf([honest!])]);
    expect(await endOf(balance(client))).toMatch(/^answered/);
  });

  // Others are waited for as long as settledInTime says.
  test.runIf(isLong)("need not all answer", async () => {
    const [honest, silent] = await services([undefined, undefined]);
    silent!.breaks = "silent";
    const client = await clientOf(chain.api, urlsOf([silent!, honest!]), { timeoutMs: 20_000 });
    expect(await endOf(balance(client))).toMatch(/^answered/);
  });

  test("of which one lies about its newest block count with it only if the caller says so", async () => {
    const head = onlyOf("getMasterchainInfo", flippedAt(0.7));
    const urls = urlsOf(await services([head, undefined]));
    expect(await endOf(balance(await clientOf(chain.api, urls)))).toBe("ProofError");
    const told: ProofError[] = [];
    const client = await clientOf(chain.api, urls, {
      fallOver: true,
      onProofError: (error) => told.push(error),
    });
    expect(await endOf(balance(client))).toMatch(/^answered/);
    expect(told.map(({ evidence }) => evidence.method)).toEqual(["getMasterchainInfo"]);
  });

  test("do not get a message again that the first one may have taken", async () => {
    const liars = await services([undefined, undefined]);
    const [first, second] = liars as [LyingTonwire, LyingTonwire];
    first.lie = ({ query }) => {
      first.breaks = query.method === "sendMessage" ? "cut" : undefined;
      return undefined;
    };
    const client = await clientOf(chain.api, urlsOf(liars), { fallOver: true });
    await balance(client);
    const asked = liars.find((each) => each.asked.includes("getAccountState"));
    expect(asked).toBe(first);
    const boc = Buffer.from(serializeBoc(Cell.empty)).toString("base64");
    expect(await endOf(client.sendBoc({ boc }))).toBe("network");
    expect(first.asked.filter((method) => method === "sendMessage")).toHaveLength(1);
    expect(second.asked).not.toContain("sendMessage");
  });

  test("must be one at least", async () => {
    const client = await clientOf(chain.api, []);
    await expect(balance(client)).rejects.toMatchObject({ code: "invalid-params" });
  });
});
