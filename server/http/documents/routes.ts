import type Router from "@koa/router";
import type { Context } from "koa";
import { valueAt } from "../../../shared/values/lookups.js";
import { type Api, ServiceError } from "../../errors.js";
import { pathsOf } from "../../web/pages/explorer-paths.js";
import { openRpcPath } from "../../web/pages/openrpc-view.js";
import { methodPath } from "../../web/pages/reference.js";
import { type ExplorerFacts, explorerPage, missingPage } from "../../web/pages/shells/explorer-shell.js";
import { page, type Topic } from "../../web/pages/shells/reference-shell.js";
import { swaggerPage } from "../../web/pages/shells/swagger-shell.js";
import { chooseEncoding } from "../answers/compress.js";
import { Asset } from "./asset.js";
import { type Documents, type OpenApiVersion, openApiVersions } from "./documents.js";
import { emulatorFiles, pageFiles, swaggerFiles } from "./files.js";
import { readmePages } from "./readmes.js";

const ownPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** Swagger UI sets inline styles and embeds its images as data URLs. */
const swaggerPolicy = ownPolicy
  .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
  .replace("img-src 'self'", "img-src 'self' data:");

/** Pictures of tokens come from the operator's proxy, or are small and part of a token's data. Its debugger runs the emulator. */
const explorerPolicy = (imageOrigin = "") =>
  ownPolicy
    .replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
    .replace("img-src 'self'", `img-src 'self' data: ${imageOrigin}`.trim());

const html = "text/html; charset=utf-8";
const json = "application/json; charset=utf-8";
const plain = "text/plain; charset=utf-8";

/** Adds documents and pages to a router. They need no API key and cost no points. */
export function documentRoutes(
  documents: Documents,
  facts: Omit<ExplorerFacts, "fork">,
  fork: () => ExplorerFacts["fork"] = () => undefined,
): (router: Router) => void {
  const { network, imageOrigin } = facts;
  const document = (read: () => object) => new Asset(json, () => JSON.stringify(read()), documents);
  const openApi = (api: Api) => openApiAssets(api, document, documents);
  const v3 = openApi("v3");
  const swagger = (api: Api) => new Asset(html, () => swaggerPage(api, network));
  const pageOf = (topic: () => Topic) => new Asset(html, () => page(documents.openRpc, topic()), documents);
  const pageOfMethod = (name: string) =>
    pageOf(() => documents.openRpc.methods.find((each) => each.name === name) ?? "overview");
  const explorer = new Asset(html, () => explorerPage({ ...facts, fork: fork() }), {
    edition: async () => fork(),
  });
  const [v2Page, v3Page, v4Page] = [swagger("v2"), swagger("v3"), swagger("v4")];
  const files = new Map([...pageFiles(), ...swaggerFiles(), ...emulatorFiles()]);
  const assets = new Map<string, Asset | OpenApiAssets>([
    ["/openrpc.json", document(() => documents.discovery)],
    ["/api/v2/openapi.json", openApi("v2")],
    ["/api/v3/openapi.json", v3],
    ["/api/v3/doc.json", v3],
    ["/api/v4/openapi.json", openApi("v4")],
    ["/api/lite/v1/openapi.json", document(() => documents.liteOpenApi)],
    ["/api/streaming/asyncapi.json", document(() => documents.asyncApi)],
    ["/llms.txt", new Asset(plain, () => documents.llms)],
    ["/llms-full.txt", new Asset(plain, async () => Buffer.from(await documents.llmsFull))],
    ...[...pathsOf(network), "/index.html"].map((path): [string, Asset] => [path, explorer]),
    ["/reference", pageOf(() => "overview")],
    [openRpcPath, pageOf(() => "openrpc")],
    ...documents.methodNames.map((name): [string, Asset] => [methodPath(name), pageOfMethod(name)]),
    ...["/api/v2", "/api/v2/index.html"].map((path): [string, Asset] => [path, v2Page]),
    ...["/api/v3", "/api/v3/index.html"].map((path): [string, Asset] => [path, v3Page]),
    ...["/api/v4", "/api/v4/index.html"].map((path): [string, Asset] => [path, v4Page]),
    ...readmePages(network, html),
    ["/api/v2/favicon.ico", valueAt(files, "/pages/icon.svg")],
    ...files,
  ]);
  const ofExplorer = explorerPolicy(imageOrigin);
  const policyOf = (path: string, asset: Asset | OpenApiAssets) => {
    if (asset === explorer) return ofExplorer;
    return path.startsWith("/api/") ? swaggerPolicy : ownPolicy;
  };
  return (router) => {
    for (const [path, asset] of assets)
      router.get(path, (context) =>
        serve(context, asset instanceof Asset ? asset : asset[versionAsked(context)], policyOf(path, asset)),
      );
  };
}

type OpenApiAssets = Readonly<Record<OpenApiVersion, Asset>>;

function openApiAssets(
  api: Api,
  document: (read: () => object) => Asset,
  documents: Documents,
): OpenApiAssets {
  const of = (version: OpenApiVersion) => document(() => documents.openApi(api, version));
  return { "3.1": of("3.1"), "3.0": of("3.0") };
}

function versionAsked({ query }: Context): OpenApiVersion {
  const asked = query["version"];
  const known = openApiVersions.find((each) => asked === undefined || each === asked);
  if (known) return known;
  throw new ServiceError("invalid-params", `version should be one of: ${openApiVersions.join(", ")}`);
}

/** Answers unknown paths with a page, if the client is a browser. */
export function missingPages(network: string): (context: Context) => void {
  return (context) => {
    const { path, method, headers } = context;
    const isPage = method === "GET" && headers.accept?.includes("text/html") && !apiPath.test(path);
    if (!isPage) return;
    setPageHeaders(context, ownPolicy);
    context.set("Cache-Control", "no-store");
    context.status = 404;
    context.type = html;
    context.body = missingPage(network, path.slice(0, maxShownPath));
  };
}

const apiPath = /^\/(api|streaming|jsonRPC)(\/|$)/;
const maxShownPath = 200;

async function serve(context: Context, asset: Asset, policy: string): Promise<void> {
  const { bytes, etag, compressed } = await asset.load();
  context.set("Cache-Control", asset.isFixed ? "public, max-age=31536000, immutable" : "no-cache");
  context.vary("Accept-Encoding");
  context.etag = etag;
  if (asset.type === html) setPageHeaders(context, policy);
  context.status = 200;
  if (context.fresh) {
    context.status = 304;
    return;
  }
  context.type = asset.type;
  const encoding = compressed && chooseEncoding(context.get("Accept-Encoding"));
  if (encoding) context.set("Content-Encoding", encoding);
  context.body = encoding ? await compressed[encoding]() : bytes;
}

function setPageHeaders(context: Context, policy: string): void {
  context.set("Content-Security-Policy", policy);
  context.set("Referrer-Policy", "no-referrer");
  context.set("Cross-Origin-Opener-Policy", "same-origin");
  context.set("X-Frame-Options", "DENY");
}
