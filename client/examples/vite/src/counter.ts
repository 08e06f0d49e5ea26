import {
  type Address,
  beginCell,
  Cell,
  type Contract,
  type ContractProvider,
  contractAddress,
  type Sender,
  SendMode,
  type StateInit,
} from "@ton/core";
import { counterCode } from "./counter-code.js";

const code = Cell.fromBase64(counterCode);

/** A counter that anyone who knows its address can increase. */
export class Counter implements Contract {
  readonly address: Address;
  readonly init: StateInit;

  /** Each id gives a counter with another address. */
  constructor(id: number) {
    this.init = { code, data: beginCell().storeUint(id, 32).storeUint(0, 64).endCell() };
    this.address = contractAddress(0, this.init);
  }

  static increaseBody(): Cell {
    return beginCell().storeUint(1, 32).storeUint(0, 64).endCell();
  }

  async sendDeploy(provider: ContractProvider, via: Sender, value: bigint): Promise<void> {
    await provider.internal(via, {
      value,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      body: beginCell().endCell(),
    });
  }

  async sendIncrease(provider: ContractProvider, via: Sender, value: bigint): Promise<void> {
    await provider.internal(via, {
      value,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      body: Counter.increaseBody(),
    });
  }

  async getCount(provider: ContractProvider): Promise<bigint> {
    const { stack } = await provider.get("count", []);
    return stack.readBigNumber();
  }
}
