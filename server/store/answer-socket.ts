import { type ConnectOpts, Socket, type SocketConstructorOpts } from "node:net";

/** What a read takes at most. */
const bufferBytes = 65_536;
/** While an answer is long, less is read only after a pause, in which more arrives: each read wakes this thread. */
const pauseMs = 1;

/** What all sockets of this thread read into, one after the other: memory of each read would have to be collected. */
const buffer = Buffer.allocUnsafeSlow(bufferBytes);

/** Takes bytes that are others' after the call. Returns whether much more is to follow. */
type Receive = (bytes: Buffer) => boolean;

/** A socket to a database server, whose answers are read in few pieces and without memory of their own. */
export class AnswerSocket extends Socket {
  /** Set it before there is something to read. */
  receive: Receive = () => false;

  constructor() {
    const callback = (length: number): boolean => {
      const goesOn = this.receive(buffer.subarray(0, length));
      if (!goesOn || length === bufferBytes) return true;
      setTimeout(() => this.resume(), pauseMs);
      return false;
    };
    const options: ConnectOpts & SocketConstructorOpts = { onread: { buffer, callback } };
    super(options);
  }
}
