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
import { serializeBoc } from "../../../shared/ton/cells/boc.js";
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

/** Answers every message with one to itself, as long as its money lasts. */
const endlessSource = `
fun onInternalMessage(_: InMessage) {
    createMessage({ bounce: false, value: ton("0.01"), dest: contract.getAddress() }).send(SEND_MODE_REGULAR);
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

/** A contract whose traces do not end, and a StateInit in base64 that deploys it. */
export async function endlessContract(): Promise<{ address: string; stateInit: string }> {
  const init = { code: await codeOf(endlessSource), data: beginCell().endCell() };
  return { address: contractAddress(0, init).toRawString(), stateInit: stateInitBoc(init) };
}

/** A StateInit as parameters have it. */
export function stateInitBoc({ code, data }: Init): string {
  const cell = beginCell().storeUint(0b00110, 5).storeRef(code).storeRef(data).endCell();
  return cell.toBoc().toString("base64");
}
