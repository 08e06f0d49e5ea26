import { createHash } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readmePaths } from "../../../.ci/readmes.mjs";
import { inlined } from "../../../server/web/pages/inlined.js";
import type { OpenRpcDocument, SharedOpenRpcDocument } from "../../../shared/rpc/open-rpc.js";
import { emulatorBuild, emulatorPaths } from "../../../shared/values/emulator-build.js";
import { sized } from "../../helpers/effort.js";
import { startService, type TestService } from "../../helpers/services/service.js";

describe("documents and pages of a service", () => {
  let service: TestService;
  let discovery: SharedOpenRpcDocument;
  let openRpc: OpenRpcDocument;
  beforeAll(async () => {
    service = await startService();
    discovery = (await service.get("/openrpc.json")).json as SharedOpenRpcDocument;
    openRpc = inlined(discovery);
  });
  afterAll(() => service.close());

  it("answer rpc.discover and /openrpc.json alike", async () => {
    expect(await service.rpc("rpc.discover")).toEqual({ jsonrpc: "2.0", id: 1, ok: true, result: discovery });
  });

  it("are found under all their paths, with their types", async () => {
    const found = await Promise.all(
      Object.keys(types).map(async (path) => {
        const { status, headers } = await service.get(path);
        return [path, status === 200 ? headers.get("Content-Type") : status];
      }),
    );
    expect(Object.fromEntries(found)).toEqual(types);
    expect((await service.get("/api/v3/doc.json")).text).toBe(
      (await service.get("/api/v3/openapi.json")).text,
    );
  });

  it("include a readable page for methods, and none for others", async () => {
    for (const { name, summary } of openRpc.methods.filter((_, at) => at % sized(30, 1) === 0)) {
      const { status, text } = await service.get(`/methods/${name}`);
      expect([name, status]).toEqual([name, 200]);
      expect(text).toContain(`<title>${name} · tonwire</title>`);
      expect(text).toContain(summary.split("`")[0]!.replaceAll("'", "&#39;"));
    }
    expect((await service.get("/methods/toString")).status).toBe(404);
    expect((await service.get("/pages/../shell.js")).status).toBe(404);
  });

  it("include the READMEs, with links between them that lead somewhere", async () => {
    const pages = new Map<string, string>();
    for (const path of readmePaths()) {
      const shown = `/docs/${path}`.replace(/\/README\.md$/, "");
      pages.set(shown, (await service.get(shown)).text);
    }
    for (const [path, text] of pages) {
      expect(text).toContain(`<a href="${path}" aria-current="page">`);
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(ids).toEqual([...new Set(ids)]);
      for (const [, target, anchor] of text.matchAll(/href="((?:\/docs)?[^"#:]*)(?:#([^"]+))?"/g)) {
        if (target !== "" && !target!.startsWith("/docs")) continue;
        const other = pages.get(target || path);
        expect([target, anchor, other !== undefined]).toEqual([target, anchor, true]);
        if (anchor !== undefined && anchor !== "main") expect(other).toContain(` id="${anchor}"`);
      }
    }
    expect(pages.get("/docs")).toContain('<a href="/docs/shared#api-v3">v3</a>');
  });

  it("name every method in llms.txt", async () => {
    const { text } = await service.get("/llms.txt");
    const current = openRpc.methods.filter(({ deprecated }) => !deprecated);
    for (const { name } of current) expect(text).toContain(`[${name}](/methods/${name})`);
  });

  it("have the READMEs, and every method with its parameters, in llms-full.txt", async () => {
    const { text } = await service.get("/llms-full.txt");
    expect(text.startsWith((await service.get("/llms.txt")).text.trimEnd())).toBe(true);
    for (const path of readmePaths())
      expect(text).toContain(`<!-- /${`docs/${path}`.replace(/\/README\.md$/, "")} -->`);
    expect(text).not.toMatch(/\]\([^)]*README\.md/);
    for (const { name, params, deprecated } of openRpc.methods) {
      if (deprecated) continue;
      const section = text.split(`\n## ${name}\n`)[1]!.split("\n## ")[0]!;
      for (const param of params) expect(section).toContain(`- \`${param.name}\``);
    }
  });

  it("cost no points and need no key", async () => {
    for (let i = 0; i < 5; i++) {
      const { status, headers } = await service.get("/openrpc.json", { key: null });
      expect([status, headers.get("RateLimit")]).toEqual([200, null]);
    }
    expect((await service.get("/", { key: "unknown" })).status).toBe(200);
  });

  it("are not sent again to clients that have them cached", async () => {
    const { headers } = await service.get("/openrpc.json");
    expect(headers.get("Cache-Control")).toBe("no-cache");
    // fetch would bypass the cache.
    const again = await raw("/openrpc.json", { "If-None-Match": headers.get("ETag")! });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const other = await raw("/openrpc.json", { "If-None-Match": '"other"' });
    expect(other.status).toBe(200);
  });

  it("include the emulator under its hash, for pages of any origin and for ever", async () => {
    for (const [path, hash] of [
      [emulatorPaths.wasm, emulatorBuild.wasm],
      [emulatorPaths.script, emulatorBuild.glue],
    ] as const) {
      const { headers } = await service.get(path, { key: null, method: "HEAD" });
      expect(headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
      const { body } = await raw(path, {});
      expect(createHash("sha256").update(body).digest("hex")).toBe(hash);
    }
  });

  it("go out compressed to clients that accept that, and answer HEAD without a body", async () => {
    const plain = await raw("/pages/style.css", {});
    const gzipped = await raw("/pages/style.css", { "Accept-Encoding": "gzip" });
    const smallest = await raw("/pages/style.css", { "Accept-Encoding": "gzip, deflate, br" });
    const encodings = [plain, gzipped, smallest].map(({ encoding }) => encoding);
    expect(encodings).toEqual([undefined, "gzip", "br"]);
    expect(gunzipSync(gzipped.body)).toEqual(plain.body);
    expect(brotliDecompressSync(smallest.body)).toEqual(plain.body);
    const head = await service.get("/openrpc.json", { method: "HEAD" });
    expect([head.status, head.text, head.headers.get("Content-Type")]).toEqual([
      200,
      "",
      types["/openrpc.json"],
    ]);
  });

  it("answer browsers at paths that are not there with a page, and programs with an error", async () => {
    const browser = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
    const missing = await service.get("/no/such&one", { headers: browser });
    expect([missing.status, missing.headers.get("Content-Type")]).toEqual([404, html]);
    expect(missing.text).toContain("<code>/no/such&amp;one</code>");
    expect(missing.headers.get("Content-Security-Policy")).toContain("script-src 'self'");
    for (const [path, headers] of [
      ["/no/such", {}],
      ["/api/v2/noSuchMethod", browser],
      ["/api/v3/noSuchMethod", browser],
    ] as const) {
      const { status, json } = await service.get(path, { headers });
      expect([path, status, typeof json]).toEqual([path, 404, "object"]);
    }
  });

  it("send the scripts of the explorer's first view in at most 60 kB, compressed", async () => {
    const sizes = new Map<string, number>();
    const load = async (name: string) => {
      if (sizes.has(name)) return;
      const { body, encoding } = await raw(`/explorer/${name}`, { "Accept-Encoding": "gzip" });
      sizes.set(name, body.length);
      const code = (encoding === "gzip" ? gunzipSync(body) : body).toString();
      const imports = code.matchAll(/(?:from|import)"\.\/([^"]+)"/g);
      for (const [, imported = ""] of imports) await load(imported);
    };
    await load("main.js");
    expect(sizes.size).toBeGreaterThan(1);
    expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(60_000);
  });

  it("refuse other verbs with those they have", async () => {
    const { status, headers } = await service.post("/openrpc.json", {});
    expect([status, headers.get("Allow")]).toEqual([405, "HEAD, GET, OPTIONS"]);
  });

  it("restrict pages to content from the service", async () => {
    const policy = (await service.get("/")).headers.get("Content-Security-Policy")!;
    expect(policy).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'");
    const swagger = (await service.get("/api/v2/")).headers.get("Content-Security-Policy")!;
    expect(swagger).toContain("script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:");
  });

  it("let the explorer alone show pictures, of the image proxy and of tokens' data", async () => {
    const policyOf = async (from: TestService, path: string) =>
      /img-src [^;]*/.exec((await from.get(path)).headers.get("Content-Security-Policy")!)![0];
    expect(await policyOf(service, "/jetton/x")).toBe("img-src 'self' data:");
    const proxied = await startService({
      imageProxy: "https://images.example:8443/pictures/",
      imageProxyKey: "01",
      imageProxySalt: "02",
    });
    try {
      for (const path of ["/", "/nft/x", "/collection/x"])
        expect(await policyOf(proxied, path)).toBe("img-src 'self' data: https://images.example:8443");
      expect(await policyOf(proxied, "/reference")).toBe("img-src 'self'");
      expect((await proxied.get("/")).text).toContain(` data-images="https://images.example:8443">`);
    } finally {
      await proxied.close();
    }
    expect((await service.get("/")).text).not.toContain("data-images");
  });

  async function raw(path: string, headers: Record<string, string>) {
    const asked = request(service.url + path, { headers }).end();
    const [response] = await once(asked, "response");
    const chunks: Buffer[] = await response.toArray();
    return {
      status: response.statusCode,
      encoding: response.headers["content-encoding"],
      body: Buffer.concat(chunks),
    };
  }
});

const html = "text/html; charset=utf-8";
const json = "application/json; charset=utf-8";
const script = "text/javascript; charset=utf-8";
const style = "text/css; charset=utf-8";
const types = {
  "/": html,
  "/index.html": html,
  "/account/EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N": html,
  "/block/-1/8000000000000000/1": html,
  "/address-book": html,
  "/blocks": html,
  "/devnet": html,
  "/domain/tonwire.ton": html,
  "/trace/00": html,
  "/transactions": html,
  "/tx/00": html,
  "/reference": html,
  "/reference/openrpc": html,
  "/openrpc.json": json,
  "/llms.txt": "text/plain; charset=utf-8",
  "/llms-full.txt": "text/plain; charset=utf-8",
  "/api/v2/": html,
  "/api/v2/index.html": html,
  "/api/v2/openapi.json": json,
  "/api/v2/favicon.ico": "image/svg+xml",
  "/api/v3/": html,
  "/api/v3/index.html": html,
  "/api/lite/v1/openapi.json": json,
  "/api/v3/openapi.json": json,
  "/api/v3/doc.json": json,
  "/docs": html,
  "/docs/client": html,
  "/docs/shared": html,
  "/docs/server": html,
  "/docs/server/config": html,
  "/docs/server/scale": html,
  "/docs/server/devnet": html,
  "/explorer/main.js": script,
  "/explorer/theme.js": script,
  "/explorer/explorer.css": style,
  "/pages/main.js": script,
  "/pages/controls.css": style,
  "/pages/style.css": style,
  "/pages/icon.svg": "image/svg+xml",
  "/swagger-ui/swagger-ui-bundle.js": script,
  "/swagger-ui/swagger-ui.css": style,
  [emulatorPaths.wasm]: "application/wasm",
  [emulatorPaths.script]: script,
};
