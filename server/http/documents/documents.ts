import type { Definitions } from "../../../shared/methods/define.js";
import type { OpenRpcDocument } from "../../../shared/rpc/open-rpc.js";
import { lazy } from "../../../shared/values/lazy.js";
import { apiVersion } from "../headers.js";
import { asyncApi } from "./asyncapi.js";
import { llmsText } from "./llms.js";
import { methodsOf } from "./methods.js";
import { openApi } from "./openapi.js";
import { openRpc } from "./openrpc.js";

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
};

/** Generates the documents of all methods that the network has. */
export function createDocuments(
  registry: Definitions,
  { network, version }: { network: string; version: string },
): Documents {
  const methods = methodsOf(registry, network);
  const rest = (api: "v2" | "v3") =>
    openApi(methods, { api, title: `tonwire, API ${api}`, version: apiVersion(api, version), network });
  const made = {
    openRpc: lazy(() => openRpc(methods, version, network)),
    openApiV2: lazy(() => rest("v2")),
    openApiV3: lazy(() => rest("v3")),
    asyncApi: lazy(() => asyncApi(methods, version, network)),
    llms: lazy(() => llmsText(methods, network)),
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
  };
}
