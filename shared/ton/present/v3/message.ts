import type { z } from "zod";
import type { message } from "../../../schema/v3/transactions.js";
import { bytesToBase64 } from "../../../values/bytes.js";
import type { Cell } from "../../cells/cell.js";
import type { CellOf } from "../../tlb/cell-of.js";
import type { CurrencyCollection } from "../../tlb/currency-collection.js";
import { type Message, normalizedHash } from "../../tlb/message.js";
import { accountOf, type MsgAddress } from "../../tlb/msg-address.js";

type Answered = z.output<typeof message>;

/** A cell of a message; its bag of cells may be written in several ways. */
type V3Cell = { hash: string; body: Cell };

/** The members of a message in API v3 that follow from its cell. */
export type V3Message = Omit<
  Answered,
  "decoded_opcode" | "in_msg_tx_hash" | "out_msg_tx_hash" | "message_content" | "init_state"
> & { message_content: V3Cell; init_state: V3Cell | null };

/** From this global version on, the field of the IHR fee contains flags. */
export const flagsVersion = 12;

/** `globalVersion`: parameter 8 of the configuration after the masterchain block of the message's transaction. */
export function v3Message({ cell, value }: CellOf<Message>, globalVersion: number): V3Message {
  const { info, body, init } = value;
  const internal = info.kind === "internal" ? info : undefined;
  const external = info.kind === "externalIn" ? info : undefined;
  const created = info.kind === "externalIn" ? undefined : info;
  const hasFlags = globalVersion >= flagsVersion;
  return {
    hash: bytesToBase64(cell.hash()),
    source: textOfAddress(created?.src),
    destination: textOfAddress((internal ?? external)?.dest),
    value: decimal(internal?.value.coins),
    value_extra_currencies: internal ? (v3Currencies(internal.value) ?? {}) : null,
    fwd_fee: decimal(internal?.fwdFee),
    ihr_fee: internal ? String(hasFlags ? 0n : internal.extraFlags) : null,
    extra_flags: hasFlags ? decimal(internal?.extraFlags) : null,
    created_lt: decimal(created?.createdLt),
    created_at: decimal(created?.createdAt),
    opcode: opcodeOf(body),
    ihr_disabled: internal?.ihrDisabled ?? null,
    bounce: internal?.bounce ?? null,
    bounced: internal?.bounced ?? null,
    import_fee: decimal(external?.importFee),
    message_content: v3Cell(body),
    init_state: init ? v3Cell(init.cell) : null,
    hash_norm: external && bytesToBase64(normalizedHash(value)),
  };
}

/** `{"<id>": "<amount>"}`; undefined without extra currencies. */
export function v3Currencies({ extra }: CurrencyCollection): Record<string, string> | undefined {
  if (!extra.root) return undefined;
  return Object.fromEntries(Array.from(extra.entries(), ([id, amount]) => [id, String(amount)]));
}

function textOfAddress(address: MsgAddress): string | null {
  return accountOf(address)?.toRawUpper() ?? null;
}

function v3Cell(cell: Cell): V3Cell {
  return { hash: bytesToBase64(cell.hash()), body: cell };
}

function opcodeOf(body: Cell): string | null {
  return body.exotic || body.bits < 32 ? null : opcodeText(body.parse().loadUint(32));
}

/** `opcode`: as a signed or an unsigned number. */
export function opcodeText(opcode: number): string {
  return `0x${(opcode >>> 0).toString(16).padStart(8, "0")}`;
}

function decimal(value: bigint | number | undefined): string | null {
  return value === undefined ? null : String(value);
}
