// biome-ignore lint/suspicious/noTsIgnore: whether it is unused depends on the project.
/** @ts-ignore Programs that do not send need not install it. */
import type { Address, Cell, SenderArguments, StateInit } from "@ton/core";
import type { DevnetWallet } from "./explained.js";
import type { DevnetTrace } from "./trace.js";
import type { SentOrder } from "./wallet-sends.js";

/** How a sender sends. All are optional. */
export type DevnetSenderOptions = {
  /**
   * The account: a wallet of the devnet, which signs, or the address of any other account, in whose name messages come into
   * a block. Default: the first wallet v5r1.
   */
  from?: DevnetWallet | Address | string | undefined;
  /** Whether sends whose transactions failed resolve. Default: false, they reject with a `DevnetSendError`. */
  allowFailure?: boolean | undefined;
  /** Most milliseconds until everything that follows from a message has happened. Default: 30,000. */
  timeoutMs?: number | undefined;
};

/** A `Sender` of @ton/core, whose sends give what they caused. */
export interface DevnetSender {
  readonly address: Address;
  /** Sends, and waits for all that follows. */
  send(message: SenderArguments): Promise<SenderTrace>;
}

// biome-ignore lint/suspicious/noConfusingVoidType: the `Sender` of @ton/core resolves with void.
type SenderTrace = DevnetTrace & void;

/** Resolves with the trace of a sent message, or rejects. */
type SendOrder = (order: SentOrder) => Promise<DevnetTrace>;

// Copies of a package have senders of their own.
const brand = Symbol.for("tonwire.DevnetSender");

/** Whether its sends give what they caused. */
export function isDevnetSender(sender: object): sender is DevnetSender {
  return brand in sender;
}

/** Makes a sender for an account, whose address is raw. */
export async function makeSender(from: string, sendOrder: SendOrder): Promise<DevnetSender> {
  const { Address, beginCell, storeStateInit } = await import("@ton/core");
  const address = Address.parse(from);
  const bag = (cell: Cell) => cell.toBoc().toString("base64");
  const initText = (init: StateInit) => bag(beginCell().store(storeStateInit(init)).endCell());
  const sender: DevnetSender = {
    address,
    async send({ to, value, sendMode, bounce, init, body, extracurrency }) {
      if (extracurrency && Object.keys(extracurrency).length > 0)
        throw new TypeError("a sender of the devnet sends no extra currencies");
      const trace = await sendOrder({
        from: rawText(address),
        to: rawText(to),
        value,
        body: body ? bag(body) : undefined,
        init: init ? initText(init) : undefined,
        bounce: bounce ?? undefined,
        sendMode: sendMode ?? undefined,
      });
      return trace as SenderTrace;
    },
  };
  return Object.defineProperty(sender, brand, { value: true });
}

/** As answers of the devnet have it. */
function rawText(address: Pick<Address, "workChain" | "hash">): string {
  return `${address.workChain}:${address.hash.toString("hex").toUpperCase()}`;
}
