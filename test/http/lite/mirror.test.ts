import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mirrors, snakeCase } from "../../../server/http/lite/mirror/functions.js";
import type { JsonSchema } from "../../../shared/rpc/open-rpc.js";
import { wire } from "../../../shared/ton/tl/codecs.js";
import { encodeQuery, liteMethods, queryOf } from "../../../shared/ton/tl/lite-functions.js";
import { base64ToBytes, bytesToHex } from "../../../shared/values/bytes.js";
import { byJsonRpc } from "../../helpers/http/lite-app.js";
import { SchemaCheck } from "../../helpers/http/schema-check.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { sharedService } from "../../helpers/services/shared-service.js";

type BlockId = { workchain: number; shard: string; seqno: number; root_hash: string; file_hash: string };
type Answer = { ok: boolean; result: Record<string, unknown>; error?: string; code?: number };
type Document = {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }> }>
  >;
  components: { schemas: Record<string, JsonSchema> };
};

const account = `-1:${"55".repeat(32)}`;

describe("liteserver functions as REST", () => {
  let service: DevnetService;
  let last: BlockId;
  let transaction: { lt: string; hash: string };
  let document: Document;

  beforeAll(async () => {
    service = await sharedService("empty");
    await service.run("devnet.faucet", { address: `0:${"5a".repeat(32)}` });
    await service.mine(2);
    last = (await service.run<{ last: BlockId }>("getMasterchainInfo")).last;
    const [newest] = await service.run<{ transaction_id: typeof transaction }[]>("getTransactions", {
      address: account,
      limit: 1,
    });
    transaction = newest!.transaction_id;
    document = (await service.get("/api/lite/v1/openapi.json")).json as Document;
  });
  afterAll(() => service.close());

  async function get(functionName: string, parameters: Record<string, string> = {}): Promise<Answer> {
    const query = new URLSearchParams(parameters);
    return (await service.get(`/api/lite/v1/${functionName}?${query}`)).json as Answer;
  }

  async function result(functionName: string, parameters: Record<string, string> = {}) {
    const answer = await get(functionName, parameters);
    if (!answer.ok) throw new Error(`${functionName} is refused: ${answer.error}`);
    return answer.result;
  }

  const tuple = ({ workchain, shard, seqno, root_hash, file_hash }: BlockId) =>
    `(${workchain},${shard},${seqno},${root_hash},${file_hash})`;
  const nodeForm = ({ workchain, seqno, root_hash, file_hash }: BlockId) => {
    const hex = (text: string) => bytesToHex(base64ToBytes(text)!).toUpperCase();
    return `(${workchain},8000000000000000,${seqno}):${hex(root_hash)}:${hex(file_hash)}`;
  };

  /** Parameters of each function. */
  const parameters: Record<string, () => Record<string, string>> = {
    lookupBlock: () => ({ id: `(-1,${last.shard},1)`, by_seqno: "true" }),
    lookupBlockWithProof: () => ({ id: "(-1,8000000000000000,1)", mc_block_id: tuple(last), by_seqno: "1" }),
    getState: () => ({ id: tuple(last) }),
    getShardInfo: () => ({ workchain: "0", shard: "8000000000000000", exact: "false" }),
    getAccountState: () => ({ account }),
    getAccountStatePrunned: () => ({ account }),
    runSmcMethod: () => ({ account, method_id: "active_election_id", params: "", result: "true" }),
    getTransactions: () => ({ account, count: "2", ...transaction }),
    getOneTransaction: () => ({ account, lt: transaction.lt }),
    listBlockTransactions: () => ({
      count: "10",
      account: "true",
      lt: "true",
      hash: "true",
      want_proof: "true",
    }),
    listBlockTransactionsExt: () => ({ count: "10" }),
    getConfigParams: () => ({ param_list: "0,34" }),
    getLibraries: () => ({ library_list: "11".repeat(32) }),
    getLibrariesWithProof: () => ({ library_list: "" }),
    getBlockProof: () => ({ known_block: tuple(last), target_block: nodeForm(last) }),
    getValidatorStats: () => ({ limit: "5" }),
    getDispatchQueueInfo: () => ({ max_accounts: "5", want_proof: "true" }),
    getDispatchQueueMessages: () => ({ addr: "11".repeat(32), after_lt: "0", max_messages: "5" }),
  };
  /** The devnet answers these with an error of a liteserver. */
  const refused = ["nonfinal.getPendingShardBlocks", "sendMessage"];

  it.each(mirrors.map(({ path }) => path.split("/").at(-1)!))(
    "answer %s as documented, in GET and POST",
    async (name) => {
      const given = parameters[name]?.() ?? {};
      const path = `/api/lite/v1/${name}`;
      const posted = await service.post(path, name === "sendMessage" ? { body: "AAAA" } : given);
      if (refused.includes(name)) {
        expect(posted.json).toMatchObject({ ok: false, code: 500 });
        return;
      }
      const answer = await result(name, given);
      const { "@extra": _, ...inBody } = posted.json as Answer & { "@extra": string };
      if (!["getTime", "getVersion", "getMasterchainInfoExt"].includes(name))
        expect(inBody).toEqual({ ok: true, result: answer });
      const { schema } = document.paths[path]!["get"]!.responses["200"]!.content!["application/json"]!;
      expect(new SchemaCheck(document).problems(schema, posted.json)).toEqual([]);
      expect(Object.keys(answer).length).toBeGreaterThan(1);
    },
  );

  it("have the fields of the answer in TL", async () => {
    const id = {
      workchain: -1,
      shard: 1n << 63n,
      seqno: last.seqno,
      rootHash: base64ToBytes(last.root_hash)!,
      fileHash: base64ToBytes(last.file_hash)!,
    };
    const query = encodeQuery(queryOf("getBlockHeader", { id, extra: true }));
    const { name, value } = wire.decode(await byJsonRpc(service)(query));
    const { header_proof, ...told } = await result("getBlockHeader", { id: tuple(last), extra: "true" });
    expect(base64ToBytes(header_proof as string)).toEqual(value["headerProof"]);
    expect(told).toEqual({ "@type": name, id: { ...last, "@type": "ton.blockIdExt" }, mode: 16 });
  });

  it("read blocks in every form, and the newest one by default", async () => {
    const header = await result("getBlockHeader", { id: tuple(last) });
    for (const id of [nodeForm(last), JSON.stringify(last)])
      expect(await result("getBlockHeader", { id })).toEqual(header);
    expect(await result("getBlockHeader")).toEqual(header);
    const { json } = await service.post("/api/lite/v1/getBlockHeader", { id: last });
    expect((json as Answer).result).toEqual(header);
  });

  it("read accounts, hashes, get-methods and lists in every form", async () => {
    const { result: inFriendly } = await get("getAccountState", {
      account: "Ef9VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVbxn",
    });
    expect(inFriendly).toEqual(await result("getAccountState", { account }));
    const hash = base64ToBytes(transaction.hash)!;
    const list = { account, count: "1", lt: transaction.lt };
    const transactions = await result("getTransactions", { ...list, hash: bytesToHex(hash) });
    expect(await result("getTransactions", { ...list, hash: transaction.hash })).toEqual(transactions);
    const run = { account: `-1:${"33".repeat(32)}`, params: "", mode: "4" };
    const byName = await result("runSmcMethod", { ...run, method_id: "active_election_id" });
    expect(byName).toMatchObject({ exit_code: 0 });
    const { json } = await service.get(`/api/lite/v1/getConfigParams?param_list=0&param_list=34`);
    expect((json as Answer).result).toEqual(await result("getConfigParams", { param_list: "0,34" }));
  });

  it("refuse missing and wrong parameters by their names", async () => {
    const refusals: [string, Record<string, string>, string][] = [
      ["getAccountState", {}, "account is required"],
      ["getAccountState", { account: "x" }, "failed to parse account"],
      ["getBlockHeader", { id: "(-1,8000000000000000,1)" }, "failed to parse id"],
      ["getBlockHeader", { id: "(-1,8000000000000000,1,aa,bb)" }, "failed to parse id"],
      ["getBlockHeader", { extra: "perhaps" }, "extra should be true or false"],
      ["getBlockHeader", { mode: "x" }, "failed to parse mode"],
      ["getBlockHeader", { mode: "4294967296" }, "failed to parse mode"],
      ["lookupBlock", { id: "(-1,8000000000000000,1)", mode: "2" }, "lt is required"],
      ["lookupBlock", { id: "(-1,18446744073709551616,1)" }, "failed to parse id"],
      ["getConfigParams", { param_list: "1,x" }, "failed to parse param_list"],
      ["getConfigParams", { param_list: Array(257).fill("1").join() }, "failed to parse param_list"],
      ["getTransactions", { account, count: "1", lt: "1", hash: "zz" }, "failed to parse hash"],
    ];
    for (const [name, given, error] of refusals)
      expect([name, given, await get(name, given)]).toEqual([
        name,
        given,
        { ok: false, error, code: 422, "@extra": expect.any(String) },
      ]);
    const bodies = ["[]", "7", "{", `{"id":${"[".repeat(2000)}${"]".repeat(2000)}}`];
    for (const body of bodies)
      expect((await service.post("/api/lite/v1/getBlockHeader", body)).status).toBeGreaterThanOrEqual(413);
    const { json } = await service.post("/api/lite/v1/getAccountState", { account: { workchain: 0 } });
    expect(json).toMatchObject({ error: "failed to parse account" });
  });

  it("name parameters that they do not have, and refuse to send by GET", async () => {
    const { status, headers } = await service.get("/api/lite/v1/getTime?colour=red");
    expect([status, headers.get("x-ignored-params")]).toEqual([200, "colour"]);
    expect((await service.get("/api/lite/v1/sendMessage?body=AAAA")).status).toBe(405);
    expect((await service.get("/api/lite/v1/getCandidate")).status).toBe(404);
  });

  it("answer errors of liteservers with their texts", async () => {
    const unknown = tuple({ ...last, root_hash: Buffer.alloc(32, 7).toString("base64") });
    const answer = await get("getBlock", { id: unknown });
    expect(answer).toMatchObject({
      ok: false,
      code: 500,
      error: expect.stringContaining("(-1,8000000000000000,"),
    });
  });

  it("are described by an OpenAPI document that is valid and complete", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect(Object.keys(document.paths).sort()).toEqual(
      ["/api/lite/v1", ...mirrors.map(({ path }) => path)].sort(),
    );
    expect(mirrors).toHaveLength(liteMethods.length);
  });
});

describe("names of fields", () => {
  it("are spelt as in the schema of TL", () => {
    const spelt = wire.declarations.flatMap(({ fields }) => fields.map(({ name }) => snakeCase(name)));
    expect(spelt).toEqual(
      expect.arrayContaining(["init_c7", "want_proof", "mc_block_id", "ext_msg_queue_size_limit"]),
    );
  });
});
