import { describe, expect, it, onTestFinished } from "vitest";
import { SigningKey } from "../../../server/chain/ed25519.js";
import { stakeBody } from "../../../server/devnet/elections/bodies.js";
import { electorData } from "../../../server/devnet/elections/elector.js";
import { dataEdit } from "../../../server/devnet/genesis/account-edits.js";
import { electorAddress } from "../../../server/devnet/genesis/initial-config.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { Block } from "../../../shared/ton/tlb/block.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import type { ValidatorSet } from "../../../shared/ton/tlb/config/validator-set.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { TestWallet, ton } from "../../helpers/chain/devnet.js";
import { trustFromZero } from "../../helpers/chain/trusted.js";
import { sized } from "../../helpers/effort.js";
import { ElectingChain } from "../../helpers/elections/electing-chain.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { type States, supplyOf, validateStep } from "../collate/validate-step.js";

async function open(options: Parameters<typeof ElectingChain.open>[0] = {}): Promise<ElectingChain> {
  const opened = await ElectingChain.open(options);
  onTestFinished(() => opened.close());
  return opened;
}

const keysOf = ({ list }: ValidatorSet) => Array.from(list.values(), ({ publicKey }) => publicKey.pubkey);
const statesOf = ({ chain }: ElectingChain): States => ({
  masterchain: chain.tip.masterchain.state,
  basechain: chain.tip.basechain.state,
});
const holdingsOf = ({ chain }: ElectingChain) => chain.operator!.holdings(chain.masterchain);

/** Makes blocks until the elections are in the phase. */
async function reach(electing: ElectingChain, phase: ElectingChain["schedule"]["phase"]): Promise<void> {
  for (let blocks = 0; electing.schedule.phase !== phase; blocks++) {
    expect(blocks).toBeLessThan(50);
    await electing.step();
  }
}

const rounds = sized(2, 4);

describe("a devnet with elections", () => {
  it("changes its validators, and the set before signs the block with the change", async () => {
    const electing = await open();
    let states = statesOf(electing);
    const supply = supplyOf(states);
    const sets: string[][] = [];
    for (let round = 0; round < rounds; round++) {
      let signers = keysOf(electing.set);
      sets.push(signers.map(bytesToHex));
      let keyBlocks = 0;
      await electing.rotate(({ pair }) => {
        states = validateStep(pair, states, signers);
        signers = keysOf(electing.set);
        if (pair.keyBlock) keyBlocks++;
      });
      // One states the next set and one installs it. The first block of a devnet is another one.
      expect(keyBlocks).toBe(round === 0 ? 3 : 2);
      expect(electing.set.utimeUntil).toBe(electing.set.utimeSince + 1200);
      expect(supplyOf(states)).toBe(supply);
    }
    expect(new Set(sets.flat()).size).toBe(3 * rounds);
  });

  it("starts a catchain session of the new group with each set", async () => {
    const electing = await open();
    const sessions = async () => {
      const { pair } = await electing.step();
      const { genCatchainSeqno, genValidatorListHashShort, prevKeyBlockSeqno } = decode(
        Block,
        pair.masterchain.root,
      ).info.value;
      expect(pair.signatures).toMatchObject({
        catchainSeqno: genCatchainSeqno,
        validatorListHashShort: genValidatorListHashShort,
      });
      return [genCatchainSeqno, genValidatorListHashShort, prevKeyBlockSeqno] as const;
    };
    await reach(electing, "installed");
    const before = await sessions();
    await electing.rotate();
    const after = await sessions();
    expect(after[0]).toBeGreaterThan(before[0]);
    expect(after[1]).not.toBe(before[1]);
    expect(after[2]).toBe(electing.chain.head.seqno - 1);
  });

  it("returns stakes in the round after, so that the validators stake again and again", async () => {
    const electing = await open();
    const owned = () => holdingsOf(electing).map((one) => one.balance + one.credit + one.frozen + one.staked);
    const first = owned();
    for (let round = 0; round < sized(3, 4); round++) await electing.rotate();
    for (const [index, now] of owned().entries()) {
      expect(now).toBeGreaterThan(first[index]! - 20n * ton);
      expect(now).toBeLessThan(first[index]! + 20n * ton);
    }
    const elector = electorData(electing.chain.masterchain)!;
    expect([...elector.pastElections.get(elector.activeId)!.frozen.values()]).toHaveLength(3);
    for (const { stake } of elector.pastElections.get(elector.activeId)!.frozen.values())
      expect(stake).toBeGreaterThan(499_000n * ton);
  });

  it("holds mainnet's elections with the preset long, also with one validator", async () => {
    const electing = await open({ elections: "long", validators: 1 });
    const first = electing.set;
    await electing.rotate();
    expect(electing.set.utimeSince).toBe(first.utimeUntil);
    expect(electing.set.utimeUntil).toBe(first.utimeUntil + 65_536);
    expect(electing.set.total).toBe(1);
  });

  it("goes on after a time of many rounds in which it stood still", async () => {
    const electing = await open();
    await electing.rotate();
    await electing.chain.step({ utime: electing.chain.lastUtime + 1_000_000 });
    await electing.rotate();
    expect(electing.set.utimeSince).toBeGreaterThan(electing.chain.lastUtime - 10);
    await electing.rotate();
  });

  it("keeps its validators without participants, until there are some", async () => {
    const electing = await open();
    const keys = keysOf(electing.set);
    electing.chain.operator!.settings = { on: false, participants: 3, stake: undefined };
    await reach(electing, "open");
    await reach(electing, "closed");
    expect(electing.schedule.phaseEnd).toBeUndefined();
    for (let block = 0; block < 5; block++) expect((await electing.step()).pair.keyBlock).toBe(false);
    expect(keysOf(electing.set)).toEqual(keys);
    electing.chain.operator!.settings = { on: true, participants: 3, stake: undefined };
    await electing.rotate();
    expect(keysOf(electing.set)).not.toEqual(keys);
  });

  it("waits for no stake of a validator whose wallet was given other data", async () => {
    const electing = await open();
    const { chain } = electing;
    await chain.step({ edits: [dataEdit(chain.operator!.wallets[0]!.address, Cell.empty)] });
    await reach(electing, "open");
    for (let blocks = 0; chain.electionDue! <= chain.lastUtime; blocks++) {
      expect(blocks).toBeLessThan(20);
      await chain.step();
    }
    expect([...electorData(chain.masterchain)!.election!.value.members.keys()]).toHaveLength(2);
  });

  it("has the same blocks after a restart in the middle of a round, and after going back", async () => {
    const idsOf = async (electing: ElectingChain, blocks: number) => {
      const ids: string[] = [];
      for (let block = 0; block < blocks; block++)
        ids.push(bytesToHex((await electing.step()).pair.masterchain.id.rootHash));
      return ids;
    };
    const directory = temporaryFolder();
    const whole = await open({ seed: "restarts" });
    const ids = await idsOf(whole, 9);
    const first = await ElectingChain.open({ seed: "restarts", directory });
    // The stakes have arrived, and the election is not yet held.
    expect(await idsOf(first, 5)).toEqual(ids.slice(0, 5));
    await first.close();
    const second = await open({ seed: "restarts", directory });
    expect(await idsOf(second, 4)).toEqual(ids.slice(5));
    await second.chain.exclusive((revert) => revert(7));
    expect(await idsOf(second, 2)).toEqual(ids.slice(7));
  });

  it("makes blocks without a user's validator, and with its signature once the key is known", async () => {
    const wallet = new TestWallet("staker", "v3r2", -1);
    const accounts = [{ address: wallet.address, balance: 2_000_000n * ton }];
    const electing = await open({ accounts });
    const { chain } = electing;
    const seed = new Uint8Array(32).fill(5);
    const key = new SigningKey(seed);
    const stake = async (value: bigint) => {
      await reach(electing, "open");
      const stakeAt = electing.schedule.electAt!;
      const body = stakeBody({ key, source: wallet.address, stakeAt });
      await chain.sendMessage(wallet.pay({ to: electorAddress, value, body }));
      await electing.rotate();
    };
    await stake(400_000n * ton);
    expect(keysOf(electing.set).map(bytesToHex)).toContain(bytesToHex(key.publicKey));
    expect(chain.validatorKeys.isVerifiable(chain.masterchain)).toBe(true);
    expect((await electing.step()).pair.signatures.signatures).toHaveLength(3);
    const trust = await trustFromZero(electing.api);
    expect((await trust.newest(electing.api, {})).last).toEqual(chain.head);
    // The keys of the others come to less than two thirds.
    chain.operator!.settings = { on: true, participants: 1, stake: 500_000n * ton };
    await stake(1_000_000n * ton);
    expect(chain.validatorKeys.isVerifiable(chain.masterchain)).toBe(false);
    expect((await electing.step()).pair.signatures.signatures).toHaveLength(1);
    expect(bytesToHex(chain.validatorKeys.add(seed).publicKey)).toBe(bytesToHex(key.publicKey));
    expect(chain.validatorKeys.isVerifiable(chain.masterchain)).toBe(true);
    expect((await electing.step()).pair.signatures.signatures).toHaveLength(2);
  });
});
