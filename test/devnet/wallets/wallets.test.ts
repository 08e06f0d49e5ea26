import { createHash } from "node:crypto";
import * as core from "@ton/core";
import {
  deriveEd25519Path,
  mnemonicToWalletKey,
  mnemonicValidate,
  mnemonicWordList,
  pbkdf2_sha512,
} from "@ton/crypto";
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from "@ton/ton";
import { describe, expect, it } from "vitest";
import { SigningKey } from "../../../server/chain/ed25519.js";
import { contractCode } from "../../../server/devnet/contracts/codes.js";
import { bip39From, bip39Secret } from "../../../server/devnet/wallets/bip39.js";
import { commentBody } from "../../../server/devnet/wallets/compose.js";
import { deriveRoleKeys, devnetWallets } from "../../../server/devnet/wallets/devnet-wallets.js";
import { mnemonicFrom, mnemonicSecret } from "../../../server/devnet/wallets/mnemonic.js";
import { publishedKeys, publishedSeed } from "../../../server/devnet/wallets/published-keys.js";
import { Wallet, type WalletVersion } from "../../../server/devnet/wallets/wallet.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { stateInitOf } from "../../../shared/ton/tlb/state-init.js";
import { Address } from "../../../shared/values/address.js";
import { toCore } from "../../helpers/chain/core-cell.js";
import { sized } from "../../helpers/effort.js";

const versions = ["v3r2", "v4r2", "v5r1"] as const;

/** The common interface of the three contract classes, whose overloads cannot be called on a union. */
type Oracle = {
  address: core.Address;
  init: { code: core.Cell; data: core.Cell };
  createTransfer(args: {
    seqno: number;
    timeout: number;
    secretKey: Buffer;
    sendMode: core.SendMode;
    messages: core.MessageRelaxed[];
  }): core.Cell;
};

function oracleWallet(version: WalletVersion, publicKey: Uint8Array, workchain = 0): Oracle {
  const init = { workchain, publicKey: Buffer.from(publicKey) };
  if (version === "v3r2") return WalletContractV3R2.create(init);
  return version === "v4r2" ? WalletContractV4.create(init) : WalletContractV5R1.create(init);
}

describe("a mnemonic derived from a text", () => {
  it("depends on the text only, and is accepted by the wallet library, with the same key", async () => {
    const words = await mnemonicFrom("any text");
    expect(words).toHaveLength(24);
    expect(await mnemonicFrom("any text")).toEqual(words);
    expect(await mnemonicValidate(words)).toBe(true);
    const expected = await mnemonicToWalletKey(words);
    expect(Buffer.from(new SigningKey(await mnemonicSecret(words)).publicKey)).toEqual(expected.publicKey);
  });
});

describe("a mnemonic of BIP 39", () => {
  // A vector of BIP 39, whose seed begins with 5eb00bbd.
  const vector = `${"abandon ".repeat(11)}about`.split(" ");

  it("has the key that SLIP-10 derives at m/44'/607'/0'", async () => {
    const seed = await pbkdf2_sha512(vector.join(" "), "mnemonic", 2048, 64);
    expect(seed.toString("hex").slice(0, 8)).toBe("5eb00bbd");
    expect(Buffer.from(await bip39Secret(vector))).toEqual(await deriveEd25519Path(seed, [44, 607, 0]));
  });

  it("is derived from a text, and ends with the checksum", () => {
    const words = bip39From("any text");
    expect(bip39From("any text")).toEqual(words);
    const bits = words.map((word) => mnemonicWordList.indexOf(word).toString(2).padStart(11, "0")).join("");
    const entropy = Buffer.from(
      BigInt(`0b${bits.slice(0, 128)}`)
        .toString(16)
        .padStart(32, "0"),
      "hex",
    );
    const checksum = createHash("sha256").update(entropy).digest()[0]! >> 4;
    expect(Number.parseInt(bits.slice(128), 2)).toBe(checksum);
  });
});

describe("the devnet's wallets", () => {
  it("have the published keys with the default seed", async () => {
    const { faucet, prefunded } = await devnetWallets(publishedSeed);
    const roles = [faucet, ...prefunded.toReversed()].map(({ role, wallet: { version } }) => ({
      role,
      version,
    }));
    expect(Object.keys(publishedKeys).toSorted()).toEqual(roles.map(({ role }) => role).toSorted());
    for (const each of roles.slice(0, sized(2, roles.length)))
      expect(await deriveRoleKeys(publishedSeed, each)).toEqual(publishedKeys[each.role]);
    expect(await deriveRoleKeys("my own", roles[0]!)).not.toEqual(publishedKeys[faucet.role]);
  });

  it("are two of each version, and one of Telegram's", async () => {
    const { faucet, prefunded } = await devnetWallets(publishedSeed);
    const addresses = [faucet, ...prefunded].map(({ wallet }) => wallet.address.toRaw());
    expect(new Set(addresses).size).toBe(8);
    expect(faucet.balance).toBe(10n ** 18n);
    expect(prefunded.map(({ wallet }) => wallet.version)).toEqual([
      ...versions.flatMap((each) => [each, each]),
      "tg",
    ]);
  });
});

describe.each(versions)("wallet %s", (version) => {
  const secret = new Uint8Array(32).fill(9);
  const wallet = new Wallet(version, new SigningKey(secret));
  const oracle = oracleWallet(version, wallet.publicKey);
  const to = new Address(0, new Uint8Array(32).fill(3));

  it("has the address that the wallet library computes for the key", () => {
    expect(wallet.address.toRaw()).toBe(oracle.address.toRawString());
    const onMasterchain = new Wallet(version, new SigningKey(secret), -1);
    expect(onMasterchain.address.toRaw()).toBe(
      oracleWallet(version, wallet.publicKey, -1).address.toRawString(),
    );
  });

  it.each([
    ["the order that deploys it", 0, 1],
    ["a later order", 7, 1],
    ["an order of several payments", 8, 4],
  ])("writes %s as wallet programs do", (_, seqno, count) => {
    const parts = [
      { value: 5n, body: commentBody("hello"), bounce: false },
      { value: 0n, bounce: true },
      { value: 10n ** 18n, body: commentBody("x".repeat(300)), bounce: true },
      {
        value: 1n,
        body: beginCell().storeUint(1, 32).storeUint(2, 64).endCell(),
        init: stateInitOf(contractCode("nft item"), Cell.empty),
      },
    ].slice(0, count);
    const order = wallet.order({
      seqno,
      validUntil: 1_800_000_000,
      payments: parts.map((part) => ({ to, ...part })),
    });
    const body = oracle.createTransfer({
      seqno,
      timeout: 1_800_000_000,
      secretKey: Buffer.concat([secret, wallet.publicKey]),
      sendMode: core.SendMode.PAY_GAS_SEPARATELY | core.SendMode.IGNORE_ERRORS,
      messages: parts.map(({ value, body, bounce, init }) =>
        core.internal({
          to: core.Address.parseRaw(to.toRaw()),
          value,
          bounce: bounce ?? true,
          ...(body && { body: toCore(body) }),
          ...(init && { init: { code: toCore(init.code!), data: toCore(init.data!) } }),
        }),
      ),
    });
    const message = core.external({ to: oracle.address, body, ...(seqno === 0 && { init: oracle.init }) });
    const expected = core.beginCell().store(core.storeMessage(message)).endCell();
    expect(order.hashHex()).toBe(expected.hash().toString("hex"));
  });
});
