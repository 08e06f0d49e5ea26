import { describe, expect, it } from "vitest";
import { beginCell } from "../../server/cells/builder.js";
import { Cell } from "../../server/cells/cell.js";
import { intKey } from "../../server/cells/dictionary.js";
import { openMerkleProof } from "../../server/cells/proof.js";
import { methodId } from "../../server/chain/executor/method-id.js";
import { LiteError } from "../../server/chain/lite-api.js";
import type { AccountSnapshot } from "../../server/chain/read/account.js";
import type { ConfigView } from "../../server/chain/read/config.js";
import { recognizeTonlibAccount } from "../../server/contracts/recognise/tonlib-account.js";
import type { ServiceError } from "../../server/errors.js";
import { type AccountDeps, accountHandlers } from "../../server/methods/v2/accounts.js";
import { explainLiteError, withErrorContext } from "../../server/methods/v2/lite-errors.js";
import { wholeShard } from "../../server/tlb/block-id.js";
import { encodeConfigParam } from "../../server/tlb/config/config-param.js";
import { SuspendedAddressList } from "../../server/tlb/config/contract-lists.js";
import { ConfigDictionary } from "../../server/tlb/config-params.js";
import { ExtraCurrencyCollection } from "../../server/tlb/currency-collection.js";
import { hashmapE } from "../../server/tlb/dictionaries.js";
import { coins } from "../../server/tlb/primitives.js";
import { Address } from "../../shared/values/address.js";
import { base64ToBytes, bytesToBase64 } from "../../shared/values/bytes.js";
import { noRunner } from "../helpers/chain-app.js";

// What a devnet does not bring about: accounts as the other networks have them.

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

describe("a frozen account", () => {
  const frozenHash = new Uint8Array(32).fill(8);
  const frozen: AccountSnapshot = {
    ...plain,
    status: "frozen",
    code: undefined,
    data: undefined,
    frozenHash,
  };

  it("has the hash of the state it had, and no code", async () => {
    const params = { address, seqno: undefined };
    const hash = bytesToBase64(frozenHash);
    expect(await accountHandlers.getAddressInformation(params, depsFor(frozen), call)).toMatchObject({
      state: "frozen",
      code: "",
      data: "",
      frozen_hash: hash,
    });
    expect(await accountHandlers.getAddressState(params, depsFor(frozen), call)).toBe("frozen");
    const written = { address, form: "raw", bounceable: true, testOnly: false } as const;
    expect(
      await accountHandlers.getExtendedAddressInformation({ address: written }, depsFor(frozen), call),
    ).toMatchObject({
      account_state: { "@type": "uninited.accountState", frozen_hash: hash },
      revision: 0,
    });
    expect(await accountHandlers.getWalletInformation(params, depsFor(frozen), call)).toMatchObject({
      wallet: false,
      account_state: "frozen",
    });
  });
});

describe("an account with code and without data", () => {
  it("is shown raw, whatever the code", async () => {
    const written = { address, form: "raw", bounceable: true, testOnly: false } as const;
    const deps = depsFor({ ...plain, data: undefined });
    expect(
      await accountHandlers.getExtendedAddressInformation({ address: written }, deps, call),
    ).toMatchObject({
      account_state: { "@type": "raw.accountState", data: "", frozen_hash: "" },
    });
    expect(await accountHandlers.getWalletInformation({ address }, deps, call)).toMatchObject({
      wallet: false,
    });
  });
});

/** A cell of which only the hash is known, seen as the cell it stands for: a pruned branch through a proof. */
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

describe("contracts tonlib knows", () => {
  const written = { address, form: "raw", bounceable: true, testOnly: false } as const;
  const seqnoFirst = beginCell()
    .storeUint(7, 32)
    .storeUint(0xffffff11, 32)
    .storeBytes(new Uint8Array(32))
    .endCell();
  const told = async (hash: string, data: Cell, runner: AccountDeps["runner"] = noRunner) => {
    const { reader } = depsFor({ ...plain, code: codeWithHash(hash), data });
    const { account_state, revision } = await accountHandlers.getExtendedAddressInformation(
      { address: written },
      { reader, runner },
      call,
    );
    return { ...account_state, revision };
  };

  it.each([
    ["wallet.highload.v1", 1, "2M27t58sXKpnesRQdwvgNRviHhJQSG3oXMUqoz3RZIQ="],
    ["wallet.highload.v1", 2, "NowDly5fTCRBK4GGUt4d4qJjDRwBFgmZnf90X7NoSa0="],
  ])("C-80: %s r%i has a number and is no wallet", async (kind, revision, hash) => {
    expect(await told(hash, seqnoFirst)).toEqual({
      "@type": `${kind}.accountState`,
      wallet_id: 0xffffff11,
      seqno: 7,
      revision,
    });
    const deps = depsFor({ ...plain, code: codeWithHash(hash), data: seqnoFirst });
    expect(await accountHandlers.getWalletInformation({ address }, deps, call)).toMatchObject({
      wallet: false,
    });
  });

  it.each([
    ["wallet.highload.v2", 1, "jOtFs81LXMYOquHBO5wJI5Jnf+U2sumy2AG2Lv+TH+E="],
    ["wallet.highload.v2", 2, "CzqIeurNKn1Au1VQvJJTFWoCkGWu+21rWDc11Y2p1b4="],
    ["dns", 1, "oNZ9LeiRn+e3yndlLM1P3FbGid56aRYeRfsNzF5HwVU="],
  ])("%s r%i has its id first", async (kind, revision, hash) => {
    expect(await told(hash, seqnoFirst)).toEqual({ "@type": `${kind}.accountState`, wallet_id: 7, revision });
  });

  it("C-78: wallet v4 r1 is a wallet, and shown raw", async () => {
    const code = beginCell().storeUint(1, 8).endCell();
    const v4r1 = "ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=";
    const deps = depsFor({ ...plain, code: codeWithHash(v4r1), data: seqnoFirst });
    expect(await accountHandlers.getWalletInformation({ address }, deps, call)).toMatchObject({
      wallet: true,
      wallet_type: "wallet v4 r1",
      seqno: 7,
      wallet_id: 0xffffff11,
    });
    expect(recognizeTonlibAccount(codeWithHash(v4r1), code)).toBeUndefined();
  });

  const restricted = "jTUEm5Rs8ztYUQu0VgyEGpRfd4HW3p/GnKP0MPbjInM=";
  const limits = hashmapE(intKey(32), coins).empty.set(1000, 5_000_000_000n).set(-1, 7n);
  const restrictedData = beginCell()
    .storeSlice(seqnoFirst.parse())
    .storeUint(1_600_000_000, 32)
    .storeMaybeRef(limits.root)
    .endCell();

  it("a restricted wallet shows its limits, and what it says can be spent", async () => {
    const runner: AccountDeps["runner"] = {
      run: async (account, { methodId: id }) => ({
        exitCode: account.code && id === methodId("balance") ? 0 : 11,
        gasUsed: 100,
        stack: [{ type: "int", value: 42n }],
      }),
    };
    expect(await told(restricted, restrictedData, runner)).toEqual({
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

  it("a restricted wallet with limits without end is shown raw", async () => {
    // A Hashmap of 32 bits whose branches are all the same: 33 cells with 2^32 entries.
    let branch = beginCell().storeUint(0, 2).storeCoins(1n).endCell();
    for (let bit = 0; bit < 32; bit++)
      branch = beginCell().storeUint(0, 2).storeRef(branch).storeRef(branch).endCell();
    const data = beginCell()
      .storeSlice(seqnoFirst.parse())
      .storeUint(1_600_000_000, 32)
      .storeMaybeRef(branch)
      .endCell();
    expect(await told(restricted, data)).toMatchObject({ "@type": "raw.accountState", revision: 0 });
  });
});

describe("extra currencies", () => {
  it("are listed by the bits of their numbers, with whole amounts", async () => {
    const extraCurrencies = ExtraCurrencyCollection.empty
      .set(4294967295, 1n)
      .set(239, (1n << 200n) - 1n)
      .set(100, 5n);
    const wanted = [
      { "@type": "extraCurrency", id: 100, amount: "5" },
      { "@type": "extraCurrency", id: 239, amount: ((1n << 200n) - 1n).toString() },
      { "@type": "extraCurrency", id: -1, amount: "1" },
    ];
    const deps = depsFor({ ...plain, extraCurrencies });
    for (const name of ["getAddressInformation", "getWalletInformation"] as const)
      expect((await accountHandlers[name]({ address }, deps, call)).extra_currencies).toEqual(wanted);
  });
});

describe("a suspended account", () => {
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
  const suspended = async (config: ConfigDictionary) =>
    (await accountHandlers.getAddressInformation({ address }, depsFor(plain, config), call)).suspended;

  it("is one that the configuration lists, until the time it says", async () => {
    expect(await suspended(ConfigDictionary.empty)).toBe(false);
    expect(await suspended(listed(1001))).toBe(true);
    expect(await suspended(listed(1000))).toBe(false);
    expect(await suspended(listed(1001, new Address(-1, address.hash)))).toBe(false);
    expect(await suspended(listed(1001, new Address(0, new Uint8Array(32))))).toBe(false);
  });
});

describe("a liteserver's refusal", () => {
  it.each([
    [601, "FAILURE"],
    [602, "ERROR"],
    [603, "WARNING"],
    [621, "PROTOVIOLATION"],
    [651, "NOTREADY"],
    [652, "TIMEOUT"],
    [653, "CANCELLED"],
    [0, "UNKNOWN"],
    [-400, "UNKNOWN"],
    [-701, "UNKNOWN"],
  ])("with code %i is called LITE_SERVER_%s", (code, name) => {
    const error = explainLiteError(new LiteError(code, "state already gc'd"));
    expect([error.textIn("v2"), error.statusIn("v2"), error.data]).toEqual([
      `LITE_SERVER_${name}: state already gc'd`,
      500,
      { liteserver_code: code },
    ]);
  });

  it("names the step it happened in, once", async () => {
    const refused = withErrorContext(
      "outer: ",
      withErrorContext("inner: ", Promise.reject(new LiteError(651, "no"))),
    );
    await expect(refused).rejects.toThrow(/^inner: LITE_SERVER_NOTREADY: no$/);
  });

  it("is told by every handler, other errors stay what they are", async () => {
    const failing = (error: Error) => ({
      reader: { ...depsFor(plain).reader, account: () => Promise.reject(error) },
      runner: noRunner,
    });
    const balance = (error: Error) => accountHandlers.getAddressBalance({ address }, failing(error), call);
    await expect(balance(new LiteError(-400, "x"))).rejects.toMatchObject({
      code: "liteserver-error",
    } satisfies Partial<ServiceError>);
    const defect = new TypeError("a defect");
    await expect(balance(defect)).rejects.toBe(defect);
  });
});
