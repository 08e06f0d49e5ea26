import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { webAssembly } from "./web-assembly.js";

const wasmPageBytes = 65_536;

/**
 * Short-lived bytes that are returned to the system when they are garbage. The C library would do that too, but after
 * it has freed a block of megabytes, it retains that much of all later frees, for each thread.
 */
export function scratchBytes(length: number): Buffer {
  const pages = Math.ceil(length / wasmPageBytes);
  return Buffer.from(new webAssembly.Memory({ initial: pages, maximum: pages }).buffer, 0, length);
}

/** The content of a file in such bytes. */
export function readIntoScratch(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = scratchBytes(fstatSync(file).size);
    for (let read = 0; read < bytes.length; ) {
      const count = readSync(file, bytes, read, bytes.length - read, read);
      if (count === 0) throw new Error(`${path} became shorter while it was read`);
      read += count;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}
