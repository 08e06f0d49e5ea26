import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDocuments } from "../../../server/http/documents/documents.js";
import { flatten, restPaths } from "../../../shared/methods/define.js";
import { registry } from "../../../shared/methods/registry.js";
import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";
import { exampleRegistry } from "../../helpers/http/example-registry.js";
import { SchemaCheck } from "../../helpers/http/schema-check.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { sharedService } from "../../helpers/services/shared-service.js";
import { untilIndexed } from "../../helpers/services/until-indexed.js";
import { queryOf } from "../../helpers/store/filtered-lists.js";

type Media = { "application/json": { schema: JsonSchema; examples?: Record<string, { value: unknown }> } };
type Operation = {
  operationId: string;
  deprecated?: true;
  parameters?: { $ref?: string }[];
  requestBody?: { required?: true; content: Media };
  responses: Record<string, { content?: Media; headers?: Record<string, object> }>;
};
type OpenApi = {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
};

const identity = { network: "devnet", version: "0.1.7" };
const real = createDocuments(registry, identity);
const madeUp = createDocuments(exampleRegistry, identity);
const documents: Record<string, OpenApi> = {
  "the service, v2": real.openApi("v2", "3.1") as OpenApi,
  "the service, v3": real.openApi("v3", "3.1") as OpenApi,
  "the service, v4": real.openApi("v4", "3.1") as OpenApi,
  "made-up methods, v2": madeUp.openApi("v2", "3.1") as OpenApi,
  "made-up methods, v3": madeUp.openApi("v3", "3.1") as OpenApi,
};

const operationsOf = ({ paths }: OpenApi) => Object.values(paths).flatMap((verbs) => Object.values(verbs));

describe.each(Object.entries(documents))("OpenAPI of %s", (_, document) => {
  it("is valid OpenAPI 3.1", async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  it("has examples that fit their schemas, refusals included", () => {
    const check = new SchemaCheck(document);
    for (const { operationId, requestBody, responses } of operationsOf(document)) {
      const contents = Object.values(responses).flatMap(({ content }) => content ?? []);
      for (const content of [...(requestBody ? [requestBody.content] : []), ...contents])
        for (const media of Object.values(content))
          for (const { value } of Object.values(media.examples ?? {}))
            expect(check.problems(media.schema, value), operationId).toEqual([]);
    }
  });

  it("expects wrong parameters of every method", () => {
    const methods = operationsOf(document).filter(
      ({ operationId }) => !["jsonRPC", "healthcheck"].includes(operationId),
    );
    for (const { operationId, responses } of methods)
      expect(Object.keys(responses), operationId).toContain(operationId.startsWith("v4.") ? "500" : "422");
  });

  it("names every operation once", () => {
    const ids = operationsOf(document).map(({ operationId }) => operationId);
    expect(ids).toEqual([...new Set(ids)]);
  });
});

describe("OpenAPI of made-up methods", () => {
  const { paths } = documents["made-up methods, v2"]!;

  it("has an operation per verb and path, the older paths deprecated", () => {
    const all = Object.entries(paths).flatMap(([path, verbs]) =>
      Object.entries(verbs).map(([verb, { operationId, deprecated }]) => [
        verb,
        path,
        operationId,
        deprecated,
      ]),
    );
    expect(all).toEqual([
      ["get", "/api/v2/getThings", "getThings", undefined],
      ["post", "/api/v2/getThings", "getThingsPost", undefined],
      ["get", "/api/v2/things", "things", true],
      ["post", "/api/v2/things", "thingsPost", true],
      ["post", "/api/v2/sendThing", "sendThingPost", undefined],
      ["post", "/api/v2/jsonRPC", "jsonRPC", undefined],
      ["get", "/api/v2/healthcheck", "healthcheck", undefined],
    ]);
  });

  it("takes parameters from the query by GET and from the body by POST", () => {
    const { get, post } = paths["/api/v2/getThings"]!;
    expect(get!.parameters).toEqual([
      {
        name: "address",
        in: "query",
        description: "Whose things.",
        required: true,
        schema: { $ref: "#/components/schemas/Address" },
      },
      expect.objectContaining({ name: "limit", in: "query" }),
    ]);
    expect(get!.requestBody).toBeUndefined();
    expect(post!.parameters).toEqual([]);
    expect(post!.requestBody!.content["application/json"].schema).toMatchObject({
      type: "object",
      required: ["address"],
    });
    expect(post!.requestBody!.required).toBe(true);
  });

  it("answers each failure in the form of its interface", () => {
    const answers = (api: string, path: string) => {
      const { responses } = documents[`made-up methods, ${api}`]!.paths[path]!["get"]!;
      return Object.entries(responses).flatMap(([status, { content }]) =>
        Object.entries(content?.["application/json"].examples ?? {}).map(([name, { value }]) => [
          status,
          name,
          value,
        ]),
      );
    };
    expect(answers("v2", "/api/v2/getThings")).toEqual([
      ["200", "example1", { ok: true, result: [{ "@type": "raw.message", value: "1" }], "@extra": extra }],
      ["401", "unknown-key", { ok: false, error: "API key does not exist", code: 401 }],
      ["403", "wrong-network", { ok: false, error: "Network not allowed", code: 403 }],
      ["413", "too-large", { ok: false, error: "request is too large", code: 413, "@extra": extra }],
      [
        "422",
        "invalid-params",
        {
          ok: false,
          error: "failed to parse get request: Failed to parse ton_addr: ''",
          code: 422,
          "@extra": extra,
        },
      ],
      [
        "429",
        "rate-limited",
        { ok: false, error: "Ratelimit exceeded", result: "Ratelimit exceeded", code: 429 },
      ],
      ["429", "quota-exceeded", { ok: false, error: quotaText, code: 429, "@extra": extra }],
      ["500", "internal", { ok: false, error: "Internal error", code: 500, "@extra": extra }],
      ["500", "liteserver-error", { ok: false, error: "LITE_SERVER_UNKNOWN", code: 500, "@extra": extra }],
      ["503", "unavailable", { ok: false, error: "No working liteservers", code: 503, "@extra": extra }],
      ["504", "timeout", { ok: false, error: "Liteserver timeout", code: 504, "@extra": extra }],
    ]);
    expect(answers("v3", "/api/v3/jetton/burns")).toEqual([
      ["200", "example1", { tree: { value: 1, children: [{ value: 2 }] } }],
      ["401", "unknown-key", { error: "API key does not exist" }],
      ["403", "wrong-network", { error: "Network not allowed" }],
      ["413", "too-large", { error: "request is too large" }],
      ["422", "invalid-params", { error: "invalid parameters" }],
      ["429", "rate-limited", { error: "Ratelimit exceeded" }],
      ["429", "quota-exceeded", { error: quotaText }],
      ["500", "timeout", { error: "query timeout" }],
      ["500", "internal", { error: "internal server error" }],
      ["503", "unavailable", { error: "database is not available" }],
    ]);
  });

  const extra = "1767225600:0:12";
  const quotaText = "the monthly quota of this API key is used up";
});

describe("OpenAPI and the routes of a running service", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await sharedService("indexed");
    await untilIndexed(service, 1);
  });
  afterAll(() => service.close());

  it("name the same paths and verbs", async () => {
    const paths = Object.assign(
      {},
      ...["v2", "v3", "v4"].map((api) => documents[`the service, ${api}`]!.paths),
    );
    const own = flatten(registry)
      .flatMap(([name, definition]) => restPaths(name, definition))
      .map((path) => path.replaceAll(/:(\w+)/g, "{$1}"));
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(own));
    for (const [path, verbs] of Object.entries<OpenApi["paths"][string]>(paths)) {
      const { status, headers } = await service.get(path, { method: "DELETE" });
      const documented = Object.keys(verbs).map((verb) => verb.toUpperCase());
      const allowed = headers
        .get("Allow")
        ?.split(", ")
        .filter((verb) => !["HEAD", "OPTIONS"].includes(verb));
      expect([path, status, allowed]).toEqual([path, 405, documented]);
    }
  });

  it("state the version that answers carry", async () => {
    for (const api of ["v2", "v3", "v4"]) {
      const { json, headers } = await service.get(`/api/${api}/openapi.json`);
      expect((json as OpenApi).info.version).toBe(headers.get("X-API-Version"));
    }
  });

  it("have the header of the index where answers have it, and only there", async () => {
    const asks = flatten(registry).filter(
      ([name, { verbs, needsKey }]) => name.startsWith("v3.") && verbs.includes("GET") && !needsKey,
    );
    const seen = { with: 0, without: 0 };
    for (const [name, definition] of asks) {
      const [path] = restPaths(name, definition);
      const operation = documents["the service, v3"]!.paths[path!]!["get"]!;
      const isTaken = operation.parameters!.some(({ $ref }) => $ref?.endsWith("/indexSeqno"));
      const all = Object.keys(operation.responses["200"]!.headers ?? {});
      const answerHeaders = all.filter((each) => each !== "X-Acton-Catalog-Revision");
      expect([name, answerHeaders]).toEqual([name, isTaken ? ["X-Index-Seqno"] : []]);
      const [{ params }] = definition.examples;
      const { status, headers } = await service.get(`${path}?${queryOf(params)}`);
      // Nothing is pending, so nothing of it is looked up in the index.
      if (status !== 200 || name.startsWith("v3.pending")) continue;
      expect([name, headers.has("X-Index-Seqno")]).toEqual([name, isTaken]);
      seen[isTaken ? "with" : "without"]++;
    }
    expect(seen.with).toBeGreaterThan(30);
    expect(seen.without).toBeGreaterThan(0);
    // API v2 reads the chain alone.
    expect(JSON.stringify(documents["the service, v2"])).not.toContain("X-Index-Seqno");
  });

  it("give the answers of the examples", async () => {
    for (const [name, definition] of flatten(registry)) {
      const { verbs, examples, freshness, needsKey, runsTransactions } = definition;
      // A devnet has contracts of its own, and an empty one lacks that of the example.
      if (name.startsWith("v3.acton.") || name === "v3.debug.code") continue;
      if (!verbs.includes("GET") || freshness.kind !== "none" || needsKey || runsTransactions) continue;
      const [path] = restPaths(name, definition);
      for (const { params, result } of examples) {
        const { json } = await service.get(`${path}?${new URLSearchParams(params as never)}`);
        const answer = { ok: true, result, "@extra": expect.any(String) };
        expect(json).toEqual(path!.startsWith("/api/v3/") ? result : answer);
      }
    }
  });
});
