import { type ConnectOpts, Socket, type SocketConstructorOpts } from "node:net";

/** Most bytes of a read. */
const bufferBytes = 65_536;
/** While an answer is long, less is read only after a pause, in which more arrives: each read wakes this thread. */
const pauseMs = 1;

// Module state: scratch memory within one call. All sockets of this thread read into it: memory for each read would be garbage.
const buffer = Buffer.allocUnsafeSlow(bufferBytes);

/** Takes bytes, which are reused after the call. Returns whether much more is to follow. */
type Receive = (bytes: Buffer) => boolean;

/** A socket to a database server that reads long answers in few pieces, and no piece into memory of its own. */
export class AnswerSocket extends Socket {
  /** Set it before there is something to read. */
  receive: Receive = () => false;

  constructor() {
    const callback = (length: number) => this.passOn(buffer.subarray(0, length));
    const options: ConnectOpts & SocketConstructorOpts = { onread: { buffer, callback } };
    super(options);
  }

  /** Passes on what was read. Returns whether the next piece is read at once. */
  passOn(bytes: Buffer): boolean {
    if (!this.receive(bytes) || bytes.length === bufferBytes) return true;
    setTimeout(() => this.resume(), pauseMs);
    return false;
  }
}
