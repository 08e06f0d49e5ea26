import { beforeAll, describe, expect, it } from "vitest";
import { readBag } from "../../../client/values/bag-of-cells.js";
import { contractCodes } from "../../../server/devnet/contracts/codes.js";
import { commentBody as composedComment } from "../../../server/devnet/wallets/compose.js";
import { type DevnetWallet, devnetWallets } from "../../../server/devnet/wallets/devnet-wallets.js";
import { publishedSeed } from "../../../server/devnet/wallets/published-keys.js";
import { commentBody } from "../../../server/web/explorer/devnet/cell-bits.js";
import { type Signer, signerOf } from "../../../server/web/explorer/devnet/signing.js";
import { walletCodes } from "../../../server/web/explorer/devnet/wallet-codes.js";
import { type Payment, walletMessage } from "../../../server/web/explorer/devnet/wallet-message.js";
import { bagOf } from "../../../server/web/explorer/parts/cells.js";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { Message, MessageRelaxed } from "../../../shared/ton/tlb/message.js";
import { Address } from "../../../shared/values/address.js";
import { base64ToBytes } from "../../../shared/values/bytes.js";

const to = new Address(0, new Uint8Array(32).fill(0xab));
const validUntil = 1_900_000_000;
const root = (boc: string): Cell => parseBocRoot(base64ToBytes(boc)!);
const hex = (cell: Cell) => Buffer.from(cell.hash()).toString("hex");

type SigningWallet = DevnetWallet & { readonly signer: Signer };

/** The message that the explorer signs for a wallet. */
async function signed({ wallet, signer }: SigningWallet, seqno: number, payment: Payment) {
  const state = { version: wallet.version, seqno, isDeployed: seqno > 0 };
  return decode(Message, root(await walletMessage(signer, state, { payment, validUntil })));
}

describe("Messages that the explorer signs for wallets of a devnet", () => {
  let wallets: readonly SigningWallet[];
  beforeAll(async () => {
    const { prefunded } = await devnetWallets(publishedSeed);
    wallets = await Promise.all(
      prefunded.map(async (each) => ({ ...each, signer: await signerOf(each.wallet.version, each.words) })),
    );
  });

  it.each([0, 1, 4_000_000_000])("equal those that the devnet signs itself, at seqno %i", async (seqno) => {
    for (const each of wallets)
      for (const value of [0n, 1n, 1_500_000_000n, 2n ** 63n]) {
        const bounce = value > 1n;
        const { info, init, body } = await signed(each, seqno, { to, value, body: undefined, bounce });
        const order = { seqno, validUntil, payments: [{ to, value, bounce }] };
        const expected = decode(Message, each.wallet.order(order));
        expect(info).toEqual(expected.info);
        expect(init?.cell && hex(init.cell)).toBe(expected.init?.cell && hex(expected.init.cell));
        expect(hex(body)).toBe(hex(expected.body));
      }
  });

  it("carry comments of any length, and other bodies", async () => {
    for (const text of ["hi", "ü".repeat(2000), "x".repeat(123), "x".repeat(124)]) {
      const body = commentBody(text);
      expect(hex(root(bagOf(body)!))).toBe(hex(composedComment(text)));
      const [message] = (await signed(wallets[2]!, 1, { to, value: 1n, body, bounce: true })).body.refs;
      expect(hex(decode(MessageRelaxed, message!).body)).toBe(hex(composedComment(text)));
    }
  });

  it("deploy the published codes", () => {
    const published = {
      v3r2: "wallet v3 r2",
      v4r2: "wallet v4 r2",
      v5r1: "wallet v5 r1",
      tg: "tg wallet",
    } as const;
    for (const [version, name] of Object.entries(published)) {
      const boc = walletCodes[version as keyof typeof published];
      expect(hex(root(bagOf(readBag(boc))!))).toBe(contractCodes[name].hash);
    }
  });
});
