import { restPaths } from "../../../shared/methods/define.js";
import { addToGroup } from "../../../shared/values/groups.js";
import type { DocumentedMethod } from "./methods.js";
import { SchemaCollection } from "./schemas.js";

/** `/llms.txt`: how to call the service, and one line per method, in Markdown. */
export function llmsText(methods: readonly DocumentedMethod[], network: string): string {
  const groups = new Map<string, string[]>();
  const schemas = new SchemaCollection();
  for (const method of methods) {
    const title = `${method.definition.group} (${familyOf(method)})`;
    addToGroup(groups, title, line(method, schemas));
  }
  const lists = [...groups].map(([title, lines]) => `## ${title}\n\n${lines.join("\n")}`);
  return `${[introduction(network), ...lists].join("\n\n")}\n`;
}

const introduction = (network: string) => `# tonwire

> HTTP, JSON-RPC and WebSocket access to the TON ${network}, compatible with TON Center's API v2 and v3, and with TonClient4.

- JSON-RPC 2.0: POST to /jsonRPC, one call or an array of calls, parameters by name; or a WebSocket at /jsonRPC.
- REST: the paths below. v2 answers {"ok":true,"result":...} or {"ok":false,"error":"...","code":...}; v3 answers the records, or {"error":"..."}; v4 the records, or text.
- API key: header X-API-Key or query parameter api_key. 429 comes with Retry-After in seconds.
- Amounts are nanotons. Integers above 2^53 are strings in answers; in requests, JSON numbers and strings.
- [OpenRPC](/openrpc.json), [OpenAPI of v2](/api/v2/openapi.json), [OpenAPI of v3](/api/v3/openapi.json), [of v4](/api/v4/openapi.json), [of liteserver queries](/api/lite/v1/openapi.json): every schema, error and example.
- Streams: subscribe over the WebSocket, or EventSource at /api/streaming/events; [AsyncAPI](/api/streaming/asyncapi.json) describes both and TON Center's streaming protocol.
- A page per method: /methods/<name>. All documents as one text: [llms-full.txt](/llms-full.txt).
- Model Context Protocol: POST to /mcp.`;

function familyOf({ name, api }: DocumentedMethod): string {
  if (api !== "v2") return api;
  return name.includes(".") ? "JSON-RPC only" : "v2";
}

function line({ name, definition }: DocumentedMethod, schemas: SchemaCollection): string {
  const { properties, required = [] } = schemas.params(definition);
  const params = Object.keys(properties).map((param) => (required.includes(param) ? param : `${param}?`));
  const [path] = restPaths(name, definition);
  const rest = path === undefined ? "" : ` ${definition.verbs.join(", ")} ${path}.`;
  return `- [${name}](/methods/${name})(${params.join(", ")}): ${definition.summary}${rest}`;
}
