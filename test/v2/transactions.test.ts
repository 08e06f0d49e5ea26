import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testAddress } from "../helpers/contracts/contracts.js";
import { sized } from "../helpers/effort.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

const absent = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";
const noTransaction = {
  "@type": "internal.transactionId",
  lt: "0",
  hash: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
};
const whole = "-9223372036854775808";

type BlockId = { workchain: number; shard: string; seqno: number };
type Short = { "@type": string; mode: number; account: string; lt: string; hash: string };
type Message = { source: string; destination: string; created_lt: string };
type Transaction = {
  address: object;
  account: string;
  transaction_id: { lt: string; hash: string };
  in_msg?: Message;
  out_msgs: Message[];
};
type Page = { transactions: Transaction[]; previous_transaction_id: object };
type Receipt = { lt: string; tx_hash: string; block: BlockId };
/** A message and the transactions on both of its sides. */
type Delivery = { message: Message; sender: Transaction; receiver: Transaction };

let service: DevnetService;
/** Twelve payments of the faucet to one account, newest first. */
let receipts: Receipt[];
const paid = testAddress("3");
beforeAll(async () => {
  service = await sharedService("empty");
  receipts = [];
  for (let i = 1; i <= 12; i++) receipts.unshift(await give(paid, String(i)));
  for (const [from, to] of [
    [testAddress("4"), testAddress("5")],
    [testAddress("4"), testAddress("6", -1)],
    [testAddress("6", -1), testAddress("4")],
  ])
    await service.run("devnet.impersonate", { from, to, value: "1000", bounce: false });
  await give(testAddress("7", -1), "1000000000");
});
afterAll(() => service.close());

const give = (address: string, amount: string) => service.run<Receipt>("devnet.faucet", { address, amount });
const transactionsOf = (address: string, more: object = {}) =>
  service.run<Transaction[]>("getTransactions", { address, ...more });
const pageOf = (address: string, more: object = {}) =>
  service.run<Page>("getTransactionsStd", { address, ...more });
const idOf = ({ transaction_id: { lt, hash } }: Transaction) => ({
  lt,
  tx_hash: hash,
});
const endsOf = ({ source, destination, created_lt }: Message): Message => ({
  source,
  destination,
  created_lt,
});

/** The basechain's block with the newest payment. */
async function blockOfPayment(): Promise<BlockId> {
  const { lt } = receipts[0]!;
  return service.run<BlockId>("lookupBlock", { workchain: 0, shard: whole, lt });
}

/** Every message that a transaction of any block sent to another account. */
async function allDeliveries(): Promise<Delivery[]> {
  const all = await allTransactions();
  return all.flatMap((sender) =>
    sender.out_msgs.map((message) => {
      const { destination, created_lt } = message;
      const receiver = all.find(
        ({ in_msg }) => in_msg?.destination === destination && in_msg.created_lt === created_lt,
      );
      return { message, sender, receiver: receiver! };
    }),
  );
}

async function allTransactions(): Promise<Transaction[]> {
  const { last } = await service.run<{ last: BlockId }>("getMasterchainInfo");
  const all: Transaction[] = [];
  for (const workchain of [-1, 0])
    for (let seqno = 1; seqno <= last.seqno; seqno++) {
      const block = { workchain, shard: whole, seqno, count: 1000 };
      const listed = await service.run<{ transactions: Short[] }>("getBlockTransactions", block);
      for (const { account, lt, hash } of listed.transactions)
        all.push((await transactionsOf(account, { limit: 1, lt, hash }))[0]!);
    }
  return all;
}

describe("getBlockTransactions", () => {
  it("lists account, logical time and hash of each transaction", async () => {
    const block = await blockOfPayment();
    const [{ lt, tx_hash }] = receipts as [Receipt];
    const answer = await service.run<{ transactions: Short[] }>("getBlockTransactions", {
      ...wanted(block),
    });
    expect(answer).toEqual({
      "@type": "blocks.transactions",
      id: block,
      req_count: 40,
      incomplete: false,
      transactions: answer.transactions.map(({ account, lt, hash }) => ({
        "@type": "blocks.shortTxId",
        mode: 135,
        account,
        lt,
        hash,
      })),
    });
    expect(answer.transactions).toContainEqual(expect.objectContaining({ account: paid, lt, hash: tx_hash }));
  });

  it("goes on behind the transaction that after_lt and after_hash name", async () => {
    const block = wanted(await blockOfPayment());
    const list = (more: object) =>
      service.run<{ incomplete: boolean; transactions: Short[] }>("getBlockTransactions", {
        ...block,
        ...more,
      });
    const { transactions } = await list({});
    const first = await list({ count: 1 });
    expect([first.transactions, first.incomplete]).toEqual([[transactions[0]], transactions.length > 1]);
    const { account, lt } = transactions[0]!;
    const rest = await list({ after_lt: lt, after_hash: account });
    expect(rest.transactions).toEqual(transactions.slice(1));
  });
});

describe("getBlockTransactionsExt", () => {
  it("lists the transactions in full, in the order of getBlockTransactions", async () => {
    const block = await blockOfPayment();
    const { transactions: short } = await service.run<{ transactions: Short[] }>("getBlockTransactions", {
      ...wanted(block),
    });
    const expected = [];
    for (const { account, lt, hash } of short) {
      const { transactions } = await pageOf(account, { limit: 1, lt, hash });
      const shown = { ...transactions[0]!, "@type": "raw.transactionExt", account: account.toUpperCase() };
      expected.push(shown);
    }
    expect(await service.run("getBlockTransactionsExt", { ...wanted(block) })).toEqual({
      "@type": "blocks.transactionsExt",
      id: block,
      req_count: 40,
      incomplete: false,
      transactions: expected,
    });
  });
});

function wanted({ workchain, shard, seqno }: BlockId): BlockId {
  return { workchain, shard, seqno };
}

describe("getTransactions", () => {
  it("answers an empty list for an account that does not exist", async () => {
    expect(await transactionsOf(absent)).toEqual([]);
  });

  it("lists all transactions, newest first, over many blocks", async () => {
    const all = await transactionsOf(paid, { limit: 1000 });
    expect(all.map(idOf)).toEqual(receipts.map(({ lt, tx_hash }) => ({ lt, tx_hash })));
  });

  it("starts at the transaction that lt and hash name", async () => {
    const all = await transactionsOf(paid, { limit: 1000 });
    const { lt, hash } = all[5]!.transaction_id;
    expect(await transactionsOf(paid, { limit: 4, lt, hash })).toEqual(all.slice(5, 9));
  });

  it("does not suggest archival=true on a devnet, which has all there is", async () => {
    const unknown = { address: paid, lt: "1", hash: "00".repeat(32) };
    for (const method of ["getTransactions", "getTransactionsStd"])
      for (const [, end] of await service.inAllForms(method, unknown))
        expect(end).toEqual({ error: expect.stringMatching(/^LITE_SERVER_UNKNOWN: [^(]*$/), code: 500 });
  });
});

describe("getTransactionsStd", () => {
  it("answers an empty page for an account that does not exist", async () => {
    expect(await pageOf(absent)).toEqual({
      "@type": "raw.transactions",
      transactions: [],
      previous_transaction_id: noTransaction,
    });
  });

  it("names the transaction that the next page starts with", async () => {
    const all = await transactionsOf(paid, { limit: 1000 });
    const { lt, hash } = all[5]!.transaction_id;
    // A JSON number is accepted as lt as well.
    const page = await pageOf(paid, { limit: 4, lt: Number(lt), hash });
    expect(page.previous_transaction_id).toEqual(all[9]!.transaction_id);
  });

  it("shows the transactions of getTransactions with addresses as objects", async () => {
    const plain = await transactionsOf(paid, { limit: 3 });
    const { transactions } = await pageOf(paid, { limit: 3 });
    expect(transactions).toEqual(
      plain.map(({ account, in_msg, ...same }) => {
        const { source, destination, message: _, ...rest } = in_msg as Message & { message: string };
        const address = (account_address: string) => ({ "@type": "accountAddress", account_address });
        return {
          ...same,
          "@type": "raw.transaction",
          in_msg: {
            ...rest,
            "@type": "raw.message",
            source: address(source),
            destination: address(destination),
          },
        };
      }),
    );
  });
});

let deliveries: Delivery[];
beforeAll(async () => {
  deliveries = await allDeliveries();
});

describe("tryLocateTx", () => {
  it("finds the receiving transaction of every message, within a chain and between the chains", async () => {
    // The payments of the faucet and those between the chains.
    expect(deliveries.length).toBeGreaterThan(12);
    for (const { message, receiver } of deliveries) {
      expect(receiver.in_msg).toEqual(message);
      expect(await service.run("tryLocateTx", endsOf(message))).toEqual(receiver);
    }
  });

  it("takes addresses in any form", async () => {
    const { faucet } = await service.run<{ faucet: { address: string } }>("devnet.info");
    const { tx_hash } = await give(testAddress("8"), "77");
    const [received] = await transactionsOf(testAddress("8"), { limit: 1 });
    const { source, destination, created_lt } = received!.in_msg!;
    expect([source, idOf(received!).tx_hash]).toEqual([expect.stringMatching(/^E/), tx_hash]);
    const forms = [
      { source: faucet.address, destination: testAddress("8").toUpperCase() },
      { source: source.replaceAll("-", "+").replaceAll("_", "/"), destination },
    ];
    for (const form of forms)
      expect(await service.run("tryLocateTx", { ...form, created_lt })).toEqual(received);
  });

  it("answers 404 where source and destination are swapped", async () => {
    const [received] = await transactionsOf(paid, { limit: 1 });
    const { source, destination, created_lt } = received!.in_msg!;
    const { error } = (await service.rpc("tryLocateTx", {
      source: destination,
      destination: source,
      created_lt,
    })) as { error: object };
    expect(error).toMatchObject({
      message: "transaction was not found",
      data: { code: 404, kind: "absent" },
    });
  });
});

describe("tryLocateResultTx", () => {
  it("finds the receiving transaction of every message, as tryLocateTx does", async () => {
    for (const { message, receiver } of deliveries.slice(-sized(4, 100)))
      expect(await service.run("tryLocateResultTx", endsOf(message))).toEqual(receiver);
  });
});

describe("tryLocateSourceTx", () => {
  it("finds the sending transaction of every message, within a chain and between the chains", async () => {
    for (const { message, sender } of deliveries)
      expect(await service.run("tryLocateSourceTx", endsOf(message))).toEqual(sender);
  });
});
