import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDocuments } from "../../../server/http/documents/documents.js";
import { answerView } from "../../../server/web/pages/console/exchange-view.js";
import { fieldKind } from "../../../server/web/pages/fields.js";
import { highlight, indent } from "../../../server/web/pages/json-text.js";
import { html, prose } from "../../../server/web/pages/markup.js";
import { groupMethods } from "../../../server/web/pages/overview.js";
import { methodArticle } from "../../../server/web/pages/reference.js";
import {
  batchText,
  callText,
  requestText,
  restCall,
  type TypedCall,
} from "../../../server/web/pages/request.js";
import { resolverOf, schemaView, typeLabel } from "../../../server/web/pages/schema-view.js";
import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";
import { cpuMs } from "../../helpers/cpu-time.js";
import { exampleRegistry } from "../../helpers/http/example-registry.js";

const { openRpc } = createDocuments(exampleRegistry, { network: "devnet", version: "0.1.0" });
const method = (name: string) => openRpc.methods.find((each) => each.name === name)!;

describe("JSON as text", () => {
  it("is indented as JSON.stringify does it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(indent(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  it("keeps integers that a double would round, and text that is not JSON", () => {
    expect(indent('{"lt":12345678901234567890}')).toBe('{\n  "lt": 12345678901234567890\n}');
    expect(indent("<html>")).toBe("<html>");
  });

  it("is coloured without a character lost, with any content", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        const plain = highlight(text)
          .text.replace(/<\/?span[^>]*>/g, "")
          .replace(/&(amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!);
        expect(plain).toBe(text);
      }),
    );
    expect(highlight('{"a": [1, true]}').text).toBe(
      '{<span class="json-name">&quot;a&quot;</span>: [<span class="json-number">1</span>, ' +
        '<span class="json-word">true</span>]}',
    );
  });

  it("is coloured at once where it was cut within a text: each quote was read to the end", () => {
    const cut = `"${'\\"'.repeat(50_000)}`;
    expect(cpuMs(1000, () => expect(highlight(cut).text).toContain("json-string"))).toBeLessThan(1000);
  });

  const entities: Record<string, string> = {
    "&amp;": "&",
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
  };
});

describe("an answer", () => {
  const beginning = (text: string) => answerView(text, "call", "beginning").text;

  it("is shown whole when it is short", () => {
    expect(beginning("[]")).not.toContain("Show all");
  });

  it("is cut after many lines, or where one line is very long, until all is asked for", () => {
    const lines = Array.from({ length: 300 }, (_, line) => `line${line}`).join("\n");
    expect(beginning(lines)).toContain("line199");
    expect(beginning(lines)).not.toContain("line200");
    expect(beginning(lines)).toContain("Show all 2.3 kB");
    expect(answerView(lines, "call", "all").text).toContain("line299");
    const long = "x".repeat(2_000_000);
    expect(beginning(long)).toContain("Show all 2.0 MB");
    expect(beginning(long).length).toBeLessThan(60_000);
  });
});

describe("markup", () => {
  it("escapes all that is put in and is not markup itself", () => {
    const inner = html`<b>${"<i>"}</b>`;
    expect(html`<p title="${`"'&`}">${[inner, " ", 5, false, undefined]}</p>`.text).toBe(
      '<p title="&quot;&#39;&amp;"><b>&lt;i&gt;</b> 5</p>',
    );
    expect(prose("`<a>` and b").text).toBe("<code>&lt;a&gt;</code> and b");
  });
});

describe("a request as text", () => {
  const call: TypedCall = {
    method: "getThings",
    params: new Map([
      ["address", '"0:00\'x"'],
      ["limit", "12345678901234567890"],
      ["hashes", '["a b","c"]'],
    ]),
  };
  const place = { origin: "http://here", key: "" };

  it("carries values as typed", () => {
    const params = `{"address":"0:00'x","limit":12345678901234567890,"hashes":["a b","c"]}`;
    const first = `{"jsonrpc":"2.0","id":7,"method":"getThings","params":${params}}`;
    expect(callText(call, 7)).toBe(first);
    expect(batchText([call, { method: "rpc.ping", params: new Map() }], 7)).toBe(
      `[${first},{"jsonrpc":"2.0","id":8,"method":"rpc.ping","params":{}}]`,
    );
  });

  it("can be pasted into a shell", () => {
    expect(requestText("curl", { calls: [], body: `{"a":"it's"}` }, { ...place, key: "k" })).toBe(
      "curl 'http://here/jsonRPC' \\\n  -H 'X-API-Key: k' \\\n  -H 'Content-Type: application/json' \\\n" +
        `  -d '{"a":"it'\\''s"}'`,
    );
  });

  it("becomes a program with the client", () => {
    const ping = { method: "rpc.ping", params: new Map() };
    const many = { calls: [call, ping], body: "" };
    expect(
      requestText("typescript", many, { ...place, key: "k" }),
    ).toBe(`import { createClient, http } from "tonwire";

const client = createClient({ transport: http("http://here/jsonRPC"), apiKey: "k" });
const results = await Promise.all([
  client.getThings({
    address: "0:00'x",
    limit: 12345678901234567890n,
    hashes: [
      "a b",
      "c"
    ],
  }),
  client.rpc.ping(),
]);`);
  });

  it("becomes a REST call where the method has a path", () => {
    const rest = restCall(call, method("getThings"));
    expect(requestText("rest", { calls: [], body: "", rest }, place)).toBe(
      "curl 'http://here/api/v2/getThings?address=0%3A00%27x&limit=12345678901234567890&hashes=a+b&hashes=c'",
    );
    const post = restCall({ method: "sendThing", params: new Map() }, method("sendThing"));
    expect(post).toEqual({ path: "/api/v2/sendThing", body: "{}" });
    expect(restCall(call, method("devnet.mine"))).toBeUndefined();
  });
});

describe("a method's page", () => {
  const self = (schema: JsonSchema) => schema;

  it("has a control for each parameter by its type", () => {
    const kinds = [
      [{ type: "string" }, "text"],
      [{ type: "string", contentEncoding: "base64" }, "long-text"],
      [{ type: "string", enum: ["asc", "desc"] }, "choice"],
      [{ anyOf: [{ type: "integer" }, { type: "string" }] }, "number"],
      [{ anyOf: [{ type: "boolean" }, { type: "string" }] }, "flag"],
      [{ anyOf: [{ type: "array", items: { type: "string" } }, { type: "string" }] }, "lines"],
      [{ type: "array", items: { type: "object" } }, "json"],
      [{}, "json"],
    ] as const;
    for (const [schema, kind] of kinds) expect([schema, fieldKind(schema, self)]).toEqual([schema, kind]);
  });

  it("has a control per parameter, its result, errors and examples", () => {
    const { text } = methodArticle(openRpc, method("getThings"));
    for (const part of [
      'name="address" data-kind="text"',
      'name="limit" data-kind="number"',
      "<code>10</code>",
      "raw.message[]",
      "<code>liteserver-error</code>",
      "/api/v2/things",
    ])
      expect(text).toContain(part);
  });

  it("expands recursive records once", () => {
    const resolve = resolverOf(openRpc.components.schemas);
    const view = schemaView({ $ref: "#/components/schemas/Node" }, resolve).text;
    expect(view.match(/As Node above/g)).toHaveLength(1);
  });

  it("has short labels for types", () => {
    expect(typeLabel({ type: "array", items: { anyOf: [{ type: "string" }, { type: "null" }] } })).toBe(
      "(string | null)[]",
    );
    expect(typeLabel({ type: "object", additionalProperties: { type: "string" } })).toBe("map of string");
    expect(typeLabel({ const: "x" })).toBe('"x"');
    expect(typeLabel({})).toBe("any");
  });

  it("is listed under its API and group, without aliases", () => {
    const groups = groupMethods(openRpc).map(({ family, group, methods }) => [
      family,
      group,
      ...methods.map(({ name }) => name),
    ]);
    expect(groups).toEqual([
      ["API v2", "Things", "getThings"],
      ["API v2", "Send", "sendThing"],
      ["API v3", "Jettons", "v3.jetton.burns"],
      ["Devnet", "Devnet", "devnet.mine"],
    ]);
  });
});
