import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startService, type TestService } from "../../helpers/services/service.js";

type OpenApi = { openapi: string; servers?: unknown };

const documents = ["/api/v2/openapi.json", "/api/v3/openapi.json", "/api/v3/doc.json"];

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe("the version of OpenAPI", () => {
  it.each(documents)("of %s is the one that is asked for, and 3.1 by default", async (path) => {
    const versionOf = async (query: string) => {
      const { status, json } = await service.get(path + query);
      return [status, (json as OpenApi).openapi];
    };
    expect(await versionOf("")).toEqual([200, "3.1.0"]);
    expect(await versionOf("?version=3.1")).toEqual([200, "3.1.0"]);
    expect(await versionOf("?version=3.0")).toEqual([200, "3.0.3"]);
  });

  it.each(documents)("of %s is refused if there is none such", async (path) => {
    const message = "version should be one of: 3.1, 3.0";
    for (const query of ["2.0", "", "3", "3.0.3", "3.0&version=3.0", "toString", "9".repeat(5000)]) {
      const { status, json } = await service.get(`${path}?version=${query}`);
      const failure = { error: message, ...(path.startsWith("/api/v2") && { ok: false, code: 422 }) };
      expect([query, status, json]).toEqual([query, 422, expect.objectContaining(failure)]);
    }
  });

  it("has a different ETag", async () => {
    const [path] = documents;
    const tags = await Promise.all(
      ["", "?version=3.1", "?version=3.0"].map(async (query) =>
        (await service.get(path + query)).headers.get("ETag"),
      ),
    );
    expect(tags[1]).toBe(tags[0]);
    expect(tags[2]).not.toBe(tags[0]);
  });
});

describe("the servers of documents", () => {
  async function serversOf({ url }: TestService): Promise<Record<string, unknown>> {
    const paths = [
      "/api/v2/openapi.json",
      "/api/v3/openapi.json?version=3.0",
      "/openrpc.json",
      "/api/streaming/asyncapi.json",
    ];
    const read = await Promise.all(paths.map((path) => spoofed(url + path)));
    for (const text of read) expect(text).not.toContain("spoofed.example");
    return Object.fromEntries(
      read.map((text, index) => [paths[index], (JSON.parse(text) as OpenApi).servers ?? "none"]),
    );
  }

  /** A document as a request gets it that names another host; fetch would not let it. */
  async function spoofed(url: string): Promise<string> {
    const headers = { Host: "spoofed.example", "X-Forwarded-Host": "spoofed.example" };
    const [response] = await once(request(url, { headers }).end(), "response");
    return Buffer.concat(await response.toArray()).toString();
  }

  it("have no host without a public URL", async () => {
    const host = {
      host: "{host}",
      variables: { host: { default: "localhost", description: "Host and port of the service." } },
    };
    expect(await serversOf(service)).toEqual({
      "/api/v2/openapi.json": [{ url: "/" }],
      "/api/v3/openapi.json?version=3.0": [{ url: "/" }],
      "/openrpc.json": "none",
      "/api/streaming/asyncapi.json": {
        webSocket: { ...host, protocol: "ws" },
        http: { ...host, protocol: "http" },
      },
    });
  });

  it("are at the public URL, without the slash at its end", async () => {
    const elsewhere = await startService({ publicUrl: "https://ton.example/node/" });
    onTestFinished(() => elsewhere.close());
    const server = { host: "ton.example", pathname: "/node" };
    expect(await serversOf(elsewhere)).toEqual({
      "/api/v2/openapi.json": [{ url: "https://ton.example/node" }],
      "/api/v3/openapi.json?version=3.0": [{ url: "https://ton.example/node" }],
      "/openrpc.json": [{ name: "tonwire", url: "https://ton.example/node/jsonRPC" }],
      "/api/streaming/asyncapi.json": {
        webSocket: { ...server, protocol: "wss" },
        http: { ...server, protocol: "https" },
      },
    });
  });
});
