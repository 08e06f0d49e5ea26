// Entry of the devnet's thread: opens the devnet and answers calls until it is closed.
// Module state: the entry of a thread.

import { workerData } from "node:worker_threads";
import { editionOf } from "../../os/edition.js";
import { ownPort } from "../../os/own-port.js";
import { type DevnetConfig, openDevnet } from "../devnet.js";
import { AnsweredCalls } from "./answered-calls.js";
import { failureOf } from "./failure.js";
import { compacted, type DevnetEvent, type FromDevnet, type LogLine, type ToDevnet } from "./protocol.js";

const port = ownPort();

/** Messages to be sent in one batch. */
let held: FromDevnet[] = [];

function post(message: FromDevnet): void {
  held.push(message);
  flush();
}

function flush(): void {
  if (held.length > 0) port.postMessage(held);
  held = [];
}

function notify(event: DevnetEvent): void {
  post(eventMessage(event));
}

/**
 * Sends an event in one batch with the other messages of this turn, because waking a thread costs more than an event.
 */
function notifyAlong(event: DevnetEvent): void {
  if (held.push(eventMessage(event)) === 1) setImmediate(flush);
}

function eventMessage(event: DevnetEvent): FromDevnet {
  return { type: "event", event: compacted(event) as DevnetEvent };
}

function lineOf(severity: LogLine["severity"]) {
  return (fields: unknown, text?: unknown) =>
    notify({ type: "log", line: { severity, fields: fields as LogLine["fields"], text: String(text) } });
}

const devnet = await openDevnet(workerData as DevnetConfig, {
  nowMs: Date.now,
  edition: editionOf(import.meta.url),
  onError: (error) => notify({ type: "error", failure: failureOf(error) }),
  fallback: (reason, error) => notify({ type: "fallback", reason, failure: failureOf(error) }),
  onDegraded: (reason) => notify({ type: "degraded", reason }),
  log: { info: lineOf("info"), warn: lineOf("warn") },
});
devnet.events.onHead((head) => notify({ type: "head", head }));
devnet.events.onReverted((mcSeqno) => notify({ type: "reverted", mcSeqno }));
devnet.mempool.onAccepted((message, ignoresSignatures) =>
  notifyAlong({ type: "accepted", message, ignoresSignatures }),
);
devnet.mempool.onDropped((message) => notifyAlong({ type: "dropped", message }));
devnet.setupView.onChange((setup) => notify({ type: "setup", setup }));
notify({ type: "setup", setup: devnet.setupView.current });

const answering = new AnsweredCalls(devnet, post);
port.on("message", async (message: ToDevnet) => {
  if (message.type !== "close") return answering.take(message);
  await devnet.close();
  port.close();
});
post({ type: "ready" });
