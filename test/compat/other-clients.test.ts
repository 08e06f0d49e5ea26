import { Address, beginCell, Cell, Dictionary, TupleReader } from "@ton/core";
import { parseFullConfig, TonClient } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { participantsOf } from "../../server/devnet/story/participants.js";
import { jettonsOf } from "../../server/devnet/story/scenes/jetton-trade.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import type { TestService } from "../helpers/services/service.js";
import { sharedService } from "../helpers/services/shared-service.js";

// Requests that Blueprint, exchange libraries and wallets are known to send, and what they read from the answers.

const cast = participantsOf("tonwire", await devnetWallets("tonwire"));
const { acorn } = jettonsOf(cast);

let service: TestService;
let client: TonClient;
beforeAll(async () => {
  service = await sharedService("story");
  client = new TonClient({ endpoint: `${service.url}/`, apiKey: service.key });
});
afterAll(() => service.close());

describe("Blueprint", () => {
  it("finds a deployed contract active, and its last transactions with archival set", async () => {
    const master = Address.parse(acorn.address.toRaw());
    expect(await client.isContractDeployed(master)).toBe(true);
    const transactions = await client.getTransactions(master, { limit: 100, archival: true });
    expect(transactions.length).toBeGreaterThan(0);
  });

  it("reads the configuration out of the configuration contract's data", async () => {
    const { data } = await client.getContractState(Address.parse(`-1:${"5".repeat(64)}`));
    const slice = Cell.fromBoc(data!)[0]!.beginParse();
    const params = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), slice.loadRef());
    expect(params.get(0)!.beginParse().loadBuffer(32)).toEqual(Buffer.alloc(32, 0x55));
    const config = parseFullConfig(new Map([...params].map(([number, cell]) => [number, cell.beginParse()])));
    expect(config.gasPrices.workchain.other.gasLimit).toBeGreaterThan(0n);
  });
});

describe("libraries of exchanges", () => {
  it("call get-methods with address slices and read tuples of them", async () => {
    const owner = Address.parse(cast.cleo.address.toRaw());
    const { stack } = await client.runMethod(Address.parse(acorn.address.toRaw()), "get_wallet_address", [
      { type: "slice", cell: beginCell().storeAddress(owner).endCell() },
    ]);
    const wallet = stack.readAddress();
    const data = await client.runMethod(wallet, "get_wallet_data");
    expect(data.stack).toBeInstanceOf(TupleReader);
    expect(data.stack.readBigNumber()).toBeGreaterThanOrEqual(0n);
    expect(data.stack.readAddress().equals(owner)).toBe(true);
    expect(data.stack.readAddress().toRawString()).toBe(acorn.address.toRaw());
  });
});

describe("MyTonWallet", () => {
  it("sends with sendBocReturnHashNoError and reads why not from a text with known words", async () => {
    const params = { boc: await replayedOrder() };
    const body = { jsonrpc: "2.0", id: 1, method: "sendBocReturnHashNoError", params };
    const { status, json } = await service.post("/api/v2/jsonRPC", body);
    const error = expect.stringMatching(/exitcode=|exit code|duplicate message|too old seqno/i);
    expect({ status, json }).toMatchObject({ status: 400, json: { ok: false, id: 1, error } });
  });
});

/** The first order of a wallet that has already carried it out. */
async function replayedOrder(): Promise<string> {
  const [last] = await client
    .getTransactions(Address.parse(cast.cleo.address.toRaw()), { limit: 100 })
    .then((all) => all.filter(({ inMessage }) => inMessage?.info.type === "external-in").slice(-1));
  const message = last!.raw.beginParse().loadRef().beginParse();
  // `in_msg:(Maybe ^(Message Any))` is the first thing in there.
  message.loadBit();
  return message.loadRef().toBoc().toString("base64");
}
