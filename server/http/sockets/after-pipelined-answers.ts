import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { currentAnswer } from "../node-members.js";

/**
 * Runs `upgrade` once the answers to earlier requests of this connection are sent, immediately if there are none.
 * Clients may pipeline an upgrade behind other requests, and Node reports it before those are answered. Does not run
 * `upgrade` if the connection ends first.
 */
export function afterPipelinedAnswers(socket: Duplex, upgrade: () => void): void {
  if (!unsentAnswer(socket)) {
    upgrade();
    return;
  }
  // Node has removed its listeners: without one for errors the process would crash, and streamed answers wait for drains.
  const ignore = () => {};
  const drained = () => unsentAnswer(socket)?.emit("drain");
  socket.on("error", ignore).on("drain", drained);
  const wait = () => {
    const answer = unsentAnswer(socket);
    if (answer) {
      answer.once("close", wait);
      return;
    }
    socket.off("error", ignore).off("drain", drained);
    if (socket.writable) upgrade();
  };
  wait();
}

/** The answer that a connection is sending, if it is open. */
function unsentAnswer(socket: Duplex): ServerResponse | null | undefined {
  return socket.destroyed ? undefined : currentAnswer(socket);
}
