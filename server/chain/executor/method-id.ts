import { crc16 } from "../../../shared/values/crc16.js";

/** The number a get-method is called by: checksum of its name, above those of the entry points. */
export function methodId(name: string): number {
  return crc16(new TextEncoder().encode(name)) | 0x10000;
}
