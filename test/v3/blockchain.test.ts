import { describe, expect, it } from "vitest";
import { sized } from "../helpers/effort.js";
import type { IndexApp } from "../helpers/http/index-app.js";
import { indexOfSuite } from "../helpers/http/index-of-suite.js";
import type { DatabaseKind } from "../helpers/store/databases.js";
import { accountOf, blockRow, bytesOf, storeRows, transactionRow } from "../helpers/store/rows.js";
import { describeStoryReads, ofBothLengths, type Transaction } from "../helpers/stories/describe-story.js";

type Message = Transaction["out_msgs"][number];

const encoded = encodeURIComponent;
/** Accounts of transactions; in `npm test` some of them. */
const someOf = (transactions: readonly Transaction[]) =>
  [...new Set(transactions.map(({ account }) => account))].filter((_, at) => at % sized(6, 1) === 0);
const emptyBody = "te6cckEBAQEAAgAAAEysuc0=";
const noBlocks = [404, { error: "blocks not found" }];
const noMasterchainBlock = [404, { error: "masterchain block 999999999 not found" }];

/** Transactions and blocks whose lists are known: name, account, logical time and time. */
const rows = [
  ["t1", "a", 10n, 100],
  ["t2", "b", 20n, 100],
  ["t3", "a", 20n, 100],
  ["t4", "c", 30n, 110],
  ["t5", "a", 40n, 105],
] as const;

const [a, b] = ["a", "b"].map((letter) => accountOf(letter).toRawUpper());
const nameOf = new Map(rows.map(([name, letter, lt]) => [`${accountOf(letter).toRawUpper()} ${lt}`, name]));

type Page = { transactions: { account: string; lt: string }[]; address_book: object };
type Blocks = { blocks: { workchain: number; shard: string; seqno: number }[] };

/** An index of the rows above on the database of the suite. */
function openListed(open: DatabaseKind[1]): () => IndexApp {
  const suite = indexOfSuite(open, (database) =>
    storeRows(database, {
      transactions: rows.map(([, letter, lt, now]) =>
        transactionRow({ account: bytesOf(accountOf(letter)), lt, now, block_workchain: -1 }),
      ),
      blocks: [
        blockRow({ seqno: 1, gen_utime: 50, end_lt: 1000n }),
        blockRow({ seqno: 2 }),
        blockRow({ workchain: 0, shard: -(2n ** 62n), seqno: 3, mc_block_seqno: 2 }),
        blockRow({ workchain: 0, shard: 2n ** 62n, seqno: 3, mc_block_seqno: 2 }),
      ],
    }),
  );
  return () => suite.app;
}

describeStoryReads((story, open) => {
  const listed = openListed(open);

  describe("v3.masterchainInfo", () => {
    it("names the newest and the oldest block of the index", async () => {
      const { last, first } = await story.ask("masterchainInfo", "");
      const info = await story.app.v2<{ last: { seqno: number; root_hash: string; file_hash: string } }>(
        "getMasterchainInfo",
      );
      const { seqno, root_hash, file_hash } = last;
      expect(info.last).toMatchObject({ seqno, root_hash, file_hash });
      expect([first.seqno, last.masterchain_block_ref.seqno]).toEqual([1, seqno]);
    });
  });

  describe("v3.blocks", () => {
    it("has the header fields of getBlockHeader, and counts all transactions", async () => {
      const { blocks } = await story.ask("blocks", "limit=1000");
      const counted = blocks.reduce((sum, { tx_count }) => sum + tx_count, 0);
      expect(counted).toBe(story.all.length);
      const [block] = blocks;
      const header = await story.app.v2<V2Header>(
        `getBlockHeader?workchain=${block!.workchain}&shard=-9223372036854775808&seqno=${block!.seqno}`,
      );
      const { id, prev_blocks, "@type": _, validator_list_hash_short, catchain_seqno, ...same } = header;
      const { is_key_block: key_block, ...fields } = same;
      expect(block).toMatchObject({
        ...fields,
        key_block,
        gen_utime: header.gen_utime.toString(),
        workchain: id.workchain,
        seqno: id.seqno,
        root_hash: id.root_hash,
        file_hash: id.file_hash,
        validator_list_hash_short,
        gen_catchain_seqno: catchain_seqno,
        prev_blocks: prev_blocks.map(({ workchain, seqno }) => ({
          workchain,
          shard: "8000000000000000",
          seqno,
        })),
      });
    });

    const blockNames = async (query: string) => {
      const { blocks } = await listed().result<Blocks>(`blocks?${query}`);
      const nameOfBlock = ({ workchain, shard, seqno }: Blocks["blocks"][number]) =>
        workchain === -1 ? `m${seqno}` : shard === "C000000000000000" ? "s1" : "s2";
      return blocks.map(nameOfBlock).join(" ");
    };

    it.each([
      ["", "m2 s2 s1 m1"],
      ["sort=asc", "m1 s1 s2 m2"],
      ["mc_seqno=2&sort=asc", "s1 s2 m2"],
      ["limit=1&offset=2", "s1"],
      ["start_utime=51", "m2 s2 s1"],
      ["shard=-4611686018427387904", "s1"],
      ["seqno=3", "s2 s1"],
      ["end_lt=20", "m2 m1"],
      ["limit=5&limit=1", "m2"],
      ["Limit=1", "m2"],
      ["foo=bar&limit=1", "m2"],
    ])("orders and filters by %s", async (query, wanted) => {
      expect(await blockNames(query)).toBe(wanted);
    });
  });

  describe("v3.masterchainBlockShardState", () => {
    it("lists the newest block of the masterchain and of each shard", async () => {
      const { last } = await story.ask("masterchainInfo", "");
      const { blocks } = await story.ask("masterchainBlockShardState", `seqno=${last.seqno}`);
      expect(blocks.map(({ workchain }) => workchain)).toEqual([-1, 0]);
      expect(blocks[0]).toEqual(last);
      const listed = await story.ask(
        "blocks",
        `workchain=0&shard=8000000000000000&seqno=${blocks[1]!.seqno}`,
      );
      expect(blocks.slice(1)).toEqual(listed.blocks);
    });

    it("answers 404 for a block that the index does not have", async () => {
      expect(await listed().get("masterchainBlockShardState?seqno=9")).toEqual(noBlocks);
    });
  });

  describe("v3.masterchainBlockShards", () => {
    it("lists the blocks that a masterchain block brought in, itself included", async () => {
      const { last } = await story.ask("masterchainInfo", "");
      const answer = await story.ask("masterchainBlockShards", `seqno=${last.seqno}&limit=100`);
      const { blocks } = await story.ask("blocks", `mc_seqno=${last.seqno}&limit=100&sort=asc`);
      expect(blocks.length).toBeGreaterThan(1);
      const byName = (list: typeof blocks) =>
        [...list].sort((a, b) => a.workchain - b.workchain || a.seqno - b.seqno);
      expect(byName(answer.blocks)).toEqual(byName(blocks));
    });

    it("answers 404 past the end, and for a block that the index does not have", async () => {
      expect((await listed().get("masterchainBlockShards?seqno=2&offset=2&limit=9"))[0]).toBe(200);
      expect(await listed().get("masterchainBlockShards?seqno=2&offset=3")).toEqual(noBlocks);
      expect(await listed().get("masterchainBlockShards?seqno=9")).toEqual(noBlocks);
    });
  });

  describe("v3.transactions", () => {
    it("lists all of the story as they are documented", async () => {
      expect((await story.ask("transactions", "limit=1000")).transactions).toEqual(story.all);
    });

    const names = async (query: string) => {
      const { transactions: page } = await listed().result<Page>(`transactions?${query}`);
      return page.map(({ account, lt }) => nameOf.get(`${account} ${lt}`)).join(" ");
    };

    it.each([
      ["", "t5 t4 t2 t3 t1"],
      ["offset=100000", ""],
      ["end_lt=18446744073709551615", "t5 t4 t2 t3 t1"],
      ["start_lt=18446744073709551615", ""],
      ["lt=18446744073709551615", ""],
      [`account=${a},${b}`, "t5 t2 t3 t1"],
      [`account=${a},${a}`, "t5 t3 t1"],
      [`account=${a},${b}&exclude_account=${a}`, "t2"],
    ])("takes any bounds, and lists of accounts: %s", async (query, wanted) => {
      expect(await names(query)).toBe(wanted);
    });

    it("answers an empty page past the end", async () => {
      expect(await listed().get("transactions?offset=100000")).toEqual([
        200,
        { transactions: [], address_book: {} },
      ]);
    });

    it("answers 404 for a masterchain block that the index does not have", async () => {
      expect(await listed().get("transactions?mc_seqno=999999999")).toEqual(noMasterchainBlock);
    });

    it("lists ordinary, bounced, skipped and tick-tock transactions", () => {
      const kinds = new Set(story.all.map(({ description }) => description.type));
      expect([...kinds].sort()).toEqual(["ord", "tick_tock"]);
      expect(story.all.length).toBeGreaterThan(150);
      expect(story.all.some(({ description }) => description.bounce)).toBe(true);
      const skipped = story.all
        .map(({ description }) => description.compute_ph)
        .find((phase) => phase?.skipped);
      expect(skipped).toEqual({ skipped: true, reason: "no_state" });
    });

    it("shows tick-tock transactions without messages", () => {
      const ticks = story.all.filter(({ description }) => description.type === "tick_tock");
      for (const { in_msg, out_msgs, description } of ticks) {
        expect([in_msg, out_msgs, "credit_ph" in description]).toEqual([null, [], false]);
        expect(typeof description.is_tock).toBe("boolean");
      }
    });

    it("shows messages from outside with null for the fields they do not have", () => {
      const found = story.all
        .map(({ in_msg }) => in_msg)
        .filter((message) => message && message.source === null);
      expect(found.length).toBeGreaterThan(10);
      for (const message of found) {
        expect(message).toMatchObject({ value: null, fwd_fee: null, created_lt: null, created_at: null });
        expect(message).toMatchObject({
          bounce: null,
          value_extra_currencies: null,
          hash_norm: expect.any(String),
        });
      }
      const inside = story.all.flatMap(({ out_msgs }) => out_msgs);
      for (const message of inside) expect("hash_norm" in message).toBe(false);
    });

    it("agrees with getTransactions on every account", async () => {
      for (const account of someOf(story.all)) {
        // v2 cannot list transactions sent to a nonexistent account.
        const { last_transaction_id } = await story.app.v2<V2Account>(
          `getAddressInformation?address=${account}`,
        );
        if (last_transaction_id.lt === "0") continue;
        const theirs = await story.app.v2<V2Transaction[]>(`getTransactions?address=${account}&limit=100`);
        const ours = (await story.ask("transactions", `account=${account}&limit=100`)).transactions;
        expect(ours.map(asV2)).toEqual(theirs.map(common));
      }
    });

    it("comes with an address book of every address it mentions", async () => {
      const { transactions, address_book: book } = await story.ask("transactions", "limit=50");
      const mentioned = transactions.flatMap(({ account, in_msg, out_msgs }) => [
        account,
        in_msg?.source,
        ...out_msgs.map(({ destination }) => destination),
      ]);
      const raw = [...new Set(mentioned.filter((address) => address != null))].sort();
      expect(Object.keys(book)).toEqual(raw);
    });

    it("comes with the same address book however long the page may be", async () => {
      const mentioned = new Set<string>();
      for (const account of someOf(story.all)) {
        const [short, long] = await ofBothLengths(story, "transactions", `account=${account}`);
        expect(short).toEqual(long);
        for (const { domain, interfaces } of Object.values(short.address_book))
          mentioned.add(domain ? "a domain" : interfaces?.length ? "interfaces" : "neither");
      }
      expect([...mentioned].sort()).toEqual(["a domain", "interfaces", "neither"]);
    });
  });

  describe("v3.transactionsByMasterchainBlock", () => {
    it("lists the transactions that transactions lists by mc_seqno", async () => {
      const { mc_block_seqno: seqno } = story.all.find(({ in_msg }) => in_msg)!;
      const answer = await story.ask("transactionsByMasterchainBlock", `seqno=${seqno}&limit=100`);
      expect(answer.transactions.length).toBeGreaterThan(1);
      const key = ({ hash }: Transaction) => hash;
      const { transactions } = await story.ask("transactions", `mc_seqno=${seqno}&limit=100`);
      expect(answer.transactions.map(key).sort()).toEqual(transactions.map(key).sort());
    });

    it("answers 404 for a masterchain block that the index does not have", async () => {
      expect(await listed().get("transactionsByMasterchainBlock?seqno=999999999")).toEqual(
        noMasterchainBlock,
      );
    });
  });

  /** A transaction started by an external message, and the one that received its first message. */
  function neighbours() {
    const sender = story.all.find(({ in_msg, out_msgs }) => in_msg?.source === null && out_msgs.length > 0)!;
    const [message] = sender.out_msgs;
    const receiver = story.all.find(({ in_msg }) => in_msg?.hash === message!.hash)!;
    return { sender, receiver, byHash: `msg_hash=${encoded(message!.hash)}` };
  }
  const hashes = async (
    name: "transactionsByMessage" | "transactions" | "adjacentTransactions",
    query: string,
  ) => (await story.ask(name, query)).transactions.map(({ hash }) => hash);

  describe("v3.transactionsByMessage", () => {
    it("finds the transactions on both sides of a message, by either of its hashes", async () => {
      const { sender, receiver, byHash } = neighbours();
      expect(await hashes("transactionsByMessage", byHash)).toEqual([receiver.hash, sender.hash]);
      expect(await hashes("transactionsByMessage", `${byHash}&direction=out`)).toEqual([sender.hash]);
      expect(await hashes("transactions", `${byHash}&direction=in`)).toEqual([receiver.hash]);
      const normalized = `msg_hash=${encoded(sender.in_msg!.hash_norm!)}`;
      expect(await hashes("transactionsByMessage", normalized)).toEqual([sender.hash]);
    });

    it("pages named transactions like a list", async () => {
      const { transactions } = await story.ask("transactions", "limit=5");
      const named = transactions.map(({ hash }) => `hash=${encoded(hash)}`).join("&");
      const all = transactions.map(({ hash }) => hash);
      expect(await hashes("transactions", named)).toEqual(all);
      expect(await hashes("transactions", `${named}&limit=2&offset=1`)).toEqual(all.slice(1, 3));
      expect(await hashes("transactions", `${named}&sort=asc`)).toEqual([...all].reverse());
      const first = transactions.at(-1)!;
      const account = `account=${first.account}`;
      const ofAccount = transactions.filter((each) => each.account === first.account).map(({ hash }) => hash);
      expect(await hashes("transactions", `${named}&${account}`)).toEqual(ofAccount);
      expect(await hashes("transactions", `hash=${encoded(first.hash)}&lt=${first.lt}0`)).toEqual([]);
      expect(await hashes("transactions", `hash=${"0".repeat(64)}`)).toEqual([]);
      const { byHash } = neighbours();
      const sides = await hashes("transactionsByMessage", byHash);
      expect(await hashes("transactionsByMessage", `${byHash}&limit=1&offset=1`)).toEqual(sides.slice(1));
      expect(await hashes("transactions", `${byHash}&sort=asc`)).toEqual([...sides].reverse());
    });
  });

  describe("v3.adjacentTransactions", () => {
    it("leads from a transaction to those before and after it", async () => {
      const { sender, receiver } = neighbours();
      const next = await hashes("adjacentTransactions", `hash=${encoded(sender.hash)}&direction=out`);
      expect(next).toContain(receiver.hash);
      const before = await hashes("adjacentTransactions", `hash=${encoded(receiver.hash)}&direction=in`);
      expect(before).toEqual([sender.hash]);
      const around = await hashes("adjacentTransactions", `hash=${encoded(sender.hash)}&direction=both`);
      expect(around).toEqual(await hashes("adjacentTransactions", `hash=${encoded(sender.hash)}`));
      expect(around).toContain(receiver.hash);
    });
  });

  describe("v3.messages", () => {
    it("decodes bodies", async () => {
      const { messages } = await story.ask("messages", "limit=1000&sort=asc");
      const names = new Set(messages.map(({ decoded_opcode }) => decoded_opcode));
      for (const name of ["text_comment", "jetton_transfer", "jetton_notify", "nft_transfer", "excess"])
        expect(names).toContain(name);
      const decoded = messages.filter(({ message_content }) => message_content?.decoded);
      const kinds = new Set(decoded.map(({ message_content }) => message_content!.decoded!["@type"]));
      expect(kinds).toContain("jetton_internal_transfer");
      const empty = messages.filter(({ message_content }) => message_content?.body === emptyBody);
      expect(empty).not.toEqual([]);
      for (const { decoded_opcode, message_content } of empty)
        expect([decoded_opcode, message_content!.decoded]).toEqual([null, { "@type": "empty_cell" }]);
      const comment = decoded.find(({ decoded_opcode }) => decoded_opcode === "text_comment")!;
      expect(comment.message_content!.decoded).toEqual({
        type: "text_comment",
        "@type": "text_comment",
        comment: expect.any(String),
      });
    });

    it.each(["source", "destination"] as const)("filters by JSON null as %s", async (side) => {
      const params = { [side]: null, limit: 1000 };
      const call = { jsonrpc: "2.0", id: 1, method: "v3.messages", params };
      const { json } = await story.app.post("/jsonRPC", call);
      const { messages } = (json as { result: { messages: Message[] } }).result;
      // Every trace begins with a message from outside; none of the story leaves the chain.
      expect(messages.length > 0).toBe(side === "source");
      for (const message of messages) expect(message[side]).toBeNull();
      expect(messages).toEqual((await story.ask("messages", `${side}=null&limit=1000`)).messages);
    });

    it("comes with the same address book and metadata however long the page may be", async () => {
      const kinds = new Set<string>();
      for (const account of someOf(story.all)) {
        const [short, long] = await ofBothLengths(story, "messages", `source=${account}`);
        expect(short).toEqual(long);
        for (const { token_info } of Object.values(short.metadata))
          for (const { type } of token_info ?? []) kinds.add(String(type));
      }
      expect([...kinds].sort()).toEqual(["jetton_masters", "jetton_wallets", "nft_collections", "nft_items"]);
    });

    it("answers messages by their hashes as it lists them", async () => {
      const { messages } = await story.ask("messages", "limit=60&sort=asc");
      const query = messages.map(({ hash }) => `msg_hash=${encoded(hash)}`).join("&");
      expect((await story.ask("messages", `${query}&limit=60&sort=asc`)).messages).toEqual(messages);
      const page = await story.ask("messages", `${query}&limit=7&offset=50`);
      expect(page.messages).toEqual(messages.toReversed().slice(50, 57));
      const received = await story.ask("messages", `${query}&direction=in&limit=60&sort=asc`);
      expect(received.messages).toEqual(
        messages.flatMap(({ out_msg_tx_hash: _, ...message }) => (message.in_msg_tx_hash ? [message] : [])),
      );
    });

    it("lists every message once, with the transactions on both of its sides", async () => {
      const { messages } = await story.ask("messages", "limit=1000&sort=asc");
      const sides = new Map<string, { in?: string; out?: string }>();
      const side = ({ hash }: Message) => sides.get(hash) ?? sides.set(hash, {}).get(hash)!;
      for (const { hash, in_msg, out_msgs } of story.all) {
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
  });
});

type V2Account = { last_transaction_id: { lt: string } };
type V2Header = {
  "@type": string;
  id: { workchain: number; seqno: number; root_hash: string; file_hash: string };
  is_key_block: boolean;
  gen_utime: number;
  validator_list_hash_short: number;
  catchain_seqno: number;
  prev_blocks: { workchain: number; seqno: number }[];
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

/** The fields of a transaction that both interfaces have. */
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
