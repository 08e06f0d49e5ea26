import { anchors } from "../../../../client/verified/anchors.js";
import type { TrustedBlock } from "../../../../client/verified/options.js";
import { ifJson } from "../../../../shared/values/json.js";
import { decimalShard } from "../parts/block-id.js";
import { hexOf } from "../parts/hash.js";
import { keepText, keptText } from "../parts/kept-text.js";

/** The block at which proofs begin, and who gave it: it is believed, not proven. */
export type StartBlock = {
  readonly block: TrustedBlock;
  /** `package`: it is part of this software; `service`: the service named it at the first use; `user`. */
  readonly givenBy: "package" | "service" | "user";
  /** Unix time in ms at which it was first trusted. */
  readonly since?: number;
};

const stored = "tonwire-verify-start";

/** The networks whose blocks the package has. */
type AnchoredNetwork = keyof typeof anchors;

export const anchoredNetwork = (network: string): AnchoredNetwork | undefined =>
  Object.hasOwn(anchors, network) ? (network as AnchoredNetwork) : undefined;

/** The start that this browser keeps for the service; else that of the package. */
export function keptStart(network: string): StartBlock | undefined {
  const anchored = anchoredNetwork(network);
  return startOf(keptText(stored)) ?? (anchored && { block: anchors[anchored].start, givenBy: "package" });
}

/** Forgets the kept start with `undefined`. */
export function keepStart(start: StartBlock | undefined): void {
  keepText(stored, start && JSON.stringify(start));
}

function startOf(text: string | null): StartBlock | undefined {
  const kept = ifJson(text ?? "") as Partial<StartBlock> | undefined;
  const block = blockOf(kept?.block);
  if (!kept || !block || (kept.givenBy !== "service" && kept.givenBy !== "user")) return undefined;
  return { block, givenBy: kept.givenBy, ...(typeof kept.since === "number" && { since: kept.since }) };
}

/** A block as API v2 writes it, or as liteservers do: `(-1,8000000000000000,5):ROOT:FILE`. */
export function readBlock(text: string): TrustedBlock | undefined {
  const [, seqno, root_hash, file_hash] =
    /^\(-1,8000000000000000,(\d{1,10})\):([\da-f]{64}):([\da-f]{64})$/i.exec(text.trim()) ?? [];
  return blockOf(seqno === undefined ? ifJson(text) : { seqno: Number(seqno), root_hash, file_hash });
}

function blockOf(given: unknown): TrustedBlock | undefined {
  const { seqno, root_hash: root, file_hash: file } = (given ?? {}) as Readonly<Record<string, unknown>>;
  if (!Number.isSafeInteger(seqno) || (seqno as number) < 0 || (seqno as number) > 0xffffffff)
    return undefined;
  if (typeof root !== "string" || typeof file !== "string" || !hexOf(root) || !hexOf(file)) return undefined;
  const shard = decimalShard("8000000000000000");
  return { workchain: -1, shard, seqno: seqno as number, root_hash: root, file_hash: file };
}
