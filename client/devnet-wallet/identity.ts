import { sameAddress } from "../values/addresses.js";
import { initText } from "./account.js";
import type { ItemReply } from "./bridge-types.js";
import { quoted } from "./fields.js";
import type { Account } from "./orders.js";
import type { Page } from "./page.js";
import { badRequest, Refusal, refusalOf } from "./refusal.js";
import type { DataRequest, Item } from "./requests.js";
import { dataSignature, proofSignature, type Signing } from "./signatures.js";
import type { Limits } from "./transfer.js";

/** The wallet's identity for a page: an account in a network. */
export class Identity {
  /** Raw. */
  readonly address: string;
  readonly network: string;
  readonly #account: Account;
  readonly #page: Page;

  constructor(account: Account, network: string, page: Page) {
    this.address = account.address.toRawString();
    this.network = network;
    this.#account = account;
    this.#page = page;
  }

  /** Answers an item of a request to connect. */
  reply(item: Item): ItemReply {
    switch (item.name) {
      case "ton_addr":
        return this.#addressItem(item.network);
      case "ton_proof":
        return this.#proofItem(item.payload);
      case "unknown":
        return {
          name: item.asked,
          error: refusalOf(new Refusal("notSupported", "the item is not supported")),
        };
    }
  }

  signedData({ data, payload }: DataRequest) {
    const signing = this.#signing();
    const { domain, timestamp } = signing;
    const signature = dataSignature(this.#account.keys, signing, data).toString("base64");
    return { signature, address: this.address, timestamp, domain, payload };
  }

  /** Refuses what is for another network or account. */
  check({ network, from }: Limits): void {
    this.#checkNetwork(network);
    if (from !== undefined && !sameAddress(from, this.address))
      throw badRequest(`the wallet has no account ${from}: it is connected as ${this.address}`);
  }

  #addressItem(network: string | undefined): ItemReply {
    this.#checkNetwork(network);
    const { keys, init } = this.#account;
    return {
      name: "ton_addr",
      address: this.address,
      network: this.network,
      publicKey: keys.publicKey.toString("hex"),
      walletStateInit: initText(init),
    };
  }

  #proofItem(payload: string): ItemReply {
    const signing = this.#signing();
    const { domain, timestamp } = signing;
    const signature = proofSignature(this.#account.keys, signing, payload).toString("base64");
    const shown = { lengthBytes: Buffer.byteLength(domain), value: domain };
    return { name: "ton_proof", proof: { timestamp, domain: shown, payload, signature } };
  }

  /** For the page; services compare the time with their clock, not with that of the devnet. */
  #signing(): Signing {
    const timestamp = Math.floor(Date.now() / 1000);
    return { address: this.#account.address, domain: this.#page.host, timestamp };
  }

  #checkNetwork(network: string | undefined): void {
    if (network !== undefined && network !== this.network)
      throw badRequest(`the wallet is in network ${this.network}, not ${quoted(network)}`);
  }
}
