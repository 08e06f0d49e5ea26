import type { Cell } from "../../shared/ton/cells/cell.js";
import type { Slice } from "../../shared/ton/cells/slice.js";
import { readTgWallet } from "../../shared/ton/contracts/tg-wallet.js";
import { ifReadable } from "../../shared/ton/tlb/readable.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import { interfacesOf } from "./interfaces.js";
import { signedRequest } from "./wallet-order.js";

/** The request in an external message to a wallet. */
export type WalletRequest = {
  /** Seqno that the wallet must have; absent for wallets that distinguish requests in another way. */
  readonly seqno?: number;
  /** The wallet refuses the request from this unix time on. */
  readonly validUntil?: number;
  /** The wallet refuses the request before this unix time. */
  readonly createdAt?: number;
};

/** The interface of a wallet whose requests can be read, by the hash of its code in base64; `undefined` for other codes. */
export function readableWallet(codeHash: string): string | undefined {
  return interfacesOf(codeHash, null).find((name) => layoutOf(name) !== undefined);
}

/** Reads the body of an external message to a wallet; `undefined` if it is no request to one of this interface. */
export function readWalletRequest(walletInterface: string, body: Cell): WalletRequest | undefined {
  const read = layoutOf(walletInterface)?.request;
  return read && ifReadable(() => read(body.parse()));
}

/** The seqno in the data of a wallet; `undefined` if wallets of this interface have none, or the data is malformed. */
export function nextSeqno(walletInterface: string, data: Cell): number | undefined {
  const read = layoutOf(walletInterface)?.seqno;
  return read && ifReadable(() => read(data));
}

/** What tells why a wallet refuses an order: seqnos, and the times of one that has expired. */
type OrderFacts = {
  readonly seqno?: number;
  readonly next_seqno?: number;
  readonly valid_until?: number;
  readonly chain_time?: number;
};

/** Compares an order with the wallet that receives it, at a time of the chain; nothing if it cannot be read. */
export function orderFacts(
  { code, data }: { readonly code?: Cell | undefined; readonly data?: Cell | undefined },
  body: Cell,
  now: number,
): OrderFacts {
  const wallet = code && readableWallet(bytesToBase64(code.hash()));
  const order = wallet === undefined ? undefined : readWalletRequest(wallet, body);
  if (wallet === undefined || !order) return {};
  const { seqno, validUntil } = order;
  const next = data && nextSeqno(wallet, data);
  return {
    ...(seqno !== undefined && next !== undefined && { seqno, next_seqno: next }),
    ...(validUntil !== undefined && now >= validUntil && { valid_until: validUntil, chain_time: now }),
  };
}

type Layout = {
  readonly request: (body: Slice) => WalletRequest | undefined;
  readonly seqno?: (data: Cell) => number | undefined;
};

function layoutOf(walletInterface: string): Layout | undefined {
  return layouts.find(([prefix]) => walletInterface.startsWith(prefix))?.[1];
}

const signatureBits = 512;
const maxUtime = 2n ** 40n;
const afterSignature = (body: Slice) => body.skip(signatureBits);

/** The seqno is the first field. */
const seqnoFirst = (data: Cell) => data.parse().loadUint(32);
/** The flag that switches the key off comes first. In the beta it is the first bit of a seqno of 33 bits, which is never set. */
const seqnoAfterFlag = (data: Cell) => data.parse().skip(1).loadUint(32);

const withoutTime: Layout = {
  request: (body) => ({ seqno: afterSignature(body).loadUint(32) }),
  seqno: seqnoFirst,
};
const seqnoThenTime: Layout = {
  request: (body) => {
    const seqno = afterSignature(body).loadUint(32);
    return { seqno, validUntil: body.loadUint(32) };
  },
  seqno: seqnoFirst,
};
const idThenTime: Layout = {
  request: (body) => {
    const validUntil = afterSignature(body).skip(32).loadUint(32);
    return { validUntil, seqno: body.loadUint(32) };
  },
  seqno: seqnoFirst,
};
const opcodeThenId = (idBits: number): Layout => ({
  request: (body) => {
    if (body.loadUint(32) !== signedRequest) return undefined;
    const validUntil = body.skip(idBits).loadUint(32);
    return { validUntil, seqno: body.loadUint(32) };
  },
  seqno: seqnoAfterFlag,
});
/** `query_id` begins with the last second in which the request is valid. */
const timeInQueryId: Layout = {
  request: (body) => ({ validUntil: afterSignature(body).skip(32).loadUint(32) + 1 }),
};
/** `signature ^[subwallet_id:uint32 message_to_send:^Cell send_mode:uint8 query_id:uint23 created_at:uint64 timeout:uint22]` */
const createdWithTimeout: Layout = {
  request: (body) => {
    const inner = afterSignature(body).loadRef().parse();
    inner.loadRef();
    const createdAt = inner.skip(32 + 8 + 23).loadBigUint(64);
    if (createdAt > maxUtime) return undefined;
    return { createdAt: Number(createdAt), validUntil: Number(createdAt) + inner.loadUint(22) };
  },
};

/** `signature opcode:uint32 subwallet_id:uint32 valid_until:uint32 seqno:uint32` */
const opcodeBehindSignature: Layout = {
  request: (body) => {
    const validUntil = afterSignature(body).skip(64).loadUint(32);
    return { validUntil, seqno: body.loadUint(32) };
  },
  seqno: (data) => readTgWallet(data)?.seqno,
};

/** By prefix of the interface's name. */
const layouts: readonly (readonly [prefix: string, Layout])[] = [
  ["wallet_v1", withoutTime],
  ["wallet_v2", seqnoThenTime],
  ["wallet_v3", idThenTime],
  ["wallet_v4", idThenTime],
  ["wallet_v5_beta", opcodeThenId(80)],
  ["wallet_v5", opcodeThenId(32)],
  ["highload_v1", idThenTime],
  ["highload_v2", timeInQueryId],
  ["highload_v3", createdWithTimeout],
  ["tg_wallet", opcodeBehindSignature],
];
