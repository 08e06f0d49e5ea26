import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import type { Devnet } from "../../server/devnet/devnet.js";
import { registry } from "../../shared/methods/registry.js";
import type { transactionList } from "../../shared/schema/v3-transactions.js";
import { databaseKinds, type FreshDatabase } from "../helpers/databases.js";
import { indexAll } from "../helpers/index-chain.js";
import { type StoryApp, startStory, startStoryApp } from "../helpers/story-app.js";

type Transactions = z.output<typeof transactionList>;
type Transaction = Transactions["transactions"][number];
type Message = Transaction["out_msgs"][number];
type Results = { [Name in keyof typeof registry.v3]: z.output<(typeof registry.v3)[Name]["result"]> };

let devnet: Devnet;
beforeAll(async () => {
  devnet = await startStory();
});
afterAll(() => devnet.close());

const encoded = encodeURIComponent;

describe.each(databaseKinds)("the story on %s", (_, open) => {
  let fresh: FreshDatabase;
  let app: StoryApp;
  let all: Transaction[];
  beforeAll(async () => {
    fresh = await open();
    await indexAll(fresh.database, devnet.api, { events: devnet.events });
    app = await startStoryApp(devnet, fresh.database);
    all = (await ask("transactions", "limit=1000")).transactions;
  });
  afterAll(async () => {
    await app.close();
    await fresh.close();
  });

  /** An answer that has been checked against what its method promises. */
  async function ask<Name extends keyof Results>(name: Name, query: string): Promise<Results[Name]> {
    const answer = await app.v3(`${name}?${query}`);
    expect(registry.v3[name].result.parse(answer)).toEqual(answer);
    return answer as Results[Name];
  }

  const messagesOf = ({ in_msg, out_msgs }: Transaction) => [...(in_msg ? [in_msg] : []), ...out_msgs];

  it("is told by many kinds of transactions", () => {
    const kinds = new Set(all.map(({ description }) => description.type));
    expect([...kinds].sort()).toEqual(["ord", "tick_tock"]);
    expect(all.length).toBeGreaterThan(150);
    expect(all.some(({ description }) => description.bounce)).toBe(true);
    const skipped = all.map(({ description }) => description.compute_ph).find((phase) => phase?.skipped);
    expect(skipped).toEqual({ skipped: true, reason: "no_state" });
  });

  it("shows tick-tock transactions without messages", () => {
    const ticks = all.filter(({ description }) => description.type === "tick_tock");
    for (const { in_msg, out_msgs, description } of ticks) {
      expect([in_msg, out_msgs, "credit_ph" in description]).toEqual([null, [], false]);
      expect(typeof description.is_tock).toBe("boolean");
    }
  });

  it("shows messages from outside without what they do not have", () => {
    const found = all.map(({ in_msg }) => in_msg).filter((message) => message && message.source === null);
    expect(found.length).toBeGreaterThan(10);
    for (const message of found) {
      expect(message).toMatchObject({ value: null, fwd_fee: null, created_lt: null, created_at: null });
      expect(message).toMatchObject({
        bounce: null,
        value_extra_currencies: null,
        hash_norm: expect.any(String),
      });
    }
    const inside = all.flatMap(({ out_msgs }) => out_msgs);
    for (const message of inside) expect("hash_norm" in message).toBe(false);
  });

  it("says what bodies say", async () => {
    const { messages } = await ask("messages", "limit=1000&sort=asc");
    const names = new Set(messages.map(({ decoded_opcode }) => decoded_opcode));
    for (const name of ["text_comment", "jetton_transfer", "jetton_notify", "nft_transfer", "excess"])
      expect(names).toContain(name);
    const decoded = messages.filter(({ message_content }) => message_content?.decoded);
    const kinds = new Set(decoded.map(({ message_content }) => message_content!.decoded!["@type"]));
    expect(kinds).toContain("jetton_internal_transfer");
    const comment = decoded.find(({ decoded_opcode }) => decoded_opcode === "text_comment")!;
    expect(comment.message_content!.decoded).toEqual({
      type: "text_comment",
      "@type": "text_comment",
      comment: expect.any(String),
    });
  });

  it("has every message once, with the transactions on both of its sides", async () => {
    const { messages } = await ask("messages", "limit=1000&sort=asc");
    const sides = new Map<string, { in?: string; out?: string }>();
    const side = ({ hash }: Message) => sides.get(hash) ?? sides.set(hash, {}).get(hash)!;
    for (const { hash, in_msg, out_msgs } of all) {
      if (in_msg) side(in_msg).in = hash;
      for (const message of out_msgs) side(message).out = hash;
    }
    expect(messages.length).toBe(sides.size);
    for (const { hash, in_msg_tx_hash, out_msg_tx_hash } of messages)
      expect({ in: in_msg_tx_hash, out: out_msg_tx_hash }).toEqual({
        in: undefined,
        out: undefined,
        ...sides.get(hash),
      });
  });

  it("leads from a message to its transactions, and from a transaction to its neighbours", async () => {
    const sender = all.find(({ in_msg, out_msgs }) => in_msg?.source === null && out_msgs.length > 0)!;
    const [message] = sender.out_msgs;
    const receiver = all.find(({ in_msg }) => in_msg?.hash === message!.hash)!;
    const byHash = `msg_hash=${encoded(message!.hash)}`;
    const hashes = async (
      name: "transactionsByMessage" | "transactions" | "adjacentTransactions",
      query: string,
    ) => (await ask(name, query)).transactions.map(({ hash }) => hash);
    expect(await hashes("transactionsByMessage", byHash)).toEqual([receiver.hash, sender.hash]);
    expect(await hashes("transactionsByMessage", `${byHash}&direction=out`)).toEqual([sender.hash]);
    expect(await hashes("transactions", `${byHash}&direction=in`)).toEqual([receiver.hash]);
    const normalized = `msg_hash=${encoded(sender.in_msg!.hash_norm!)}`;
    expect(await hashes("transactionsByMessage", normalized)).toEqual([sender.hash]);
    const next = await hashes("adjacentTransactions", `hash=${encoded(sender.hash)}&direction=out`);
    expect(next).toContain(receiver.hash);
    const before = await hashes("adjacentTransactions", `hash=${encoded(receiver.hash)}&direction=in`);
    expect(before).toEqual([sender.hash]);
  });

  it("is made of traces with whole trees", async () => {
    const { traces } = await ask("traces", "limit=1000");
    const seen: string[] = [];
    for (const trace of traces) {
      expect(trace.warning).toBeUndefined();
      expect(trace.trace_info.transactions).toBe(trace.transactions_order!.length);
      expect(treeHashes(trace.trace!).sort()).toEqual([...trace.transactions_order!].sort());
      expect(trace.trace!.tx_hash).toBe(trace.trace_id);
      seen.push(...trace.transactions_order!);
    }
    expect(seen.sort()).toEqual(all.map(({ hash }) => hash).sort());
    const ends = traces.map(({ end_lt }) => (end_lt === null ? 2n ** 63n : BigInt(end_lt)));
    expect(ends).toEqual([...ends].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)));
  });

  it("finds a trace by whatever belongs to it", async () => {
    const { traces } = await ask("traces", "limit=1000&include_actions=true");
    const long = traces.find(({ transactions_order }) => transactions_order!.length > 3)!;
    expect(long.actions).toEqual([]);
    const inside = long.transactions![long.transactions_order![2]!]!;
    for (const query of [
      `trace_id=${encoded(long.trace_id!)}`,
      `tx_hash=${encoded(inside.hash)}`,
      `msg_hash=${encoded(inside.in_msg!.hash)}`,
      `msg_hash=${encoded(long.external_hash!)}`,
    ])
      expect((await ask("traces", query)).traces).toEqual([{ ...long, actions: undefined }]);
    const ofAccount = await ask("traces", `account=${inside.account}&limit=1000`);
    expect(ofAccount.traces.map(({ trace_id }) => trace_id)).toContain(long.trace_id);
    const atBlock = await ask("traces", `mc_seqno=${long.mc_seqno_end}&limit=1000`);
    expect(atBlock.traces.map(({ trace_id }) => trace_id)).toContain(long.trace_id);
  });

  it("ends at the newest block", async () => {
    const { last, first } = await ask("masterchainInfo", "");
    const info = await app.v2<{ last: { seqno: number; root_hash: string; file_hash: string } }>(
      "getMasterchainInfo",
    );
    const { seqno, root_hash, file_hash } = last;
    expect(info.last).toMatchObject({ seqno, root_hash, file_hash });
    expect([first.seqno, last.masterchain_block_ref.seqno]).toEqual([1, seqno]);
    const heads = await ask("masterchainBlockShardState", `seqno=${seqno}`);
    expect(heads.blocks.map(({ workchain }) => workchain)).toEqual([-1, 0]);
    const { blocks } = await ask("blocks", "limit=1000");
    const counted = blocks.reduce((sum, { tx_count }) => sum + tx_count, 0);
    expect(counted).toBe(all.length);
  });

  describe("and v2 of the same chain", () => {
    it("agree on the transactions of every account", async () => {
      for (const account of new Set(all.map((transaction) => transaction.account))) {
        // What came to an account that is not there is not to be had by its address in v2.
        const { last_transaction_id } = await app.v2<V2Account>(`getAddressInformation?address=${account}`);
        if (last_transaction_id.lt === "0") continue;
        const theirs = await app.v2<V2Transaction[]>(`getTransactions?address=${account}&limit=100`);
        const ours = (await ask("transactions", `account=${account}&limit=100`)).transactions;
        expect(ours.map(asV2)).toEqual(theirs.map(common));
      }
    });

    it("agree on every account", async () => {
      const accounts = [...new Set(all.map(({ account }) => account))];
      const { accounts: states } = await ask("accountStates", `address=${accounts.join()}`);
      expect(states.map(({ address }) => address)).toEqual(accounts);
      const book = await ask("addressBook", `address=${accounts.join()}`);
      for (const state of states) {
        const theirs = await app.v2<V2Account>(`getAddressInformation?address=${state.address}`);
        expect({
          balance: state.balance,
          code: state.code_boc ?? "",
          data: state.data_boc ?? "",
          state: state.status === "uninit" || state.status === "nonexist" ? "uninitialized" : state.status,
          lt: state.last_transaction_lt,
        }).toEqual({
          balance: theirs.balance,
          code: theirs.code,
          data: theirs.data,
          state: theirs.state,
          lt:
            theirs.last_transaction_id.lt === "0" ? state.last_transaction_lt : theirs.last_transaction_id.lt,
        });
        expect(book[state.address]?.interfaces).toEqual(state.interfaces);
        const legacy = await ask("addressInformation", `address=${state.address}`);
        const chain = await ask("addressInformation", `address=${state.address}&use_v2=true`);
        const { status: indexStatus, ...index } = legacy;
        const { status: chainStatus, ...v2 } = chain;
        if (indexStatus !== "nonexist") expect(index).toEqual(v2);
        expect([indexStatus, chainStatus]).toEqual([
          indexStatus,
          indexStatus === "nonexist" || indexStatus === "uninit" ? "uninitialized" : indexStatus,
        ]);
      }
    });

    it("agree on wallets", async () => {
      const accounts = [...new Set(all.map(({ account }) => account))];
      const { wallets } = await ask("walletStates", `address=${accounts.join()}`);
      const real = wallets.filter(({ is_wallet }) => is_wallet);
      expect(new Set(real.map(({ wallet_type }) => wallet_type)).size).toBeGreaterThan(1);
      for (const wallet of real) {
        const theirs = await app.v2<object>(`getWalletInformation?address=${wallet.address}`);
        const { wallet_type, seqno, wallet_id, balance } = wallet;
        expect(theirs).toMatchObject({ wallet: true, wallet_type, seqno, wallet_id, balance });
        const legacy = await ask("walletInformation", `address=${wallet.address}`);
        expect(legacy).toMatchObject({ wallet_type, seqno, wallet_id, balance, status: "active" });
        expect(await ask("walletInformation", `address=${wallet.address}&use_v2=1`)).toEqual(legacy);
      }
      const other = wallets.find(({ is_wallet, status }) => !is_wallet && status === "active")!;
      const refused = await app.ask(`/api/v3/walletInformation?address=${other.address}`);
      expect([refused.status, refused.json]).toEqual([409, { error: "not a wallet" }]);
    });

    it("agree on who is richest", async () => {
      const richest = await ask("topAccountsByBalance", "limit=1000");
      const balances = richest.map(({ balance }) => BigInt(balance));
      expect(balances).toEqual([...balances].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)));
      for (const { account, balance } of richest)
        expect(await app.v2(`getAddressBalance?address=${account}`)).toBe(balance);
      const second = await ask("topAccountsByBalance", "limit=2&offset=1");
      expect(second).toEqual(richest.slice(1, 3));
    });
  });

  it("is read from the chain where the index cannot know", async () => {
    const stranger = `0:${"12".repeat(32)}`;
    const nothing = {
      balance: "0",
      code: null,
      data: null,
      last_transaction_lt: "0",
      last_transaction_hash: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
      frozen_hash: null,
      status: "uninit",
    };
    expect(await ask("addressInformation", `address=${stranger}`)).toEqual(nothing);
    const late = await startStoryApp(devnet, undefined, { isIndexLate: true });
    expect(await late.v3(`addressInformation?address=${stranger}`)).toEqual(nothing);
    await late.close();
  });

  it("knows the transactions of every message it lists with a book of all addresses", async () => {
    const { transactions, address_book: book } = await ask("transactions", "limit=50");
    const mentioned = transactions.flatMap(({ account, in_msg, out_msgs }) => [
      account,
      in_msg?.source,
      ...out_msgs.map(({ destination }) => destination),
    ]);
    const raw = [...new Set(mentioned.filter((address) => address != null))].sort();
    expect(Object.keys(book)).toEqual(raw);
    expect(messagesOf(transactions[0]!)).toBeDefined();
  });

  it("goes on, and an account is answered as it became once the index has it", async () => {
    const receiver = { workchain: 0, id: new Uint8Array(32).fill(3) };
    const address = `0:${"03".repeat(32)}`;
    const give = () => devnet.controls.faucet(receiver, 1_000_000_000n);
    const catchUp = () => indexAll(fresh.database, devnet.api, { events: devnet.events });
    const balance = async () => BigInt((await ask("addressInformation", `address=${address}`)).balance);
    await give();
    await devnet.controls.mine(2);
    await catchUp();
    const before = await balance();
    await give();
    await devnet.controls.mine(2);
    expect(await balance()).toBe(before);
    await catchUp();
    expect(await balance()).toBeGreaterThan(before);
  });
});

type Node = { tx_hash?: string | undefined; children: Node[] };

function treeHashes({ tx_hash, children }: Node): string[] {
  return [tx_hash!, ...children.flatMap(treeHashes)];
}

type V2Account = {
  balance: string;
  code: string;
  data: string;
  state: string;
  last_transaction_id: { lt: string };
};
type V2Message = { hash: string; value: string; fwd_fee: string; created_lt: string; body_hash: string };
type V2Transaction = {
  account: string;
  utime: number;
  fee: string;
  transaction_id: { lt: string; hash: string };
  in_msg?: V2Message;
  out_msgs: V2Message[];
};

/** What both interfaces say of a transaction. */
function common({ account, utime, transaction_id, in_msg, out_msgs }: V2Transaction) {
  const { lt, hash } = transaction_id;
  return { account, utime, lt, hash, in_msg: in_msg && messageOf(in_msg), out_msgs: out_msgs.map(messageOf) };
}

const messageOf = ({ hash, value, fwd_fee, created_lt, body_hash }: V2Message) => ({
  hash,
  value,
  fwd_fee,
  created_lt,
  body_hash,
});

function asV2({ account, now, lt, hash, in_msg, out_msgs }: Transaction) {
  const messages = out_msgs.map(asV2Message);
  return {
    account,
    utime: now,
    lt,
    hash,
    in_msg: in_msg ? asV2Message(in_msg) : undefined,
    out_msgs: messages,
  };
}

function asV2Message({ hash, value, fwd_fee, created_lt, message_content }: Message): V2Message {
  return {
    hash,
    value: value ?? "0",
    fwd_fee: fwd_fee ?? "0",
    created_lt: created_lt ?? "0",
    body_hash: message_content!.hash,
  };
}
