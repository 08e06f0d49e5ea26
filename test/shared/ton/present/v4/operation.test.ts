import { type Builder, beginCell, type Cell as CoreCell, comment } from "@ton/core";
import { describe, expect, it } from "vitest";
import { v4Body, v4Operation } from "../../../../../shared/ton/present/v4/operation.js";
import { Address } from "../../../../../shared/values/address.js";
import { fromCore as own } from "../../../../helpers/chain/core-cell.js";

const account = new Address(0, new Uint8Array(32).fill(1));
const other = new Address(0, new Uint8Array(32).fill(2));
const operation = (body: CoreCell) => v4Operation(account, "5", own(body));
const ton = { kind: "ton", amount: "5" };

const opcode = (value: number) => beginCell().storeUint(value, 32).storeUint(7, 64);
const address = (builder: Builder, to: Address) =>
  builder.storeUint(0b100, 3).storeInt(to.workchain, 8).storeBuffer(Buffer.from(to.hash));
const none = (builder: Builder) => builder.storeUint(0, 2);

describe("the operation of a body", () => {
  it("is an amount with a comment, or an amount alone", () => {
    const plain = { address: account.toFriendly(), items: [ton] };
    expect(operation(comment("hello"))).toEqual({ ...plain, comment: "hello" });
    expect(operation(comment("ä".repeat(200)))).toEqual({ ...plain, comment: "ä".repeat(200) });
    for (const body of [beginCell().endCell(), comment(""), opcode(0x12345678).endCell()])
      expect(operation(body)).toEqual(plain);
    expect(v4Operation(account, "5", undefined)).toEqual(plain);
  });

  it("is a transfer of jettons to another account, with the comment that is forwarded", () => {
    const transfer = (payload: (builder: Builder) => Builder) =>
      operation(
        payload(
          none(address(opcode(0x0f8a7ea5).storeCoins(1000), other))
            .storeBit(false)
            .storeCoins(1),
        ).endCell(),
      );
    const known = {
      address: other.toFriendly(),
      items: [{ kind: "token", amount: "1000" }, ton],
      op: { type: "jetton::transfer" },
    };
    expect(transfer((rest) => rest.storeBit(true).storeRef(comment("for you")))).toEqual({
      ...known,
      comment: "for you",
    });
    expect(transfer((rest) => rest.storeBit(false).storeSlice(comment("here").beginParse()))).toEqual({
      ...known,
      comment: "here",
    });
    expect(transfer((rest) => rest)).toEqual(known);
  });

  it("is a notification of jettons from an account, or an airdrop from none", () => {
    const notice = opcode(0x7362d09c).storeCoins(1000);
    expect(operation(address(beginCell().storeBuilder(notice), other).storeBit(false).endCell())).toEqual({
      address: other.toFriendly(),
      items: [{ kind: "token", amount: "1000" }, ton],
      op: { type: "jetton::transfer_notification" },
    });
    expect(operation(none(notice).storeBit(false).endCell())).toMatchObject({
      address: account.toFriendly(),
      op: { type: "airdrop" },
    });
  });

  it("is a withdrawal of a part or of all, or another operation of a pool", () => {
    const withdraw = (amount: bigint) =>
      operation(opcode(0xda803efd).storeCoins(9).storeCoins(amount).endCell()).op;
    expect(withdraw(0n)).toEqual({ type: "withdraw::all" });
    expect(withdraw(1_500_000_000n)).toEqual({ type: "withdraw", options: { coins: "1.5" } });
    const types = [0xd53276db, 0x7bcd1fef, 0xc641e932, 0x74bb3427, 0x23d421e1].map(
      (value) => operation(opcode(value).endCell()).op?.type,
    );
    expect(types).toEqual([
      "jetton::excesses",
      "deposit",
      "deposit::ok",
      "withdraw::delayed",
      "withdraw::ok",
    ]);
  });

  it("is the amount alone if the body is cut off", () => {
    for (const value of [0x0f8a7ea5, 0x7362d09c, 0xda803efd])
      expect(operation(opcode(value).endCell())).toEqual({ address: account.toFriendly(), items: [ton] });
  });
});

describe("the body of a message", () => {
  it("is nothing, a comment or a payload", () => {
    expect(v4Body(own(beginCell().storeUint(1, 31).endCell()))).toBeNull();
    expect(v4Body(own(comment("a")))).toEqual({ type: "comment", comment: "a" });
    const payload = opcode(5).endCell();
    expect(v4Body(own(payload))).toEqual({
      type: "payload",
      cell: payload.toBoc({ idx: false }).toString("base64"),
    });
  });
});
