import { describe, expect, test } from "vitest";
import { readArtifact } from "../../../server/artifacts/formats.js";
import { ArtifactStore } from "../../../server/artifacts/store.js";
import { messagesByAbi } from "../../../server/present/v3/record-abis.js";
import type { MessageRecord } from "../../../server/store/tables/message-record.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { encode } from "../../../shared/ton/tlb/codec.js";
import { StateInit, stateInitOf } from "../../../shared/ton/tlb/state-init.js";
import { bytesToBase64, bytesToHex } from "../../../shared/values/bytes.js";
import { MadeTypes } from "../../helpers/abi/made-abi.js";

const base64 = (cell: Cell) => bytesToBase64(serializeBoc(cell));
const [sender, receiver] = ["A", "B"].map((digit) => `0:${digit.repeat(64)}`) as [string, string];
const opcode = 0x77;
const code = beginCell().storeUint(5, 8).endCell();

type Lists = "incoming_messages" | "incoming_external" | "outgoing_messages" | "emitted_events";

/** An ABI with one message of the opcode. */
function abiWith(name: string, list: Lists, repeated = 1) {
  const types = new MadeTypes();
  const uint8 = types.type({ kind: "uintN", n: 8 });
  const messages = Array.from({ length: repeated }, (_, i) => ({
    body_ty_idx: types.struct(`Poke${i}`, { by: uint8 }, { num: opcode, len: 32 }),
  }));
  return types.abi({ contract_name: name, [list]: messages });
}

function storeOf(...abis: unknown[]): ArtifactStore {
  const store = new ArtifactStore();
  store.setOwn(abis.map((abi, i) => readArtifact(`abi-${i}.json`, abi)!));
  return store;
}

const poke = beginCell().storeUint(opcode, 32).storeUint(9, 8).endCell();
const message = (special: object = {}, body = poke) =>
  ({
    hash: "a",
    source: sender,
    destination: receiver,
    opcode: "0x00000077",
    bounced: false,
    message_content: { hash: "", body: base64(body), decoded: null },
    init_state: null,
    ...special,
  }) as unknown as MessageRecord;

const call = () => ({ signal: new AbortController().signal });
const abiOf = async (artifacts: ArtifactStore, given: MessageRecord) =>
  (await messagesByAbi([given], { queries: undefined, book: { artifacts }, call: call() }))[0]?.abi;

describe("messages by ABIs", () => {
  test.each<[Lists, object]>([
    ["incoming_messages", {}],
    ["outgoing_messages", {}],
    ["incoming_external", { source: null }],
    ["emitted_events", { destination: null }],
    ["outgoing_messages", { destination: null }],
  ])("are looked for among %s: %j", async (list, sides) => {
    const found = { contract: "A", trust: "own", by: "opcode", message: "Poke0", fields: { by: "9" } };
    expect(await abiOf(storeOf(abiWith("A", list)), message(sides))).toEqual(found);
  });

  test.each<[Lists, object]>([
    ["incoming_external", {}],
    ["emitted_events", {}],
    ["incoming_messages", { source: null }],
    ["incoming_messages", { destination: null }],
    ["incoming_messages", { bounced: true }],
    ["incoming_messages", { opcode: null, message_content: null }],
  ])("are not looked for among %s: %j", async (list, special) => {
    expect(await abiOf(storeOf(abiWith("A", list)), message(special))).toBeNull();
  });

  test("a body that does not fit falls to the next, and to none", async () => {
    const short = beginCell().storeUint(opcode, 32).endCell();
    const types = new MadeTypes();
    const long = types.struct("Long", { by: types.type({ kind: "uintN", n: 64 }) }, { num: opcode, len: 32 });
    const misfit = types.abi({ contract_name: "Long", incoming_messages: [{ body_ty_idx: long }] });
    const store = storeOf(misfit, abiWith("A", "incoming_messages"));
    expect(await abiOf(store, message())).toMatchObject({ contract: "A" });
    expect(await abiOf(store, message({}, short))).toBeNull();
  });

  test("the code that comes with a message is that of its receiver", async () => {
    const store = storeOf(
      { hash: bytesToHex(code.hash()), hex: bytesToHex(serializeBoc(code)) },
      abiWith("abi-0", "incoming_messages"),
      abiWith("Other", "incoming_messages"),
    );
    const body = base64(encode(StateInit, stateInitOf(code, Cell.empty)));
    const init_state = { hash: "", body, decoded: null };
    expect(await abiOf(store, message({ init_state }))).toMatchObject({ by: "code" });
    expect(await abiOf(store, message({ init_state: { ...init_state, body: "AAAA" } }))).toMatchObject({
      by: "opcode",
    });
  });

  test("are paid for, and end with the call", async () => {
    const artifacts = storeOf(
      ...Array.from({ length: 20 }, (_, i) => abiWith(`A${i}`, "incoming_messages", 50)),
    );
    const misfit = beginCell().storeUint(opcode, 32).storeUint(1, 4).endCell();
    const page = Array.from({ length: 1000 }, (_, i) => message({ hash: String(i) }, misfit));
    const ending = new AbortController();
    let paid = 0;
    const spent = () => {
      if (++paid === 500) ending.abort();
    };
    const source = { queries: undefined, book: { artifacts }, call: { signal: ending.signal, spent } };
    await expect(messagesByAbi(page, source)).rejects.toThrow("aborted");
    expect(paid).toBe(500);
  });
});
