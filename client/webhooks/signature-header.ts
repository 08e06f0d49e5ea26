/** The time of a signature in Unix seconds, and the signatures. */
type SignatureHeader = {
  readonly seconds: number;
  readonly signatures: readonly Uint8Array<ArrayBuffer>[];
};

const maxLength = 2048;
/** One for each secret in use; schemes later than `v1` are not read. */
const maxSignatures = 8;

/** Reads `t=<seconds>,v1=<hex>,...`; `undefined` if it is malformed. */
export function parseSignature(header: string | undefined): SignatureHeader | undefined {
  if (header === undefined || header.length > maxLength) return undefined;
  const parts = header.split(",").map((part) => part.trim());
  const times = valuesOf(parts, "t");
  const signatures = valuesOf(parts, "v1").map(bytesOfHex);
  const [time = ""] = times;
  if (times.length !== 1 || !/^\d{1,12}$/.test(time)) return undefined;
  if (signatures.length === 0 || signatures.length > maxSignatures) return undefined;
  const known = signatures.filter((each) => each !== undefined);
  return known.length === signatures.length ? { seconds: Number(time), signatures: known } : undefined;
}

function valuesOf(parts: readonly string[], name: string): string[] {
  return parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
}

/** The bytes of an HMAC-SHA-256. */
function bytesOfHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[0-9a-fA-F]{64}$/.test(text)) return undefined;
  return Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16));
}
