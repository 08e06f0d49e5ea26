import type { OpenRpcMethod } from "../../../shared/rpc/open-rpc.js";
import { indent } from "./json-text.js";

/** A call as entered by the user. Values stay JSON text, so that large integers are not rounded. */
export type TypedCall = { readonly method: string; readonly params: ReadonlyMap<string, string> };

export type RequestForm = "json" | "curl" | "rest" | "typescript";

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

/** A request for display: its calls, and the JSON body that sends them. */
type ShownRequest = {
  readonly calls: readonly TypedCall[];
  readonly body: string;
  /** The same call over REST, if there is one. */
  readonly rest?: RestCall | undefined;
};

/** The request as its JSON body, as a curl command for JSON-RPC or REST, or as a program. */
export function requestText(
  form: RequestForm,
  { calls, body, rest }: ShownRequest,
  destination: Destination,
): string {
  if (form === "json") return indent(body);
  if (form === "typescript") return typeScriptText(calls, destination);
  if (form === "rest" && rest)
    return rest.body === undefined ? curlGet(rest, destination) : curlPost(rest.path, rest.body, destination);
  return curlPost("/jsonRPC", body, destination);
}

/** The calls as a program with the client of this package, which sends several as one batch. */
function typeScriptText(calls: readonly TypedCall[], { origin, key }: Destination): string {
  const options = [`transport: http(${JSON.stringify(`${origin}/jsonRPC`)})`];
  if (key !== "") options.push(`apiKey: ${JSON.stringify(key)}`);
  const invocations = calls.map(invocation);
  const outcome =
    invocations.length === 1
      ? `const result = await ${invocations[0]};`
      : `const results = await Promise.all([\n${invocations.map((each) => `  ${each.replaceAll("\n", "\n  ")},\n`).join("")}]);`;
  return `import { createClient, http } from "tonwire";

const client = createClient({ ${options.join(", ")} });
${outcome}`;
}

function invocation({ method, params }: TypedCall): string {
  const members = [...params].map(
    ([name, value]) => `  ${name}: ${literal(value).replaceAll("\n", "\n  ")},\n`,
  );
  return `client.${method}(${members.length === 0 ? "" : `{\n${members.join("")}}`})`;
}

/** JSON as TypeScript, which would round long integers. */
function literal(json: string): string {
  return /^-?\d{16,}$/.test(json) ? `${json}n` : indent(json);
}

/** The service's origin and the API key; an empty key sends none. */
export type Destination = { readonly origin: string; readonly key: string };

/** The same call over REST: a GET, or a POST with this body. */
type RestCall = { readonly path: string; readonly body?: string };

/** The call over REST; `undefined` if the method is available by JSON-RPC only. */
export function restCall(call: TypedCall, method: OpenRpcMethod | undefined): RestCall | undefined {
  const rest = method?.["x-rest"];
  // A path with parameters can be called if all of them are given. Others follow for aliases.
  const form =
    rest?.paths.findLast((each) => inPath(each).length > 0 && hasAll(call, inPath(each))) ?? rest?.paths[0];
  if (!rest || form === undefined) return undefined;
  const path = form.replaceAll(pathParam, (_, name) => encodeURIComponent(textIn(call, name)));
  if (!rest.verbs.includes("GET")) return { path, body: paramsText(call) };
  const query = new URLSearchParams();
  for (const [name, value] of call.params)
    if (!inPath(form).includes(name)) for (const text of queryTexts(value)) query.append(name, text);
  const search = query.toString();
  return { path: search === "" ? path : `${path}?${search}` };
}

const pathParam = /:(\w+)/g;

const inPath = (path: string) => Array.from(path.matchAll(pathParam), ([, name]) => name!);
const hasAll = ({ params }: TypedCall, names: readonly string[]) => names.every((name) => params.has(name));
const textIn = ({ params }: TypedCall, name: string) => queryTexts(params.get(name) ?? '""').join();

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
