import type { Unsubscribe } from "../../../shared/values/listeners.js";
import type { Channel } from "../../os/channel/channel.js";
import type { Devnet } from "../devnet.js";
import type { DevnetCall, DevnetEvents } from "./protocol.js";

/** Runs a call of another thread or process. `signal` becomes that of its last argument, a LiteCall. */
export async function runCall(
  devnet: Devnet,
  { target, method, args }: DevnetCall,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (signal) args.push({ ...(args.pop() as object), signal });
  // The cast is safe: the caller's types have checked the name and the arguments.
  const methods = devnet[target] as unknown as Record<string, (...args: unknown[]) => unknown>;
  return methods[method]!(...args);
}

/**
 * Sends the events of a devnet, and its setup at first. `ofMessages`: how those of messages are sent, of which there are many.
 */
export function tellEvents(
  { events, mempool, setupView }: Devnet,
  other: Channel<DevnetEvents>,
  ofMessages: "tell" | "tellAlong" = "tell",
): Unsubscribe[] {
  other.tell("setup", setupView.current);
  return [
    setupView.onChange((setup) => other.tell("setup", setup)),
    events.onHead((head) => other.tell("head", head)),
    events.onReverted((mcSeqno) => other.tell("reverted", mcSeqno)),
    mempool.onAccepted((message, ignoresSignatures) =>
      other[ofMessages]("accepted", { message, ignoresSignatures }),
    ),
    mempool.onDropped((message) => other[ofMessages]("dropped", message)),
  ];
}
