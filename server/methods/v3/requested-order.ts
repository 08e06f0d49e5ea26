import type { Call } from "../../../shared/methods/define.js";
import type { RequestedMessage } from "../../../shared/schema/v3/emulate.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { CellError } from "../../../shared/ton/cells/cell-error.js";
import { readTgWallet } from "../../../shared/ton/contracts/tg-wallet.js";
import { recognizeWallet, type Wallet } from "../../../shared/ton/contracts/wallet.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { decode, TlbError } from "../../../shared/ton/tlb/codec.js";
import { StateInit } from "../../../shared/ton/tlb/state-init.js";
import type { Address } from "../../../shared/values/address.js";
import { tgWalletCodeHash } from "../../../shared/values/tg-wallet.js";
import { externalMessage } from "../../chain/external-message.js";
import {
  type OrderForm,
  orderForms,
  type Payment,
  signedOrder,
  unsignedOrder,
} from "../../contracts/wallet-order.js";
import { ServiceError } from "../../errors.js";
import { CellBudget } from "../input/cells.js";
import { undecodable } from "./emulation-errors.js";

type OrderDeps = { reader: Pick<ChainReader, "last" | "blockAt" | "account" | "header"> };

type Request = {
  from: Address;
  messages: readonly RequestedMessage[];
  /** Unix time; its magnitude determines the unit. */
  validUntil: bigint | undefined;
};

/** Wallets that TON Center knows but cannot compose orders for; error texts use their index. */
const unsupported = ["wallet v1 r1", "wallet v1 r2", "wallet v1 r3", "wallet v2 r1", "wallet v2 r2"];

const validForSeconds = 300;
const noSignature = new Uint8Array(64);
/** A request has 32 bits for its expiry. */
const latestTime = 2n ** 32n - 1n;

/** The external message of a wallet's order, without a valid signature. */
export async function composeOrder(
  { from, messages, validUntil }: Request,
  block: BlockIdExt,
  { reader }: OrderDeps,
  call: Call,
): Promise<Cell> {
  const { form, wallet } = walletOf(await reader.account(block, from, call));
  const payments = paymentsOf(messages);
  const { info } = await reader.header(block, call);
  // TON Center uses the given time for other wallets only.
  const isGiven = form !== "v3" && validUntil !== undefined;
  const expiry = isGiven ? secondsOf(validUntil) : BigInt(info.genUtime + validForSeconds);
  const order = {
    seqno: wallet.seqno,
    validUntil: Number(expiry < latestTime ? expiry : latestTime),
    payments,
  };
  const unsigned = unsignedOrder(form, wallet.walletId!, order);
  return externalMessage(from, signedOrder(form, unsigned, noSignature), undefined);
}

function walletOf({ code, data }: AccountSnapshot): { form: OrderForm; wallet: Wallet } {
  if (!code || !data) throw new ServiceError("liteserver-error", "Account state no code or no data");
  const wallet = recognizeWallet(code, data) ?? tgWalletOf(code, data);
  const form = wallet && orderForms[wallet.type];
  if (wallet && form) return { form, wallet };
  const number = wallet ? unsupported.indexOf(wallet.type) : -1;
  throw new ServiceError(
    "liteserver-error",
    number < 0 ? "Account is not a known wallet" : `Unsupported wallet type: ${number}`,
  );
}

/** Telegram's wallet, which TON Center does not count among wallets. */
function tgWalletOf(code: Cell, data: Cell): Wallet | undefined {
  const read = code.hashHex() === tgWalletCodeHash ? readTgWallet(data) : undefined;
  return read && { type: "tg wallet", seqno: read.seqno, walletId: read.walletId };
}

/** All bags of cells in a request share one limit. */
function paymentsOf(messages: readonly RequestedMessage[]): Payment[] {
  const budget = new CellBudget();
  const parse = (boc: Uint8Array | undefined, what: string) => {
    if (boc === undefined) return undefined;
    const cell = budget.parse(boc);
    if (!cell) throw unusable(`Failed to deserialize ${what} cell`);
    return cell;
  };
  return messages.map(({ address, bounce, amount, payload, stateInit }) => {
    const init = parse(stateInit, "state init");
    return {
      to: address,
      value: amount,
      bounce,
      body: parse(payload, "payload"),
      init: init && initOf(init),
    };
  });
}

function initOf(cell: Cell): StateInit {
  try {
    return decode(StateInit, cell);
  } catch (error) {
    if (error instanceof TlbError || error instanceof CellError)
      throw unusable("Failed to deserialize state init cell");
    throw error;
  }
}

function unusable(text: string): ServiceError {
  return undecodable(`Failed to compose external message: ${text}`);
}

/** Converts a time in nano-, micro- or milliseconds, or in seconds. */
function secondsOf(time: bigint): bigint {
  const unit =
    time >= 10n ** 18n ? 10n ** 9n : time >= 10n ** 15n ? 10n ** 6n : time >= 10n ** 12n ? 1000n : 1n;
  return time / unit;
}
