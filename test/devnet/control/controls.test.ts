import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import type { MadeStep } from "../../../server/devnet/collate/collate-step.js";
import { contractCode } from "../../../server/devnet/contracts/codes.js";
import { ChainControls } from "../../../server/devnet/control/controls.js";
import { Miner } from "../../../server/devnet/control/miner.js";
import { DevnetError } from "../../../server/devnet/devnet-error.js";
import { type DevnetWallets, devnetWallets } from "../../../server/devnet/wallets/devnet-wallets.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { openTestChain, ton, validatorsOf } from "../../helpers/chain/devnet.js";
import { type States, supplyOf, validateStep } from "../collate/validate-step.js";

const stranger = { workchain: 0, id: new Uint8Array(32).fill(0xab) };

async function refusal(job: Promise<unknown>): Promise<{ kind: string; message: string }> {
  const error = await job.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DevnetError);
  const { kind, message } = error as DevnetError;
  return { kind, message };
}

describe("the developer's controls", () => {
  let wallets: DevnetWallets;
  let chain: DevnetChain;
  let controls: ChainControls;

  beforeEach(async () => {
    wallets = await devnetWallets("tonwire");
    const funds = [wallets.faucet, ...wallets.prefunded];
    chain = await openTestChain({
      seed: "tonwire",
      accounts: funds.map(({ wallet, balance }) => ({ address: wallet.address, balance })),
    });
    const mine = { hasWork: () => chain.hasWork, step: () => chain.step(), onError: () => {} };
    const miner = new Miner({ mode: "manual", intervalMs: 1000 }, mine, () => 0);
    controls = new ChainControls({
      chain,
      miner,
      wallets,
      storyContracts: () => [],
      faucetFree: Promise.resolve(),
    });
  });
  afterEach(() => chain.close());

  const balanceOf = ({ workchain, id }: typeof stranger) =>
    chain.account(workchain, id)?.account.value?.storage.balance.coins;
  const states = (): States => ({
    masterchain: chain.tip.masterchain.state,
    basechain: chain.tip.basechain.state,
  });

  it("send money from the faucet to either workchain, several gifts at once", async () => {
    const inMasterchain = { ...stranger, workchain: -1 };
    const gifts = [stranger, inMasterchain, stranger].map((account) => controls.faucet(account, 10n * ton));
    const receipts = await Promise.all(gifts);
    expect([balanceOf(stranger), balanceOf(inMasterchain)]).toEqual([20n * ton, 10n * ton]);
    expect(new Set(receipts.map(({ txHash }) => Buffer.from(txHash).toString("hex"))).size).toBe(3);
    const account = chain.account(0, stranger.id)!;
    expect([receipts[0], receipts[2]].map((receipt) => receipt!.txHash)).toContainEqual(
      account.lastTransHash,
    );
  });

  it("refuse a gift that the faucet cannot afford, and continue", async () => {
    expect(await refusal(controls.faucet(stranger, 2_000_000_000n * ton))).toEqual({
      kind: "conflict",
      message: "the transaction sent nothing",
    });
    await controls.faucet(stranger, ton);
    expect(balanceOf(stranger)).toBe(ton);
  });

  it("repeat the last unix time when 32 bits are exhausted", async () => {
    expect((await refusal(controls.setTime(2 ** 32))).kind).toBe("invalid");
    await controls.setTime(2 ** 32 - 2);
    await controls.mine(1);
    await controls.mine(3, 60);
    expect([chain.head.seqno, chain.lastUtime]).toEqual([4, 2 ** 32 - 1]);
    expect((await controls.info()).now).toBe(2 ** 32 - 1);
  });

  it("restore the clock when the chain is reverted", async () => {
    await controls.setClock("wall");
    const { now } = await controls.advanceTime(1000);
    const { id } = await controls.snapshot();
    await controls.advanceTime(1_000_000);
    await controls.mine(1);
    await controls.revert(id);
    expect((await controls.info()).now).toBe(now);
    await controls.reset();
    expect(chain.lastUtime).toBe(1_735_689_601);
  });

  it("revert between other requests, not during one", async () => {
    await controls.setTime(1_800_000_000);
    const { id } = await controls.snapshot();
    const younger = await controls.snapshot();
    const [, , { id: later }, { kind }] = await Promise.all([
      controls.mine(1),
      controls.revert(id),
      controls.snapshot(),
      refusal(controls.revert(younger.id)),
    ]);
    expect(kind).toBe("not-found");
    expect((await controls.info()).now).toBe(1_800_000_000);
    expect(await controls.revert(later)).toEqual({ block: chain.head });
  });

  it("clear the mempool and reject pending requests on a revert", async () => {
    const { id } = await controls.snapshot();
    const gift = controls.faucet(stranger, ton);
    const back = controls.revert(id);
    await Promise.allSettled([gift, back]);
    expect(chain.mempool.size).toBe(0);
    // A zero state cannot be read, so a first block is made immediately.
    expect((await controls.reset()).block).toMatchObject({ workchain: -1, seqno: 1 });
    await controls.faucet(stranger, ton);
    expect(balanceOf(stranger)).toBe(ton);
  });

  it("edit accounts in a separate block that balances and lists them", async () => {
    const edits = [
      () => controls.setBalance(stranger, 5n * ton),
      () => controls.setCode(stranger, serializeBoc(contractCode("wallet v3 r2"))),
      () => controls.setData(stranger, serializeBoc(beginCell().storeUint(7, 32).endCell())),
      () => controls.setBalance(stranger, 2n * ton),
    ];
    let before = states();
    for (const edit of edits) {
      const [made] = await Promise.all([nextStep("step"), edit()]);
      validateStep(made.pair, before, validatorsOf(chain));
      expect(made.pair.edited.map(({ workchain, hash }) => ({ workchain, id: hash }))).toEqual([stranger]);
      before = states();
    }
    const { storage } = chain.account(0, stranger.id)!.account.value!;
    expect(storage.balance.coins).toBe(2n * ton);
    expect(storage.state).toMatchObject({ kind: "active" });
    const { masterchain, basechain } = chain.genesis;
    const atFirst = supplyOf({ masterchain: masterchain.state, basechain: basechain.state });
    expect(supplyOf(before)).toBe(atFirst + 2n * ton);
  });

  /** The next step made by this method, regardless of the caller. */
  function nextStep(name: "step" | "inject"): Promise<MadeStep> {
    const make = chain[name].bind(chain) as (request: unknown) => Promise<MadeStep>;
    return new Promise((resolve) => {
      const noted = async (request: unknown) => {
        Object.assign(chain, { [name]: make });
        const made = await make(request);
        resolve(made);
        return made;
      };
      Object.assign(chain, { [name]: noted });
    });
  }

  it("impersonate any account", async () => {
    const from = { workchain: -1, id: new Uint8Array(32).fill(0x11) };
    const body = serializeBoc(beginCell().storeUint(0, 32).endCell());
    const before = states();
    const [made, receipt] = await Promise.all([
      nextStep("inject"),
      controls.impersonate({ from, to: stranger, value: 3n * ton, body, bounce: false }),
    ]);
    validateStep(made.pair, before, validatorsOf(chain));
    expect(balanceOf(stranger)).toBe(3n * ton);
    expect(receipt).toEqual({
      txHash: chain.account(0, stranger.id)!.lastTransHash,
      lt: chain.account(0, stranger.id)!.lastTransLt,
      account: stranger,
      block: chain.head,
      messageHash: made.injected[0]!.message.hash(),
      end: { isComplete: true, block: chain.head, leftMs: 0 },
    });
  });

  it("find a transaction by hash", async () => {
    const { wallet } = wallets.prefunded[0]!;
    const pay = (seqno: number, value: bigint) =>
      wallet.order({
        seqno,
        validUntil: 0xffffffff,
        payments: [{ to: wallet.address, value, bounce: false }],
      });
    // The second of two transactions of an account in a block.
    for (const seqno of [0, 1]) await chain.sendTrusted(serializeBoc(pay(seqno, ton)));
    const { deliveries } = await chain.step();
    const second = deliveries[1]!.transaction;
    const place = { workchain: 0, id: wallet.address.hash, lt: second.value.lt };
    expect(await controls.findTransaction({ hash: second.cell.hash() })).toEqual(place);
    expect((await refusal(controls.findTransaction({ hash: new Uint8Array(32) }))).kind).toBe("not-found");
  });
});
