import { type MessagePort, parentPort } from "node:worker_threads";

/** The port of a thread to the one that started it. */
export function ownPort(): MessagePort {
  if (!parentPort) throw new Error("this is no worker thread");
  return parentPort;
}
