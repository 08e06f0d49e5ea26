import { expect } from "vitest";
import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Address } from "../../../shared/values/address.js";
import { base64ToBytes } from "../../../shared/values/bytes.js";
import { codeOf, place } from "../../helpers/contracts/contracts.js";
import { until } from "../../helpers/until.js";

/** The address of a service, in this process or another. */
export type Reached = { url: string; key: string | null };

/** Contracts that accept every message; many, as pending messages per contract are limited. */
const takers = Array.from(
  { length: 16 },
  (_, index) => new Address(0, new Uint8Array(32).fill(0x70 + index)),
);
/** SETCP0 ACCEPT */
const code = codeOf("FF00F800");
const senders = 4;
/** Messages accepted beyond those a test waits for, before it kills; a devnet drops messages pending for a minute. */
const ahead = 100;
const waitTimeoutMs = 120_000;

/** Deploys the receiving contracts on a devnet. */
export async function placeTakers(devnet: Reached): Promise<void> {
  const run = <T>(method: string, params: object = {}) => call<T>(devnet, method, params);
  for (const taker of takers)
    await place({ run }, { address: taker.toRaw(), code, balance: "1000000000000000" });
}

/** A few senders that send each message once, one after the other, to a service that may be killed at any time. */
export class MessageLoad {
  readonly answered: number[] = [];
  /** Rejections by status and text. */
  readonly refused = new Map<string, number>();
  /** Number of broken connections. */
  broken = 0;
  readonly #to: () => Promise<Reached>;
  /** Not 0, which marks a text comment. */
  #next = 1;
  #stopped = false;
  #allowed = ahead;
  #wake = () => {};
  #waiting: Promise<void> | undefined;
  readonly #ended: Promise<unknown>;

  /** `to` resolves once a service is available. */
  constructor(to: () => Promise<Reached>) {
    this.#to = to;
    this.#ended = Promise.all(Array.from({ length: senders }, () => this.#send()));
  }

  /** Resolves when this many more messages are accepted. */
  async more(count: number): Promise<void> {
    const goal = this.answered.length + count;
    this.#allow(goal + ahead);
    const seen = () =>
      `${goal} answers; there are ${this.answered.length}, and ${JSON.stringify([...this.refused])}`;
    await until(seen, () => this.answered.length >= goal, waitTimeoutMs);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#allow(0);
    await this.#ended;
  }

  #allow(answers: number): void {
    this.#allowed = answers;
    this.#wake();
    this.#waiting = undefined;
  }

  #allowance(): Promise<void> {
    this.#waiting ??= new Promise((resolve) => {
      this.#wake = resolve;
    });
    return this.#waiting;
  }

  async #send(): Promise<void> {
    while (!this.#stopped) {
      if (this.answered.length >= this.#allowed) {
        await this.#allowance();
        continue;
      }
      const { url, key } = await this.#to();
      const message = this.#next++;
      const refusal = await send(url, key, message);
      if (refusal === "") this.answered.push(message);
      else if (refusal === undefined) this.broken++;
      else this.refused.set(refusal, (this.refused.get(refusal) ?? 0) + 1);
    }
  }
}

/** Sends a message. Returns "" if it is accepted, else the rejection; undefined if the connection breaks. */
async function send(url: string, key: string | null, message: number): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/api/v2/sendBoc`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...(key !== null && { "X-API-Key": key }) },
      body: JSON.stringify({ boc: bocOf(message) }),
    });
    const { error } = (await response.json()) as { error?: string };
    return response.ok ? "" : `${response.status} ${error}`;
  } catch {
    return undefined;
  }
}

// ext_in_msg_info$10 src:addr_none dest import_fee, no state, the number inline.
function bocOf(message: number): string {
  const taker = takers[message % takers.length];
  const info = beginCell().storeUint(0b10, 2).storeUint(0, 2).storeAddress(taker).storeCoins(0n);
  const cell = info.storeBit(false).storeBit(false).storeUint(message, 32).endCell();
  return Buffer.from(serializeBoc(cell)).toString("base64");
}

type Transaction = {
  transaction_id: { lt: string; hash: string };
  in_msg: { msg_data: { body: string } };
};

/** Asserts that all accepted messages are on the chain, each once. */
export async function expectTaken(devnet: Reached, answered: readonly number[]): Promise<void> {
  const missing = async () => {
    const taken = new Set(await messagesTaken(devnet));
    return answered.filter((message) => !taken.has(message));
  };
  await until(
    "every message answered to be in a block",
    async () => (await missing()).length === 0,
    waitTimeoutMs,
  );
  const taken = await messagesTaken(devnet);
  expect(taken).toHaveLength(new Set(taken).size);
}

async function messagesTaken(devnet: Reached): Promise<number[]> {
  const taken = await Promise.all(takers.map((taker) => messagesTakenBy(taker, devnet)));
  return taken.flat();
}

async function messagesTakenBy(taker: Address, devnet: Reached): Promise<number[]> {
  const taken: number[] = [];
  let from: { lt?: string; hash?: string } = {};
  for (;;) {
    const page = await call<Transaction[]>(devnet, "getTransactions", {
      address: taker.toRaw(),
      limit: 100,
      ...from,
    });
    const fresh = from.lt === undefined ? page : page.slice(1);
    if (fresh.length === 0) return taken;
    taken.push(...fresh.map(({ in_msg: { msg_data } }) => numberIn(msg_data.body)));
    from = fresh.at(-1)!.transaction_id;
  }
}

function numberIn(body: string): number {
  return parseBocRoot(base64ToBytes(body)!).parse().loadUint(32);
}

async function call<T>({ url, key }: Reached, method: string, params: object): Promise<T> {
  const response = await fetch(`${url}/jsonRPC`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(key !== null && { "X-API-Key": key }) },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
  if (error) throw new Error(`${method} is refused: ${error.message}`);
  return result;
}
