import { beforeEach, describe, expect, it } from "vitest";
import type { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import { readExternal } from "../../../server/devnet/mempool/external-message.js";
import { Mempool } from "../../../server/devnet/mempool/mempool.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { LiteError } from "../../../shared/ton/lite/lite-api.js";
import type { TransactionRequest } from "../../../shared/ton/run/account-request.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { bocOf, funded, openTestChain, TestWallet, ton } from "../../helpers/chain/devnet.js";
import { sharedExecutor } from "../../helpers/chain/shared-executor.js";

const prefix = "cannot apply external message to current state : ";

async function refusalOf(sent: Promise<unknown>): Promise<string> {
  const error = await sent.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(LiteError);
  expect((error as LiteError).code).toBe(0);
  return (error as LiteError).message;
}

describe("sending an external message", () => {
  const [ann, ben] = [new TestWallet("ann"), new TestWallet("ben")];
  let chain: DevnetChain;

  beforeEach(async () => {
    chain = await openTestChain({ accounts: funded([ann]) });
    return () => chain.close();
  });

  it("answers a refusal with exit code and log like a liteserver", async () => {
    const stranger = new TestWallet("ann");
    await chain.sendMessage(stranger.pay({ to: ben.address, value: ton }));
    await chain.step();
    const repeated = new TestWallet("ann").pay({ to: ben.address, value: 2n * ton });
    const text = await refusalOf(chain.sendMessage(repeated));
    const account = Buffer.from(ann.address.hash).toString("hex").toUpperCase();
    expect(text.split("\n").slice(0, 4)).toEqual([
      `${prefix}External message was not accepted`,
      `Cannot run message on account: inbound external message rejected by transaction ${account}:`,
      expect.stringMatching(/^exitcode=33, steps=\d+, gas_used=0$/),
      "VM Log (truncated):",
    ]);
    expect(text).toMatch(
      /\nexecute THROWIFNOT 33\ndefault exception handler, terminating vm with exit code 33\n$/,
    );
  });

  it("refuses a message to an account that does not exist", async () => {
    const text = await refusalOf(chain.sendMessage(ben.pay({ to: ann.address, value: ton })));
    expect(text).toBe(`${prefix}Failed to unpack account state`);
  });

  it("refuses the same bytes within a minute, also after they are in a block", async () => {
    const message = new TestWallet("ann").pay({ to: ben.address, value: ton });
    await chain.sendMessage(message);
    const duplicate = "cannot send external message : duplicate message";
    expect(await refusalOf(chain.sendMessage(message))).toBe(duplicate);
    await chain.step();
    expect(await refusalOf(chain.sendMessage(message))).toBe(duplicate);
  });

  it("refuses anything but an external message", async () => {
    const unreadable = `${prefix}failed to parse external message: `;
    const cases: [Uint8Array, string][] = [
      [new Uint8Array(), "external message is not a valid bag of cells"],
      [new Uint8Array(70_000), "external message too large, rejecting"],
      [
        bocOf(beginCell().storeUint(2, 2).endCell()),
        "external message is not a (Message Any) according to automated checks",
      ],
      [bocOf(beginCell().endCell()), "external message is not a (Message Any) according to automated checks"],
    ];
    for (const [boc, reason] of cases)
      expect(await refusalOf(chain.sendMessage(boc))).toBe(unreadable + reason);
  });

  it("notifies listeners, and removes the message with its block", async () => {
    const heard: Uint8Array[] = [];
    chain.accepted.add(({ boc }) => heard.push(boc));
    const message = new TestWallet("ann").pay({ to: ben.address, value: ton });
    await chain.sendMessage(message);
    expect(heard).toEqual([message]);
    expect(chain.mempool.messages().map(({ boc }) => boc)).toEqual([message]);
    const { pair } = await chain.step();
    expect(pair.finished).toEqual([{ hash: expect.any(Uint8Array), included: true }]);
    expect(chain.mempool.size).toBe(0);
  });

  it("drops one of two orders with the same seqno", async () => {
    for (const value of [ton, 2n * ton])
      await chain.sendMessage(new TestWallet("ann").pay({ to: ben.address, value, bounce: false }));
    const { pair } = await chain.step();
    expect(pair.finished.map(({ included }) => included)).toEqual([true, false]);
    expect(chain.account(0, ben.address.hash)!.account.value!.storage.balance.coins).toBeLessThan(2n * ton);
  });
});

describe("consecutive orders of a wallet", () => {
  const [ann, ben] = [new TestWallet("ann"), new TestWallet("ben")];
  let now = 0;
  let chain: DevnetChain;

  beforeEach(async () => {
    now = 0;
    chain = await openTestChain({ accounts: funded([ann]), nowMs: () => now });
    return () => chain.close();
  });

  const orders = (count: number) => {
    const wallet = new TestWallet("ann");
    return Array.from({ length: count }, () => wallet.pay({ to: ben.address, value: ton, bounce: false }));
  };
  const includedIn = ({ pair }: Awaited<ReturnType<DevnetChain["step"]>>) =>
    pair.finished.map(({ included }) => included);
  const refused = "External message was not accepted";

  it("are accepted before the first one is in a block, and delivered in their order", async () => {
    for (const order of orders(5)) await chain.sendMessage(order);
    const made = await chain.step();
    const { deliveries } = made;
    expect(includedIn(made)).toEqual(Array(5).fill(true));
    const own = deliveries.filter(({ destination }) => destination.equals(ann.address));
    expect(own.map(({ message }) => bytesToHex(bocOf(message)))).toEqual(
      orders(5).map((order) => bytesToHex(bocOf(readExternal(order).root))),
    );
  });

  it("are refused if the one before is not known", async () => {
    const [first, second, third] = orders(3);
    expect(await refusalOf(chain.sendMessage(second!))).toContain(refused);
    await chain.sendMessage(first!);
    expect(await refusalOf(chain.sendMessage(third!))).toContain(refused);
    await chain.sendMessage(second!);
    await chain.sendMessage(third!);
  });

  it("are refused if the one before has expired", async () => {
    const [first, second, third] = orders(3);
    await chain.sendMessage(first!);
    now = 30_000;
    await chain.sendMessage(second!);
    now = 60_000;
    expect(await refusalOf(chain.sendMessage(third!))).toContain(refused);
  });
});

describe("a message that was tried out", () => {
  const names = ["ann", "ben"];

  async function openCounted() {
    const executor = await sharedExecutor();
    const runs: TransactionRequest[] = [];
    const chain = await openTestChain({
      accounts: funded(names.map((name) => new TestWallet(name))),
      executor: {
        runTransaction(request) {
          runs.push(request);
          return executor.runTransaction(request);
        },
        runTickTock: (request) => executor.runTickTock(request),
      },
    });
    return { chain, runs };
  }

  /** The block of messages that are sent in one way, and how many runs it took. */
  async function afterSending(how: "sendMessage" | "sendTrusted", messages: () => readonly Uint8Array[]) {
    const { chain, runs } = await openCounted();
    for (const message of messages()) await chain[how](message);
    const { pair } = await chain.step();
    await chain.close();
    return { block: bytesToHex(pair.basechain.id.rootHash), runs: runs.length };
  }

  it("is not run again for its block, which is the same", async () => {
    const messages = () => {
      const [ann, ben] = names.map((name) => new TestWallet(name));
      return [
        ann!.pay({ to: ben!.address, value: ton, bounce: false }),
        ben!.pay({ to: ann!.address, value: ton, bounce: false }),
      ];
    };
    const tried = await afterSending("sendMessage", messages);
    const trusted = await afterSending("sendTrusted", messages);
    expect(tried).toEqual(trusted);
    expect(tried.runs).toBe(4);
  });

  it("is run again if its account changed", async () => {
    const messages = () =>
      [ton, 2n * ton].map((value) =>
        new TestWallet("ann").pay({ to: new TestWallet("ben").address, value, bounce: false }),
      );
    const tried = await afterSending("sendMessage", messages);
    const trusted = await afterSending("sendTrusted", messages);
    expect(tried.block).toBe(trusted.block);
    // The second message is refused by the account that the first one left.
    expect([trusted.runs, tried.runs]).toEqual([3, 5]);
  });

  it("is not run again behind others of its wallet", async () => {
    const messages = () => {
      const [ann, ben] = names.map((name) => new TestWallet(name));
      return [1n, 2n, 3n].map((value) => ann!.pay({ to: ben!.address, value: value * ton, bounce: false }));
    };
    const tried = await afterSending("sendMessage", messages);
    expect(tried).toEqual(await afterSending("sendTrusted", messages));
    expect(tried.runs).toBe(6);
  });

  it("is run again for another time", async () => {
    const { chain, runs } = await openCounted();
    const [ann, ben] = names.map((name) => new TestWallet(name));
    await chain.sendMessage(ann!.pay({ to: ben!.address, value: ton, bounce: false }));
    const { pair } = await chain.step({ utime: chain.lastUtime + 100 });
    expect(pair.finished.map(({ included }) => included)).toEqual([true]);
    expect(runs.map(({ now }) => now - runs[0]!.now)).toEqual([0, 99, 99]);
    await chain.close();
  });
});

describe("the mempool", () => {
  const wallets = { ann: new TestWallet("ann"), ben: new TestWallet("ben") };
  const message = (name: "ann" | "ben", value: bigint) =>
    readExternal(wallets[name].pay({ to: wallets[name].address, value }));

  it("accepts 256 messages per account", () => {
    const mempool = new Mempool(() => 0);
    for (let n = 0n; n < 256n; n++) mempool.add(message("ann", n));
    const account = new TestWallet("ann").address.toRawUpper();
    expect(() => mempool.assertRoom(message("ann", 256n))).toThrow(
      `${prefix}too many external messages to address ${account}`,
    );
    expect(() => mempool.assertRoom(message("ben", 0n))).not.toThrow();
  });

  it("offers messages to blocks only once they are stored", () => {
    const mempool = new Mempool(() => 0);
    const first = message("ann", 1n);
    mempool.add(first);
    expect([...mempool.forWorkchain(0)]).toEqual([]);
    mempool.release(first.fileHash);
    expect([...mempool.forWorkchain(0)]).toEqual([first]);
    expect([...mempool.forWorkchain(-1)]).toEqual([]);
  });

  it("expires messages and duplicates after a minute", () => {
    let now = 0;
    const mempool = new Mempool(() => now);
    const first = message("ann", 1n);
    mempool.add(first);
    now = 59_999;
    expect(() => mempool.assertRoom(first)).toThrow("duplicate message");
    now = 60_000;
    expect(() => mempool.assertRoom(first)).not.toThrow();
    expect(mempool.size).toBe(0);
    expect(mempool.takeExpired()).toEqual([first.fileHash]);
    expect(mempool.takeExpired()).toEqual([]);
  });
});
