import type { Handlers } from "../../shared/methods/define.js";
import { devnetMethods } from "../../shared/methods/devnet.js";
import { accountIdOf } from "../../shared/ton/lite/account-id.js";
import { presentBlockId, presentBoc } from "../../shared/ton/present/records.js";
import type { BlockIdExt } from "../../shared/ton/tlb/block-id.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import type { ContractInfo, DevnetControls, WalletInfo } from "../devnet/control/controls.js";
import type { ForkStatus } from "../devnet/fork/fork-status.js";
import { ServiceError } from "../errors.js";
import { type Implementations, implement } from "../rpc/bind.js";
import { type ElectionDeps, electionHandlers } from "./devnet/elections.js";
import { type InternalMessageDeps, internalMessageHandlers } from "./devnet/internal-messages.js";
import { giveJettons, type JettonFaucetDeps } from "./devnet/jetton-faucet.js";
import { type AnswerTurns, inTurn, longResult } from "./devnet/long-answers.js";
import { type MessageDeps, messageHandlers } from "./devnet/messages.js";
import { presentFork } from "./devnet/present-fork.js";
import { addressText, presentReceipt } from "./devnet/receipt.js";
import { devnetErrorOf } from "./devnet/refusals.js";
import type { Settling } from "./devnet/settlement.js";
import { type SetupDeps, setupHandlers } from "./devnet/setup.js";
import { type TransactionLogDeps, transactionLog } from "./devnet/transaction-log.js";
import { ownerIn } from "./owner.js";

type PastCall = {
  at: number;
  method: string;
  params: Readonly<Record<string, unknown>>;
  durationMs: number;
  outcome: string;
  exitMeaning?: string | undefined;
};

type DevnetDeps = ElectionDeps &
  JettonFaucetDeps &
  MessageDeps &
  SetupDeps &
  TransactionLogDeps &
  InternalMessageDeps & {
    controls: DevnetControls;
    /** Names given to accounts, by raw address. */
    names(): Readonly<Record<string, string>>;
    fork(): ForkStatus | undefined;
    longAnswers: AnswerTurns;
    /** The calls of an owner, or all that the owner may see. */
    calls: { newest(count: number, owner: string): readonly PastCall[] | Promise<readonly PastCall[]> };
  };

/** The methods `devnet.*`. They refuse every call if another process runs the devnet. */
export function devnetImplementations(devnet: DevnetDeps | undefined): Implementations<typeof devnetMethods> {
  const rules = devnet ? { errorOf: devnetErrorOf } : { refusal: answeredElsewhere };
  // A handler whose calls are refused reads no dependencies, so `devnet` may be undefined.
  return implement(devnetHandlers, devnet as DevnetDeps, rules);
}

function answeredElsewhere(name: string): ServiceError {
  return new ServiceError("unknown-method", `${name} is answered by the process that has the devnet`);
}

const devnetHandlers: Handlers<typeof devnetMethods, DevnetDeps, "text"> = {
  async info(_, { controls, names, fork: read }) {
    const fork = read();
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
      clock_step: info.clockStep,
      mining: { mode: mining.mode, interval_ms: mining.intervalMs },
      zero_states: {
        masterchain: presentBlockId(zeroStates.masterchain),
        basechain: presentBlockId(zeroStates.basechain),
      },
      faucet: presentWallet(info.faucet),
      wallets: info.prefunded.map(presentWallet),
      contracts: contracts.map(presentContract),
      names: Object.entries(names()).map(([address, name]) => ({ address, name })),
      story_told: info.hasStoryEnded,
      ...(fork && { fork: presentFork(fork) }),
    };
  },

  async faucet({ address, amount }, { controls, begin }) {
    const settling = begin(devnetMethods.faucet);
    const receipt = await controls.faucet(accountIdOf(address), amount, settling.leftMs);
    return presentReceipt(receipt, await settling.after(receipt.end));
  },

  async faucetJetton(params, deps, call) {
    const settling = deps.begin();
    const receipt = await giveJettons(params, deps, settling.leftMs, call);
    return presentReceipt(receipt, await settling.after(receipt.end));
  },

  async mine({ blocks, interval }, { controls, begin }) {
    const settling = begin(devnetMethods.mine);
    const { block, mined } = await controls.mine(blocks, interval);
    return { block: presentBlockId(block), mined, settled: await settling.at(block) };
  },

  async settle({ timeout_ms }, { controls, begin }) {
    const settling = begin(devnetMethods.settle);
    const { block, messages, queued, hasStoryEnded, leftMs } = await controls.settle(timeout_ms);
    const isIndexed = await settling.at(block, leftMs);
    const isIdle = messages + queued === 0 && hasStoryEnded;
    return {
      settled: isIndexed && isIdle,
      waiting: { messages, queued, blocks: settling.behind },
      story_told: hasStoryEnded,
      block: presentBlockId(block),
    };
  },

  async setMining({ mode, interval_ms }, { controls }) {
    const intervalMs = interval_ms ?? (await controls.info()).mining.intervalMs;
    const setting = await controls.setMining({ mode, intervalMs });
    return { mode: setting.mode, interval_ms: setting.intervalMs };
  },

  setTime: ({ time }, { controls }) => controls.setTime(Number(time)),
  advanceTime: ({ seconds }, { controls }) => controls.advanceTime(seconds),
  setClock: ({ mode, step }, { controls }) => controls.setClock(mode, step),

  setNextBlockTime: ({ time }, { controls }) => controls.setNextBlockTime(Number(time)),

  async snapshot({ name }, { controls }) {
    const { id, block } = await controls.snapshot(name);
    return { id, block: presentBlockId(block) };
  },

  revert: ({ id }, { controls, begin }) => atBlock(controls.revert(id), begin()),
  snapshots: (_, { controls }) => controls.snapshots(),

  async deleteSnapshot({ id }, { controls }) {
    await controls.deleteSnapshot(id);
    return { id };
  },

  clearSnapshots: async (_, { controls }) => ({ deleted: await controls.clearSnapshots() }),
  rollback: ({ blocks }, { controls, begin }) =>
    atBlock(controls.rollback(blocks), begin(devnetMethods.rollback)),

  fork: ({ block }, { controls, begin }) => atBlock(controls.fork(block), begin(devnetMethods.fork)),

  async setNextBlockSeed({ seed }, { controls }) {
    await controls.setNextBlockSeed(seed);
    return { seed: bytesToBase64(seed) };
  },

  reset: (_, { controls, begin }) => atBlock(controls.reset(), begin()),
  setBalance: ({ address, balance }, { controls, begin }) =>
    atBlock(controls.setBalance(accountIdOf(address), balance), begin()),
  setCode: ({ address, code }, { controls, begin }) =>
    atBlock(controls.setCode(accountIdOf(address), code), begin()),
  setData: ({ address, data }, { controls, begin }) =>
    atBlock(controls.setData(accountIdOf(address), data), begin()),

  transactionLog({ hash, address, lt }, deps, call) {
    const key = hash ? { hash } : { ...accountIdOf(address!), lt: lt! };
    return inTurn(deps.longAnswers, call, async () => {
      const { vmLog, exitCode, actions, prints } = await transactionLog(key, deps, call);
      const others = {
        ...(exitCode !== undefined && { exit_code: exitCode }),
        ...(actions && { actions: presentBoc(actions) }),
        prints,
      };
      return longResult("vm_log", vmLog, others, call);
    });
  },

  setAccount({ address, account, balance, code, data }, { controls, begin }) {
    const fields = {
      ...(balance !== undefined && { balance }),
      ...(code && { code }),
      ...(data && { data }),
    };
    return atBlock(controls.setAccount(accountIdOf(address), account ? { account } : fields), begin());
  },

  setConfig({ param, value, config }, { controls, begin }) {
    const change = config ? { config } : { param: param!, ...(value && { value }) };
    return atBlock(controls.setConfig(change), begin());
  },

  exportState: ({ snapshot }, { controls, longAnswers }, call) =>
    inTurn(longAnswers, call, async () => {
      const { state, block, packMs } = await controls.exportState(snapshot);
      call.spent?.(packMs);
      return longResult("state", state, { block: presentBlockId(block) }, call);
    }),

  calls: async ({ limit }, { calls }, call) =>
    (await calls.newest(limit, ownerIn(call))).map(
      ({ at, method, params, durationMs, outcome, exitMeaning }) => ({
        time: new Date(at).toISOString(),
        method,
        params,
        duration_ms: durationMs,
        outcome,
        ...(exitMeaning !== undefined && { exit_meaning: exitMeaning }),
      }),
    ),

  importState: ({ state }, { controls, begin }) =>
    atBlock(controls.importState(state), begin(devnetMethods.importState)),

  ...electionHandlers,
  ...internalMessageHandlers,
  ...messageHandlers,
  ...setupHandlers,
};

async function atBlock(change: Promise<{ block: BlockIdExt }>, settling: Settling) {
  const { block } = await change;
  return { block: presentBlockId(block), settled: await settling.at(block) };
}

function presentContract({ account, kind, name, description }: ContractInfo) {
  return { address: addressText(account), kind, name, description };
}

function presentWallet({ account, name, version, words, balance }: WalletInfo) {
  return {
    address: addressText(account),
    name,
    type: version,
    mnemonic: words,
    balance: balance.toString(),
  };
}
