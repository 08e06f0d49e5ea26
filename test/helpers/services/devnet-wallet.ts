import { beginCell, external, internal, SendMode, storeMessage } from "@ton/core";
import { WalletContractV4 } from "@ton/ton";
import { keysOf } from "../../../client/devnet-wallet/keys.js";
import type { WalletVersion } from "../../../client/devnet-wallet/orders.js";
import type { DevnetService } from "./devnet-service.js";
import type { TestService } from "./service.js";

type WalletInfo = { address: string; type: string; mnemonic: string; balance: string };

/** The first prefunded wallet of the given version that a devnet lists, with its key. */
export async function prefundedWallet(service: TestService, version: WalletVersion) {
  const answer = (await service.rpc("devnet.info")) as { result: { wallets: WalletInfo[] } };
  const found = answer.result.wallets.find(({ type }) => type === version)!;
  return { ...found, ...(await keysOf(version, found.mnemonic.split(" "))) };
}

/** A signed payment of 0.1 TON by a prefunded wallet, as a bag of cells in base64. */
export async function signedPayment(service: DevnetService, to: string): Promise<string> {
  const { publicKey, secretKey, address } = await prefundedWallet(service, "v4r2");
  const wallet = WalletContractV4.create({ workchain: 0, publicKey });
  const { account_state: state } = await service.run<{ account_state: { seqno?: number } }>(
    "getExtendedAddressInformation",
    { address },
  );
  const body = wallet.createTransfer({
    seqno: state.seqno ?? 0,
    secretKey,
    messages: [internal({ to, value: "0.1", bounce: false })],
    sendMode: SendMode.PAY_GAS_SEPARATELY,
  });
  const message = external({ to: wallet.address, init: state.seqno ? undefined : wallet.init, body });
  return beginCell().store(storeMessage(message)).endCell().toBoc().toString("base64");
}
