import { describe, expect, test } from "vitest";
import { messageControl } from "../../../../server/web/explorer/contract/message-control.js";
import { TypedInputs } from "../../../../server/web/explorer/contract/typed-inputs.js";
import { TypedValues } from "../../../../server/web/explorer/contract/typed-values.js";
import { Names } from "../../../../server/web/explorer/parts/names.js";
import { AbiCoder } from "../../../../shared/ton/abi/coder.js";
import { readTolkAbi } from "../../../../shared/ton/abi/tolk.js";
import { parseBocRoot, serializeBoc } from "../../../../shared/ton/cells/boc/boc.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { Message } from "../../../../shared/ton/tlb/message.js";
import { base64ToBytes, bytesToBase64 } from "../../../../shared/values/bytes.js";
import { counterAbi } from "../../../helpers/abi/counter-contract.js";
import { MadeTypes } from "../../../helpers/abi/made-abi.js";

const owner = `0:${"07".repeat(32)}`;
const boc = bytesToBase64(serializeBoc(Cell.empty));

/** One message whose fields have a type of each kind of input, and itself as a part. */
function everyInput(): AbiCoder {
  const types = new MadeTypes();
  const plain = (kind: string) => types.type({ kind });
  const int = types.type({ kind: "intN", n: 32 });
  const color = types.type({ kind: "EnumRef", enum_name: "Color" });
  types.declarations.push({
    kind: "enum",
    name: "Color",
    encoded_as_ty_idx: types.type({ kind: "uintN", n: 8 }),
    members: [
      { name: "Red", value: "1" },
      { name: "Blue", value: "2" },
    ],
  });
  const point = types.struct("Point", { x: int, y: int });
  const nullable = (inner: number) => types.type({ kind: "nullable", inner_ty_idx: inner });
  const variant = (type: number, prefix: number) => ({
    variant_ty_idx: type,
    prefix_num: prefix,
    prefix_len: 1,
    is_prefix_implicit: true,
  });
  const either = types.type({ kind: "union", variants: [variant(point, 0), variant(int, 1)] });
  const more = types.struct("More", {
    name: plain("string"),
    data: plain("cell"),
    items: types.type({ kind: "arrayOf", inner_ty_idx: int }),
    pair: types.type({ kind: "tensor", items_ty_idx: [int, plain("bool")] }),
  });
  const every = types.struct(
    "Every",
    {
      count: int,
      paid: plain("coins"),
      flag: plain("bool"),
      color,
      to: plain("address"),
      maybe: nullable(int),
      point: nullable(point),
      either,
      more: types.type({ kind: "cellOf", inner_ty_idx: more }),
    },
    { num: 0x77, len: 32 },
  );
  return new AbiCoder(readTolkAbi(types.abi({ incoming_messages: [{ body_ty_idx: every }] })));
}

/** What a form has, in the order of its fields. */
const given = {
  "value.0": "-5",
  "value.1": "2.5",
  "value.2": "true",
  "value.3": "Blue",
  "value.4": owner,
  "value.6.given": "yes",
  "value.6.0": "0x10",
  "value.6.1": "2",
  "value.7.variant": "1",
  "value.7.1": "9",
  "value.8.1": boc,
  "value.8.2": '["1", 2]',
  "value.8.3.0": "3",
  "value.8.3.1": "false",
};
const fields = {
  count: "-5",
  paid: "2500000000",
  flag: true,
  color: "Blue",
  to: owner,
  maybe: null,
  point: { x: "16", y: "2" },
  either: { "@type": "int32", value: "9" },
  more: { name: "", data: expect.any(String), items: ["1", "2"], pair: ["3", false] },
};

describe("forms of a contract", () => {
  const coder = everyInput();
  const contract = { address: owner, coder, kinds: [], names: new Names() };
  const [message] = coder.messages("incoming");

  test("a message is emulated with the values of its fields, of each kind", () => {
    const control = messageControl(contract, message!, { id: "m", list: "incoming", isSent: false });
    const { method, params } = control.request({ ...given, from: owner, amount: "0.1", bounce: "yes" });
    expect(method).toBe("v3.emulate.trace");
    const sent = Message.load(parseBocRoot(base64ToBytes(params["boc"] as string)!).parse());
    expect(sent.info).toMatchObject({ kind: "internal", bounce: true, value: { coins: 100_000_000n } });
    expect(coder.readBody(sent.body, ["incoming"])).toEqual({ message: "Every", fields });
  });

  test("a message is sent in the name of an account, or from outside", () => {
    const sent = messageControl(contract, message!, { id: "m", list: "incoming", isSent: true });
    const { method, params } = sent.request({ ...given, from: owner, amount: "1" });
    expect([method, params]).toEqual([
      "devnet.impersonate",
      expect.objectContaining({ to: owner, value: "1000000000", bounce: false }),
    ]);
    const counter = new AbiCoder(readTolkAbi(counterAbi()));
    const [add] = counter.messages("external");
    const outside = messageControl({ ...contract, coder: counter }, add!, {
      id: "m",
      list: "external",
      isSent: true,
    });
    const request = outside.request({ "value.0": "7" });
    expect(request.method).toBe("sendBocReturnHash");
    const { info, body } = Message.load(
      parseBocRoot(base64ToBytes(request.params["boc"] as string)!).parse(),
    );
    expect([info.kind, counter.readBody(body, ["external"])]).toEqual([
      "externalIn",
      { message: "Add", fields: { by: "7" } },
    ]);
  });

  test("a message that is no structure has one field", () => {
    const types = new MadeTypes();
    const body = types.type({ kind: "uintN", n: 64 });
    const plain = new AbiCoder(readTolkAbi(types.abi({ incoming_messages: [{ body_ty_idx: body }] })));
    const [only] = plain.messages("incoming");
    const options = { id: "m", list: "incoming", isSent: false } as const;
    const control = messageControl({ ...contract, coder: plain }, only!, options);
    const { params } = control.request({ "value.0": "7", from: owner, amount: "1" });
    const sent = Message.load(parseBocRoot(base64ToBytes(params["boc"] as string)!).parse());
    expect(plain.readBody(sent.body, ["incoming"])).toMatchObject({ fields: { value: "7" } });
  });

  test.each([
    [{ "value.0": "five" }, "count: expected an integer"],
    [{ "value.1": "much" }, "much"],
    [{ "value.8.2": "[1," }, "items is given as JSON"],
    [{ from: "me" }, "The sender is no address."],
  ])("%j is refused", (wrong, reason) => {
    const control = messageControl(contract, message!, { id: "m", list: "incoming", isSent: false });
    expect(() => control.request({ ...given, from: owner, amount: "1", ...wrong })).toThrow(reason);
  });

  test("types that contain themselves, or have more parts than a form, are asked for as JSON", () => {
    const types = new MadeTypes();
    const maybeNode = types.type({ kind: "nullable", inner_ty_idx: 1 });
    const node = types.struct("Node", { left: maybeNode, right: maybeNode });
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, node]));
    const wide = types.struct("Wide", many);
    const cyclic = new AbiCoder(readTolkAbi(types.abi({ storage: { storage_ty_idx: wide } })));
    for (const type of [node, wide]) {
      const { markup } = new TypedInputs(cyclic).record(cyclic.fieldsOf(type)!);
      expect(markup.text).toContain("<textarea");
      expect(markup.text.length).toBeLessThan(100_000);
    }
  });
});

describe("values of a contract", () => {
  const names = new Names();
  const coder = everyInput();
  const [message] = coder.messages("incoming");
  const textOf = (markup: { text: string }) =>
    markup.text
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim();

  test("are shown by their types", () => {
    names.set(owner, { name: "Ann", kind: "" });
    const value = { ...fields, more: { ...fields.more, name: "<b>", data: boc } };
    expect(textOf(new TypedValues(coder, names).markup(value, message!.type))).toBe(
      "count int32 −5 paid coins 2.5 TON flag bool true color Color Blue to address Ann maybe int32? null " +
        "point Point? Point x int32 16 y int32 2 either Point | int32 int32 9 " +
        "more Cell&lt;More&gt; More name string &lt;b&gt; data cell cell 18 bytes items array&lt;int32&gt; 2 items 1 2 " +
        "pair (int32, bool) 2 items 3 false",
    );
  });

  test("that do not fit their types are shown as they are", () => {
    const value = { count: ["<i>"], point: "x", either: { "@type": "gone" }, more: 5 };
    expect(textOf(new TypedValues(coder, names).markup(value, message!.type))).toBe(
      "count int32 [&quot;&lt;i&gt;&quot;] point Point? x either Point | int32 {&quot;@type&quot;:&quot;gone&quot;} more Cell&lt;More&gt; 5",
    );
  });

  test("that are long are cut", () => {
    const types = new MadeTypes();
    const lists = types.type({ kind: "arrayOf", inner_ty_idx: 0 });
    const deep = new AbiCoder(readTolkAbi(types.abi({})));
    const nested = Array.from({ length: 500 }, () => Array.from({ length: 500 }, () => []));
    expect(new TypedValues(deep, names).markup(nested, lists).text.length).toBeLessThan(500_000);
  });
});
