import type { DebugProtocol } from "@vscode/debugprotocol";
import { ifJson, isDeeperThan, isJsonObject } from "../../shared/values/json.js";

/** A request of a client, whose arguments are not checked yet. */
export type Request = {
  readonly seq: number;
  readonly command: string;
  readonly arguments: Readonly<Record<string, unknown>>;
};

/** A message for the client, to which the sender gives its number. */
export type Reply = (Omit<DebugProtocol.Response, "seq"> | Omit<DebugProtocol.Event, "seq">) & {
  readonly type: string;
};

/** Longest message of a client, in characters. */
export const maxMessage = 1 << 20;
/** Bytes that a client may leave unread. */
export const maxUnsent = 8 * 1024 * 1024;
const maxDepth = 32;
const maxCommand = 64;

/** Reads a message of a client; undefined if it is no request. */
export function readRequest(text: string): Request | undefined {
  if (text.length > maxMessage || isDeeperThan(maxDepth, text)) return undefined;
  const message = ifJson(text);
  if (!isJsonObject(message) || message["type"] !== "request") return undefined;
  const { seq, command } = message;
  const given = message["arguments"] ?? {};
  if (!Number.isSafeInteger(seq) || typeof command !== "string" || command.length > maxCommand)
    return undefined;
  return isJsonObject(given) ? { seq: seq as number, command, arguments: given } : undefined;
}
