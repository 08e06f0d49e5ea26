import { afterAll, beforeAll } from "vitest";
import type { Executor } from "../../../server/chain/executor/executor.js";
import type { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import type { Delivery } from "../../../server/devnet/collate/block/draft.js";
import { ChainSide } from "../../../server/devnet/collate/chain-side.js";
import { runEnvironment } from "../../../server/devnet/collate/step.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { GetMethods } from "../../../shared/ton/contracts/get-method.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { Message } from "../../../shared/ton/tlb/message.js";
import type { StateInit } from "../../../shared/ton/tlb/state-init.js";
import { methodId } from "../../../shared/ton/tvm/method-id.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import { Address } from "../../../shared/values/address.js";
import { openTestChain, ton } from "../chain/devnet.js";
import { sharedExecutor } from "../chain/shared-executor.js";

/** A transaction that a message caused. */
type Delivered = {
  to: Address;
  value: bigint;
  /** The first 32 bits of the body. */
  op: number | undefined;
  bounced: boolean;
  /** Exit code of the compute phase; "skipped" without one. */
  exitCode: number | "skipped";
  /** Result code of the action phase. */
  actionCode: number | undefined;
};

/** Exit code of a get-method for an account without code. */
const nothingToRun = -13;

type Request = { from: Address; to: Address; value?: bigint; body?: Cell; init?: StateInit; at?: number };

/** An account without a wallet, in whose name a test sends. */
export const testAccount = (byte: number) => new Address(0, new Uint8Array(32).fill(byte));

/** Money that gets there, in nanotons. Returned money does not count. */
export function paidTo(address: Address, delivered: readonly Delivered[]): bigint {
  const arrived = delivered.filter(({ to, bounced }) => !bounced && to.equals(address));
  return arrived.reduce((sum, { value }) => sum + value, 0n);
}

/** A devnet on which a test sends messages in the name of any account. Its methods exist once the suite's hooks have run. */
export class ContractChain implements GetMethods {
  /** As indexers read contracts. */
  readonly strict = true;
  #chain: DevnetChain | undefined;
  #executor: Executor | undefined;

  constructor() {
    beforeAll(async () => {
      this.#executor = await sharedExecutor();
      this.#chain = await openTestChain();
    });
    afterAll(() => this.#chain?.close());
  }

  /** Sends a message of 1 TON by default, and makes blocks until all messages that follow from it are delivered. */
  async send({ value = ton, at, ...request }: Request): Promise<Delivered[]> {
    const chain = this.#chain!;
    const utime = at ?? chain.lastUtime + 1;
    const made = [await chain.step({ utime, injected: [{ ...request, value, bounce: true }] })];
    while (chain.hasWork) made.push(await chain.step({ utime }));
    return made.flatMap(({ deliveries }) => deliveries.map(deliveredOf));
  }

  /** Exit code of the transaction that receives the message. */
  async exitCode(request: Request): Promise<Delivered["exitCode"]> {
    const [first] = await this.send(request);
    return first!.exitCode;
  }

  /** Unix time of the newest block. */
  get now(): number {
    return this.#chain!.lastUtime;
  }

  balance({ workchain, hash }: Address): bigint {
    return this.#chain!.account(workchain, hash)?.account.value?.storage.balance.coins ?? 0n;
  }

  async run(address: Address, method: string, stack: readonly StackValue[] = []) {
    const { tip } = this.#chain!;
    const state = this.#chain!.account(address.workchain, address.hash)?.account.value?.storage.state;
    if (state?.kind !== "active") return { exitCode: nothingToRun, gasUsed: 0, stack: [] };
    const { code, data } = state.init;
    const own = { utime: this.now, randSeed: new Uint8Array(32) };
    return this.#executor!.runMethod({
      ...runEnvironment(new ChainSide(tip.masterchain), own),
      ...{ code: code!, data: data!, address, methodId: methodId(method), stack },
      balance: this.balance(address),
    });
  }
}

function deliveredOf({ message, destination, transaction }: Delivery): Delivered {
  const { info, body } = decode(Message, message);
  if (info.kind !== "internal") throw new Error("the test sends internal messages only");
  const slice = body.parse();
  const description = transaction.value.description.value;
  if (description.kind !== "ord") throw new Error(`the transaction is ${description.kind}`);
  const { computePh, action } = description;
  return {
    to: destination,
    value: info.value.coins,
    op: slice.remainingBits < 32 ? undefined : slice.loadUint(32),
    bounced: info.bounced,
    exitCode: computePh.kind === "vm" ? computePh.exitCode : "skipped",
    actionCode: action?.value.resultCode,
  };
}
