// Signatures for pages, other than those of orders: proofs that the wallet has the key of its address, and signed data.
import { type Address, beginCell, type Cell } from "@ton/core";
import { type KeyPair, sha256_sync, sign } from "@ton/crypto";
import { crc32 } from "./crc32.js";

/** The signing wallet, the site it signs for, and the time in Unix seconds. */
export type Signing = { readonly address: Address; readonly domain: string; readonly timestamp: number };

/** Data that a page wants to have signed. */
export type SignedData =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "binary"; readonly bytes: Uint8Array }
  | { readonly type: "cell"; readonly schema: string; readonly cell: Cell };

const utf8 = (text: string) => Buffer.from(text, "utf8");

/** The signature of `ton_proof`. */
export function proofSignature(
  { secretKey }: KeyPair,
  { address, domain, timestamp }: Signing,
  payload: string,
): Buffer {
  const message = Buffer.concat([
    utf8("ton-proof-item-v2/"),
    addressBytes(address),
    little(4, utf8(domain).length),
    utf8(domain),
    little(8, timestamp),
    utf8(payload),
  ]);
  const signed = Buffer.concat([Buffer.of(0xff, 0xff), utf8("ton-connect"), sha256_sync(message)]);
  return sign(sha256_sync(signed), secretKey);
}

/** The signature of the method `signData`. Its numbers are big-endian, those of `ton_proof` little-endian. */
export function dataSignature({ secretKey }: KeyPair, signing: Signing, data: SignedData): Buffer {
  const hash =
    data.type === "cell" ? cellMessage(signing, data).hash() : sha256_sync(bytesMessage(signing, data));
  return sign(hash, secretKey);
}

function bytesMessage(
  { address, domain, timestamp }: Signing,
  data: Exclude<SignedData, { readonly type: "cell" }>,
): Buffer {
  const payload = data.type === "text" ? utf8(data.text) : Buffer.from(data.bytes);
  return Buffer.concat([
    Buffer.of(0xff, 0xff),
    utf8("ton-connect/sign-data/"),
    addressBytes(address),
    big(4, utf8(domain).length),
    utf8(domain),
    big(8, timestamp),
    utf8(data.type === "text" ? "txt" : "bin"),
    big(4, payload.length),
    payload,
  ]);
}

/**
 * ```tlb
 * message#75569022 schema_hash:uint32 timestamp:uint64 userAddress:MsgAddress {n:#} appDomain:^(SnakeData ~n)
 *   payload:^Cell = Message;
 * ```
 */
function cellMessage(
  { address, domain, timestamp }: Signing,
  { schema, cell }: Extract<SignedData, { readonly type: "cell" }>,
): Cell {
  // As in TEP-81: labels from the last one on, each with a zero byte behind it.
  const labels = domain.split(".").reverse();
  return beginCell()
    .storeUint(0x75569022, 32)
    .storeUint(crc32(utf8(schema)), 32)
    .storeUint(timestamp, 64)
    .storeAddress(address)
    .storeStringRefTail(labels.map((label) => `${label}\0`).join(""))
    .storeRef(cell)
    .endCell();
}

function addressBytes({ workChain, hash }: Address): Buffer {
  return Buffer.concat([big(4, workChain >>> 0), hash]);
}

function big(size: number, value: number): Buffer {
  return beginCell()
    .storeUint(value, 8 * size)
    .endCell()
    .beginParse()
    .loadBuffer(size);
}

function little(size: number, value: number): Buffer {
  return big(size, value).reverse();
}
