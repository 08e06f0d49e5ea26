import type { Executor } from "../../../server/chain/executor/executor.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { TransactionResult } from "../../../shared/ton/run/account-request.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { onlyCoins } from "../../../shared/ton/tlb/currency-collection.js";
import { composeMessage, Message } from "../../../shared/ton/tlb/message.js";
import { decodeOutList, type OutAction } from "../../../shared/ton/tlb/out-action.js";
import type { TrComputePhase } from "../../../shared/ton/tlb/phases.js";
import { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import type { StateInit, TickTock } from "../../../shared/ton/tlb/state-init.js";
import { Transaction } from "../../../shared/ton/tlb/transaction.js";
import { methodId } from "../../../shared/ton/tvm/method-id.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import { Address } from "../../../shared/values/address.js";
import { activeAccount } from "../chain/sample-chain.js";

/** A message that left the contract. */
type Sent = { to: string; value: bigint; bounce: boolean; bounced: boolean; body: Cell };

/** The result of a transaction. */
export type Ran = {
  exitCode: number | "skipped";
  /** Result code of the action phase. */
  actionCode: number | undefined;
  gasUsed: bigint;
  /** Mode of each action of the contract. */
  modes: { kind: OutAction["kind"]; mode: number }[];
  sent: Sent[];
};

type Options = {
  executor: Executor;
  address: Address;
  code: Cell;
  data: Cell;
  balance: bigint;
  special?: TickTock;
  /** Root of the configuration dictionary. */
  config: Cell;
};
type Incoming = {
  from: Address;
  value: bigint;
  body?: Cell;
  at: number;
  bounced?: boolean;
};

const randSeed = new Uint8Array(32).fill(9);

/** One contract without a chain around it: its transactions run one after another, its messages go nowhere. */
export class LoneContract {
  /** Tests may change it between transactions. */
  config: Cell;
  readonly address: Address;
  readonly #executor: Executor;
  #account: Cell;
  #lt = 1_000_000n;

  constructor({ executor, config, ...account }: Options) {
    this.config = config;
    this.address = account.address;
    this.#executor = executor;
    this.#account = activeAccount(account);
  }

  get #storage() {
    return decode(ShardAccount, this.#account).account.value!.storage;
  }

  get balance(): bigint {
    return this.#storage.balance.coins;
  }

  get code(): Cell {
    return this.#init.code!;
  }

  get data(): Cell {
    return this.#init.data!;
  }

  get #init(): StateInit {
    const { state } = this.#storage;
    if (state.kind !== "active") throw new Error(`the contract is ${state.kind}`);
    return state.init;
  }

  receive({ from, value, body, at, bounced = false }: Incoming): Ran {
    const info = {
      kind: "internal",
      ihrDisabled: true,
      bounce: !bounced,
      bounced,
      src: from,
      dest: this.address,
      value: onlyCoins(value),
      extraFlags: 0n,
      fwdFee: 0n,
      createdLt: this.#lt,
      createdAt: at,
    } as const;
    const message = encode(Message, composeMessage({ info, body }));
    return this.#keep(this.#executor.runTransaction({ ...this.#environment(at), message }));
  }

  tick(at: number): Ran {
    return this.#keep(this.#executor.runTickTock({ ...this.#environment(at), which: "tick" }));
  }

  tock(at: number): Ran {
    return this.#keep(this.#executor.runTickTock({ ...this.#environment(at), which: "tock" }));
  }

  get(method: string, at: number, stack: readonly StackValue[] = []) {
    return this.#executor.runMethod({
      ...{ config: this.config, now: at, randSeed, address: this.address, balance: this.balance },
      ...{ code: this.code, data: this.data, methodId: methodId(method), stack, gasLimit: 1_000_000_000 },
    });
  }

  #environment(now: number) {
    this.#lt += 1_000_000n;
    return { config: this.config, shardAccount: this.#account, now, lt: this.#lt, randSeed };
  }

  #keep(result: TransactionResult): Ran {
    if (result.outcome !== "done") throw new Error(`${result.outcome}: ${result.reason}`);
    this.#account = result.shardAccount;
    const { description, messages } = decode(Transaction, result.transaction);
    const { value: how } = description;
    if (how.kind !== "ord" && how.kind !== "tickTock") throw new Error(`the transaction is ${how.kind}`);
    const actions = result.actions === undefined ? [] : decodeOutList(result.actions);
    return {
      ...computed(how.computePh),
      actionCode: how.action?.value.resultCode,
      modes: actions.map((action) => ({ kind: action.kind, mode: "mode" in action ? action.mode : 0 })),
      sent: [...messages.value.outMsgs.values()].map(({ value }) => sentOf(value)),
    };
  }
}

function computed(phase: TrComputePhase): Pick<Ran, "exitCode" | "gasUsed"> {
  if (phase.kind === "skipped") return { exitCode: "skipped", gasUsed: 0n };
  return { exitCode: phase.exitCode, gasUsed: phase.gasUsed };
}

function sentOf({ info, body }: Message): Sent {
  if (info.kind !== "internal") throw new Error("the contract sent an external message");
  const { dest, value, bounce, bounced } = info;
  if (!(dest instanceof Address)) throw new Error("the message goes to an unusual address");
  return { to: dest.toRaw(), value: value.coins, bounce, bounced, body };
}
