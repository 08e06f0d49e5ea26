import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { readArtifactText } from "../../server/artifacts/formats.js";
import { ArtifactStore } from "../../server/artifacts/store.js";
import { v3Implementations } from "../../server/methods/v3-methods.js";
import { registry } from "../../shared/methods/registry.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { bytesToBase64, bytesToHex } from "../../shared/values/bytes.js";
import { MadeTypes } from "../helpers/abi/made-abi.js";
import { startApp, type TestAppOptions } from "../helpers/http/app.js";
import { type IndexApp, startIndexApp } from "../helpers/http/index-app.js";
import { CommandHere } from "../helpers/services/command-here.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const opcode = 0x51e7;
const code = beginCell().storeUint(0xc0de, 16).endCell();
const codeHash = bytesToBase64(code.hash());

const body = bytesToBase64(serializeBoc(beginCell().storeUint(opcode, 32).endCell()));

/** A contract with one message, whose opcode is always the same. */
function abiOf(contract: string, message: string, compiler = "1.4.2"): string {
  const types = new MadeTypes();
  const body = types.struct(message, {}, { num: opcode, len: 32 });
  return JSON.stringify(
    types.abi({
      contract_name: contract,
      compiler_version: compiler,
      incoming_messages: [{ body_ty_idx: body }],
    }),
  );
}

const compiled = (name: string) => ({
  file: `${name}.compiled.json`,
  content: JSON.stringify({ hash: bytesToHex(code.hash()), hex: bytesToHex(serializeBoc(code)) }),
});

const plan = { name: "unlimited", limit: undefined };
const identify: NonNullable<TestAppOptions<never>["identify"]> = ({ key }) => ({
  ...{ id: key ?? "nobody", plan },
  ...(key && { keyId: key, owner: key }),
});

/** Serves `v3.acton` until the end of the test. */
async function startActon(artifacts: ArtifactStore) {
  const acton = await startApp({
    registry: { v3: { acton: registry.v3.acton } },
    implementations: {
      v3: v3Implementations({ artifacts } as unknown as Parameters<typeof v3Implementations>[0]),
    },
    viewOf: (owner) => artifacts.viewOf(owner),
    identify,
  });
  onTestFinished(() => acton.close());
  return acton;
}

describe("artifacts that keys add, not on a devnet", () => {
  let app: IndexApp;
  const artifacts = new ArtifactStore();

  beforeAll(async () => {
    app = await startIndexApp(undefined, { artifacts, identify });
  });
  afterAll(async () => app?.close());

  async function ask<T>(key: string | undefined, path: string, params: object = {}): Promise<T> {
    const headers: Record<string, string> = key === undefined ? {} : { "X-API-Key": key };
    const { json } = await app.post(`/api/v3/${path}`, params, headers);
    return json as T;
  }
  const list = async (key: string) => {
    const { json } = await app.ask("/api/v3/debug/artifacts/list", { headers: { "X-API-Key": key } });
    return (json as { artifacts: { file: string }[] }).artifacts.map(({ file }) => file);
  };
  const nameFor = async (key?: string) => {
    const params = { opcodes: [opcode], include_abi: true, code_hash: bytesToHex(code.hash()) };
    const { abi } = await ask<{ abi: { opcodes: [{ message: string } | null] } }>(key, "decode", params);
    return abi.opcodes[0]?.message;
  };

  it("are seen by their key only, also by equal calls at the same time", async () => {
    for (const key of ["ann", "bob"]) {
      const files = [{ file: "a.abi.json", content: abiOf("A", `For_${key}`) }, compiled("a")];
      await ask(key, "debug/artifacts/add", { files });
    }
    const names = await Promise.all([nameFor("ann"), nameFor("bob"), nameFor("carl"), nameFor()]);
    expect(names).toEqual(["For_ann", "For_bob", undefined, undefined]);
    expect(await list("ann")).toEqual(["a.abi.json", "a.compiled.json"]);
    expect(await list("carl")).toEqual([]);
    await ask("bob", "debug/artifacts/remove", { file: "a.abi.json" });
    expect([await nameFor("ann"), await nameFor("bob")]).toEqual(["For_ann", undefined]);
  });

  it("come after those of the operator", async () => {
    await ask("dora", "debug/artifacts/add", {
      files: [compiled("d"), { file: "d.abi.json", content: abiOf("D", "For_dora") }],
    });
    const { content } = compiled("o");
    expect([await nameFor("dora"), await nameFor()]).toEqual(["For_dora", undefined]);
    artifacts.setOwn([
      readArtifactText("o.compiled.json", content)!,
      readArtifactText("o.abi.json", abiOf("O", "For_all"))!,
    ]);
    expect([await nameFor("dora"), await nameFor()]).toEqual(["For_all", "For_all"]);
    artifacts.setOwn([]);
  });

  it("are contracts of v3.acton for their key only, and give its answers another ETag", async () => {
    const files = [{ file: "e.abi.json", content: abiOf("E", "For_eve") }, compiled("e")];
    await ask("eve", "debug/artifacts/add", { files });
    const acton = await startActon(artifacts);
    const headersOf = (key?: string): Record<string, string> =>
      key === undefined ? {} : { "X-API-Key": key };
    const contracts = async (key?: string) => {
      const answer = await acton.ask("/api/v3/acton/contracts", { headers: headersOf(key) });
      const found = (answer.json as { contracts: { display_name: string }[] }).contracts;
      return [found.map(({ display_name: name }) => name), answer.headers.get("etag")] as const;
    };
    const [own, others] = await Promise.all([contracts("eve"), contracts()]);
    expect([own[0], others[0]]).toEqual([["E"], []]);
    expect(own[1]).not.toBe(others[1]);
    const params = { code_hash: bytesToHex(code.hash()), direction: "incoming_messages", body };
    const decoded = async (key?: string) =>
      (await acton.post("/api/v3/acton/decode", params, headersOf(key))).json;
    expect(await decoded("eve")).toMatchObject({ catalog_id: "E", type: { name: "For_eve" } });
    expect(await decoded()).toEqual({ error: "the contract is not in the catalogue" });
  });

  it("need a key", async () => {
    expect(await ask(undefined, "debug/artifacts/add", { files: [compiled("x")] })).toEqual({
      error: "v3.debug.artifacts.add needs an API key",
    });
  });
});

describe("artifacts that the keys of a shared devnet add", () => {
  let app: IndexApp;
  const artifacts = new ArtifactStore({ isShared: true });
  const code_hash = bytesToHex(code.hash());

  beforeAll(async () => {
    app = await startIndexApp(undefined, { artifacts, identify });
    for (const [key, compiler] of [
      ["ann", "1.4.2"],
      ["mallory", "999.0"],
    ] as const)
      await add(key, `Of_${key}`, compiler);
  });
  afterAll(async () => app?.close());

  const headersOf = (key?: string): Record<string, string> => (key === undefined ? {} : { "X-API-Key": key });
  const ask = async (key: string | undefined, path: string, params: object) =>
    (await app.post(`/api/v3/${path}`, params, headersOf(key))).json;
  const add = (key: string, contract: string, compiler?: string) => {
    const abi = { file: "a.abi.json", content: abiOf(contract, "Poke", compiler) };
    return ask(key, "debug/artifacts/add", { files: [abi, compiled("a")] });
  };
  const chosenFor = async (key?: string) => {
    const params = { opcodes: [opcode], include_abi: true, code_hash };
    const { abi } = (await ask(key, "decode", params)) as { abi: { opcodes: [object | null] } };
    return abi.opcodes[0];
  };
  const orderFor = (key?: string) =>
    Array.from(artifacts.seenBy(key).abisOf({ codeHash }), ({ contract, trust }) => `${contract} ${trust}`);
  const listed = async (key: string) => {
    const { json } = await app.ask("/api/v3/debug/artifacts/list", { headers: headersOf(key) });
    return (json as { artifacts: { file: string; trust: string }[] }).artifacts.map(
      ({ file, trust }) => `${file} ${trust}`,
    );
  };

  it("are claims for all other callers, however new their compiler, in equal calls at the same time too", async () => {
    const chosen = await Promise.all([
      chosenFor("ann"),
      chosenFor("mallory"),
      chosenFor("carl"),
      chosenFor(),
    ]);
    const named = { message: "Poke", by: "code" };
    expect(chosen).toEqual([
      { ...named, contract: "Of_ann", trust: "own" },
      { ...named, contract: "Of_mallory", trust: "own" },
      { ...named, contract: "Of_mallory", trust: "claimed" },
      { ...named, contract: "Of_mallory", trust: "claimed" },
    ]);
  });

  it("come after the operator's folder, and there the caller's own before those of others", async () => {
    const { content } = compiled("o");
    artifacts.setOwn([
      readArtifactText("o.compiled.json", content)!,
      readArtifactText("o.abi.json", abiOf("Folder", "Poke", "1.0.0"))!,
    ]);
    expect(orderFor("ann")).toEqual(["Folder own", "Of_ann own", "Of_mallory claimed"]);
    expect(orderFor()).toEqual(["Folder own", "Of_mallory claimed", "Of_ann claimed"]);
    expect(Array.from(artifacts.seenBy("ann").guesses(opcode), ({ contract }) => contract)).toEqual([
      ...["Folder", "Of_ann", "Of_mallory"],
    ]);
    artifacts.setOwn([]);
  });

  it("are replaced, listed and removed by their key only", async () => {
    await add("carl", "Of_carl");
    await ask("carl", "debug/artifacts/remove", { file: "a.compiled.json" });
    expect(await ask("carl", "debug/artifacts/remove", { file: "a.compiled.json" })).toBe(false);
    expect([await listed("ann"), await listed("carl")]).toEqual([
      ["a.abi.json own", "a.compiled.json own"],
      ["a.abi.json own"],
    ]);
    expect(await chosenFor("ann")).toMatchObject({ contract: "Of_ann", trust: "own" });
    await ask("carl", "debug/artifacts/remove", { file: "a.abi.json" });
  });

  it("are counted for each key alone", async () => {
    const files = Array.from({ length: 256 }, (_, i) => ({
      file: `${i}.tlb`,
      content: "full#00000001 = M;",
    }));
    await ask("mallory", "debug/artifacts/remove", { file: "a.abi.json" });
    await ask("mallory", "debug/artifacts/remove", { file: "a.compiled.json" });
    await ask("mallory", "debug/artifacts/add", { files });
    expect(await add("mallory", "More")).toEqual({
      error: expect.stringContaining("at most 256 files of a key"),
    });
    expect(await add("ann", "Of_ann")).toMatchObject({ artifacts: [{ contract: "Of_ann" }, {}] });
    artifacts.forgetOwners((owner) => owner !== "mallory");
    expect(await listed("mallory")).toEqual([]);
    await add("mallory", "Of_mallory", "999.0");
  });

  it("are not among the contracts of v3.acton for others, as its answers do not say whose they are", async () => {
    const names = (key?: string) =>
      artifacts
        .vouchedTo(key)
        .list()
        .map(({ contract }) => contract);
    expect([names("ann"), names()]).toEqual([["Of_ann", "a"], []]);
    const acton = await startActon(artifacts);
    const params = { code_hash, direction: "incoming_messages", body };
    const decoded = async (key: string) =>
      (await acton.post("/api/v3/acton/decode", params, headersOf(key))).json;
    expect(await decoded("ann")).toMatchObject({ catalog_id: "Of_ann" });
    expect(await decoded("carl")).toEqual({ error: "the contract is not in the catalogue" });
  });

  it("are forgotten with their key", () => {
    artifacts.forgetOwners((owner) => owner === "ann");
    expect([orderFor("mallory"), artifacts.addedBy("mallory")]).toEqual([["Of_ann claimed"], []]);
    expect(artifacts.viewOf("mallory")).toBeUndefined();
  });
});

describe("artifacts that callers of a devnet add", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await sharedService("empty");
  });
  afterAll(async () => {
    for (const { file } of await listed()) await service.run("v3.debug.artifacts.remove", { file });
    await service?.close();
  });
  const listed = async () =>
    (await service.run<{ artifacts: { file: string }[] }>("v3.debug.artifacts.list")).artifacts;

  describe("v3.debug.artifacts.add", () => {
    it("says what each file is, and joins an ABI with the compiled contract of its name", async () => {
      const files = [compiled("Counter"), { file: "counter.abi.json", content: abiOf("", "Add") }];
      expect(await service.run("v3.debug.artifacts.add", { files })).toEqual({
        artifacts: [
          {
            ...{ file: "Counter.compiled.json", format: "blueprint", trust: "own", contract: "Counter" },
            ...{ code_hashes: [codeHash], compiler: "", has_abi: false, map: null, sources: [] },
          },
          {
            ...{ file: "counter.abi.json", format: "tolk", trust: "own", contract: "counter" },
            ...{ code_hashes: [], compiler: "tolk 1.4.2", has_abi: true, map: null, sources: [] },
          },
        ],
      });
      const params = { opcodes: [opcode], code_hash: bytesToHex(code.hash()), include_abi: true };
      expect(await service.run("v3.decode", params)).toMatchObject({
        abi: { opcodes: [{ contract: "counter", message: "Add", trust: "own", by: "code" }] },
      });
    });

    it.each([
      [[{ file: "a.json", content: "{}" }], "a.json is not used: its format is not known"],
      [
        [compiled("kept"), { file: "b.json", content: JSON.stringify({ abi_schema_version: "2" }) }],
        "b.json is not used: the schema of an ABI is 1.0, not 2",
      ],
      [[], "files should be a list of 1 to 256 files"],
      [[{ file: "", content: "" }], "each of files should have a file name"],
    ])("refuses all of %j", async (files, reason) => {
      expect(await service.rpc("v3.debug.artifacts.add", { files })).toMatchObject({
        error: { message: expect.stringContaining(reason) },
      });
      expect((await listed()).map(({ file }) => file)).not.toContain("kept.compiled.json");
    });
  });

  describe("v3.debug.artifacts.list", () => {
    it("has the files that were added, also without a code", async () => {
      await service.run("v3.debug.artifacts.add", {
        files: [{ file: "z.abi.json", content: abiOf("Z", "Z") }],
      });
      expect(await listed()).toContainEqual(expect.objectContaining({ file: "z.abi.json", contract: "Z" }));
    });
  });

  describe("v3.debug.artifacts.remove", () => {
    it("says whether there was such a file", async () => {
      await service.run("v3.debug.artifacts.add", { files: [compiled("Gone")] });
      const remove = () => service.run("v3.debug.artifacts.remove", { file: "Gone.compiled.json" });
      expect([await remove(), await remove()]).toEqual([true, false]);
    });
  });

  it("gives sources to v3.debug.abi, on request", async () => {
    const content = JSON.stringify({
      codeBoc: bytesToBase64(serializeBoc(code)),
      snapshot: [{ filename: "a.fc", content: "() main() {}" }],
    });
    await service.run("v3.debug.artifacts.add", { files: [{ file: "out.json", content }] });
    const params = { code_hash: bytesToHex(code.hash()), include_sources: true };
    expect(await service.run("v3.debug.abi", params)).toMatchObject({
      sources: [
        {
          ...{ contract: "out", trust: "own", file: "out.json", compiler: "", map: null, is_cut: false },
          files: [{ file: "a.fc", text: "() main() {}" }],
        },
      ],
    });
  });

  it("are sent, listed and removed by tonwire abi", async () => {
    const path = join(temporaryFolder(), "sent.abi.json");
    writeFileSync(path, abiOf("Sent", "Sent"));
    const abi = async (...args: string[]) => {
      const command = new CommandHere(["abi", ...args, "--url", service.url]);
      return [await command.ended, command.stdout, command.stderr] as const;
    };
    const [code, sent] = await abi("add", path);
    expect([code, sent]).toEqual([
      0,
      expect.stringMatching(/^contract +format +code hash +file\nSent +tolk +- +\S+sent\.abi\.json\n$/i),
    ]);
    const row = sent.trimEnd().split("\n")[1]!;
    expect((await abi("list"))[1]).toContain(row.split(/ +/).at(-1));
    expect(await abi("remove", path)).toEqual([0, "", ""]);
    expect(await abi("remove", path)).toEqual([
      ...[1, "", expect.stringContaining(`the service has no such file: ${path}`)],
    ]);
    expect((await abi("list"))[1]).not.toContain(path);
  });
});
