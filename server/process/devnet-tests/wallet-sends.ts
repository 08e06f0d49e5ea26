import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { StateInit } from "../../../shared/ton/tlb/state-init.js";
import { Address } from "../../../shared/values/address.js";
import { bytesOfBase64, bytesToBase64 } from "../../../shared/values/bytes.js";
import { OrderNumbers } from "../../../shared/values/order-numbers.js";
import type { Payment } from "../../contracts/wallet-order.js";
import { devnetWallets } from "../../devnet/wallets/devnet-wallets.js";
import type { Wallet } from "../../devnet/wallets/wallet.js";
import { AnsweredError, type Call } from "./service-call.js";
import { DevnetSendError } from "./trace.js";

/** A message to send from an account. Cells are bags of cells in base64, addresses raw. */
export type SentOrder = {
  from: string;
  to: string;
  value: bigint;
  body?: string | undefined;
  init?: string | undefined;
  bounce?: boolean | undefined;
  sendMode?: number | undefined;
};

const validSec = 3600;
/** Flags of send modes with which a message has the value that is given. */
const payFeesApart = 1;
const ignoreErrors = 2;

/** Sends from the wallets of a devnet, which it signs for, and in the name of all other accounts. */
export class WalletSends {
  readonly #call: Call;
  readonly #seed: string;
  #wallets: Promise<ReadonlyMap<string, NumberedWallet>> | undefined;

  constructor(call: Call, seed: string) {
    this.#call = call;
    this.#seed = seed;
  }

  /** Returns the hash of the message. Rejects with a `DevnetSendError` if the wallet refuses it. */
  async send(order: SentOrder): Promise<string> {
    this.#wallets ??= this.#derive();
    const sender = (await this.#wallets).get(order.from);
    return sender ? this.#sendFrom(sender, order) : this.#impersonate(order);
  }

  /** Sends a message from outside; returns its hash. Rejects with a `DevnetSendError` if it is refused. */
  async sendBoc(boc: string): Promise<string> {
    try {
      return (await this.#call<{ hash: string }>("sendBocReturnHash", { boc })).hash;
    } catch (error) {
      throw error instanceof AnsweredError ? refusal(error) : error;
    }
  }

  async #sendFrom({ wallet, numbers }: NumberedWallet, order: SentOrder): Promise<string> {
    const payments = [paymentOf(order)];
    const { sendMode } = order;
    const { now } = await this.#call<{ now: number }>("devnet.info", {});
    return numbers.send(
      (seqno) => {
        const message = wallet.order({ seqno, validUntil: now + validSec, payments, sendMode });
        return this.sendBoc(bytesToBase64(serializeBoc(message)));
      },
      (error) => error instanceof DevnetSendError && error.exitName === "wrong-seqno",
    );
  }

  async #impersonate({ from, to, value, body, init, bounce, sendMode = 0 }: SentOrder): Promise<string> {
    if (sendMode > payFeesApart + ignoreErrors)
      throw new TypeError(
        `${from} is no wallet of the devnet, so its messages have the value that is given, not that of send mode ${sendMode}`,
      );
    const message = { from, to, value: String(value), body, state_init: init, bounce, status: true };
    const sent = await this.#call<{ tx_hash: string }>("devnet.impersonate", message);
    return sent.tx_hash;
  }

  async #derive(): Promise<ReadonlyMap<string, NumberedWallet>> {
    const { faucet, prefunded } = await devnetWallets(this.#seed);
    const numbered = [faucet, ...prefunded].map(({ wallet }) => {
      const address = wallet.address.toRawUpper();
      return [address, { wallet, numbers: new OrderNumbers(() => this.#seqnoOf(address)) }] as const;
    });
    return new Map(numbered);
  }

  async #seqnoOf(address: string): Promise<number> {
    const run = { address, method: "seqno", stack: [] };
    const { stack } = await this.#call<{ stack: [string, string][] }>("runGetMethod", run);
    const [item] = stack;
    if (!item) throw new Error(`the wallet ${address} has no seqno any more`);
    return Number(item[1]);
  }
}

type NumberedWallet = { readonly wallet: Wallet; readonly numbers: OrderNumbers };

function paymentOf({ to, value, body, init, bounce }: SentOrder): Payment {
  const address = Address.read(to);
  if (!address) throw new TypeError(`${to} is not an address`);
  const cell = (boc: string) => parseBocRoot(bytesOfBase64(boc));
  return {
    ...{ to: address.address, value, bounce },
    body: body === undefined ? undefined : cell(body),
    init: init === undefined ? undefined : decode(StateInit, cell(init)),
  };
}

function refusal({ message, data }: AnsweredError): DevnetSendError {
  const { exit_code: exitCode, exit_name: exitName, hint } = data;
  return new DevnetSendError(typeof hint === "string" ? `${message}\n${hint}` : message, {
    trace: undefined,
    exitCode: typeof exitCode === "number" ? exitCode : null,
    exitName: typeof exitName === "string" ? exitName : null,
  });
}
