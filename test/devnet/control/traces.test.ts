import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import { ChainControls } from "../../../server/devnet/control/controls.js";
import { Miner, type MiningMode } from "../../../server/devnet/control/miner.js";
import { type DevnetWallets, devnetWallets } from "../../../server/devnet/wallets/devnet-wallets.js";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { Address } from "../../../shared/values/address.js";
import { base64ToBytes } from "../../../shared/values/bytes.js";
import { openTestChain, TestWallet, ton } from "../../helpers/chain/devnet.js";
import { endlessContract } from "../../helpers/contracts/counter.js";

/** Longer than any test: promises that resolve have not waited for it. */
const forever = 2_000_000_000;
const stranger = { workchain: 0, id: new Uint8Array(32).fill(0xab) };

describe("the trace of a message", () => {
  let payer: TestWallet;
  let wallets: DevnetWallets;
  let chain: DevnetChain;
  let miner: Miner;
  let controls: ChainControls;

  const open = (mode: MiningMode) => {
    const target = { hasWork: () => chain.hasWork, step: () => chain.step(), onError: () => {} };
    miner = new Miner({ mode, intervalMs: 1000 }, target, () => 0);
    chain.heads.add(() => miner.onBlock());
    chain.accepted.add(() => miner.wake());
    miner.start();
    const faucetFree = Promise.resolve();
    controls = new ChainControls({ chain, miner, wallets, storyContracts: () => [], faucetFree });
  };

  beforeEach(async () => {
    payer = new TestWallet("payer");
    wallets = await devnetWallets("tonwire");
    const funds = [wallets.faucet, ...wallets.prefunded];
    chain = await openTestChain({
      seed: "tonwire",
      accounts: [
        ...funds.map(({ wallet, balance }) => ({ address: wallet.address, balance })),
        { address: payer.address, balance: 1000n * ton },
      ],
    });
  });
  afterEach(async () => {
    miner.close();
    await chain.close();
  });

  /** Starts an endless trace. Resolves when it continues, with functions that wait for its end. */
  const beginEndless = async (waitMs = forever) => {
    const { address, code, stateInit } = await endlessContract();
    const { workchain, hash } = Address.read(address)!.address;
    const from = { ...stranger, workchain: -1 };
    await controls.setCode(from, base64ToBytes(code)!);
    const before = chain.head.seqno;
    const message = { from, to: { workchain, id: hash }, value: 1000n * ton };
    const end = controls
      .impersonate({ ...message, stateInit: base64ToBytes(stateInit)! }, waitMs)
      .then((receipt) => receipt.end);
    await new Promise<void>((resolve) => {
      const stop = chain.heads.add(({ seqno }) => {
        if (seqno < before + 3) return;
        stop();
        resolve();
      });
    });
    return { end };
  };

  it("is in blocks when a block is made for every message", async () => {
    open("message");
    const pool = new Address(-1, stranger.id);
    const end = await controls.send(payer.pay({ to: pool, value: ton, bounce: false }), forever);
    // From the wallet's chain to the other one.
    expect(chain.account(-1, stranger.id)?.account.value?.storage.balance.coins).toBeGreaterThan(0n);
    expect(end).toMatchObject({ isComplete: true, block: chain.head });
    expect(end.leftMs).toBeGreaterThan(0);
    expect(structuredClone(end)).toEqual(end);
    const receipt = await controls.faucet(stranger, ton, forever);
    expect(receipt.end).toMatchObject({ isComplete: true, block: receipt.block });
  });

  it("is not waited for otherwise", async () => {
    open("manual");
    const boc = payer.pay({ to: new Address(0, stranger.id), value: ton, bounce: false });
    expect(await controls.send(boc, forever)).toEqual({
      isComplete: true,
      block: undefined,
      leftMs: forever,
    });
    expect(chain.mempool.messages().map(({ root }) => root.hashHex())).toEqual([parseBocRoot(boc).hashHex()]);
    expect(await controls.settle(forever)).toMatchObject({ messages: 1, queued: 0, hasStoryEnded: true });
    const { end, block } = await controls.faucet(stranger, ton, forever);
    expect(end).toEqual({ isComplete: true, block, leftMs: forever });
  });

  it("is nothing if the block refuses the message", async () => {
    open("message");
    payer.pay();
    const early = payer.pay({ to: new Address(0, stranger.id), value: ton, bounce: false });
    const trace = chain.follow(parseBocRoot(early));
    await chain.sendTrusted(early);
    expect(await trace.ended(forever)).toMatchObject({ isComplete: true, block: undefined });
  });

  it("is waited for no longer than the caller wants, until a revert, and until the devnet is closed", async () => {
    open("message");
    const { id } = await controls.snapshot();
    const late = await beginEndless(1);
    expect(await late.end).toMatchObject({ isComplete: false });
    const reverted = await beginEndless();
    await controls.revert(id);
    expect(await reverted.end).toMatchObject({ isComplete: false });
    // The trace is gone.
    expect(await controls.settle(forever)).toMatchObject({ messages: 0, queued: 0 });
    const closed = await beginEndless();
    const settling = controls.settle(1);
    const closing = chain.close();
    expect(await closed.end).toMatchObject({ isComplete: false });
    expect((await settling).queued).toBeGreaterThan(0);
    await closing;
  });
});
