import { mnemonicToWalletKey } from "@ton/crypto";
import type { TestService } from "./service.js";

type WalletInfo = { address: string; type: string; mnemonic: string; balance: string };

/** The first prefunded wallet of the given version that a devnet lists, with its key. */
export async function prefundedWallet(service: TestService, version: "v3r2" | "v4r2" | "v5r1") {
  const answer = (await service.rpc("devnet.info")) as { result: { wallets: WalletInfo[] } };
  const found = answer.result.wallets.find(({ type }) => type === version)!;
  return { ...found, ...(await mnemonicToWalletKey(found.mnemonic.split(" "))) };
}
