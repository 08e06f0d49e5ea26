import type { Definitions } from "../../../shared/methods/define.js";
import type { OpenRpcDocument } from "../../../shared/rpc/open-rpc.js";
import { lazy } from "../../../shared/values/lazy.js";
import { apiVersion } from "../headers.js";
import { asyncApi } from "./asyncapi.js";
import { llmsText } from "./llms.js";
import { type DocumentedMethod, methodsOf } from "./methods.js";
import { openApi } from "./openapi.js";
import { openRpc } from "./openrpc.js";
import type { StoryExamples } from "./story-examples.js";

/** Machine-readable descriptions of the API. Each is generated once, when it is first read. */
export type Documents = {
  /** Names of all methods, and aliases. */
  readonly methodNames: readonly string[];
  /** Also the answer of `rpc.discover`. */
  readonly openRpc: OpenRpcDocument;
  readonly openApiV2: object;
  readonly openApiV3: object;
  /** Streams of both protocols. */
  readonly asyncApi: object;
  /** A summary in Markdown for language models. */
  readonly llms: string;
  /** Brings the examples up to date. Documents have changed if the result is another object than before. */
  edition(): Promise<object>;
};

export type DocumentsOptions = {
  network: string;
  version: string;
  /** Where the examples of a devnet come from. */
  story?: Pick<StoryExamples, "roles" | "tell"> | undefined;
};

/** Generates the documents of all methods that the network has. */
export function createDocuments(
  registry: Definitions,
  { network, version, story }: DocumentsOptions,
): Documents {
  const methods = methodsOf(registry, network);
  const own = editionOf(methods, { network, version });
  let made = own;
  let roles: object | undefined;
  let telling: Promise<void> | undefined;
  const bringUpToDate = async () => {
    const known = await story?.roles();
    if (known === roles) return;
    roles = known;
    made = story && known ? editionOf(await story.tell(methods, known), { network, version }) : own;
  };
  return {
    methodNames: methods.flatMap(({ name, definition }) => [name, ...(definition.aliases ?? [])]),
    get openRpc() {
      return made.openRpc();
    },
    get openApiV2() {
      return made.openApiV2();
    },
    get openApiV3() {
      return made.openApiV3();
    },
    get asyncApi() {
      return made.asyncApi();
    },
    get llms() {
      return made.llms();
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

function editionOf(methods: readonly DocumentedMethod[], { network, version }: DocumentsOptions) {
  const rest = (api: "v2" | "v3") =>
    openApi(methods, { api, title: `tonwire, API ${api}`, version: apiVersion(api, version), network });
  return {
    openRpc: lazy(() => openRpc(methods, version, network)),
    openApiV2: lazy(() => rest("v2")),
    openApiV3: lazy(() => rest("v3")),
    asyncApi: lazy(() => asyncApi(methods, version, network)),
    llms: lazy(() => llmsText(methods, network)),
  };
}
