import { describe, expect, it } from "vitest";
import { jettonChange } from "../../server/contracts/jetton-balance.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { type Builder, beginCell } from "../../shared/ton/cells/builder.js";
import { Address } from "../../shared/values/address.js";

const somebody = new Address(0, new Uint8Array(32).fill(7));
const bodyOf = (op: number, amount: bigint) =>
  beginCell().storeUint(op, 32).storeUint(5, 64).storeCoins(amount);
const transfer = (amount: bigint, custom: boolean) =>
  bodyOf(0x0f8a7ea5, amount)
    .storeAddress(somebody)
    .storeAddress(undefined)
    .storeMaybeRef(custom ? beginCell().endCell() : undefined);
const bounced = (body: Builder) => beginCell().storeUint(0xffffffff, 32).storeBuilder(body);

type Options = { isBounced?: boolean; isMintless?: boolean };
const changeOf = (
  body: Builder | Uint8Array | null,
  { isBounced = false, isMintless = false }: Options = {},
) =>
  jettonChange(
    {
      body: body === null || body instanceof Uint8Array ? body : serializeBoc(body.endCell()),
      bounced: isBounced,
    },
    { isMintless },
  );

const most = 2n ** 120n - 1n;

describe("the change of a jetton wallet's balance", () => {
  it("is that of the messages of the standard", () => {
    expect(changeOf(transfer(30n, false))).toBe(-30n);
    expect(changeOf(transfer(30n, true))).toBe(-30n);
    expect(changeOf(bodyOf(0x178d4519, most))).toBe(most);
    expect(changeOf(bodyOf(0x595f07bc, 4n))).toBe(-4n);
    expect(changeOf(beginCell().storeUint(0xeed236d3, 32).storeUint(5, 64).storeUint(1, 4))).toBe(0n);
  });

  it("is the amount that comes back with a bounced message", () => {
    expect(changeOf(bounced(bodyOf(0x178d4519, 9n)), { isBounced: true })).toBe(9n);
    expect(changeOf(bounced(bodyOf(0x7bdd97de, 9n)), { isBounced: true })).toBe(9n);
    for (const body of [bounced(transfer(9n, false)), bodyOf(0x178d4519, 9n)])
      expect(changeOf(body, { isBounced: true })).toBeUndefined();
  });

  it("is not known of a transfer that may claim an airdrop", () => {
    expect(changeOf(transfer(30n, true), { isMintless: true })).toBeUndefined();
    expect(changeOf(transfer(30n, false), { isMintless: true })).toBe(-30n);
  });

  it("is not known of other messages, cut ones, and bytes that are no cells", () => {
    for (const body of [
      bodyOf(0x7362d09c, 5n),
      beginCell(),
      beginCell().storeUint(0x178d4519, 32),
      beginCell().storeUint(0x178d4519, 32).storeUint(5, 64).storeUint(15, 4),
      new Uint8Array([1, 2, 3]),
      new Uint8Array(),
      null,
    ])
      expect(changeOf(body)).toBeUndefined();
  });
});
