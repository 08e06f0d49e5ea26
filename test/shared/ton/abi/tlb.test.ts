import { describe, expect, test } from "vitest";
import { AbiCoder } from "../../../../shared/ton/abi/coder.js";
import { readTlb } from "../../../../shared/ton/abi/tlb.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";

const scheme = `
// Jettons, in the words of TEP-74.
transfer#0f8a7ea5 query_id:uint64 amount:(VarUInteger 16) destination:MsgAddress
                  response_destination:MsgAddress custom_payload:(Maybe ^Cell)
                  forward_ton_amount:Coins forward_payload:(Either Cell ^Cell)
                  = InternalMsgBody;
/* types */
unit$0 = Choice;
pair$10 left:int8 right:(## 16) = Choice;
rest$11 tail:^Choice = Choice;
_ seconds:uint32 = Time;
choose#00000001 choice:Choice at:^[ time:Time flag:Bool ] book:(HashmapE 32 Time) = InternalMsgBody;
odd#00000002 n:# body:(n * Bit) = InternalMsgBody;
hidden#00000003 value:Unknown more:uint8 = InternalMsgBody;
`;

const coder = new AbiCoder(readTlb(scheme)!);
const address = `0:${"AB".repeat(32)}`;

describe("a scheme in TL-B", () => {
  test("has the constructors with tags of 32 bits as messages", () => {
    expect(coder.messages("incoming").map(({ name, prefix }) => [name, prefix?.num])).toEqual([
      ["transfer", 0x0f8a7ea5n],
      ["choose", 1n],
      ["hidden", 3n],
    ]);
    expect(readTlb("unit$0 = Choice;")).toBeUndefined();
    expect(readTlb("() main() { return 0; }")).toBeUndefined();
  });

  test.each([
    [
      "transfer",
      {
        query_id: "7",
        amount: "1000",
        destination: address,
        response_destination: null,
        custom_payload: null,
        forward_ton_amount: "1",
        forward_payload: { "@type": "cell", value: "te6cckEBAQEAAgAAAEysuc0=" },
      },
    ],
    ["choose", { choice: { "@type": "unit" }, at: { time: { seconds: "5" }, flag: true }, book: null }],
    [
      "choose",
      {
        choice: { "@type": "rest", tail: { "@type": "pair", left: "-1", right: "65535" } },
        at: { time: { seconds: "0" }, flag: false },
        book: "te6cckEBAQEAAgAAAEysuc0=",
      },
    ],
  ])("reads and writes %s", (message, fields) => {
    const body = coder.writeBody("incoming", message, fields);
    const read = coder.readBody(body, ["incoming"]);
    expect(read?.message).toBe(message);
    expect(coder.writeBody("incoming", message, read?.fields).hash()).toEqual(body.hash());
    expect(Object.keys(read?.fields ?? {})).toEqual(Object.keys(fields));
  });

  test("takes what is not known as the rest of its cell", () => {
    const body = beginCell().storeUint(3, 32).storeUint(0xcafe, 16).endCell();
    const { fields } = coder.readBody(body, ["incoming"])!;
    expect(Object.keys(fields)).toEqual(["value"]);
  });

  test.each([
    ["types in a circle", "a#00000001 b:B = A; _ c:C = B; _ b:B = C;"],
    ["a chain of types", `m#00000001 t:T0 = M; ${lines(4000, (i) => `_ t:T${i + 1} = T${i};`)}`],
    ["deep references", `m#00000001 t:${"^".repeat(100_000)}Cell = M; n#00000002 = M;`],
    [
      "a thousand constructors of one name",
      lines(1000, (i) => `m#${(i + 1).toString(16).padStart(8, "0")} = M;`),
    ],
    ["comments that do not end", `m#00000001 = M; ${"/*".repeat(100_000)}`],
  ])("with %s is read", (_, text) => {
    expect(readTlb(text)?.messages.incoming.length).toBeGreaterThan(0);
    const made = new AbiCoder(readTlb(text)!);
    made.readBody(beginCell().storeUint(1, 32).storeUint(0, 500).endCell(), ["incoming"]);
  });

  test.each([
    ["words", lines(100_000, (i) => `f${i}:uint8`), "at most 200000 words"],
    ["constructors", lines(5000, () => "m#00000001 = M;"), "at most 4096 constructors"],
  ])("with too many %s is refused", (_, text, reason) => {
    expect(() => readTlb(text)).toThrow(reason);
  });
});

function lines(count: number, line: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => line(i)).join("\n");
}
