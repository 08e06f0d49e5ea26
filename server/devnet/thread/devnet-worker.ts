// Entry of the devnet's thread: opens the devnet and answers calls until it is closed.
// Module state: the entry of a thread.

import { failureOf } from "../../os/channel/failure.js";
import { OwnThread } from "../../os/channel/thread.js";
import type { Devnet } from "../devnet.js";
import { openDevnet } from "../open-devnet.js";
import { compacted, type DevnetEvents, type DevnetSide, errors, type LogLine } from "./protocol.js";
import { runCall, tellEvents } from "./serve-devnet.js";

let devnet: Devnet;

const handlers: DevnetSide = {
  async open(config) {
    devnet = await openDevnet(config, {
      nowMs: Date.now,
      onError: (error) => owner.tell("error", failureOf(error, errors)),
      fallback: (reason, error) => owner.tell("fallback", { reason, failure: failureOf(error, errors) }),
      onDegraded: (reason) => owner.tell("degraded", reason),
      log: { info: lineOf("info"), warn: lineOf("warn") },
    });
    tellEvents(devnet, owner, "tellAlong");
  },
  run: (call, signal) => runCall(devnet, call, signal),
  async close() {
    await devnet.close();
    owner.close();
  },
};

const owner = new OwnThread<DevnetEvents>({ handlers, errors, prepare: compacted });

function lineOf(severity: LogLine["severity"]) {
  return (fields: unknown, text?: unknown) =>
    owner.tell("log", { severity, fields: fields as LogLine["fields"], text: String(text) });
}
