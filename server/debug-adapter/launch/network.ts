import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { shippedConfig, shippedNetworks } from "../../chain/networks/shipped.js";
import type { Network } from "../../config/settings.js";
import { type CallService, RequestError } from "../service-calls.js";

/** Throws a RequestError unless the service is of the network. */
export async function confirmNetwork(wanted: Network, call: CallService): Promise<void> {
  const network = await networkOf(call);
  if (network !== wanted)
    throw new RequestError(`the service is of ${network ?? "another network"}, not of ${wanted}`);
}

/** Undefined for networks without a name. */
async function networkOf(call: CallService): Promise<Network | undefined> {
  // Only devnets have the method. Where no service answers, the next call says so.
  const isDevnet = await call("devnet.info", {}).then(
    () => true,
    () => false,
  );
  if (isDevnet) return "devnet";
  const { init } = (await call("getMasterchainInfo", {})) as { init: { root_hash: string } };
  return shippedNetworks.find(
    (name) => bytesToBase64(shippedConfig(name).zeroState.rootHash) === init.root_hash,
  );
}
