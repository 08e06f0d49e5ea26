import type { Readable, Writable } from "node:stream";
import { FramingError, framed, MessageReader } from "./framing.js";
import { maxUnsent, type Reply, readRequest } from "./protocol.js";
import { DebugSession, type SessionDeps } from "./session.js";

export type Streams = { readonly input: Readable; readonly output: Writable };

/**
 * Serves a client that sends framed messages, until it disconnects or ends the session. Rejects with a FramingError for what is no message,
 * and with what is a defect.
 */
export async function serveFramed(
  { input, output }: Streams,
  deps: Omit<SessionDeps, "send">,
): Promise<void> {
  let sent = 0;
  const send = (message: Reply) => {
    if (!output.writable) return;
    if (output.writableLength > maxUnsent) output.destroy();
    else output.write(framed(JSON.stringify({ seq: ++sent, ...message })));
  };
  const session = new DebugSession({ ...deps, send });
  const close = () => session.close();
  input.once("close", close);
  output.once("close", close);
  const messages = new MessageReader();
  try {
    for await (const bytes of input) {
      for (const text of messages.read(bytes as Buffer)) {
        const request = readRequest(text);
        if (!request) throw new FramingError("a message is no request of the Debug Adapter Protocol");
        await session.handle(request);
        if (session.hasEnded) return;
        if (output.writableNeedDrain) await drained(output);
      }
    }
  } catch (error) {
    // A client that leaves in the middle of a message.
    if (!session.hasEnded) throw error;
  } finally {
    session.close();
  }
}

function drained(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      output.off("drain", done).off("close", done);
      resolve();
    };
    output.once("drain", done).once("close", done);
  });
}
