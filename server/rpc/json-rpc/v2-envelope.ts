import type { JsonBytes } from "../../../shared/methods/json-text.js";
import type { ErrorCode } from "../../../shared/rpc/errors.js";
import type { Api, ServiceError } from "../../errors.js";
import { cursorMember, type Outcome } from "../dispatch.js";
import { enclosed } from "../json/enclosed-json.js";

// The envelope of TON Center's v2 answers, in REST and in its JSON-RPC dialect.

/** Errors that TON Center answers without `@extra`; old clients compare their bodies. */
const withoutExtra: ReadonlySet<ErrorCode> = new Set(["unknown-key", "wrong-network", "rate-limited"]);

/** `tail`: further members as JSON text, each with a leading comma. */
export function v2Answer(outcome: Outcome, api: Api, tail = ""): string | JsonBytes {
  const extra = extraOf(outcome);
  if ("error" in outcome) return v2Failure(outcome.error, extra, api, tail);
  const after = `,"@extra":"${extra}"${cursorMember(outcome)}${tail}}`;
  return enclosed('{"ok":true,"result":', outcome.json, after);
}

/** Opaque to clients: `<unix seconds>:<liteservers asked>:<elapsed ms>`, then `:c` if it came from the cache. */
function extraOf({ call, durationMs }: Outcome): string {
  if (call === undefined) return "_";
  const { startedAt, asked, cached } = call;
  const servers = asked && asked.size > 0 ? [...asked].join() : "_";
  return `${Math.floor(startedAt / 1000)}:${servers}:${Math.round(durationMs)}${cached ? ":c" : ""}`;
}

/** The envelope of a failed call: `error` is TON Center's, `sentence` and `hint` are ours. `extra` and `tail`: as in `v2Answer`. */
export function v2Failure(error: ServiceError, extra: string, api: Api, tail = ""): string {
  const text = JSON.stringify(error.textIn(api));
  // TON Center's hosted service repeats this text in `result`, where clients look for it.
  const result = error.code === "rate-limited" ? `,"result":${text}` : "";
  const extraMember = withoutExtra.has(error.code) ? "" : `,"@extra":"${extra}"`;
  const words = error.words ? `,${JSON.stringify(error.words).slice(1, -1)}` : "";
  return `{"ok":false,"error":${text}${result},"code":${error.statusIn(api)}${extraMember}${words}${tail}}`;
}
