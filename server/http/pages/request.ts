import type { OpenRpcMethod } from "../../../shared/rpc/open-rpc.js";
import { indent } from "./json-text.js";

/** A call as entered by the user. Values stay JSON text, so that large integers are not rounded. */
export type TypedCall = { readonly method: string; readonly params: ReadonlyMap<string, string> };

export type RequestForm = "json" | "curl" | "rest";

/** The parameters as a JSON object. */
export function paramsText({ params }: TypedCall): string {
  return `{${[...params].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
}

/** A JSON-RPC request with named parameters. */
export function callText(call: TypedCall, id: number): string {
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(call.method)},"params":${paramsText(call)}}`;
}

/** A JSON-RPC batch with consecutive ids. */
export function batchText(calls: readonly TypedCall[], firstId: number): string {
  return `[${calls.map((call, index) => callText(call, firstId + index)).join(",")}]`;
}

/** The request for display: its JSON body, or a curl command for JSON-RPC or REST. */
export function requestText(
  form: RequestForm,
  body: string,
  rest: RestCall | undefined,
  destination: Destination,
): string {
  if (form === "json") return indent(body);
  if (form === "rest" && rest)
    return rest.body === undefined ? curlGet(rest, destination) : curlPost(rest.path, rest.body, destination);
  return curlPost("/jsonRPC", body, destination);
}

/** The call as a program with the client of this package. */
export function typeScriptText({ method, params }: TypedCall, { origin, key }: Destination): string {
  const options = [`transport: http(${JSON.stringify(`${origin}/jsonRPC`)})`];
  if (key !== "") options.push(`apiKey: ${JSON.stringify(key)}`);
  const members = [...params].map(
    ([name, value]) => `  ${name}: ${indent(value).replaceAll("\n", "\n  ")},\n`,
  );
  const given = members.length === 0 ? "" : `{\n${members.join("")}}`;
  return `import { createClient, http } from "tonwire";

const client = createClient({ ${options.join(", ")} });
const result = await client.${method}(${given});`;
}

/** The service's origin and the API key; an empty key sends none. */
export type Destination = { readonly origin: string; readonly key: string };

/** The same call over REST: a GET, or a POST with this body. */
export type RestCall = { readonly path: string; readonly body?: string };

/** The call over REST; `undefined` if the method is available by JSON-RPC only. */
export function restCall(call: TypedCall, method: OpenRpcMethod | undefined): RestCall | undefined {
  const rest = method?.["x-rest"];
  const path = rest?.paths[0];
  if (!rest || path === undefined) return undefined;
  if (!rest.verbs.includes("GET")) return { path, body: paramsText(call) };
  const query = new URLSearchParams();
  for (const [name, value] of call.params) for (const text of queryTexts(value)) query.append(name, text);
  const search = query.toString();
  return { path: search === "" ? path : `${path}?${search}` };
}

function queryTexts(json: string): string[] {
  if (json.startsWith('"')) return [JSON.parse(json) as string];
  return json.startsWith("[") ? (JSON.parse(json) as unknown[]).map(String) : [json];
}

function curlGet({ path }: RestCall, { origin, key }: Destination): string {
  return [`curl ${shellQuote(origin + path)}`, ...keyHeader(key)].join(" \\\n  ");
}

function curlPost(path: string, body: string, { origin, key }: Destination): string {
  const parts = [
    `curl ${shellQuote(origin + path)}`,
    ...keyHeader(key),
    "-H 'Content-Type: application/json'",
    `-d ${shellQuote(body)}`,
  ];
  return parts.join(" \\\n  ");
}

const keyHeader = (key: string) => (key === "" ? [] : [`-H ${shellQuote(`X-API-Key: ${key}`)}`]);
const shellQuote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
