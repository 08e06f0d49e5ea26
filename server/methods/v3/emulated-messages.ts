import type { Call } from "../../../shared/methods/define.js";
import type { Overrides } from "../../../shared/schema/overrides.js";
import type { bundle, RequestedOrder } from "../../../shared/schema/v3/emulate-bundle.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { ChainReads, SupposedChain } from "../../chain/run/supposed-chain.js";
import { ServiceError } from "../../errors.js";
import { cellOfBoc } from "../input/cells.js";
import { chainWith } from "../input/overrides.js";
import { withErrorContext } from "../v2/lite-errors.js";
import { checkReceiver, undecodable } from "./emulation-errors.js";
import { composeOrder } from "./requested-order.js";

export type MessageReads = {
  reader: ChainReads;
  /** Without it there are no address book and metadata. */
  hasIndex: boolean;
};

type Bundled = ReturnType<(typeof bundle)["parse"]>[number];

/** What a message is emulated on, as callers ask for it. */
type AskedState = {
  mc_block_seqno?: number | undefined;
  bundle?: readonly Bundled[] | undefined;
  overrides?: Overrides | undefined;
  include_address_book?: boolean;
  include_metadata?: boolean;
};

/** The block that a call begins with, and the chain after the earlier messages; absent for a message alone. */
type Place = { block: BlockIdExt; chain: SupposedChain | undefined };

export function messageIn(boc: Uint8Array): Cell {
  const message = cellOfBoc(boc);
  if (!message) throw undecodable("Can't deserialize message boc: it is no bag of one root cell");
  checkReceiver(message);
  return message;
}

export function orderAt(
  { from, messages, valid_until: validUntil }: RequestedOrder,
  { block, chain }: Place,
  asked: AskedState,
  { reader }: MessageReads,
  call: Call,
): Promise<Cell> {
  const order = composeOrder({ from, messages, validUntil }, block, { reader: chain ?? reader }, call);
  return inBlock(asked, order);
}

export async function placeOf(asked: AskedState, deps: MessageReads, call: Call): Promise<Place> {
  const { bundle = [], overrides } = asked;
  const chain = bundle.length > 0 || overrides ? chainWith(overrides, deps.reader) : undefined;
  return { block: await blockOf(asked, deps, call), chain };
}

/** A further message of a bundle, and whether its signature counts. */
export async function bundledMessage(
  bundled: Bundled,
  place: Place,
  asked: AskedState,
  deps: MessageReads,
  call: Call,
): Promise<{ message: Cell; ignoreSignatures: boolean }> {
  return "boc" in bundled
    ? { message: messageIn(bundled.boc), ignoreSignatures: bundled.ignore_chksig }
    : { message: await orderAt(bundled, place, asked, deps, call), ignoreSignatures: true };
}

async function blockOf(
  { mc_block_seqno: seqno, include_address_book, include_metadata }: AskedState,
  { reader, hasIndex }: MessageReads,
  call: Call,
): Promise<BlockIdExt> {
  if (!hasIndex && (include_address_book || include_metadata)) {
    const text = "invalid request: address book and metadata are not available";
    throw new ServiceError("invalid-params", text, { status: 400 });
  }
  if (seqno === undefined) return reader.last;
  if (seqno > reader.last.seqno) throw new ServiceError("liteserver-error", "mc block seqno is too new");
  if (seqno === 0)
    throw new ServiceError("liteserver-error", "failed to fetch mc block 0: it is the zero state");
  return inBlock({ mc_block_seqno: seqno }, reader.blockAt(seqno, call));
}

/** States of old blocks may be unavailable. */
export function inBlock<T>(
  { mc_block_seqno: seqno }: Pick<AskedState, "mc_block_seqno">,
  step: Promise<T>,
): Promise<T> {
  return withErrorContext(seqno === undefined ? "" : `failed to fetch mc block ${seqno}: `, step);
}
