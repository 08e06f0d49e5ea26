import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { V3DebugAbiResult } from "../../client/api.js";
import { readCatalogue } from "../../server/artifacts/catalogue.js";
import { readArtifact } from "../../server/artifacts/formats.js";
import { ArtifactStore } from "../../server/artifacts/store.js";
import { counterAbi } from "../helpers/abi/counter-contract.js";
import { MadeTypes } from "../helpers/abi/made-abi.js";
import { type IndexApp, startIndexApp } from "../helpers/http/index-app.js";

const codeHash = `${"A".repeat(43)}=`;

/** An ABI whose storage and message have more fields than an answer. */
function wideAbi() {
  const types = new MadeTypes();
  const int = types.type({ kind: "int" });
  const fields = Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`field${i}`, int]));
  return types.abi({
    contract_name: "Wide",
    storage: { storage_ty_idx: types.struct("Wide", fields) },
    incoming_messages: [{ body_ty_idx: types.struct("Add", fields, { num: 0x10, len: 32 }) }],
  });
}

describe("v3.debug.abi", () => {
  let app: IndexApp;
  beforeAll(async () => {
    const artifacts = new ArtifactStore();
    artifacts.setOwn([
      readArtifact("counter.abi.json", counterAbi())!,
      readArtifact("Counter.compiled.json", { hash: "00".repeat(32), hex: "b5" })!,
    ]);
    const contracts = [{ id: "wide", displayName: "Wide one", hashes: [], compilerAbi: wideAbi() }];
    const catalogue = readCatalogue("catalogue.json", { schemaVersion: 1, contracts });
    artifacts.setCatalogue(catalogue, "revision");
    app = await startIndexApp(undefined, { artifacts });
  });
  afterAll(() => app.close());

  const ask = (query: string) => app.result<V3DebugAbiResult>(`debug/abi?${query}`);

  it("has the interface of a code in words", async () => {
    expect(await ask(`code_hash=${encodeURIComponent(codeHash)}`)).toEqual({
      matches: [
        {
          contract: "Counter",
          trust: "own",
          by: "code",
          compiler: "tolk 1.4.2",
          code_hashes: [codeHash],
          storage: [
            {
              type: "Storage",
              fields: [
                { name: "count", type: "int32" },
                { name: "owner", type: "address" },
                { name: "points", type: "map<int32, coins>" },
              ],
            },
          ],
          get_methods: expect.arrayContaining([
            {
              name: "mixed",
              id: 80727,
              parameters: [
                { name: "flag", type: "bool" },
                { name: "point", type: "Point" },
                { name: "who", type: "address?" },
              ],
              returns: "(bool, Point, address?)",
              description: "",
            },
          ]),
          messages: [
            {
              direction: "external",
              name: "Add",
              opcode: "0x00000010",
              fields: [{ name: "by", type: "uint32" }],
            },
          ],
          errors: [
            { code: 1234, name: "ERR_TOO_LARGE", description: "More than 1000 at once" },
            { code: 9, name: "", description: "" },
          ],
          is_cut: false,
        },
      ],
    });
  });

  it("guesses by an opcode in the order of trust, and cuts what is too long", async () => {
    const { matches } = await ask("opcode=0x10");
    expect(matches.map(({ contract, trust, by, is_cut }) => [contract, trust, by, is_cut])).toEqual([
      ["Counter", "own", "opcode", false],
      ["Wide one", "curated", "opcode", true],
    ]);
    expect(matches[1]!.messages[0]!.fields.length).toBeLessThan(1000);
  });

  it("has the ABI as its file has it, on request", async () => {
    const { json } = await app.post("/api/v3/debug/abi", { code_hash: codeHash, include_abi: true });
    expect((json as V3DebugAbiResult).matches.map(({ abi }) => abi)).toEqual([counterAbi()]);
  });

  it("has nothing for unknown contracts, and asks for one way to find them", async () => {
    expect(await ask("opcode=0x11")).toEqual({ matches: [] });
    for (const [query, error] of [
      ["", "code_hash, account or opcode is required"],
      ["opcode=1&account=0:".concat("00".repeat(32)), "only one of code_hash, account, opcode can be given"],
    ])
      expect(await app.get(`debug/abi?${query}`)).toEqual([422, { error }]);
  });
});
