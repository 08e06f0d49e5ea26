import { readUnsigned, section, unsigned } from "../../../os/wasm-bytes.js";

const pageBytes = 65_536;
/** Mainnet's configuration and the largest account together take less than 100 MB. */
const usualBytes = 256 << 20;

const memorySection = 5;
const [one, withMaximum] = [1, 1];
const headerBytes = 8;

/** The module with a limit of memory. Throws an Error if it does not define its memory, or begins with more. */
export function withMemoryLimit(wasm: Buffer, maxBytes = usualBytes): Buffer {
  const maxPages = maxBytes / pageBytes;
  for (let at = headerBytes; at < wasm.length; ) {
    const size = readUnsigned(wasm, at + 1);
    const end = size.end + size.value;
    if (wasm[at] === memorySection)
      return Buffer.concat([
        wasm.subarray(0, at),
        limited(wasm.subarray(size.end, end), maxPages),
        wasm.subarray(end),
      ]);
    at = end;
  }
  throw new Error("it defines no memory");
}

function limited(body: Buffer, maxPages: number): Buffer {
  const { value: count, end } = readUnsigned(body, 0);
  const flags = readUnsigned(body, end);
  const minimum = readUnsigned(body, flags.end);
  if (count !== one || flags.value > withMaximum) throw new Error("its memory is of an unknown kind");
  if (minimum.value > maxPages) throw new Error("it begins with too much memory");
  const maximum = flags.value === withMaximum ? readUnsigned(body, minimum.end).value : maxPages;
  return section(memorySection, [
    ...unsigned(one),
    ...unsigned(withMaximum),
    ...unsigned(minimum.value),
    ...unsigned(Math.min(maximum, maxPages)),
  ]);
}
