import { mapHandlers, type Wrap } from "../../shared/methods/define.js";
import { devnetMethods } from "../../shared/methods/devnet.js";
import { Address } from "../../shared/values/address.js";
import { bytesToBase64, bytesToHex } from "../../shared/values/bytes.js";
import type { ContractInfo, DevnetControls, Receipt, WalletInfo } from "../devnet/control/controls.js";
import { ServiceError } from "../errors.js";
import { type Implementations, implement } from "../rpc/bind.js";
import type { BlockIdExt } from "../tlb/block-id.js";
import { type ElectionDeps, electionHandlers } from "./devnet/elections.js";
import { giveJettons, type JettonFaucetDeps } from "./devnet/jetton-faucet.js";
import { mapRefusals } from "./devnet/refusals.js";
import { presentBlockId } from "./v2/present/records.js";

type PastCall = {
  at: number;
  method: string;
  params: Readonly<Record<string, unknown>>;
  durationMs: number;
  outcome: string;
  exitMeaning?: string | undefined;
};

type DevnetDeps = ElectionDeps &
  JettonFaucetDeps & {
    controls: DevnetControls;
    calls: { newest(count: number): readonly PastCall[] };
  };

/** The methods `devnet.*`. They refuse every call if another process runs the devnet. */
export function devnetImplementations(devnet: DevnetDeps | undefined): Implementations<typeof devnetMethods> {
  const handlers = devnet ? devnetHandlers : mapHandlers(devnetHandlers, refuse);
  // Refusing handlers do not read their dependencies, so `devnet` may be undefined.
  return implement(devnetMethods, handlers, devnet as DevnetDeps);
}

const refuse: Wrap = (_, name) => () =>
  Promise.reject(
    new ServiceError("unknown-method", `devnet.${name} is answered by the process that has the devnet`),
  );

const devnetHandlers = mapRefusals<typeof devnetMethods, DevnetDeps>({
  async info(_, { controls }) {
    const [{ globalId, mining, zeroStates, ...info }, contracts] = await Promise.all([
      controls.info(),
      controls.contracts(),
    ]);
    return {
      network: "devnet",
      global_id: globalId,
      seed: info.seed,
      now: info.now,
      clock: info.clock,
      mining: { mode: mining.mode, interval_ms: mining.intervalMs },
      zero_states: {
        masterchain: presentBlockId(zeroStates.masterchain),
        basechain: presentBlockId(zeroStates.basechain),
      },
      faucet: presentWallet(info.faucet),
      wallets: info.prefunded.map(presentWallet),
      contracts: contracts.map(presentContract),
      story_told: info.isStoryTold,
    };
  },

  async faucet({ address, amount }, { controls }) {
    return presentReceipt(await controls.faucet(accountOf(address), amount));
  },

  faucetJetton: async (params, deps, call) => presentReceipt(await giveJettons(params, deps, call)),

  async mine({ blocks, interval }, { controls }) {
    const { block, mined } = await controls.mine(blocks, interval);
    return { block: presentBlockId(block), mined };
  },

  async setMining({ mode, interval_ms }, { controls }) {
    const intervalMs = interval_ms ?? (await controls.info()).mining.intervalMs;
    const setting = await controls.setMining({ mode, intervalMs });
    return { mode: setting.mode, interval_ms: setting.intervalMs };
  },

  setTime: ({ time }, { controls }) => controls.setTime(Number(time)),
  advanceTime: ({ seconds }, { controls }) => controls.advanceTime(seconds),
  setClock: ({ mode }, { controls }) => controls.setClock(mode),

  setNextBlockTime: ({ time }, { controls }) => controls.setNextBlockTime(Number(time)),

  async snapshot({ name }, { controls }) {
    const { id, block } = await controls.snapshot(name);
    return { id, block: presentBlockId(block) };
  },

  revert: ({ id }, { controls }) => atBlock(controls.revert(id)),
  snapshots: (_, { controls }) => controls.snapshots(),

  async deleteSnapshot({ id }, { controls }) {
    await controls.deleteSnapshot(id);
    return { id };
  },

  reset: (_, { controls }) => atBlock(controls.reset()),
  setBalance: ({ address, balance }, { controls }) =>
    atBlock(controls.setBalance(accountOf(address), balance)),
  setCode: ({ address, code }, { controls }) => atBlock(controls.setCode(accountOf(address), code)),
  setData: ({ address, data }, { controls }) => atBlock(controls.setData(accountOf(address), data)),

  async impersonate({ from, to, value, body, state_init, bounce }, { controls }) {
    const message = {
      from: accountOf(from),
      to: accountOf(to),
      value,
      bounce,
      ...(body && { body }),
      ...(state_init && { stateInit: state_init }),
    };
    return presentReceipt(await controls.impersonate(message));
  },

  async transactionLog({ hash, address, lt }, { controls }) {
    const key = hash ? { hash } : { ...accountOf(address!), lt: lt! };
    const { vmLog, exitCode, actions } = await controls.transactionLog(key);
    return {
      vm_log: vmLog,
      ...(exitCode !== undefined && { exit_code: exitCode }),
      ...(actions && { actions: bytesToBase64(actions) }),
    };
  },

  setAccount({ address, account, balance, code, data }, { controls }) {
    const fields = {
      ...(balance !== undefined && { balance }),
      ...(code && { code }),
      ...(data && { data }),
    };
    return atBlock(controls.setAccount(accountOf(address), account ? { account } : fields));
  },

  setConfig({ param, value, config }, { controls }) {
    const change = config ? { config } : { param: param!, ...(value && { value }) };
    return atBlock(controls.setConfig(change));
  },

  async exportState(_, { controls }) {
    const { state, block } = await controls.exportState();
    return { state: bytesToBase64(state), block: presentBlockId(block) };
  },

  calls: ({ limit }, { calls }) =>
    calls.newest(limit).map(({ at, method, params, durationMs, outcome, exitMeaning }) => ({
      time: new Date(at).toISOString(),
      method,
      params,
      duration_ms: durationMs,
      outcome,
      ...(exitMeaning !== undefined && { exit_meaning: exitMeaning }),
    })),

  importState: ({ state }, { controls }) => atBlock(controls.importState(state)),

  ...electionHandlers,
});

const accountOf = ({ workchain, hash }: Address) => ({ workchain, id: hash });

async function atBlock(change: Promise<{ block: BlockIdExt }>) {
  return { block: presentBlockId((await change).block) };
}

function presentReceipt({ txHash, lt, block }: Receipt) {
  return { tx_hash: bytesToHex(txHash), lt: lt.toString(), block: presentBlockId(block) };
}

function presentContract({ account, kind, description }: ContractInfo) {
  return { address: new Address(account.workchain, account.id).toRaw(), kind, description };
}

function presentWallet({ account, name, version, words, balance }: WalletInfo) {
  return {
    address: new Address(account.workchain, account.id).toRaw(),
    name,
    type: version,
    mnemonic: words,
    balance: balance.toString(),
  };
}
