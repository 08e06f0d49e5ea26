import { describe, expect, it } from "vitest";
import { type AccountDeps, accountHandlers } from "../../server/methods/v2/accounts.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { intKey } from "../../shared/ton/cells/dictionaries/dictionary.js";
import { openMerkleProof } from "../../shared/ton/cells/merkle/proof.js";
import { recognizeTonlibAccount } from "../../shared/ton/contracts/tonlib-account.js";
import type { AccountSnapshot } from "../../shared/ton/proofs/read/account.js";
import type { ConfigView } from "../../shared/ton/proofs/read/config.js";
import { wholeShard } from "../../shared/ton/tlb/block-id.js";
import { encodeConfigParam } from "../../shared/ton/tlb/config/config-param.js";
import { SuspendedAddressList } from "../../shared/ton/tlb/config/contract-lists.js";
import { ConfigDictionary } from "../../shared/ton/tlb/config-params.js";
import { ExtraCurrencyCollection } from "../../shared/ton/tlb/currency-collection.js";
import { hashmapE } from "../../shared/ton/tlb/dictionaries.js";
import { coins } from "../../shared/ton/tlb/primitives.js";
import { methodId } from "../../shared/ton/tvm/method-id.js";
import { Address } from "../../shared/values/address.js";
import { base64ToBytes, bytesToBase64 } from "../../shared/values/bytes.js";
import { noRunner } from "../helpers/http/chain-app.js";

// Accounts as other networks have them and a devnet does not: the handlers run on made-up snapshots.

const address = new Address(0, new Uint8Array(32).fill(7));
const block = {
  workchain: -1,
  shard: wholeShard,
  seqno: 5,
  rootHash: new Uint8Array(32).fill(1),
  fileHash: new Uint8Array(32).fill(2),
};
const plain: AccountSnapshot = {
  address,
  block,
  shardBlock: { ...block, workchain: 0 },
  cell: Cell.empty,
  account: undefined,
  status: "active",
  balance: 1n,
  extraCurrencies: ExtraCurrencyCollection.empty,
  code: beginCell().storeUint(1, 8).endCell(),
  data: Cell.empty,
  libraries: undefined,
  frozenHash: undefined,
  lastTransaction: { lt: 9n, hash: new Uint8Array(32).fill(3) },
  syncUtime: 1000,
  bytes: 0,
};
const call = { signal: new AbortController().signal, asked: new Set<number>(), options: {} };

function depsFor(account: AccountSnapshot, config = ConfigDictionary.empty) {
  const view: ConfigView = { root: Cell.empty, params: config };
  const reader = { blockAt: async () => block, account: async () => account, config: async () => view };
  return { reader, runner: noRunner };
}

const written = { address, form: "raw", bounceable: true, testOnly: false } as const;
const frozenHash = new Uint8Array(32).fill(8);
const frozen: AccountSnapshot = { ...plain, status: "frozen", code: undefined, data: undefined, frozenHash };
const seqnoFirst = beginCell()
  .storeUint(7, 32)
  .storeUint(0xffffff11, 32)
  .storeBytes(new Uint8Array(32))
  .endCell();

/** Code of which only the hash is known: a pruned branch, read through a proof. */
function codeWithHash(hash: string): Cell {
  const pruned = beginCell()
    .storeUint(1, 8)
    .storeUint(1, 8)
    .storeBytes(base64ToBytes(hash)!)
    .storeUint(0, 16)
    .endExotic();
  const holder = beginCell().storeRef(pruned).endCell();
  const proof = beginCell()
    .storeUint(3, 8)
    .storeBytes(holder.hash(0))
    .storeUint(holder.depth(0), 16)
    .storeRef(holder)
    .endExotic();
  return openMerkleProof(proof).ref(0);
}

/** Extra currencies of a snapshot, and how they are listed: by the bits of their numbers, with whole amounts. */
const extraCurrencies = ExtraCurrencyCollection.empty
  .set(4294967295, 1n)
  .set(239, (1n << 200n) - 1n)
  .set(100, 5n);
const listedCurrencies = [
  { "@type": "extraCurrency", id: 100, amount: "5" },
  { "@type": "extraCurrency", id: 239, amount: ((1n << 200n) - 1n).toString() },
  { "@type": "extraCurrency", id: -1, amount: "1" },
];

describe("getAddressInformation", () => {
  const information = (account: AccountSnapshot, config?: ConfigDictionary) =>
    accountHandlers.getAddressInformation({ address, seqno: undefined }, depsFor(account, config), call);

  it("shows a frozen account with the hash of its state, and no code", async () => {
    expect(await information(frozen)).toMatchObject({
      state: "frozen",
      code: "",
      data: "",
      frozen_hash: bytesToBase64(frozenHash),
    });
  });

  it("lists extra currencies in the order of their unsigned numbers", async () => {
    expect((await information({ ...plain, extraCurrencies })).extra_currencies).toEqual(listedCurrencies);
  });

  const listed = (suspendedUntil: number, who = address) =>
    ConfigDictionary.empty.set(
      44,
      encodeConfigParam(44, {
        addresses: SuspendedAddressList.load(beginCell().storeUint(0, 41).endCell().parse()).addresses.set(
          who,
          true,
        ),
        suspendedUntil,
      }),
    );
  const suspended = async (config: ConfigDictionary) => (await information(plain, config)).suspended;

  it("shows an account as suspended until the configured time", async () => {
    expect(await suspended(ConfigDictionary.empty)).toBe(false);
    expect(await suspended(listed(1001))).toBe(true);
    expect(await suspended(listed(1000))).toBe(false);
    expect(await suspended(listed(1001, new Address(-1, address.hash)))).toBe(false);
    expect(await suspended(listed(1001, new Address(0, new Uint8Array(32))))).toBe(false);
  });
});

describe("getAddressState", () => {
  it("answers a frozen account as frozen", async () => {
    expect(await accountHandlers.getAddressState({ address }, depsFor(frozen), call)).toBe("frozen");
  });
});

describe("getWalletInformation", () => {
  const information = (account: AccountSnapshot) =>
    accountHandlers.getWalletInformation({ address }, depsFor(account), call);

  it("answers a frozen account as no wallet", async () => {
    expect(await information(frozen)).toMatchObject({ wallet: false, account_state: "frozen" });
  });

  it("answers an account with code and without data as no wallet", async () => {
    expect(await information({ ...plain, data: undefined })).toMatchObject({ wallet: false });
  });

  it.each(["2M27t58sXKpnesRQdwvgNRviHhJQSG3oXMUqoz3RZIQ=", "NowDly5fTCRBK4GGUt4d4qJjDRwBFgmZnf90X7NoSa0="])(
    "answers the highload wallet v1 with the code %s as no wallet",
    async (hash) => {
      expect(await information({ ...plain, code: codeWithHash(hash), data: seqnoFirst })).toMatchObject({
        wallet: false,
      });
    },
  );

  it("recognises wallet v4 r1, which tonlib shows as a contract of no known kind", async () => {
    const code = codeWithHash("ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=");
    expect(await information({ ...plain, code, data: seqnoFirst })).toMatchObject({
      wallet: true,
      wallet_type: "wallet v4 r1",
      seqno: 7,
      wallet_id: 0xffffff11,
    });
    expect(recognizeTonlibAccount(code, beginCell().storeUint(1, 8).endCell())).toBeUndefined();
  });

  it("lists extra currencies in the order of their unsigned numbers", async () => {
    expect((await information({ ...plain, extraCurrencies })).extra_currencies).toEqual(listedCurrencies);
  });
});

describe("getExtendedAddressInformation", () => {
  it("shows a frozen account with the hash of its state", async () => {
    expect(
      await accountHandlers.getExtendedAddressInformation({ address: written }, depsFor(frozen), call),
    ).toMatchObject({
      account_state: { "@type": "uninited.accountState", frozen_hash: bytesToBase64(frozenHash) },
      revision: 0,
    });
  });

  it("shows an account with code and without data as a contract of no known kind", async () => {
    const deps = depsFor({ ...plain, data: undefined });
    expect(
      await accountHandlers.getExtendedAddressInformation({ address: written }, deps, call),
    ).toMatchObject({
      account_state: { "@type": "raw.accountState", data: "", frozen_hash: "" },
    });
  });

  const shown = async (hash: string, data: Cell, runner: AccountDeps["runner"] = noRunner) => {
    const { reader } = depsFor({ ...plain, code: codeWithHash(hash), data });
    const { account_state, revision } = await accountHandlers.getExtendedAddressInformation(
      { address: written },
      { reader, runner },
      call,
    );
    return { ...account_state, revision };
  };

  it.each([
    ["wallet.highload.v1", -1, "CrH/k6nnnA3v9EBdja1rWsn4wBsvHry0JZ/rnpg4AJk="],
    ["wallet.highload.v1", 1, "2M27t58sXKpnesRQdwvgNRviHhJQSG3oXMUqoz3RZIQ="],
    ["wallet.highload.v1", 2, "NowDly5fTCRBK4GGUt4d4qJjDRwBFgmZnf90X7NoSa0="],
  ])("shows %s r%i with its wallet_id and seqno", async (kind, revision, hash) => {
    expect(await shown(hash, seqnoFirst)).toEqual({
      "@type": `${kind}.accountState`,
      wallet_id: 0xffffff11,
      seqno: 7,
      revision,
    });
  });

  it.each([
    ["wallet.highload.v2", -1, "lJTRzI7fEvBWcaGpugmSEJbrUIEeGSTsZcPGKfu4CBI="],
    ["dns", -1, "c1Ot4+H3y+3FJbPnvDIm/lrIJ2+lJ5rDf7bvvIj0Irc="],
    ["wallet.highload.v2", 1, "jOtFs81LXMYOquHBO5wJI5Jnf+U2sumy2AG2Lv+TH+E="],
    ["wallet.highload.v2", 2, "CzqIeurNKn1Au1VQvJJTFWoCkGWu+21rWDc11Y2p1b4="],
    ["dns", 1, "oNZ9LeiRn+e3yndlLM1P3FbGid56aRYeRfsNzF5HwVU="],
  ])("shows %s r%i with its wallet_id", async (kind, revision, hash) => {
    expect(await shown(hash, seqnoFirst)).toEqual({
      "@type": `${kind}.accountState`,
      wallet_id: 7,
      revision,
    });
  });

  describe("of a payment channel", () => {
    const channel = "Da+y0ZPcWqW+4h62BwUQypR10vDW62Ks+b8Ckjznjgs=";
    const sideOf = (digit: number) => new Address(0, new Uint8Array(32).fill(digit));
    const refOf = (side: Address) => beginCell().storeAddress(side).endCell();
    const config = beginCell()
      .storeUint(3600, 32)
      .storeUint(7200, 32)
      .storeBytes(new Uint8Array(32).fill(0xa1))
      .storeBytes(new Uint8Array(32).fill(0xb1))
      .storeRef(refOf(sideOf(1)))
      .storeRef(refOf(sideOf(2)))
      .storeUint(77, 64)
      .storeCoins(5n)
      .endCell();
    const dataOf = (state: Cell) => beginCell().storeRef(config).storeRef(state).endCell();
    const unfinished = (tag: number) =>
      beginCell()
        .storeUint(tag, 3)
        .storeBit(true)
        .storeBit(false)
        .storeCoins(0n)
        .storeCoins(300n)
        .storeUint(1_600_000_000, 32)
        .storeCoins(1_000_000_000n)
        .storeCoins(2n)
        .endCell();
    const shownConfig = {
      "@type": "pchan.config",
      alice_public_key: "PuahoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoTZc",
      alice_address: { "@type": "accountAddress", account_address: sideOf(1).toFriendly() },
      bob_public_key: "PuaxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsR2s",
      bob_address: { "@type": "accountAddress", account_address: sideOf(2).toFriendly() },
      init_timeout: 3600,
      close_timeout: 7200,
      channel_id: 77,
    };

    it.each([
      ["Init", "init", "min", 0],
      ["Close", "close", "promise", 1],
    ])("shows the state %s", async (name, kind, least, tag) => {
      expect(await shown(channel, dataOf(unfinished(tag)))).toEqual({
        "@type": "pchan.accountState",
        config: shownConfig,
        state: {
          "@type": `pchan.state${name}`,
          signed_A: true,
          signed_B: false,
          min_A: 0,
          min_B: 300,
          expire_at: 1_600_000_000,
          A: 1_000_000_000,
          B: 2,
        },
        description: [
          `(chan_state_${kind} signed_A:1 signed_B:0`,
          `  ${least}_A:(nanograms`,
          "    amount:(var_uint len:0 value:0))",
          `  ${least}_B:(nanograms`,
          "    amount:(var_uint len:2 value:300)) expire_at:1600000000",
          "  A:(nanograms",
          "    amount:(var_uint len:4 value:1000000000))",
          "  B:(nanograms",
          "    amount:(var_uint len:1 value:2)))",
          "",
        ].join("\n"),
        revision: -1,
      });
    });

    it("shows the state Payout", async () => {
      const state = beginCell().storeUint(2, 3).storeCoins(7n).storeCoins(0n).endCell();
      expect(await shown(channel, dataOf(state))).toMatchObject({
        "@type": "pchan.accountState",
        state: { "@type": "pchan.statePayout", A: 7, B: 0 },
        description:
          "(chan_state_payout\n  A:(nanograms\n    amount:(var_uint len:1 value:7))\n" +
          "  B:(nanograms\n    amount:(var_uint len:0 value:0)))\n",
        revision: -1,
      });
    });

    it("with other data shows a contract of no known kind", async () => {
      const data = dataOf(beginCell().storeUint(3, 3).endCell());
      expect(await shown(channel, data)).toMatchObject({ "@type": "raw.accountState", revision: 0 });
    });
  });

  const restricted = "jTUEm5Rs8ztYUQu0VgyEGpRfd4HW3p/GnKP0MPbjInM=";
  const limits = hashmapE(intKey(32), coins).empty.set(1000, 5_000_000_000n).set(-1, 7n);
  const restrictedData = beginCell()
    .storeSlice(seqnoFirst.parse())
    .storeUint(1_600_000_000, 32)
    .storeMaybeRef(limits.root)
    .endCell();

  it("shows the limits of a restricted wallet, and the balance that it unlocks", async () => {
    const runner: AccountDeps["runner"] = {
      run: async (account, { methodId: id }) => ({
        exitCode: account.code && id === methodId("balance") ? 0 : 11,
        gasUsed: 100,
        stack: [{ type: "int", value: 42n }],
      }),
    };
    expect(await shown(restricted, restrictedData, runner)).toEqual({
      "@type": "rwallet.accountState",
      wallet_id: 0xffffff11,
      seqno: 7,
      unlocked_balance: 42,
      config: {
        "@type": "rwallet.config",
        start_at: 1_600_000_000,
        limits: [
          { "@type": "rwallet.limit", seconds: -1, value: 7 },
          { "@type": "rwallet.limit", seconds: 1000, value: 5_000_000_000 },
        ],
      },
      revision: 1,
    });
  });

  it("shows a restricted wallet with 2^32 limits as a contract of no known kind", async () => {
    // A Hashmap of 32 bits whose branches are all the same: 33 cells with 2^32 entries.
    let branch = beginCell().storeUint(0, 2).storeCoins(1n).endCell();
    for (let bit = 0; bit < 32; bit++)
      branch = beginCell().storeUint(0, 2).storeRef(branch).storeRef(branch).endCell();
    const data = beginCell()
      .storeSlice(seqnoFirst.parse())
      .storeUint(1_600_000_000, 32)
      .storeMaybeRef(branch)
      .endCell();
    expect(await shown(restricted, data)).toMatchObject({ "@type": "raw.accountState", revision: 0 });
  });
});
