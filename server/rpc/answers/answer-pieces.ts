/** An answer in parts that are written one after the other. The next one is made once the last one was taken. */
export type Pieces = AsyncIterable<string | Uint8Array>;

/** Shorter answers are written in one piece. */
export const wholeBytes = 256 * 1024;

/** Longest piece of other answers, so that no answer occupies the event loop or a socket for long. */
export const pieceBytes = 64 * 1024;

/** Cuts long bytes into pieces. */
export function* cut(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}
