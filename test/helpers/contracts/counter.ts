import {
  type Address,
  beginCell,
  Cell,
  type Contract,
  type ContractProvider,
  contractAddress,
  type Sender,
  SendMode,
} from "@ton/core";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { compile } from "./tolk.js";

const counterSource = `
struct Counter {
    id: uint32
    value: uint32
}
struct (0x7e8764ef) Increase { by: uint32 }

fun onInternalMessage(in: InMessage) {
    if (in.body.isEmpty()) {
        return;
    }
    var counter = Counter.fromCell(contract.getData());
    counter.value += Increase.fromSlice(in.body).by;
    contract.setData(counter.toCell());
}

get fun counter(): int {
    return Counter.fromCell(contract.getData()).value;
}`;

/** Sends back what it gets. */
const endlessSource = `
fun onInternalMessage(in: InMessage) {
    createMessage({ bounce: false, value: 0, dest: in.senderAddress }).send(SEND_MODE_CARRY_ALL_REMAINING_MESSAGE_VALUE);
}
fun onBouncedMessage(_: InMessageBounced) {}`;

/** The code of a contract in Tolk, for @ton/core. */
async function codeOf(source: string): Promise<Cell> {
  return Cell.fromBoc(Buffer.from(serializeBoc(await compile(source))))[0]!;
}

type Init = { code: Cell; data: Cell };

/** A contract that counts, as a wrapper of Blueprint's template. */
export class Counter implements Contract {
  readonly address: Address;
  readonly init: Init;

  private constructor(init: Init) {
    this.init = init;
    this.address = contractAddress(0, init);
  }

  static async make(id: number): Promise<Counter> {
    const data = beginCell().storeUint(id, 32).storeUint(0, 32).endCell();
    return new Counter({ code: await codeOf(counterSource), data });
  }

  static increase(by: number): Cell {
    return beginCell().storeUint(0x7e8764ef, 32).storeUint(by, 32).endCell();
  }

  async sendDeploy(provider: ContractProvider, via: Sender, value: bigint): Promise<void> {
    await provider.internal(via, {
      value,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      body: beginCell().endCell(),
    });
  }

  async sendIncrease(provider: ContractProvider, via: Sender, value: bigint, by: number): Promise<void> {
    const body = Counter.increase(by);
    await provider.internal(via, { value, sendMode: SendMode.PAY_GAS_SEPARATELY, body });
  }

  async getCounter(provider: ContractProvider): Promise<number> {
    return (await provider.get("counter", [])).stack.readNumber();
  }
}

/**
 * A contract whose traces do not end if the sender has its code in the other workchain, where its messages arrive with the next
 * block; its code, and a StateInit that deploys it, in base64.
 */
export async function endlessContract(): Promise<{ address: string; code: string; stateInit: string }> {
  const init = { code: await codeOf(endlessSource), data: beginCell().endCell() };
  const code = init.code.toBoc().toString("base64");
  return { address: contractAddress(0, init).toRawString(), code, stateInit: stateInitBoc(init) };
}

/** A StateInit as parameters have it. */
export function stateInitBoc({ code, data }: Init): string {
  const cell = beginCell().storeUint(0b00110, 5).storeRef(code).storeRef(data).endCell();
  return cell.toBoc().toString("base64");
}
