import * as ws from "ws";

/** The part of `ws` that makes frames; its type declarations lack it. */
type Framing = { Sender: { frame(data: Uint8Array, options: object): unknown } };

/**
 * Whether `ws` can mask messages. Bundlers of server components, such as that of Next.js, replace its optional package
 * `bufferutil` by an empty module; then longer messages cannot be masked. Masks protect from scripts in browsers, so a
 * server does not need them.
 */
export function canMask(): boolean {
  const options = { fin: true, mask: true, opcode: 1, readOnly: false, rsv1: false };
  try {
    (ws as unknown as Framing).Sender.frame(new Uint8Array(longEnoughForNative), options);
    return true;
  } catch {
    // The bundler replaced `bufferutil`.
    return false;
  }
}

/** Shorter messages are masked in JavaScript. */
const longEnoughForNative = 64;
