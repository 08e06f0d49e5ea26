/** Bytes of WebAssembly's binary format. */

/** LEB128. */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

/** LEB128 of a number that is not negative, where the highest bit of the last byte but one is the sign. */
export function signed(value: number): number[] {
  const bytes: number[] = [];
  for (; value > 0x3f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

export function readUnsigned(bytes: Buffer, at: number): { value: number; end: number } {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++]!;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return { value: value >>> 0, end: at };
  }
}

/** A text with its length. */
export function name(text: string): number[] {
  const bytes = Buffer.from(text);
  return [...unsigned(bytes.length), ...bytes];
}

/** Entries with their number. */
export function vector(entries: readonly (readonly number[])[]): number[] {
  return [...unsigned(entries.length), ...entries.flat()];
}

export function section(id: number, body: Uint8Array | readonly number[]): Buffer {
  return Buffer.concat([Buffer.from([id, ...unsigned(body.length)]), Buffer.from(body)]);
}
