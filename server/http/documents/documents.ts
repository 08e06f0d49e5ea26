import type { Definitions } from "../../../shared/methods/define.js";
import type { OpenRpcDocument } from "../../../shared/rpc/open-rpc.js";
import { apiVersion } from "../headers.js";
import { llmsText } from "./llms.js";
import { methodsOf } from "./methods.js";
import { openApi } from "./openapi.js";
import { openRpc } from "./openrpc.js";

/** Machine-readable descriptions of the API. Generated once; they do not change while the service runs. */
export type Documents = {
  /** Also the answer of `rpc.discover`. */
  readonly openRpc: OpenRpcDocument;
  readonly openApiV2: object;
  readonly openApiV3: object;
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
  return {
    openRpc: openRpc(methods, version, network),
    openApiV2: rest("v2"),
    openApiV3: rest("v3"),
    llms: llmsText(methods, network),
  };
}
