import { Address, beginCell, Cell } from "@ton/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, http, isRpcError, runMethod } from "../../client/node.js";
import { addressOf } from "../../client/values/index.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

const elector = "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF";
const nobody = "EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N";

let service: DevnetService;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  service = await sharedService("story");
  client = createClient({ transport: http(`${service.url}/jsonRPC`), apiKey: service.key });
});
afterAll(async () => {
  client?.close();
  await service?.close();
});

/** The error that a run is rejected with. */
const failure = (run: Parameters<typeof runMethod>[1]) =>
  runMethod(client, run).then(
    () => undefined,
    (error: unknown) => (isRpcError(error, "conflict") ? error : undefined),
  );

describe("runMethod", () => {
  it("returns the values of the method", async () => {
    const [election] = await runMethod(client, { address: elector, method: "active_election_id" });
    expect(election).toBeTypeOf("bigint");
  });

  it("takes arguments and returns addresses that can be read", async () => {
    const { contracts } = await client.devnet.info();
    const { address } = contracts.find(({ kind }) => kind === "jetton_master")!;
    const owner = beginCell().storeAddress(Address.parse(nobody)).endCell().toBoc().toString("base64");
    const run = { address, method: "get_wallet_address", stack: [{ slice: owner }] };
    const [wallet] = await runMethod(client, run);
    const { cell } = wallet as { cell: string };
    expect(addressOf(wallet)?.toRaw()).toBe(Cell.fromBase64(cell).beginParse().loadAddress().toRawString());
    const [supply] = await runMethod(client, { address, method: "get_jetton_data" });
    expect(supply).toBeTypeOf("bigint");
  });

  it("explains why a run failed", async () => {
    const missing = await failure({ address: elector, method: "no_such_method" });
    expect(missing).toMatchObject({ exitCode: 11, method: "runGetMethod" });
    expect(missing?.shortMessage).toBe(
      `get-method no_such_method of ${elector} failed with exit code 11: The contract has no such method, or failed for a reason of its own.`,
    );
    expect(await failure({ address: nobody, method: "seqno" })).toMatchObject({
      exitCode: -13,
      exitName: "no-code",
      exitMeaning: "The account has no code.",
    });
  });
});
