import type { IncomingMessage } from "node:http";
import type { Caller } from "../access/access.js";
import { whyNotLocal } from "../access/local-request.js";
import { header } from "./headers.js";

/**
 * Why the sender of a request may not change the devnet; `undefined` if it may: it has an API key, or is on this
 * machine. Any page can send requests to a devnet that listens on loopback, but has no key.
 */
export function devnetRefusal(request: IncomingMessage, caller: Caller | undefined): string | undefined {
  if (caller?.keyId !== undefined) return undefined;
  return whyNotLocal({
    remoteAddress: request.socket.remoteAddress ?? "",
    host: header(request, "host"),
    origin: header(request, "origin"),
    forwardedFor: header(request, "x-forwarded-for"),
  });
}
