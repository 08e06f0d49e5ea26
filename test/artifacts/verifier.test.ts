import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { Claims } from "../../server/artifacts/claims.js";
import { readArtifact } from "../../server/artifacts/formats.js";
import { ArtifactStore } from "../../server/artifacts/store.js";
import { verifierAt } from "../../server/artifacts/verifier.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { bytesToBase64, bytesToHex } from "../../shared/values/bytes.js";
import { tolkAbi } from "../helpers/abi/made-abi.js";
import { until } from "../helpers/until.js";

const code = beginCell().storeUint(0xcafe, 16).endCell();
const codeHash = bytesToBase64(code.hash());
const hash = bytesToHex(code.hash());
const other = beginCell().endCell();
const map = (of: typeof code) => ({
  code_boc64: bytesToBase64(serializeBoc(of)),
  symbol_types_json: { files: [] },
  debug_marks_json: [],
  debug_marks_base64: bytesToBase64(serializeBoc(other)),
});
const bundle = {
  compiler: { language: "tolk", version: "1.4.2", entrypoint: "src/main.tolk", params: {} },
  files: [{ path: "src/main.tolk", content: "fun main() {}" }],
  source_map: map(code),
};
const verified = {
  code_hash: hash,
  verified: true,
  bundles: [bundle, { ...bundle, source_map: map(other) }],
};
const abis = { items: [{ code_hash: hash, abi: tolkAbi({ contract_name: "Claimed" }) }] };

type Answers = Readonly<Record<string, unknown>>;

/** A verifier with these answers by path, and the paths that it was asked for. */
async function startVerifier(answers: Answers) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url!.split("?")[0]!;
    asked.push(request.url!);
    const answer = answers[path];
    if (typeof answer === "number") response.writeHead(answer, { location: "/api/v1/moved" }).end();
    else response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const clock = { ms: 1_700_000_000_000 };
  const failures: string[] = [];
  const { port } = server.address() as { port: number };
  const claims = new Claims({
    sources: verifierAt(`http://127.0.0.1:${port}/`),
    now: () => clock.ms,
    failed: (reason) => failures.push(reason),
  });
  onTestFinished(() => claims.close());
  const store = new ArtifactStore({ claims });
  const names = () => Array.from(store.abisOf({ codeHash }), ({ contract, trust }) => `${contract} ${trust}`);
  return {
    asked,
    clock,
    failures,
    store,
    names,
    answered: (n: number) => until("answers", () => asked.length === n),
  };
}

const both = { "/api/v1/abi": abis, "/api/v1/verification/source": verified };

test("a verifier's ABIs and sources are found for the next call, and asked for once an hour", async () => {
  const { asked, clock, failures, store, names, answered } = await startVerifier(both);
  expect([store.isEmpty, names()]).toEqual([false, []]);
  await until("the ABI", () => names().length === 1 && store.sourcesOf(codeHash).length === 2);
  expect(names()).toEqual(["Claimed claimed"]);
  expect(asked).toEqual([`/api/v1/abi?code_hash=${hash}`, `/api/v1/verification/source?code_hash=${hash}`]);
  const [first, second] = store.sourcesOf(codeHash);
  expect(first).toMatchObject({
    ...{ contract: "main", compiler: "tolk 1.4.2", trust: "claimed", codeHashes: [codeHash] },
    sources: [{ file: "src/main.tolk", text: "fun main() {}" }],
    map: { format: "tolk" },
  });
  // The map of another code is not its map.
  expect(second?.map).toBeUndefined();
  clock.ms += 3_599_999;
  names();
  expect(asked).toHaveLength(2);
  clock.ms += 1;
  expect(names()).toEqual(["Claimed claimed"]);
  await answered(4);
  expect(failures).toEqual([]);
});

test("come after the operator's own", async () => {
  const { store, names } = await startVerifier(both);
  const abi = tolkAbi({ contract_name: "Mine" });
  store.setOwn([readArtifact("mine.json", { abi, code_boc64: bytesToBase64(serializeBoc(code)) })!]);
  await until("both", () => names().length === 2);
  expect(names()).toEqual(["Mine own", "Claimed claimed"]);
});

test.each<[string, Answers, string | undefined]>([
  ["is longer than 4 MiB", { "/api/v1/abi": `"${"x".repeat(5 << 20)}"` }, "it is larger than 4194304 bytes"],
  ["names another address", { ...both, "/api/v1/abi": 302 }, "unexpected redirect"],
  ["fails", { ...both, "/api/v1/abi": 500 }, "the answer has status 500"],
  ["is no JSON", { ...both, "/api/v1/abi": "<html>" }, "the answer is not JSON"],
  ["is nested deeply", { ...both, "/api/v1/abi": "[".repeat(1_000_000) }, "the answer is nested too deeply"],
  [
    "is of another code",
    { ...both, "/api/v1/abi": { items: [{ ...abis.items[0], code_hash: "00" }] } },
    undefined,
  ],
])("an answer that %s is not used", async (_, answers, reason) => {
  const { asked, failures, names, answered } = await startVerifier({
    "/api/v1/verification/source": { verified: false },
    ...answers,
  });
  names();
  await answered(2);
  if (reason !== undefined) await until("the reason", () => failures.includes(reason));
  expect(asked.some((path) => path.includes("moved"))).toBe(false);
  expect(names()).toEqual([]);
});
