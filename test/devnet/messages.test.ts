import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { SigningKey } from "../../server/chain/ed25519.js";
import { externalMessage } from "../../server/devnet/wallets/compose.js";
import { Wallet } from "../../server/devnet/wallets/wallet.js";
import { parseBocRoot, serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { Message } from "../../shared/ton/tlb/message.js";
import { Address } from "../../shared/values/address.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { isLong } from "../helpers/effort.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

type Waiting = { hash: string; hash_norm: string; address: string; boc: string };
type Mempool = { messages: Waiting[]; total: number };
type Info = { wallets: { address: string; type: string }[] };

const receiver = `0:${"A".repeat(64)}`;
const always = 0xffffffff;
const empty = "te6cckEBAQEAAgAAAEysuc0=";
const textOf = (cell: Cell) => bytesToBase64(serializeBoc(cell));

/** An order that a stranger's key has signed, for a wallet of the devnet. */
function forged(wallet: Address, seqno = 0, value = 1_000_000_000n): Cell {
  const payments = [{ to: Address.read(receiver)!.address, value, bounce: false }];
  const stranger = new Wallet("v3r2", new SigningKey(new Uint8Array(32).fill(7)));
  const { body } = decode(Message, stranger.order({ seqno, validUntil: always, payments }));
  return externalMessage(wallet, body);
}

let service: DevnetService;
let wallet: Address;
beforeAll(async () => {
  service = await startDevnetService({ index: true });
  wallet = await victimOf(service);
});
afterAll(() => service?.close());
beforeEach(async () => {
  const { id } = await service.run<{ id: string }>("devnet.snapshot");
  return () => service.run("devnet.revert", { id });
});

async function victimOf({ run }: DevnetService): Promise<Address> {
  const { wallets } = await run<Info>("devnet.info");
  return Address.read(wallets.find(({ type }) => type === "v3r2")!.address)!.address;
}

type Refused = { error: { message: string; data: { code: number; kind: string; error?: string } } };
const refusal = async (method: string, params: object) =>
  ((await service.rpc(method, params)) as Refused).error;

const send = (seqno = 0, { run } = service) =>
  run<{ hash: string; hash_norm: string; settled: boolean }>("devnet.sendBoc", {
    boc: textOf(forged(wallet, seqno)),
    ignore_chksig: true,
  });
const balance = (address = receiver, { run } = service) => run<string>("getAddressBalance", { address });
const mempool = (params = {}, { run } = service) => run<Mempool>("devnet.mempool", params);

describe("devnet.sendBoc", () => {
  it("uses a wallet without its key", async () => {
    const message = forged(wallet);
    const sent = await send();
    expect(sent).toEqual({ hash: bytesToBase64(message.hash()), hash_norm: sent.hash_norm, settled: true });
    await service.mine(2);
    expect(await balance()).toBe("1000000000");
    const path = `/api/v3/transactionsByMessage?msg_hash=${encodeURIComponent(sent.hash)}`;
    const { transactions } = (await service.get(path)).json as { transactions: { account: string }[] };
    expect(transactions.map(({ account }) => account)).toEqual([wallet.toRawUpper()]);
  });

  it("checks signatures by default, as sendBoc always does", async () => {
    const boc = textOf(forged(wallet));
    const refused = await refusal("devnet.sendBoc", { boc });
    expect(refused.data).toMatchObject({ kind: "message-rejected", code: 500 });
    expect(refused.data.error).toContain("exitcode=35");
    expect((await refusal("sendBoc", { boc })).message).toBe(refused.message);
    expect(await mempool()).toEqual({ messages: [], total: 0 });
  });

  it("leaves the other rules of the wallet as they are", async () => {
    const refused = await refusal("devnet.sendBoc", {
      boc: textOf(forged(wallet, 5)),
      ignore_chksig: true,
    });
    expect(refused.data.error).toContain("exitcode=33");
  });

  it("sends orders in sequence, and the log of each transaction can be read", async () => {
    for (const seqno of [0, 1, 2]) await send(seqno);
    await service.mine(2);
    expect(await balance()).toBe("3000000000");
    const account = wallet.toRaw();
    const listed = await service.run<{ transaction_id: { hash: string } }[]>("getTransactions", {
      address: account,
    });
    for (const { transaction_id } of listed.slice(0, 3)) {
      const { vm_log } = await service.run<{ vm_log: string }>("devnet.transactionLog", {
        hash: transaction_id.hash,
      });
      expect(vm_log).toContain("execute CHKSIGNU");
    }
  });

  it.runIf(isLong)("keeps the message, and that its signatures do not count, over a restart", async () => {
    const data = temporaryFolder();
    const first = await startDevnetService({ data });
    await send(0, first);
    await first.close();
    const second = await startDevnetService({ data });
    onTestFinished(() => second.close());
    expect((await mempool({}, second)).messages).toMatchObject([{ ignore_chksig: true }]);
    await second.mine(2);
    expect(await balance(receiver, second)).toBe("1000000000");
  });

  it.each([
    ["no bag of cells", { boc: "AAAA" }, 400],
    ["nothing", { boc: "" }, 422],
    ["no message", {}, 422],
    ["a flag that is none", { boc: empty, ignore_chksig: "yes" }, 422],
    ["a cell that is no message", { boc: empty, ignore_chksig: true }, 500],
    ["more than a node takes", { boc: "AAAA".repeat(25_000), ignore_chksig: true }, 400],
  ])("refuses %s", async (_, params, status) => {
    expect((await refusal("devnet.sendBoc", params)).data.code).toBe(status);
  });
});

describe("devnet.mempool", () => {
  it("lists the messages that wait, oldest first", async () => {
    const sent = [await send(0), await send(1)];
    const { messages, total } = await mempool();
    expect(total).toBe(2);
    expect(messages).toEqual(
      sent.map(({ hash, hash_norm }) => ({
        hash,
        hash_norm,
        address: wallet.toRawUpper(),
        received_at: expect.any(Number),
        ignore_chksig: true,
        boc: expect.any(String),
      })),
    );
    const [first] = messages;
    expect(bytesToBase64(parseBocRoot(Buffer.from(first!.boc, "base64")).hash())).toBe(first!.hash);
    expect(await mempool({ offset: 1, limit: 1 })).toEqual({ messages: [messages[1]], total: 2 });
    expect(await mempool({ address: wallet.toFriendly() })).toMatchObject({ total: 2 });
    expect(await mempool({ address: receiver })).toEqual({ messages: [], total: 0 });
    await service.mine();
    expect(await mempool()).toEqual({ messages: [], total: 0 });
  });

  it("is empty after blocks were removed", async () => {
    await service.mine(2);
    await send();
    await service.run("devnet.rollback");
    expect(await mempool()).toEqual({ messages: [], total: 0 });
  });

  it.each([{ limit: 0 }, { limit: 101 }, { offset: -1 }, { address: "nobody" }])(
    "refuses %o",
    async (params) => {
      expect((await refusal("devnet.mempool", params)).data.code).toBe(422);
    },
  );
});

describe("devnet.dropMessage", () => {
  it("takes a message out, which may be sent again", async () => {
    const { hash } = await send();
    const { messages } = await mempool();
    expect(await service.run("devnet.dropMessage", { hash })).toEqual(messages[0]);
    expect(await mempool()).toEqual({ messages: [], total: 0 });
    await service.mine(2);
    expect(await balance()).toBe("0");
    await send();
    await service.mine(2);
    expect(await balance()).toBe("1000000000");
  });

  it("takes the normalized hash, and makes the expected trace void", async () => {
    const { hash_norm } = await send();
    const path = `/api/v3/pendingTransactions?account=${wallet.toRaw()}`;
    expect((await service.get(path)).json).toMatchObject({ transactions: [{}] });
    await service.run("devnet.dropMessage", { hash: hash_norm });
    expect((await service.get(path)).json).toMatchObject({ transactions: [] });
  });

  it("answers 404 for a message that does not wait", async () => {
    const { hash } = await send();
    await service.mine();
    const refused = await refusal("devnet.dropMessage", { hash });
    expect([refused.data.code, refused.message]).toEqual([404, "no such message waits for a block"]);
    expect((await refusal("devnet.dropMessage", { hash: "x" })).data.code).toBe(422);
  });
});
