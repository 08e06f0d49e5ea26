import { createHash } from "node:crypto";
import type { Executor } from "../../../server/chain/executor/executor.js";
import { newAccount } from "../../../server/devnet/genesis/genesis.js";
import type { GenesisAccount } from "../../../server/devnet/wallets/devnet-wallets.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { Account } from "../../../shared/ton/tlb/account.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { Message } from "../../../shared/ton/tlb/message.js";
import { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import { Transaction } from "../../../shared/ton/tlb/transaction.js";
import { methodId } from "../../../shared/ton/tvm/method-id.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import { Address } from "../../../shared/values/address.js";
import { noAccount, testConfig, testTime } from "../../helpers/chain/sample-chain.js";

/** Accounts and a message queue without blocks: delivers messages until none is left. */
export class SmallWorld {
  readonly transactions: { account: string; transaction: Transaction }[] = [];
  readonly #executor: Executor;
  readonly #accounts = new Map<string, Cell>();
  #lt = 1_000_000n;

  constructor(executor: Executor, accounts: readonly GenesisAccount[]) {
    this.#executor = executor;
    for (const row of accounts) {
      const account = CellOf.of(Account, newAccount(row, testTime));
      const cell = encode(ShardAccount, { account, lastTransHash: new Uint8Array(32), lastTransLt: 0n });
      this.#accounts.set(row.address.toRaw(), cell);
    }
  }

  /** Runs an external message and all messages that result from it. */
  send(external: Cell): void {
    const queue = [external];
    for (let message = queue.shift(); message; message = queue.shift()) queue.push(...this.#deliver(message));
  }

  account(address: Address): Account {
    return decode(ShardAccount, this.#accounts.get(address.toRaw()) ?? noAccount).account.value;
  }

  /** Raw addresses of all accounts with code. */
  get active(): string[] {
    const accounts = [...this.#accounts].map(([key, cell]) => ({ key, row: decode(ShardAccount, cell) }));
    return accounts
      .filter(({ row }) => row.account.value?.storage.state.kind === "active")
      .map(({ key }) => key);
  }

  /** Result of a get-method, which must succeed. */
  get(address: Address, method: string, ...stack: StackValue[]): StackValue[] {
    const state = this.account(address)?.storage.state;
    if (state?.kind !== "active") throw new Error(`${address} is not active`);
    const { code, data } = state.init;
    const subject = { code: code!, data: data!, address, methodId: methodId(method), stack, balance: 1n };
    const result = this.#executor.runMethod({ ...this.#environment(), ...subject });
    if (result.exitCode !== 0) throw new Error(`${method} of ${address} ends with ${result.exitCode}`);
    return result.stack;
  }

  #deliver(cell: Cell): Cell[] {
    const { info } = decode(Message, cell);
    if (info.kind === "externalOut") return [];
    if (!(info.dest instanceof Address)) throw new Error("not a standard address");
    const key = info.dest.toRaw();
    const result = this.#executor.runTransaction({
      ...this.#environment(),
      shardAccount: this.#accounts.get(key) ?? noAccount,
      message: cell,
      lt: this.#lt,
    });
    if (result.outcome !== "done") throw new Error(`${key}: ${result.reason} ${JSON.stringify(result)}`);
    this.#lt += 1_000_000n;
    this.#accounts.set(key, result.shardAccount);
    const transaction = decode(Transaction, result.transaction);
    this.transactions.push({ account: key, transaction });
    return [...transaction.messages.value.outMsgs.values()].map((message) => message.cell);
  }

  #environment() {
    const randSeed = createHash("sha256").update(this.#lt.toString()).digest();
    return { config: testConfig, now: testTime, randSeed: new Uint8Array(randSeed) };
  }
}

/** The address in a slice returned by a get-method. */
export function addressIn(value: StackValue | undefined): string | undefined {
  if (value?.type !== "slice" && value?.type !== "cell") throw new Error("not an address");
  return value.cell.parse().loadAddress()?.toRaw();
}
