import { beginCell, external, internal, SendMode, storeMessage } from "@ton/core";
import { keyPairFromSeed } from "@ton/crypto";
import { WalletContractV4 } from "@ton/ton";
import type { Contender, Row } from "../harness.js";
import type { Pair } from "./pair.js";
import { callV2 } from "./requests.js";
import type { Server } from "./server.js";

/** A devnet that makes blocks on request. */
export type Devnet = {
  server: Server;
  fund(address: string, nanotons: number): Promise<unknown>;
  mine(): Promise<unknown>;
};

const senders = 100;
const inFlight = 8;
/** Each pays another one; the messages of a devnet are made in advance. */
const wallets = Array.from({ length: senders }, (_, number) => {
  const keys = keyPairFromSeed(Buffer.alloc(32, number + 1));
  return { keys, contract: WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }) };
});

/** The first of the wallets that `fundWallets` fills and `transfersRow` deploys. */
export const wallet = wallets[0]!.contract.address.toRawString();

export async function fundWallets(devnet: Devnet): Promise<void> {
  for (const { contract } of wallets) await devnet.fund(contract.address.toRawString(), 100_000_000_000);
  await devnet.mine();
}

/** Transfers between wallets until all their effects are done, blocks and index included. */
export function transfersRow(pair: Pair, devnets: Record<"ours" | "theirs", Devnet>): Row {
  return {
    title: `${pair.name}: wallet transfers`,
    ours: new Transfers(devnets.ours, pair.clock("ours")).contender,
    baseline: new Transfers(devnets.theirs, pair.clock("theirs")).contender,
  };
}

class Transfers {
  readonly #devnet: Devnet;
  readonly #clock: () => number;
  #seqno = 0;

  constructor(devnet: Devnet, clock: () => number) {
    this.#devnet = devnet;
    this.#clock = clock;
  }

  readonly contender: Contender = async () => {
    const { server } = this.#devnet;
    const messages = await Promise.all(wallets.map((_, number) => this.#message(number)));
    this.#seqno++;
    await server.rests();
    const before = this.#clock();
    const send = async () => {
      for (let boc = messages.pop(); boc !== undefined; boc = messages.pop())
        await callV2(server, "sendBoc", { boc });
    };
    await Promise.all(Array.from({ length: inFlight }, send));
    while (!(await this.#areDone())) await this.#devnet.mine();
    await server.rests();
    return { units: senders, micros: this.#clock() - before };
  };

  async #message(number: number): Promise<string> {
    const { keys, contract } = wallets[number]!;
    const to = wallets[(7 * number + 1) % senders]!.contract.address;
    const body = await contract.createTransfer({
      seqno: this.#seqno,
      secretKey: keys.secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
      timeout: 2 ** 31 - 1,
      messages: [internal({ to, value: 1_000_000n, bounce: false })],
    });
    const init = this.#seqno === 0 ? contract.init : undefined;
    const message = external({ to: contract.address, init, body });
    return beginCell().store(storeMessage(message)).endCell().toBoc().toString("base64");
  }

  /** Whether the message that was sent last has had its transaction. */
  async #areDone(): Promise<boolean> {
    const run = await callV2(this.#devnet.server, "runGetMethod", {
      address: wallet,
      method: "seqno",
      stack: [],
    });
    const { exit_code: exitCode, stack } = run as { exit_code: number; stack: [string, string][] };
    return exitCode === 0 && Number(stack[0]![1]) === this.#seqno;
  }
}
