import { crc16 } from "../../values/crc16.js";

/** Id of a get-method: CRC-16 of its name, with bit 16 set. */
export function methodId(name: string): number {
  return crc16(new TextEncoder().encode(name)) | 0x10000;
}
