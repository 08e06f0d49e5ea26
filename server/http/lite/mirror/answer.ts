import type { TlObject, TlValue } from "../../../../shared/ton/tl/codec.js";
import { wire } from "../../../../shared/ton/tl/codecs.js";
import { bytesToBase64 } from "../../../../shared/values/bytes.js";
import { ServiceError } from "../../../errors.js";
import { snakeCase } from "./functions.js";

/** An answer in TL as JSON, or the error that it is. */
export function presentAnswer(bytes: Uint8Array): object | ServiceError {
  const { name, value } = wire.decode(bytes);
  if (name !== "liteServer.error") return { "@type": name, ...presentObject(value) };
  const { code, message } = value as { code: number; message: string };
  return new ServiceError("liteserver-error", message, { data: { liteserver_code: code } });
}

function presentObject(object: TlObject): Record<string, unknown> {
  const members = Object.entries(object).map(([name, value]) => [
    snakeCase(name),
    name === "shard" ? String(BigInt.asIntN(64, value as bigint)) : present(value!),
  ]);
  return { ...("fileHash" in object && "seqno" in object && blockType), ...Object.fromEntries(members) };
}

/** As v2 writes block ids. */
const blockType = { "@type": "ton.blockIdExt" };

function present(value: TlValue): unknown {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Uint8Array) return bytesToBase64(value);
  if (Array.isArray(value)) return value.map(present);
  return typeof value === "object" ? presentObject(value as TlObject) : value;
}
