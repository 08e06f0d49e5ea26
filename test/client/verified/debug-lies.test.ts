import { beforeAll, describe, expect, it } from "vitest";
import type { Transaction } from "../../../client/index.js";
import { ProofError } from "../../../client/verified/index.js";
import { invokerOf, type LiteMethod } from "../../../shared/ton/lite/lite-methods.js";
import { Address } from "../../../shared/values/address.js";
import { libraryCell, publishingCode } from "../../helpers/chain/library-cell.js";
import { codeOf, place, testAddress } from "../../helpers/contracts/contracts.js";
import { flippedAt, ofAccount } from "../../helpers/peers/lite-lies.js";
import { type LiteLie, LyingTonwire } from "../../helpers/peers/lying-tonwire.js";
import { RewritingProxy } from "../../helpers/peers/rewriting-proxy.js";
import { Debugging } from "./debugging.js";
import { onlyOf } from "./lied-client.js";

const debugging = Debugging.forTests();

/** SETCP0; RANDSEED, DROP, PREVMCBLOCKS, DROP, 8 CONFIGPARAM. */
const asking = codeOf("FF00F82630F834003078F832");

describe("a service that lies about a transaction that is debugged", () => {
  let hash: string;
  /** A contract that is a library, of which the chain has the code. */
  const address = testAddress("6");
  beforeAll(async () => {
    const publisher = testAddress("c", -1);
    await place(debugging.service, {
      address: publisher,
      code: publishingCode(asking),
      balance: "1000000000000",
    });
    await debugging.service.run("devnet.faucet", { address: publisher });
    await debugging.service.mine(2);
    await place(debugging.service, { address, code: libraryCell(asking), balance: "5000000000" });
    await debugging.service.mine();
    await debugging.service.run("devnet.faucet", { address });
    await debugging.service.run("devnet.settle");
    const { transactions } = await debugging.plain.v3.transactions({ account: [address], limit: 1 });
    ({ hash } = transactions[0]!);
  });

  const account = { workchain: 0, id: Address.read(testAddress("5"))!.address.hash };

  /** The answer to the same question with other parameters. */
  const askedOtherwise =
    (method: LiteMethod, changes: (request: Record<string, unknown>) => object): LiteLie =>
    async ({ query, encode, answer, service: honest }) => {
      if (query.method !== method) return undefined;
      const request = { ...query.request, ...changes(query.request as Record<string, unknown>) };
      const told = (await invokerOf(honest)(method, request, {})) as object;
      const { id } = answer();
      return encode({ ...told, ...(id !== undefined && { id }) });
    };
  const flipped = (method: LiteMethod): [string, LiteLie] => [method, onlyOf(method, flippedAt(0.6))];

  it.each<[name: string, method: string, lie: LiteLie]>([
    ["the newest block", ...flipped("getMasterchainInfo")],
    ["the block", ...flipped("lookupBlockWithProof")],
    [
      "another block",
      "lookupBlock",
      askedOtherwise("lookupBlockWithProof", ({ lt }) => ({ lt: (lt as bigint) - 20_000_000n })),
    ],
    ["the header", "getBlockHeader", onlyOf("getBlockHeader", flippedHeader)],
    [
      "a header without the seed",
      "getBlockHeader",
      askedOtherwise("getBlockHeader", () => ({ extra: false })),
    ],
    ["the transactions of the block", ...flipped("listBlockTransactionsExt")],
    ["no transactions", "listBlockTransactionsExt", onlyOf("listBlockTransactionsExt", withoutTransactions)],
    ["the account before", ...flipped("getAccountState")],
    ["another account", "getAccountState", onlyOf("getAccountState", ofAccount(account))],
    ["the configuration", ...flipped("getConfigAll")],
    ["earlier blocks", ...flipped("getConfigParams")],
    [
      "no earlier blocks",
      "getConfigParams",
      askedOtherwise("getConfigParams", () => ({ prevBlocks: false })),
    ],
    ["the library", ...flipped("getLibrariesWithProof")],
    ["no library", "getLibrariesWithProof", onlyOf("getLibrariesWithProof", withoutLibraries)],
  ])("is proven to lie: %s", async (_, method, lie) => {
    const liar = await LyingTonwire.before(debugging.service.url);
    liar.lie = lie;
    const error = await (await debugging.client(liar.url)).debug({ hash }).catch((each: unknown) => each);
    expect(liar.lies).toBeGreaterThan(0);
    expect(error).toBeInstanceOf(ProofError);
    const { evidence } = error as ProofError;
    expect(method.startsWith(evidence.method!)).toBe(true);
    expect(evidence.bytes!.length).toBeGreaterThan(0);
  });

  it("is believed what it proves", async () => {
    const { run } = await (await debugging.client()).debug({ hash });
    expect(run.proof.level).toBe("exact");
    expect(run.code!.library).not.toBeNull();
  });

  it.each<[name: string, member: Partial<Transaction>, field: string]>([
    ["another account", { account: testAddress("5") }, "transaction.hash"],
    ["no account", { account: "nobody" }, "transaction.account"],
    ["another time", { lt: "1000000" }, "transaction.hash"],
    ["no time", { lt: "soon" }, "transaction.lt"],
  ])("is proven to lie by its index: %s", async (_, member, field) => {
    const proxy = await RewritingProxy.before(debugging.service.url);
    proxy.rewrite = (method, result) =>
      method === "v3.transactions"
        ? { transactions: [{ ...(result as { transactions: object[] }).transactions[0], ...member }] }
        : result;
    const reported: ProofError[] = [];
    const verified = await debugging.client(proxy.url, {
      onProofError: (error) => void reported.push(error),
    });
    const error = await verified.debug({ hash }).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(ProofError);
    expect((error as ProofError).evidence).toMatchObject({ method: "debug", field });
    expect(reported).toEqual([error]);
  });
});

/** That with the seed; others are a part of the proof of the newest block. */
function flippedHeader(exchange: Parameters<LiteLie>[0]) {
  return "extra" in exchange.query.request ? flippedAt(0.6)(exchange) : undefined;
}

function withoutTransactions({ encode, answer }: Parameters<LiteLie>[0]) {
  return encode({ ...answer(), transactions: new Uint8Array(0), incomplete: false });
}

function withoutLibraries({ encode, answer }: Parameters<LiteLie>[0]) {
  return encode({ ...answer(), result: [] });
}
