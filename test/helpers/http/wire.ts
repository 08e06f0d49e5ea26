import { apiOf } from "../../../server/errors.js";
import { flatten, pathParams, restForms, type Verb } from "../../../shared/methods/define.js";
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
      const { path, others } = restCall(method, form, params);
      const query = new URLSearchParams(others.map(([name, value]) => [name, String(value)]));
      return restEnd(method, await app.ask(`${path}?${query}`));
    }
    case "POST": {
      const { path, others, textBody } = restCall(method, form, params);
      const body = Object.fromEntries(others);
      return restEnd(method, await app.post(path, textBody === undefined ? body : (body[textBody] ?? "")));
    }
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

const definitions = new Map(flatten(registry));

/** The path that has all of its parameters, and the other ones. */
function restCall(method: string, verb: Verb, params: Params) {
  // An alias, or a method of a test's own.
  const { textBody, ...definition } = definitions.get(method) ?? { verbs: [verb] };
  const { path } = restForms(method, { ...definition, ...(textBody !== undefined && { textBody }) }).findLast(
    (form) =>
      !form.isAlias && form.verbs.includes(verb) && pathParams(form.path).every((name) => name in params),
  )!;
  const inPath = pathParams(path);
  return {
    path: path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name]))),
    others: Object.entries(params).filter(([name]) => !inPath.includes(name)),
    textBody,
  };
}

function restEnd(method: string, answer: TestAnswer): Ended {
  const api = apiOf(method);
  if (api === "v2") return envelope(answer);
  const { status, json, text } = answer;
  if (status === 200) return { result: json };
  return { error: api === "v3" ? (json as { error: string }).error : text, code: status };
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
