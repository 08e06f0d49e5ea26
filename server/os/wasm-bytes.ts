/** Bytes of WebAssembly's binary format. */

export const opcode = {
  nop: 0x01,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  try: 0x06,
  catch: 0x07,
  end: 0x0b,
  jump: 0x0c,
  jumpIf: 0x0d,
  jumpTable: 0x0e,
  call: 0x10,
  callIndirect: 0x11,
  getLocal: 0x20,
  setLocal: 0x21,
  getGlobal: 0x23,
  setGlobal: 0x24,
  loadI32: 0x28,
  storeI32: 0x36,
  i32: 0x41,
  i64: 0x42,
  addI32: 0x6a,
} as const;
/** The type of a block that takes and leaves no value. */
export const emptyBlock = 0x40;
/** Alignment of an `i32` in memory, as a power of two. */
export const wordAlignment = 2;

/** LEB128. */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80);
  return [...bytes, value];
}

/** Throws a RangeError if the bytes end before the number does, or it has more than 32 bits. */
export function readUnsigned(bytes: Buffer, at: number): { value: number; end: number } {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    if (byte === undefined || shift > 28) throw new RangeError("a number of the module is cut");
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

/** A section of a module: its id, the length of its body, and the body. */
export function section(id: number, body: Uint8Array | readonly number[]): Buffer {
  return Buffer.concat([Buffer.from([id, ...unsigned(body.length)]), Buffer.from(body)]);
}
