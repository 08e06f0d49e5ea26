import { createClient } from "../../client/client.js";
import { isMissingMethod, isRpcError } from "../../client/errors.js";
import { http } from "../../client/transports/http.js";
import type { SharedOpenRpcDocument } from "../../shared/rpc/open-rpc.js";
import { keptRead } from "../../shared/values/shared-reads.js";
import { trimEnd } from "../../shared/values/trim-end.js";
import { definitionOf } from "./definitions.js";
import { CallFailure, type Session } from "./session.js";

/** Methods that TON Center's services lack, beside those of a devnet. */
const ownMethods: ReadonlySet<string> = new Set(["v3.messageStatus"]);

/** Another service: of this package, or with TON Center's API. */
export function remoteSession(url: string, apiKey: string | undefined): Session & { close(): void } {
  const client = createClient({ transport: http(endpointOf(url)), apiKey });
  const call = (method: string, params: object) =>
    client.call<string>(method, params).catch((error: unknown) => {
      if (!isRpcError(error)) throw error;
      const text =
        error.exitMeaning === undefined ? error.shortMessage : `${error.shortMessage} (${error.exitMeaning})`;
      throw new CallFailure(error.code, text);
    });
  const known = keptRead(() => methodsOf(client));
  return {
    call,
    async has(method) {
      const names = await known();
      return names?.has(method) ?? (definitionOf(method).network === undefined && !ownMethods.has(method));
    },
    close: () => client.close(),
  };
}

/** Both services answer there; a URL that names an endpoint is taken as it is. */
function endpointOf(url: string): string {
  return /\/jsonRPC$/i.test(url) ? url : `${trimEnd(url, "/")}/api/v2/jsonRPC`;
}

/** Names of all methods of the service; undefined if it does not list them. */
async function methodsOf(client: ReturnType<typeof createClient>): Promise<ReadonlySet<string> | undefined> {
  try {
    const { methods } = (await client.call<string>("rpc.discover", {})) as SharedOpenRpcDocument;
    return new Set(methods.map(({ name }) => name));
  } catch (error) {
    if (isMissingMethod(error)) return undefined;
    if (isRpcError(error)) throw new CallFailure(error.code, error.shortMessage);
    throw error;
  }
}
