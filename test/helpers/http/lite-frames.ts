import { once } from "node:events";
import { WebSocket } from "ws";
import type { AskBytes } from "./lite-app.js";

/** An answer to a binary message: TL bytes, or the error of the call. */
type FrameAnswer = { tl: Uint8Array } | { error: { code: number; message: string; data: object } };

type LiteSocket = {
  readonly raw: WebSocket;
  /** Sends a query in a binary message. */
  ask(query: Uint8Array): Promise<FrameAnswer>;
  close(): void;
};

/** A WebSocket whose binary messages carry liteserver queries. */
export async function openLiteSocket(url: string, headers: Record<string, string> = {}): Promise<LiteSocket> {
  const raw = new WebSocket(`${url.replace("http", "ws")}/jsonRPC`, { headers });
  const waiting = new Map<number, (answer: FrameAnswer) => void>();
  let lastId = 0x80000000;
  raw.on("message", (data: Buffer, binary) => {
    if (!binary) return;
    const content = data.subarray(5);
    const id = data.readUInt32BE(1);
    waiting.get(id)!(
      data[0] === 1 ? { tl: new Uint8Array(content) } : { error: JSON.parse(content.toString()) },
    );
    waiting.delete(id);
  });
  await once(raw, "open");
  return {
    raw,
    ask(query) {
      const id = ++lastId;
      const head = Buffer.alloc(5, 1);
      head.writeUInt32BE(id, 1);
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        raw.send(Buffer.concat([head, query]));
      });
    },
    close: () => raw.close(),
  };
}

/** Asks by binary messages. Errors of the call fail the test. */
export function byFrames({ ask }: LiteSocket): AskBytes {
  return async (query) => {
    const answer = await ask(query);
    if ("error" in answer) throw new Error(`a query is refused: ${answer.error.message}`);
    return answer.tl;
  };
}
