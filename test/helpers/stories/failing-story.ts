import type { Payment } from "../../../server/contracts/wallet-order.js";
import type { DevnetControls } from "../../../server/devnet/control/controls.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { Address } from "../../../shared/values/address.js";
import { ton } from "../chain/devnet.js";
import { compile } from "../contracts/tolk.js";

const mischief = `
  fun onInternalMessage(in: InMessage) {
    if (in.body.isEmpty()) { return; }
    val op = in.body.loadUint(32);
    if (op == 1) { throw 777; }
    if (op == 2) { createMessage({ bounce: false, dest: contract.getAddress(), value: ton("100000") }).send(0); }
    if (op == 3) { createMessage({ bounce: false, dest: contract.getAddress(), value: ton("100000") }).send(16); }
    if (op == 4) { while (true) { beginCell().endCell(); } }
    if (op == 5) { createMessage({ bounce: false, dest: contract.getAddress(), value: ton("100000") }).send(2); }
    if (op == 6) {
      createMessage({ bounce: true, dest: in.senderAddress, value: ton("0.1"), body: beginCell().storeUint(9, 32).endCell() }).send(0);
      createMessage({
        bounce: true, dest: address("TARGET"), value: ton("0.2"), body: beginCell().storeUint(1, 32).endCell()
      }).send(0);
    }
  }
  fun onBouncedMessage(in: InMessageBounced) { }
`;

/** Payments that fail, each in its own way. */
export type FailingPlaces = {
  [kind: string]: (value: bigint) => Payment;
};

const at = (byte: number) => new Address(0, new Uint8Array(32).fill(byte));
const idOf = ({ workchain, hash }: Address) => ({ workchain, id: hash });
const empty = { balance: 0n };

/** A tree of this many different cells. */
function largeData(cells: number): Uint8Array {
  const cellAt = (place: number): Cell => {
    const cell = beginCell().storeUint(place, 32).storeBytes(new Uint8Array(120).fill(place));
    for (let child = 4 * place + 1; child <= 4 * place + 4 && child < cells; child++)
      cell.storeRef(cellAt(child));
    return cell.endCell();
  };
  return serializeBoc(cellAt(0));
}

const asking = (op: number) => beginCell().storeUint(op, 32).endCell();

/** Contracts that fail in every phase, and payments to them. */
export async function failingPlaces(
  controls: Pick<DevnetControls, "setAccount" | "advanceTime" | "mine">,
): Promise<FailingPlaces> {
  const [target, contract, indebted, owing, nobody] = [at(0x51), at(0x52), at(0x53), at(0x54), at(0x55)];
  const code = await compile(mischief.replace("TARGET", target.toRaw()));
  for (const account of [target, contract])
    await controls.setAccount(idOf(account), { balance: 50n * ton, code: serializeBoc(code) });
  // States as large as these owe 0.02 and 0.2 TON in 400 days; from 0.1 TON on they are frozen.
  await controls.setAccount(idOf(indebted), { ...empty, code: serializeBoc(code), data: largeData(300) });
  await controls.setAccount(idOf(owing), { ...empty, code: serializeBoc(code), data: largeData(3000) });
  await controls.advanceTime(400 * 86_400);
  await controls.mine(1);
  const call =
    (to: Address, op: number | undefined, bounce = true) =>
    (value: bigint) => ({
      to,
      value,
      bounce,
      ...(op !== undefined && { body: asking(op) }),
    });
  return {
    good: call(contract, 9),
    "throws and returns": call(contract, 1),
    "throws and keeps": call(contract, 1, false),
    "sends too much": call(contract, 2),
    "sends too much and returns": call(contract, 3),
    "runs out of gas": call(contract, 4),
    "leaves an action out": call(contract, 5),
    "fails further on": call(contract, 6),
    "too little for gas": () => call(contract, 9, false)(1n),
    "is taken for debts": () => call(indebted, 9, false)(1_000_000n),
    "is frozen": () => call(owing, 9)(ton / 100n),
    "to nobody": call(nobody, undefined, false),
    "to nobody and back": call(nobody, undefined),
    "more than the wallet has": () => call(contract, 9)(10_000_000n * ton),
  };
}
