import { beforeAll, describe, expect, test } from "vitest";
import type { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { formatBlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { funded, openTestChain, settleDown, TestWallet, ton } from "../../helpers/chain/devnet.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const limits = { recent: 3, interval: 8 };
const rounds = 4;

/** The messages of the wallets, round by round: the same bytes for every chain. */
function script(): { accounts: ReturnType<typeof funded>; messages: Uint8Array[][] } {
  const wallets = [new TestWallet("a"), new TestWallet("b", "v5r1"), new TestWallet("c", "v4r2", -1)];
  const messages = Array.from({ length: rounds }, () =>
    wallets.map((from, index) => {
      const others = wallets.filter((_, other) => other !== index);
      return from.pay(...others.map(({ address }) => ({ to: address, value: ton, bounce: false })));
    }),
  );
  return { accounts: funded(wallets), messages };
}

async function play(chain: DevnetChain, messages: readonly Uint8Array[][]): Promise<void> {
  for (const round of messages) {
    for (const message of round) await chain.sendMessage(message);
    await settleDown(chain);
  }
}

describe("a restarted devnet", () => {
  let uninterrupted: string;
  beforeAll(async () => {
    const { accounts, messages } = script();
    const chain = await openTestChain({ accounts });
    await play(chain, messages);
    uninterrupted = formatBlockIdExt(chain.head);
    await chain.close();
  });

  test("includes the messages that it had accepted before", async () => {
    const { accounts, messages } = script();
    const folder = temporaryFolder();
    const first = await openTestChain({ accounts, storage: new ChainStore(folder, limits) });
    await play(first, messages.slice(0, -1));
    for (const message of messages.at(-1)!) await first.sendMessage(message);
    await first.close();
    const second = await openTestChain({ accounts, storage: new ChainStore(folder, limits) });
    expect(second.mempool.size).toBe(messages.at(-1)!.length);
    await settleDown(second);
    expect(formatBlockIdExt(second.head)).toBe(uninterrupted);
    await second.close();
    const third = await openTestChain({ accounts, storage: new ChainStore(folder, limits) });
    expect(third.mempool.size).toBe(0);
    await third.close();
  });

  test("makes the same blocks as one that was never stopped, also if it was reverted before the stop", async () => {
    const { accounts, messages } = script();
    const folder = temporaryFolder();
    const first = await openTestChain({ accounts, storage: new ChainStore(folder, limits) });
    await play(first, messages.slice(0, 2));
    const { seqno } = first.head;
    await play(first, messages.slice(2, 3));
    await first.exclusive((revert) => revert(seqno));
    await first.close();
    const second = await openTestChain({ accounts, storage: new ChainStore(folder, limits) });
    expect(second.head.seqno).toBe(seqno);
    await play(second, messages.slice(2));
    expect(formatBlockIdExt(second.head)).toBe(uninterrupted);
    await second.close();
  });
});
