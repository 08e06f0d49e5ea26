import { bytesToBase64 } from "../../values/bytes.js";
import type { Cell } from "../cells/cell.js";
import { intKey } from "../cells/dictionaries/dictionary.js";
import type { Slice } from "../cells/slice.js";
import { hashmapE } from "../tlb/dictionaries.js";
import { coins } from "../tlb/primitives.js";
import { ifReadable } from "../tlb/readable.js";
import { type PaymentChannel, readPaymentChannel } from "./payment-channel.js";

/**
 * A contract that tonlib recognises by its code; tonlib knows only some of the wallets. Code compiled with tonlib
 * itself has the revision -1.
 */
export type TonlibAccount = { revision: number } & (
  | { kind: "wallet.v3" | "wallet.v4" | "wallet.highload.v1"; seqno: number; walletId: number }
  | { kind: "wallet.highload.v2" | "dns"; walletId: number }
  | RestrictedWallet
  | { kind: "pchan"; channel: PaymentChannel }
);

/** A wallet that unlocks its balance over time; its get-method `balance` returns the amount that is unlocked. */
export type RestrictedWallet = {
  kind: "rwallet";
  seqno: number;
  walletId: number;
  /** Unix time the limits count from. */
  startAt: number;
  /** Nanotons locked until this number of seconds after `startAt`. */
  limits: { seconds: number; value: bigint }[];
};

/** `undefined` for unknown code and for malformed data. */
export function recognizeTonlibAccount(code: Cell, data: Cell): TonlibAccount | undefined {
  const known = contracts.get(bytesToBase64(code.hash()));
  if (!known) return undefined;
  return ifReadable(() => known(data));
}

type Load = (data: Cell) => TonlibAccount | undefined;

/** `seqno:uint32 wallet_id:uint32 …` */
function withSeqno(kind: "wallet.v3" | "wallet.v4" | "wallet.highload.v1", revision: number): Load {
  return (data) => {
    const slice = data.parse();
    return { kind, revision, seqno: slice.loadUint(32), walletId: slice.loadUint(32) };
  };
}

/** `wallet_id:uint32 …` */
function withoutSeqno(kind: "wallet.highload.v2" | "dns", revision: number): Load {
  return (data) => ({ kind, revision, walletId: data.parse().loadUint(32) });
}

const limitsType = hashmapE(intKey(32), coins);
/**
 * More limits than any such wallet has: anyone can deploy a dictionary that expands to billions by sharing branches.
 */
const maxLimits = 1000;

/** `seqno:uint32 wallet_id:uint32 public_key:bits256 start_at:uint32 limits:(HashmapE 32 Grams)` */
function restrictedWallet(revision: number): Load {
  return (data) => {
    const slice = data.parse();
    const [seqno, walletId] = [slice.loadUint(32), slice.loadUint(32)];
    const startAt = slice.skip(256).loadUint(32);
    const limits = limitsOf(slice);
    return limits && { kind: "rwallet", revision, seqno, walletId, startAt, limits };
  };
}

function limitsOf(data: Slice): RestrictedWallet["limits"] | undefined {
  const limits: RestrictedWallet["limits"] = [];
  for (const [seconds, value] of limitsType.load(data).entries()) {
    if (limits.length === maxLimits) return undefined;
    limits.push({ seconds, value });
  }
  return limits;
}

const paymentChannel: Load = (data) => ({
  kind: "pchan",
  revision: -1,
  channel: readPaymentChannel(data),
});

/** By code hash. */
const contracts: ReadonlyMap<string, Load> = new Map([
  ["thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=", withSeqno("wallet.v3", 1)],
  ["hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=", withSeqno("wallet.v3", 2)],
  ["/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=", withSeqno("wallet.v4", 2)],
  ["CrH/k6nnnA3v9EBdja1rWsn4wBsvHry0JZ/rnpg4AJk=", withSeqno("wallet.highload.v1", -1)],
  ["2M27t58sXKpnesRQdwvgNRviHhJQSG3oXMUqoz3RZIQ=", withSeqno("wallet.highload.v1", 1)],
  ["NowDly5fTCRBK4GGUt4d4qJjDRwBFgmZnf90X7NoSa0=", withSeqno("wallet.highload.v1", 2)],
  ["lJTRzI7fEvBWcaGpugmSEJbrUIEeGSTsZcPGKfu4CBI=", withoutSeqno("wallet.highload.v2", -1)],
  ["jOtFs81LXMYOquHBO5wJI5Jnf+U2sumy2AG2Lv+TH+E=", withoutSeqno("wallet.highload.v2", 1)],
  ["CzqIeurNKn1Au1VQvJJTFWoCkGWu+21rWDc11Y2p1b4=", withoutSeqno("wallet.highload.v2", 2)],
  ["c1Ot4+H3y+3FJbPnvDIm/lrIJ2+lJ5rDf7bvvIj0Irc=", withoutSeqno("dns", -1)],
  ["oNZ9LeiRn+e3yndlLM1P3FbGid56aRYeRfsNzF5HwVU=", withoutSeqno("dns", 1)],
  ["Da+y0ZPcWqW+4h62BwUQypR10vDW62Ks+b8Ckjznjgs=", paymentChannel],
  ["jTUEm5Rs8ztYUQu0VgyEGpRfd4HW3p/GnKP0MPbjInM=", restrictedWallet(1)],
]);
