import { jettonTransferBody } from "../../server/devnet/story/contracts/jetton.js";
import { nftTransferBody } from "../../server/devnet/story/contracts/nft.js";
import { type Participants, participantsOf } from "../../server/devnet/story/participants.js";
import { jettonsOf } from "../../server/devnet/story/scenes/jetton-trade.js";
import { collectionOf } from "../../server/devnet/story/scenes/nft-trade.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import { publishedSeed } from "../../server/devnet/wallets/published-keys.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import type { Address } from "../../shared/values/address.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";

/** A process that sends messages for its callers. */
type Sender = { ask(path: string, init?: RequestInit): Promise<[number, { result?: unknown }]> };

const ton = 1_000_000_000n;
const noExpiry = 0xffffffff;

/** Random transfers, jettons and items that change hands, and failures, on a devnet with the contracts of the story. */
export class Traffic {
  readonly #devnet: DevnetService;
  readonly #random: () => number;
  readonly #participants: Participants;
  #queryId = 1n;

  private constructor(devnet: DevnetService, random: () => number, participants: Participants) {
    this.#devnet = devnet;
    this.#random = random;
    this.#participants = participants;
  }

  static async on(devnet: DevnetService, random: () => number): Promise<Traffic> {
    return new Traffic(devnet, random, participantsOf(publishedSeed, await devnetWallets(publishedSeed)));
  }

  /** The accounts that take part. */
  get accounts(): string[] {
    return this.#owners.map((owner) => owner.toRawUpper());
  }

  get #owners(): Address[] {
    const { ann, ben, eve, finn, gus } = this.#participants;
    return [ann, ben, eve, finn, gus].map(({ address }) => address);
  }

  /** Sends one message; the next block has it. A transfer of a wallet is `pay`. */
  async send(sender: Sender): Promise<string | undefined> {
    const from = this.#choose(this.#owners);
    const to = this.#choose(this.#owners);
    const shared = { to, excessesTo: from, queryId: Number(this.#queryId++) };
    const { acorn } = jettonsOf(this.#participants);
    const item = collectionOf(this.#participants).item(BigInt(this.#below(3)));
    switch (this.#below(5)) {
      case 0:
        return this.pay(sender);
      case 1:
        await this.#devnet.run("devnet.faucet", { address: to.toRaw(), amount: String(ton) });
        return undefined;
      case 2:
        return this.#call(
          from,
          acorn.walletOf(from),
          jettonTransferBody({ ...shared, amount: BigInt(1 + this.#below(1000)) }),
        );
      case 3:
        // A sender other than the owner fails.
        return this.#call(from, item, nftTransferBody({ ...shared, forwardTons: 0n }));
      default:
        return this.#call(
          from,
          acorn.walletOf(from),
          beginCell()
            .storeUint(this.#below(2 ** 32), 32)
            .endCell(),
        );
    }
  }

  /** Sends a transfer of a wallet. Returns the hash of the message if it was accepted. */
  async pay({ ask }: Sender): Promise<string | undefined> {
    const { ann, ben } = this.#participants;
    const path = `/api/v2/getWalletInformation?address=${ann.address.toRaw()}`;
    const [, { result }] = await ask(path);
    const { seqno = 0 } = (result ?? {}) as { seqno?: number };
    // After a revert no message is one that was sent before.
    const payments = [{ to: ben.address, value: ton / 100n + this.#queryId++ }];
    const order = ann.wallet.order({ seqno, validUntil: noExpiry, payments });
    const body = JSON.stringify({ boc: bytesToBase64(serializeBoc(order)) });
    const [status, sent] = await ask("/api/v2/sendBocReturnHash", { method: "POST", body });
    return status === 200 ? (sent.result as { hash: string }).hash : undefined;
  }

  async #call(from: Address, to: Address, body: Cell): Promise<undefined> {
    const addresses = { from: from.toRaw(), to: to.toRaw() };
    const boc = bytesToBase64(serializeBoc(body));
    await this.#devnet.run("devnet.impersonate", { ...addresses, value: String(ton / 5n), body: boc });
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #choose<T>(all: readonly T[]): T {
    return all[this.#below(all.length)]!;
  }
}
