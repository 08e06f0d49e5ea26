import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { isMerkle } from "../../../shared/ton/cells/exotic.js";
import { Account, type ExistingAccount } from "../../../shared/ton/tlb/account.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { MessageRelaxed } from "../../../shared/ton/tlb/message.js";
import { accountOf } from "../../../shared/ton/tlb/msg-address.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { StateInit } from "../../../shared/ton/tlb/state-init.js";
import { Address } from "../../../shared/values/address.js";
import type { Payment } from "../../contracts/wallet-order.js";
import { DevnetError } from "../devnet-error.js";

/**
 * The limits of transactions for data, messages and code: `max_vm_data_depth` of ConfigParam 43, and the node's
 * limit of nested Merkle cells. Blocks and states add levels above these cells: a tree has at most 1024 levels, and a state
 * update has at most three nested Merkle cells.
 */
const limits = { depth: 512, merkleCells: 2 } as const;

/**
 * Parses a bag of cells from a caller. Throws `DevnetError` for cells that no account or message of the chain can
 * contain.
 */
export function cellOf(name: string, boc: Uint8Array): Cell {
  const cell = rootOf(name, boc);
  if (cell.depth() > limits.depth)
    throw new DevnetError("invalid", `${name} is too deep: at most ${limits.depth} levels of cells`);
  if (merkleCellsOf(cell, new Map()) > limits.merkleCells)
    throw new DevnetError("invalid", `${name} nests too many Merkle cells: at most ${limits.merkleCells}`);
  return cell;
}

/** As `cellOf`, for the body of a message: contracts cannot send an exotic one. */
export function bodyOf(name: string, boc: Uint8Array): Cell {
  const cell = cellOf(name, boc);
  if (cell.exotic) throw new DevnetError("invalid", `${name} is not an ordinary cell`);
  return cell;
}

/** As `cellOf`, for a StateInit. */
export function initOf(name: string, boc: Uint8Array): StateInit {
  const cell = cellOf(name, boc);
  const init = ifReadable(() => decode(StateInit, cell));
  if (init) return init;
  throw new DevnetError("invalid", `${name} is not a StateInit`);
}

/** As `cellOf`, for an internal message that its sender fills in. */
export function internalIn(name: string, boc: Uint8Array): Omit<Payment, "value"> {
  const cell = cellOf(name, boc);
  const message = ifReadable(() => decode(MessageRelaxed, cell));
  if (message?.info.kind !== "internal" || message.body.exotic)
    throw new DevnetError("invalid", `${name} is not an internal message`);
  const { dest, bounce } = message.info;
  const to = accountOf(dest);
  if (!to) throw new DevnetError("invalid", `${name} is not for an account`);
  return { to, bounce, body: message.body, init: message.init?.value };
}

/** The account in a bag of cells of the TL-B form `Account`; it must have this address. */
export function accountIn(boc: Uint8Array, address: Address): ExistingAccount {
  const account = decodedAccount(cellOf("account", boc));
  if (!account) throw new DevnetError("invalid", "account is empty");
  if (!(account.addr instanceof Address && account.addr.equals(address)))
    throw new DevnetError("invalid", `account is not that of ${address}`);
  const { balance, state } = account.storage;
  if (balance.extra.root !== undefined) throw new DevnetError("invalid", "account has extra currencies");
  if (state.kind === "active" && state.init.library.root !== undefined)
    throw new DevnetError("invalid", "account has libraries");
  return account;
}

function decodedAccount(cell: Cell): Account {
  const account = ifReadable(() => ({ decoded: decode(Account, cell) }));
  if (account) return account.decoded;
  throw new DevnetError("invalid", "account is not an Account");
}

function rootOf(name: string, boc: Uint8Array): Cell {
  const cell = ifReadable(() => parseBocRoot(boc));
  if (cell?.levelMask === 0) return cell;
  throw new DevnetError("invalid", `${name} is not a bag of one cell`);
}

/** The largest number of Merkle cells on a path. `known` caches results by hash, because cells can be shared. */
function merkleCellsOf(cell: Cell, known: Map<string, number>): number {
  const hash = cell.hashHex();
  const found = known.get(hash);
  if (found !== undefined) return found;
  const below = Math.max(0, ...cell.refs.map((ref) => merkleCellsOf(ref, known)));
  const count = below + (isMerkle(cell.type) ? 1 : 0);
  known.set(hash, count);
  return count;
}
