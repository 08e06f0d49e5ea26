import { bytesToBase64 } from "../../values/bytes.js";
import type { Cell } from "../cells/cell.js";
import type { Slice } from "../cells/slice.js";
import { ifReadable } from "../tlb/readable.js";

/** A wallet with the values of its data cell. `type` is TON Center's name of the version, e.g. `wallet v4 r2`. */
export type Wallet = WalletData & { type: string };

type WalletData = { seqno: number; walletId?: number; isSignatureAllowed?: boolean };

/** Recognises a wallet by its code; `undefined` for other code and malformed data. */
export function recognizeWallet(code: Cell, data: Cell): Wallet | undefined {
  return readWallet(bytesToBase64(code.hash()), () => data);
}

/** Like `recognizeWallet`, by code hash (base64). `data` is called only for a known wallet's hash. */
export function readWallet(codeHash: string, data: () => Cell): Wallet | undefined {
  const known = wallets.get(codeHash);
  if (!known) return undefined;
  return ifReadable(() => ({ type: known.type, ...known.load(data().parse()) }));
}

/** Whether a code hash (base64) belongs to a known wallet. */
export function isWalletCode(codeHash: string): boolean {
  return wallets.has(codeHash);
}

/** `seqno:uint32 public_key:bits256 …` */
const withSeqno = (data: Slice): WalletData => ({ seqno: data.loadUint(32) });

/** `seqno:uint32 wallet_id:uint32 public_key:bits256 …` */
const withWalletId = (data: Slice): WalletData => ({
  seqno: data.loadUint(32),
  walletId: data.loadUint(32),
});

/**
 * `is_signature_allowed:Bool seqno:uint32 wallet_id:uint32 public_key:bits256 …`. The beta begins with a seqno of 33
 * bits and an id of 80; TON Center reads it by the released layout, and clients expect its values.
 */
const withSignatureFlag = (data: Slice): WalletData => ({
  isSignatureAllowed: data.loadBit(),
  seqno: data.loadUint(32),
  walletId: data.loadUint(32),
});

/** By code hash. */
const wallets: ReadonlyMap<string, { type: string; load: (data: Slice) => WalletData }> = new Map([
  ["oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=", { type: "wallet v1 r1", load: withSeqno }],
  ["1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw=", { type: "wallet v1 r2", load: withSeqno }],
  ["WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=", { type: "wallet v1 r3", load: withSeqno }],
  ["XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk=", { type: "wallet v2 r1", load: withSeqno }],
  ["/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E=", { type: "wallet v2 r2", load: withSeqno }],
  ["thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=", { type: "wallet v3 r1", load: withWalletId }],
  ["hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=", { type: "wallet v3 r2", load: withWalletId }],
  ["ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=", { type: "wallet v4 r1", load: withWalletId }],
  ["/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=", { type: "wallet v4 r2", load: withWalletId }],
  ["89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=", { type: "wallet v5 beta", load: withSignatureFlag }],
  ["IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=", { type: "wallet v5 r1", load: withSignatureFlag }],
]);
