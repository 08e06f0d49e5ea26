import type { IncomingMessage } from "node:http";
import { ServiceError } from "../errors.js";
import { hasJsonType } from "./body.js";

/**
 * Refuses `devnet.*` calls without a JSON content type. Browsers let any web page send such a request to another origin;
 * with a JSON content type they ask the service first, by a preflight.
 */
export function guardDevnetControls(request: IncomingMessage, message: unknown): void {
  if (hasJsonType(request)) return;
  const calls = Array.isArray(message) ? message : [message];
  if (calls.some(isControl)) throw new ServiceError("wrong-media-type");
}

function isControl(call: unknown): boolean {
  const method = (call as { method?: unknown } | null)?.method;
  return typeof method === "string" && method.startsWith("devnet.");
}
