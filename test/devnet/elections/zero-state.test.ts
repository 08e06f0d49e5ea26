import { describe, expect, it, onTestFinished } from "vitest";
import type { Devnet, DevnetConfig } from "../../../server/devnet/devnet.js";
import { validatorFunds, validatorWallets } from "../../../server/devnet/elections/validator-roles.js";
import { createGenesis, type GenesisOptions } from "../../../server/devnet/genesis/genesis.js";
import { configAddress, electorAddress } from "../../../server/devnet/genesis/initial-config.js";
import { openDevnet } from "../../../server/devnet/open-devnet.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { configParam } from "../../../shared/ton/tlb/config/config-param.js";
import { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { openTestChain, ton, validatorsOf } from "../../helpers/chain/devnet.js";
import { variants } from "../../helpers/effort.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { validateStep } from "../collate/validate-step.js";

const time = 1_735_689_600;
const five = { seed: "test", accounts: [], validators: 5 } satisfies GenesisOptions;

function stateOf(options: GenesisOptions) {
  const { accounts, custom } = decode(ShardStateUnsplit, createGenesis(options).masterchain.state);
  return { accounts: accounts.value, config: custom!.value.config.config.value };
}

const devnet: DevnetConfig = {
  seed: "tonwire",
  mining: { mode: "manual", intervalMs: 1000 },
  clock: "fixed",
  rewards: false,
  story: false,
};

async function open(settings: Partial<DevnetConfig>): Promise<Devnet> {
  const environment = { nowMs: () => 1_800_000_000_000, onError: () => {}, onDegraded: () => {} };
  const opened = await openDevnet({ ...devnet, ...settings }, environment);
  onTestFinished(() => opened.close());
  return opened;
}

describe("the zero state of a devnet with elections", () => {
  it.each([
    ["short", 1200, 600, 16],
    ["long", 65_536, 32_768, 400],
  ] as const)("has the parameters and the set of the preset %s", (elections, seconds, before, most) => {
    const { config } = stateOf({ ...five, elections });
    expect(configParam(config, 15)).toMatchObject({
      validatorsElectedFor: seconds,
      electionsStartBefore: before,
    });
    expect(configParam(config, 16)!.maxValidators).toBe(most);
    const set = configParam(config, 34)!;
    expect(set).toMatchObject({ utimeSince: time, utimeUntil: time + seconds, total: 5, main: 5 });
    const members = [...set.list.values()];
    expect(members.map(({ weight }) => weight)).toEqual([1n, 1n, 1n, 1n, 1n]);
    expect(new Set(members.map(({ publicKey }) => bytesToHex(publicKey.pubkey))).size).toBe(5);
  });

  it("has an elector that ticks, a configuration contract that tocks, and a wallet for each validator", () => {
    const { accounts } = stateOf({ ...five, elections: "short" });
    const of = ({ hash }: { hash: Uint8Array }) => accounts.get(hash)!.account.value!.storage;
    const [elector, config] = [of(electorAddress), of(configAddress)];
    expect(elector.balance.coins).toBe(10n * ton);
    expect(elector.state).toMatchObject({ init: { special: { tick: true, tock: false } } });
    expect(config.state).toMatchObject({ init: { special: { tick: false, tock: true } } });
    const wallets = validatorWallets({ seed: "test", count: 5, elections: "short" });
    for (const { address } of wallets) expect(of(address).balance.coins).toBe(1_000_000n * ton);
    expect([...accounts.keys()]).toHaveLength(7);
  });

  it("has the same supply as others: the validators' funds come from the faucet", async () => {
    const faucetOf = async ({ controls }: Devnet) => (await controls.info()).faucet.balance;
    const all = await faucetOf(await open({}));
    expect(await faucetOf(await open({ elections: "long", validators: 2 }))).toBe(all - 2n * validatorFunds);
  });

  it("is that of another chain than without elections", async () => {
    const directory = temporaryFolder();
    const first = await open({ directory, elections: "short" });
    await first.close();
    await expect(open({ directory })).rejects.toThrow("holds a devnet that began with other settings");
    const again = await open({ directory, elections: "short", validators: 3 });
    expect((await again.controls.mine(1)).block.seqno).toBe(2);
  });
});

describe("a devnet with several validators", () => {
  it.each(
    variants<[string, "short" | undefined]>(
      [["that take part in elections", "short"]],
      [["that stay", undefined]],
    ),
  )("%s has blocks that all of them sign", async (_, elections) => {
    const chain = await openTestChain({
      ...{ validators: 3 },
      ...(elections && { elections }),
    });
    onTestFinished(() => chain.close());
    const keys = validatorsOf(chain);
    expect(keys).toHaveLength(3);
    const { masterchain, basechain } = chain.tip;
    let states = { masterchain: masterchain.state, basechain: basechain.state };
    for (let block = 0; block < 3; block++) states = validateStep((await chain.step()).pair, states, keys);
  });
});
