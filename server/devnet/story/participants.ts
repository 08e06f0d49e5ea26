import type { Cell } from "../../../shared/ton/cells/cell.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import type { Address } from "../../../shared/values/address.js";
import { SigningKey } from "../../chain/ed25519.js";
import type { Payment } from "../../contracts/wallet-order.js";
import { roleSeed } from "../role-seed.js";
import { commentBody } from "../wallets/compose.js";
import type { DevnetWallets } from "../wallets/devnet-wallets.js";
import { Wallet, type WalletVersion } from "../wallets/wallet.js";

/** No expiry: the transfers run once, on a new chain. */
const always = 0xffffffff;

/** A participant of the story: a wallet and its next seqno. */
export class Participant {
  readonly wallet: Wallet;
  #seqno = 0;

  constructor(wallet: Wallet) {
    this.wallet = wallet;
  }

  get address(): Address {
    return this.wallet.address;
  }

  /** Creates the external message that makes the wallet send these payments. */
  sends(payments: readonly Payment[], sendMode?: number): Cell {
    return this.wallet.order({ seqno: this.#seqno++, validUntil: always, payments, sendMode });
  }

  /** Creates the external message of a transfer. Does not bounce, so the recipient's wallet need not be deployed. */
  pays(to: Participant, value: bigint, comment?: string): Cell {
    const body = comment === undefined ? undefined : commentBody(comment);
    return this.sends([{ to: to.address, value, body, bounce: false }]);
  }
}

/** Those who appear in the story, each with a wallet. */
export type Participants = {
  faucet: Participant;
  /** Owners of the prefunded wallets. Ben runs a marketplace, Cleo issues jettons, Eve creates NFTs. */
  ann: Participant;
  ben: Participant;
  cleo: Participant;
  dan: Participant;
  eve: Participant;
  finn: Participant;
  /** Three participants funded by the story. */
  gus: Participant;
  hana: Participant;
  iris: Participant;
  /** Has a wallet in the masterchain. */
  max: Participant;
};

/** The participants on a devnet with this seed. */
export function participantsOf(seed: string, { faucet, prefunded }: DevnetWallets): Participants {
  const [ann, ben, cleo, dan, eve, finn] = prefunded.map(({ wallet }) => new Participant(wallet));
  if (!ann || !ben || !cleo || !dan || !eve || !finn) throw new RangeError("the story needs six wallets");
  return {
    faucet: new Participant(faucet.wallet),
    ...{ ann, ben, cleo, dan, eve, finn },
    gus: gusOf(seed),
    hana: newcomer(seed, "hana", "v4r2"),
    iris: newcomer(seed, "iris", "v5r1"),
    max: maxOf(seed),
  };
}

export function gusOf(seed: string): Participant {
  return newcomer(seed, "gus", "v3r2");
}

export function maxOf(seed: string): Participant {
  return newcomer(seed, "max", "v4r2", masterchain);
}

/** A participant whose wallet is not in the zero state. */
export function newcomer(seed: string, name: string, version: WalletVersion, workchain = 0): Participant {
  return new Participant(new Wallet(version, new SigningKey(roleSeed(seed, `story/${name}`)), workchain));
}
