import type { BodyFields } from "../../../../shared/ton/bodies/declared.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { hexText } from "../hex-text.js";
import { call } from "../pattern.js";

// Shared by sent and received packets of LayerZero.

/** A call of a contract to itself, used as a log. */
export const event = call(0xe33b9873);

type Packet = BodyFields<"layerzero_received">["md"]["packet"];

/** The member of a packet. Throws if its message is no ordinary cell. */
export function packetDetails({ nonce, guid, path, message }: Packet) {
  return {
    src_oapp: hexText(path.src_oapp),
    dst_oapp: hexText(path.dst_oapp),
    src_eid: Number(path.src_eid),
    dst_eid: Number(path.dst_eid),
    nonce,
    guid: hexText(guid),
    message: `0x${paddedHex(message)}`,
  };
}

/** The bits of a cell, zero-padded to whole bytes. */
function paddedHex(cell: Cell): string {
  const from = cell.parse();
  const bytes = from.loadBytes(from.remainingBits >> 3);
  const last = from.remainingBits;
  const padded = last === 0 ? [] : [from.loadUint(last) << (8 - last)];
  return Buffer.from([...bytes, ...padded]).toString("hex");
}
