import { Address, beginCell, Cell, contractAddress, type StateInit, storeStateInit } from "@ton/core";
import type { DevnetInfoResult } from "../api.js";
import type { Caller } from "../caller.js";
import { isRpcError } from "../errors.js";
import { sameAddress } from "../values/addresses.js";
import { keysOf } from "./keys.js";
import { type Account, initialData, isWalletVersion } from "./orders.js";

/** Asks the service for its devnet; throws if it serves another network. */
export async function devnetInfo(client: Pick<Caller, "call">): Promise<DevnetInfoResult> {
  try {
    const info = await client.call("devnet.info");
    if (info?.network === "devnet") return info;
  } catch (error) {
    if (!isRpcError(error) || mayBeDevnet(error)) throw error;
  }
  throw new Error("the service is not a devnet, for which alone this wallet is");
}

/** Whether a failure does not identify the service: other services lack the method, or the route. */
function mayBeDevnet({ status }: { readonly status: number | undefined }): boolean {
  return status === undefined || status === 401 || status === 403 || status === 429 || status >= 500;
}

/** The wallet of this address among those of the devnet, by default the newest kind; throws if there is none. */
export async function accountOf(
  client: Pick<Caller, "call">,
  { wallets, faucet }: DevnetInfoResult,
  address: string | undefined,
): Promise<Account> {
  const found =
    address === undefined
      ? (wallets.find(({ type }) => type === "v5r1") ?? wallets[0])
      : [...wallets, faucet].find((each) => sameAddress(each.address, address));
  if (!found) throw new Error(`the devnet has no wallet ${address ?? ""}: devnet.info lists them`);
  if (!isWalletVersion(found.type))
    throw new Error(`the wallet has version ${found.type}, which is not known`);
  const keys = await keysOf(found.type, found.mnemonic.split(" "));
  const init = { code: await codeOf(client, found.address), data: initialData(found.type, keys.publicKey) };
  const own = contractAddress(0, init);
  if (!own.equals(Address.parse(found.address)))
    throw new Error(`${found.address} is not the wallet of its mnemonic: was its code changed?`);
  return { address: own, version: found.type, init, keys };
}

/** The code of a deployed wallet, such as those of a new devnet. */
async function codeOf(client: Pick<Caller, "call">, address: string): Promise<Cell> {
  const { state, code } = await client.call("getAddressInformation", { address });
  if (state !== "active")
    throw new Error(`the wallet ${address} is not deployed: send something from it first`);
  return Cell.fromBase64(code);
}

/** The initial state as dapps get it: a bag of cells, base64. */
export function initText(init: StateInit): string {
  return beginCell().store(storeStateInit(init)).endCell().toBoc().toString("base64");
}
