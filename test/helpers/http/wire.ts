import { flatten, restPaths } from "../../../shared/methods/define.js";
import { registry } from "../../../shared/methods/registry.js";
import type { TestAnswer, TestApp } from "./app.js";

// One call in every wire form. Ids, notes and envelopes differ by form and are removed; the rest is compared whole.

export const formNames = ["GET", "POST", "TON Center JSON-RPC", "strict JSON-RPC", "batch"] as const;
export type FormName = (typeof formNames)[number];

/** A whole service, or an app of some methods. */
export type Askable = Pick<TestApp, "ask" | "post">;

export type Ended = { result: unknown } | { error: string; code: number };
type Params = Readonly<Record<string, unknown>>;

export async function callAs(form: FormName, app: Askable, method: string, params: Params): Promise<Ended> {
  const request = { jsonrpc: "2.0", id: 7, method, params };
  switch (form) {
    case "GET": {
      const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]));
      return restEnd(method, await app.ask(`${restPath(method)}?${query}`));
    }
    case "POST":
      return restEnd(method, await app.post(restPath(method), params));
    case "TON Center JSON-RPC":
      return envelope(await app.post("/api/v2/jsonRPC", request));
    case "strict JSON-RPC":
      return strict((await app.post("/jsonRPC", request)).json);
    case "batch":
      return strict(((await app.post("/jsonRPC", [request])).json as unknown[])[0]);
  }
}

/** The error text starts with the way the parameters were sent. */
export function parsePrefix(form: FormName): string {
  return form === "GET" ? "failed to parse get request: " : "failed to parse post request: ";
}

const isV3 = (method: string) => method.startsWith("v3.");

const paths = new Map(flatten(registry).map(([name, definition]) => [name, restPaths(name, definition)[0]]));

function restPath(method: string): string {
  // An alias, or a method of a test's own.
  return paths.get(method) ?? restPaths(method, { verbs: ["GET"] })[0]!;
}

function restEnd(method: string, answer: TestAnswer): Ended {
  if (!isV3(method)) return envelope(answer);
  const { status, json } = answer;
  return status === 200 ? { result: json } : { error: (json as { error: string }).error, code: status };
}

function envelope({ status, json }: TestAnswer): Ended {
  const body = json as { ok: boolean; result: unknown; error: string; code: number };
  if (body.ok) return status === 200 ? { result: body.result } : { error: `status ${status}`, code: status };
  return { error: body.error, code: body.code === status ? status : Number.NaN };
}

function strict(answer: unknown): Ended {
  const { result, error } = answer as {
    result: unknown;
    error?: { message: string; data: { code: number } };
  };
  return error ? { error: error.message, code: error.data.code } : { result };
}
