import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { type StateInit, stateInitOf } from "../../../shared/ton/tlb/state-init.js";
import type { Address } from "../../../shared/values/address.js";
import { tgWalletId } from "../../../shared/values/tg-wallet.js";
import type { SigningKey } from "../../chain/ed25519.js";
import { type Order, signedOrder, unsignedOrder } from "../../contracts/wallet-order.js";
import { contractCode } from "../contracts/codes.js";
import { contractAddress, externalMessage } from "./compose.js";

/**
 * Supported wallets: the form of their orders, the name of their code, and their id if all have the same. Wallet apps use
 * mainnet's ids in workchain 0.
 */
const versions = {
  v3r2: { form: "v3", code: "wallet v3 r2", id: undefined },
  v4r2: { form: "v4", code: "wallet v4 r2", id: undefined },
  v5r1: { form: "v5", code: "wallet v5 r1", id: 0x7fffff11 },
  /** Telegram's wallet. */
  tg: { form: "tg", code: "tg wallet", id: tgWalletId },
} as const;

export type WalletVersion = keyof typeof versions;

/** Wallet id of v3 and v4 in workchain 0. The workchain is added to it. */
const firstWalletId = 698_983_191;

/**
 * A standard wallet. Uses the wallet ids of wallet apps, so that a mnemonic has the same address there. A key can have
 * further v3 and v4 wallets, numbered by `subwallet`.
 */
export class Wallet {
  readonly version: WalletVersion;
  readonly init: StateInit;
  readonly address: Address;
  readonly #key: SigningKey;
  readonly #id: number;

  constructor(version: WalletVersion, key: SigningKey, workchain = 0, subwallet = 0) {
    this.version = version;
    this.#key = key;
    const { code, id = firstWalletId + workchain + subwallet } = versions[version];
    this.#id = id;
    const data = initialData(version, id, key.publicKey);
    this.init = stateInitOf(contractCode(code), data);
    this.address = contractAddress(this.init, workchain);
  }

  get publicKey(): Uint8Array {
    return this.#key.publicKey;
  }

  /** Creates the signed external message of an order. With seqno 0 it includes the wallet's code and deploys it. */
  order(order: Order): Cell {
    const { form } = versions[this.version];
    const unsigned = unsignedOrder(form, this.#id, order);
    const body = signedOrder(form, unsigned, this.#key.sign(unsigned.endCell().hash()));
    return externalMessage(this.address, body, order.seqno === 0 ? this.init : undefined);
  }
}

function initialData(version: WalletVersion, id: number, publicKey: Uint8Array): Cell {
  const data = beginCell();
  // is_signature_allowed:Bool seqno:uint32 wallet_id:uint32 public_key:bits256 extensions:(HashmapE 256 int1);
  // v3 and v4 have no is_signature_allowed; v3 has no extensions; v4 calls them plugins
  if (version === "v5r1") data.storeBit(true);
  // The revision of the form comes first.
  if (version === "tg") data.storeUint(0, 8);
  data.storeUint(0, 32).storeUint(id, 32).storeBytes(publicKey);
  if (version === "v4r2" || version === "v5r1") data.storeBit(false);
  return data.endCell();
}
