import type { Definitions } from "../../../shared/methods/define.js";
import type { OpenRpcDocument, SharedOpenRpcDocument } from "../../../shared/rpc/open-rpc.js";
import { lazy } from "../../../shared/values/lazy.js";
import type { Api } from "../../errors.js";
import { asyncApi } from "./asyncapi.js";
import { llmsText } from "./llms.js";
import { llmsFullText } from "./llms-full.js";
import { type DocumentedMethod, methodsOf, type ServiceIdentity } from "./methods.js";
import { openApi } from "./openapi.js";
import { mirrorOpenApi } from "./openapi-liteserver.js";
import { openApi30 } from "./openapi30/document.js";
import { openRpc } from "./openrpc.js";
import { sharedOpenRpc } from "./openrpc-shared.js";
import type { StoryExamples } from "./story-examples.js";

/** Versions of OpenAPI that the documents of REST exist in, the default first. */
export const openApiVersions = ["3.1", "3.0"] as const;
export type OpenApiVersion = (typeof openApiVersions)[number];

/** Machine-readable descriptions of the API. Each is generated once, when it is first read. */
export type Documents = {
  /** Names of all methods, and aliases. */
  readonly methodNames: readonly string[];
  readonly openRpc: OpenRpcDocument;
  /** The OpenRPC document as callers get it, also by `rpc.discover`. */
  readonly discovery: SharedOpenRpcDocument;
  /** The REST interface of an API. */
  openApi(api: Api, version: OpenApiVersion): object;
  /** The functions of liteservers. */
  readonly liteOpenApi: object;
  /** Streams of both protocols. */
  readonly asyncApi: object;
  /** A summary in Markdown for language models. */
  readonly llms: string;
  /** That summary, the READMEs, and every method with its parameters. */
  readonly llmsFull: Promise<string>;
  /** Brings the examples up to date. Documents have changed if the result is another object than before. */
  edition(): Promise<object>;
};

type DocumentsOptions = ServiceIdentity & {
  /** Source of a devnet's examples. */
  story?: Pick<StoryExamples, "roles" | "tell"> | undefined;
};

/** Generates the documents of all methods that the network has. */
export function createDocuments(registry: Definitions, options: DocumentsOptions): Documents {
  const { network, story } = options;
  const methods = methodsOf(registry, network);
  const own = editionOf(methods, options);
  let made = own;
  let roles: object | undefined;
  let telling: Promise<void> | undefined;
  const bringUpToDate = async () => {
    const known = await story?.roles();
    if (known === roles) return;
    roles = known;
    made = story && known ? editionOf(await story.tell(methods, known), options) : own;
  };
  return {
    methodNames: methods.flatMap(({ name, definition }) => [name, ...(definition.aliases ?? [])]),
    get openRpc() {
      return made.openRpc();
    },
    get discovery() {
      return made.discovery();
    },
    openApi(api, version) {
      return made.openApi[api][version]();
    },
    get liteOpenApi() {
      return made.liteOpenApi();
    },
    get asyncApi() {
      return made.asyncApi();
    },
    get llms() {
      return made.llms();
    },
    get llmsFull() {
      return made.llmsFull();
    },
    async edition() {
      telling ??= bringUpToDate().finally(() => {
        telling = undefined;
      });
      await telling;
      return made;
    },
  };
}

function editionOf(methods: readonly DocumentedMethod[], identity: ServiceIdentity) {
  const rest = (api: Api) => {
    const newest = lazy(() => openApi(methods, { ...identity, api }));
    return { "3.1": newest, "3.0": lazy(() => openApi30(newest())) };
  };
  const inPlace = lazy(() => openRpc(methods, identity));
  const llms = lazy(() => llmsText(methods, identity.network));
  return {
    openRpc: inPlace,
    discovery: lazy(() => sharedOpenRpc(inPlace())),
    openApi: { v2: rest("v2"), v3: rest("v3"), v4: rest("v4") },
    liteOpenApi: lazy(() => mirrorOpenApi(identity)),
    asyncApi: lazy(() => asyncApi(methods, identity)),
    llms,
    llmsFull: lazy(() => llmsFullText(llms(), methods)),
  };
}
