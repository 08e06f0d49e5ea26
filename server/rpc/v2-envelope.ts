import type { ErrorCode } from "../../shared/rpc/errors.js";
import type { Api, ServiceError } from "../errors.js";
import type { Outcome } from "./dispatch.js";

// The envelope of TON Center's v2, of REST and of its JSON-RPC dialect alike.

/** Refusals whose bodies old clients know by heart; they never had a note. */
const withoutExtra: ReadonlySet<ErrorCode> = new Set(["unknown-key", "wrong-network", "rate-limited"]);

/** `tail` are further members, each after its comma. */
export function v2Answer(outcome: Outcome, api: Api, tail = ""): string {
  const extra = extraOf(outcome);
  if ("error" in outcome) return v2Failure(outcome.error, extra, api, tail);
  return `{"ok":true,"result":${outcome.json},"@extra":"${extra}"${tail}}`;
}

/** Opaque to clients: `<unix seconds>:<liteservers asked>:<elapsed ms>`, then `:c` if it came from the cache. */
function extraOf({ passage, durationMs }: Outcome): string {
  if (passage === undefined) return "_";
  const { startedAt, asked, cached } = passage;
  const servers = asked && asked.size > 0 ? [...asked].join() : "_";
  return `${Math.floor(startedAt / 1000)}:${servers}:${Math.round(durationMs)}${cached ? ":c" : ""}`;
}

export function v2Failure(error: ServiceError, extra: string, api: Api, tail = ""): string {
  const text = JSON.stringify(error.textIn(api));
  // Clients written against the hosted service look for this one in `result`.
  const result = error.code === "rate-limited" ? `,"result":${text}` : "";
  const note = withoutExtra.has(error.code) ? "" : `,"@extra":"${extra}"`;
  return `{"ok":false,"error":${text}${result},"code":${error.statusIn(api)}${note}${tail}}`;
}
