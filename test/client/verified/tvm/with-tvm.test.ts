import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Caller, type Client, createClient, http, isRpcError } from "../../../../client/index.js";
import { createVerifiedClient, memoryStorage, ProofError } from "../../../../client/verified/index.js";
import { TvmError, withTvm } from "../../../../client/verified/tvm/index.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import type { BlockIdExt } from "../../../../shared/ton/tlb/block-id.js";
import { Address } from "../../../../shared/values/address.js";
import { libraryCell, publishingCode } from "../../../helpers/chain/library-cell.js";
import { bocText, codeOf, place, testAddress } from "../../../helpers/contracts/contracts.js";
import { isLong, sized } from "../../../helpers/effort.js";
import { ofAccount, olderBy, stuckAt, withoutFirst } from "../../../helpers/peers/lite-lies.js";
import { type LiteLie, LyingTonwire } from "../../../helpers/peers/lying-tonwire.js";
import type { DevnetService } from "../../../helpers/services/devnet-service.js";
import { sharedService } from "../../../helpers/services/shared-service.js";
import { compileOnce, script, wasm } from "./emulator.js";

const elector = testAddress("3", -1);

/** DROP 7 */
const seven = codeOf("3077");
/** SETCP0, ACCEPT, and an empty continuation again and again. */
const acceptsForEver = codeOf("FF00F8009020EA");
/** SETCP0, and an empty continuation again and again. */
const endless = codeOf("FF0090EA");

type Contract = { kind: string; address: string };
type Info = { contracts: Contract[]; wallets: { type: string; address: string }[] };

describe("a verified client with get-methods", () => {
  let service: DevnetService;
  let plain: Client;
  let info: Info;
  beforeAll(async () => {
    compileOnce();
    service = await sharedService("story");
    plain = createClient({ transport: http(`${service.url}/jsonRPC`), apiKey: service.key });
    info = await service.run<Info>("devnet.info");
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    plain?.close();
    await service?.close();
  });

  const contract = (kind: string) => info.contracts.find((each) => each.kind === kind)!.address;
  const wallet = (version = "v4r2") => info.wallets.find(({ type }) => type === version)!.address;
  const slice = (address: string) =>
    bocText(beginCell().storeAddress(Address.read(address)!.address).endCell());

  async function opened({ url = service.url, headMs = 0, gasLimit = undefined as number | undefined } = {}) {
    const { init } = await plain.getMasterchainInfo();
    const transport = http(`${url}/jsonRPC`);
    const client = createVerifiedClient({
      ...{ transport, apiKey: service.key, trustedBlock: init, storage: memoryStorage(), headMs },
    });
    onTestFinished(() => client.close());
    return withTvm(client, { wasm, script, gasLimit });
  }

  /** The answer, or the code of its error. */
  const outcome = (client: unknown, name: string, params: object) =>
    (client as Caller).call(name as never, params as never).then(
      (answer: unknown) => ({ answer }),
      (error: unknown) => {
        if (!isRpcError(error)) throw error;
        return { code: error.code };
      },
    );

  async function sameAnswers(calls: readonly (readonly [name: string, params: object])[]) {
    const verified = await opened({ headMs: 600_000 });
    const all: { answer?: unknown; code?: string }[] = [];
    for (const [name, params] of calls) {
      const [proven, believed] = [await outcome(verified, name, params), await outcome(plain, name, params)];
      expect([name, params, proven]).toEqual([name, params, believed]);
      all.push(proven);
    }
    return all;
  }

  it("gives the answers of an ordinary one", async () => {
    const [master, jettonWallet, item, absent] = [
      ...["jetton_master", "jetton_wallet", "nft_item"].map(contract),
      testAddress("e"),
    ] as [string, string, string, string];
    const { last } = await plain.getMasterchainInfo();
    const run = (address: string, method: string | number, stack: unknown[] = [], more = {}) =>
      ["runGetMethod", { address, method, stack, ...more }] as const;
    const answers = await sameAnswers([
      run(wallet(), "seqno"),
      run(wallet(), "0x14c97"),
      run(wallet(), "seqno", [], { seqno: last.seqno - 3 }),
      run(master, "get_jetton_data"),
      run(master, "get_wallet_address", [["tvm.Slice", slice(wallet())]]),
      run(jettonWallet, "get_wallet_data"),
      run(elector, "compute_returned_stake", [["num", "-5"]]),
      run(elector, "participant_list_extended"),
      run(wallet(), "no_such_method", [
        ["num", 5],
        ["null", null],
        ["tvm.Cell", bocText(seven)],
        ["list", { "@type": "tvm.list", elements: [] }],
        [
          "tuple",
          {
            elements: [
              { "@type": "tvm.stackEntryNumber", number: { number: "1" } },
              { "@type": "tvm.stackEntryList", list: { elements: [] } },
            ],
          },
        ],
      ]),
      // Its code is in the configuration.
      ...["seqno", "revision", "get_subwallet_id", "get_public_key"].map((method) =>
        run(wallet("tg"), method),
      ),
      run(absent, "seqno", [["num", "0x1"]]),
      ["runGetMethodStd", { address: item, method: "get_nft_data", stack: [] }],
      [
        "runGetMethodStd",
        {
          ...{ address: elector, method: "participates_in" },
          stack: [
            { "@type": "tvm.stackEntryNumber", number: { "@type": "tvm.numberDecimal", number: "31" } },
          ],
        },
      ],
      run(testAddress("1", 7), "seqno"),
      run("nowhere", "seqno"),
      run(wallet(), "seqno", [["tvm.Cell", "AAAA"]]),
      run(wallet(), 2 ** 31),
      run(wallet(), "seqno", [], { seqno: last.seqno + 1000 }),
    ]);
    const codes = answers.flatMap(({ answer }) =>
      answer ? [(answer as { exit_code: number }).exit_code] : [],
    );
    expect(codes.filter((code) => code !== 0)).toEqual([11, -13]);
    expect(answers.filter(({ code }) => code)).toHaveLength(5);
  });

  it("knows tokens and domains as an ordinary one does", async () => {
    const tokens = ["jetton_master", "jetton_wallet", "nft_collection", "nft_item", "dns_root"].map(contract);
    const raw = Address.read(tokens[3]!)!.address.toRaw();
    const root = contract("dns_root");
    const answers = await sameAnswers([
      ...[...tokens, raw, wallet(), testAddress("e"), "nowhere"].map(
        (address) => ["getTokenData", { address }] as const,
      ),
      ["dnsResolve", { address: root, name: "devnet.ton", ttl: 8 }],
      ["dnsResolve", { address: root, name: "devnet.ton.", category: "wallet", ttl: 8 }],
      ["dnsResolve", { address: root, name: "devnet.ton" }],
      ["dnsResolve", { address: root, name: "no-such-name.ton", ttl: 8 }],
      ["dnsResolve", { address: root, name: "n".repeat(200) }],
      ["dnsResolve", { address: wallet(), name: "a" }],
    ]);
    expect(answers.filter(({ answer }) => answer).length).toBe(8);
    const domain = await (await opened()).resolveDomain({ name: "devnet.ton" });
    expect(domain).toEqual(await plain.dnsResolve({ address: root, name: "devnet.ton", ttl: 8 }));
    expect(domain.entries.length).toBeGreaterThan(0);
  });

  it("gives balances of jettons and owners of items, as the index has them", async () => {
    const verified = await opened();
    const { jetton_wallets } = await plain.v3.jetton.wallets({ limit: 5, exclude_zero_balance: true });
    expect(jetton_wallets.length).toBeGreaterThan(1);
    for (const { owner, jetton, balance } of jetton_wallets)
      expect(await verified.getJettonBalance({ owner: owner!, jetton: jetton! })).toBe(balance);
    expect(
      await verified.getJettonBalance({ owner: testAddress("e"), jetton: contract("jetton_master") }),
    ).toBe("0");
    const { nft_items } = await plain.v3.nft.items({ limit: 5 });
    for (const { address, owner_address: owner, on_sale: onSale, real_owner: real } of nft_items) {
      const found = await verified.getNftOwner({ item: address });
      const expected = onSale ? owner : (real ?? owner);
      expect(found && Address.read(found)!.address.toRawUpper()).toBe(expected ?? null);
    }
    await expect(verified.getNftOwner({ item: wallet() })).rejects.toMatchObject({
      code: "liteserver-error",
    });
    await expect(verified.getJettonBalance({ owner: wallet(), jetton: wallet() })).rejects.toMatchObject({
      code: "liteserver-error",
    });
  });

  /** Publishes a library by a contract of the masterchain. */
  async function publish(library: Cell, digit: string): Promise<void> {
    const address = testAddress(digit, -1);
    await place(service, { address, code: publishingCode(library), balance: "1000000000000" });
    await service.run("devnet.faucet", { address });
    await service.mine(2);
  }

  it.runIf(isLong)("finds the libraries that code names, and those that only a run needs", async () => {
    const hidden = beginCell().storeRef(libraryCell(seven)).endCell();
    await publish(seven, "a");
    await publish(hidden, "b");
    const [direct, nested, unknown] = [testAddress("a"), testAddress("b"), testAddress("c")];
    await place(service, { address: direct, code: libraryCell(seven), balance: "1000000000" });
    await place(service, { address: nested, code: libraryCell(hidden), balance: "1000000000" });
    await place(service, { address: unknown, code: libraryCell(endless), balance: "1000000000" });
    const answers = await sameAnswers(
      [direct, nested, unknown].map(
        (address) => ["runGetMethod", { address, method: "any", stack: [] }] as const,
      ),
    );
    expect(answers.map(({ answer }) => (answer as { exit_code: number }).exit_code)).toEqual([0, 0, 9]);
  });

  it("ends loops by gas, also after ACCEPT, and runs others afterwards", async () => {
    await place(service, { address: testAddress("d"), code: endless, balance: "1000000000" });
    await place(service, { address: testAddress("f"), code: acceptsForEver, balance: "1000000000" });
    const loops = ["d", "f"].map((digit) => ({ address: testAddress(digit), method: "any", stack: [] }));
    if (isLong) {
      const answers = await sameAnswers(loops.map((loop) => ["runGetMethod", loop] as const));
      expect(answers.map(({ answer }) => (answer as { exit_code: number }).exit_code)).toEqual([-14, -14]);
    }
    const small = await opened({ gasLimit: 2000 });
    const [cut, acceptedAndCut] = [await small.runGetMethod(loops[0]!), await small.runGetMethod(loops[1]!)];
    expect([cut.exit_code, acceptedAndCut.exit_code]).toEqual([-14, -14]);
    expect(cut.gas_used).toBeLessThan(3000);
    expect(await small.runGetMethod({ address: wallet(), method: "seqno", stack: [] })).toMatchObject({
      exit_code: 0,
    });
  });

  it("refuses results beyond its limits, and goes on after a run that broke the emulator", async () => {
    const [many, deep] = [testAddress("8"), testAddress("9")];
    // DROP, and 2,000 times PUSHINT 0; DROP, NULL, and 9,000 times a tuple of the last value.
    await place(service, { address: many, code: codeOf("308107D09170E4"), balance: "1000000000" });
    await place(service, { address: deep, code: codeOf("306D812328926F01E4"), balance: "1000000000" });
    const verified = await opened();
    const run = (address: string) => verified.runGetMethod({ address, method: "seqno", stack: [] });
    await expect(run(many)).rejects.toMatchObject({ code: "liteserver-error" });
    for (let round = 0; round < sized(1, 2); round++) {
      await expect(run(deep)).rejects.toMatchObject({ name: "TvmError", reason: "broken" });
      expect(await run(wallet())).toMatchObject({ exit_code: 0 });
    }
  });

  it("refuses other files of the emulator, and clients that prove nothing", async () => {
    const other = wasm.slice();
    other[other.length - 1]! ^= 1;
    const { init } = await plain.getMasterchainInfo();
    const transport = http(`${service.url}/jsonRPC`);
    const client = createVerifiedClient({ transport, apiKey: service.key, trustedBlock: init, headMs: 0 });
    onTestFinished(() => client.close());
    const question = { address: wallet(), method: "seqno", stack: [] };
    const forged = withTvm(client, { wasm: other, script });
    await expect(forged.runGetMethod(question)).rejects.toMatchObject({ name: "TvmError", reason: "build" });
    const scripts = withTvm(client, { wasm, script: "/emulator.cjs" });
    await expect(scripts.runGetMethod(question)).rejects.toBeInstanceOf(TvmError);
    expect(() => withTvm(plain as never, { wasm, script })).toThrow(TypeError);
    await expect((await opened()).runGetMethod({ ...question, overrides: { now: 5 } })).rejects.toMatchObject(
      { code: "invalid-params" },
    );
  });

  describe("of a service that lies", () => {
    const otherCode: LiteLie = async ({ query, answer, encode, service: honest }) => {
      if (query.method !== "getAccountState") return undefined;
      const account = Address.read(wallet())!.address;
      const { state } = await honest.getAccountState({
        ...(query.request as { id: never }),
        account: { workchain: account.workchain, id: account.hash },
      });
      return encode({ ...answer(), state });
    };
    const olderConfig: LiteLie = async ({ query, answer, encode, service: honest }) => {
      if (query.method !== "getConfigAll") return undefined;
      const { id } = query.request as { id: BlockIdExt };
      const older = await honest.lookupBlock({ id: { ...id, seqno: id.seqno - 2 }, bySeqno: true });
      return encode({ ...(await honest.getConfigAll({ id: older.id })), id: answer()["id"] });
    };
    const otherConfig: LiteLie = ({ query, answer, encode }) => {
      if (query.method !== "getConfigAll") return undefined;
      const configProof = new Uint8Array(answer()["configProof"] as Uint8Array);
      configProof[configProof.length >> 1]! ^= 4;
      return encode({ ...answer(), configProof });
    };
    const otherLibrary: LiteLie = ({ query, answer, encode }) => {
      if (query.method !== "getLibrariesWithProof") return undefined;
      const { result, ...rest } = answer() as { result: { hash: Uint8Array; data: Uint8Array }[] };
      const data = Buffer.from(bocText(endless), "base64");
      return encode({ ...rest, result: result.map(({ hash }) => ({ hash, data })) });
    };

    it("believes no other code, library, configuration or block", async () => {
      await publish(seven, "7");
      const address = testAddress("7");
      await place(service, { address, code: libraryCell(seven), balance: "1000000000" });
      await service.mine(3);
      const { last } = await plain.getMasterchainInfo();
      const liar = await LyingTonwire.before(service.url);
      const ask = async () => {
        const verified = await opened({ url: liar.url });
        return verified.runGetMethod({ address, method: "any", stack: [] });
      };
      expect((await ask()).stack).toEqual([["num", "0x7"]]);
      const lies: [LiteLie, string][] = [
        [otherCode, "getAccountState"],
        [olderConfig, "getConfigAll"],
        [otherLibrary, "getLibraries"],
      ];
      // Other lies about the same answers.
      if (isLong)
        lies.push(
          [ofAccount({ workchain: -1, id: new Uint8Array(32).fill(0x33) }), "getAccountState"],
          [olderBy(2), "getAccountState"],
          [otherConfig, "getConfigAll"],
          [withoutFirst("getLibrariesWithProof"), "getLibraries"],
        );
      for (const [lie, method] of lies) {
        liar.lie = lie;
        const before = liar.lies;
        const error = await ask().catch((each: unknown) => each);
        expect([method, error]).toEqual([method, expect.any(ProofError)]);
        expect((error as ProofError).evidence).toMatchObject({ method });
        expect(liar.lies).toBeGreaterThan(before);
      }
      // A block that is old, but proven, is shown by its number.
      liar.lie = stuckAt(last.seqno - 1);
      expect((await ask()).block_id.seqno).toBe(last.seqno - 1);
      liar.lie = undefined;
      expect((await ask()).block_id.seqno).toBeGreaterThan(last.seqno - 1);
    });
  });

  it("asks for a configuration once, and for an account once in a call", async () => {
    const counting = await LyingTonwire.before(service.url);
    const verified = await opened({ url: counting.url });
    const token = { address: contract("jetton_wallet") };
    await verified.getTokenData(token);
    counting.asked.length = 0;
    await service.mine();
    await verified.getTokenData(token);
    expect(counting.asked.filter((method) => method === "getConfigAll")).toEqual([]);
    expect(counting.asked.filter((method) => method === "getAccountState")).toHaveLength(2);
  });
});
