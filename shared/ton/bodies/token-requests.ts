import { Address } from "../../values/address.js";
import type { Cell } from "../cells/cell.js";
import type { Slice } from "../cells/slice.js";
import { accountOf, MsgAddress } from "../tlb/msg-address.js";
import { ifReadable } from "../tlb/readable.js";
import { Budget, withinBudget } from "./budget.js";
import { type Alternative, firstThatFits } from "./composed.js";
import { parseDeclarations } from "./declaration.js";
import type { BodyFields } from "./declared.js";
import { jettons } from "./families/jettons.js";
import { nfts } from "./families/nfts.js";
import type { Reader } from "./simple.js";
import { Types } from "./types.js";
import { BitString, type Fields } from "./value.js";

/** Requests to a jetton wallet or an NFT item, by opcode. */
export const tokenRequests = {
  260734629: "jetton_transfer",
  1499400124: "jetton_burn",
  1607220500: "nft_transfer",
} as const;

type Name = (typeof tokenRequests)[keyof typeof tokenRequests];

/** The first layout that is declared of each. */
type Declared = {
  jetton_transfer: BodyFields<"jetton_transfer">;
  jetton_burn: Extract<BodyFields<"jetton_burn">, { custom_payload: Cell | undefined }>;
  nft_transfer: Extract<BodyFields<"nft_transfer">, { forward_payload: Cell }>;
};

/** Fields as the readers below leave them. */
type Lenient<F> = {
  readonly [K in keyof F]: K extends "forward_payload"
    ? Cell | undefined
    : Address extends F[K]
      ? F[K] | BitString
      : F[K];
};

/** A request with its fields. An address of a form that no account has is a bit string. */
export type TokenRequest = { [N in Name]: { readonly name: N } & Lenient<Declared[N]> }[Name];

/** An anycast prefix is applied. Forms that no account has are read as their bits. */
function anyAddress(from: Slice): Address | BitString | undefined {
  const address = MsgAddress.load(from);
  if (address === undefined || address instanceof Address) return address;
  return address.kind === "anycast" ? accountOf(address) : new BitString(address.value, address.bits);
}

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["MsgAddress", anyAddress],
  // A payload outside of a reference is the rest of the body, which is ignored.
  ["Payload", (from) => (from.loadBit() ? from.loadRef() : undefined)],
]);

const layouts = new Map<number, { name: string; layout: Alternative<Fields> }>(
  Object.entries(tokenRequests).map(([opcode, name]) => [Number(opcode), { name, layout: layoutOf(name) }]),
);

function layoutOf(name: Name): Alternative<Fields> {
  const declarations = parseDeclarations(name === "nft_transfer" ? nfts : jettons);
  const first = declarations.find((each) => each.name === name && each.type === undefined);
  return new Types(declarations, undefined, readers).bodyOf(first!);
}

/**
 * Reads a request as TON Center's indexer does, more leniently than `readBody`: only the first layout counts, trailing
 * data are ignored, and a payload outside of a reference is `undefined`. `undefined` for other bodies and for truncated
 * ones.
 */
export function readTokenRequest(cell: Cell): TokenRequest | undefined {
  if (cell.exotic || cell.bits < 32) return undefined;
  const known = layouts.get(cell.parse().loadUint(32));
  if (!known) return undefined;
  return ifReadable(() => {
    const fields = withinBudget(() => firstThatFits([known.layout], cell.parse(), new Budget(cell)));
    // The readers and the type are made from the same declarations.
    return fields && ({ name: known.name, ...fields } as TokenRequest);
  });
}
