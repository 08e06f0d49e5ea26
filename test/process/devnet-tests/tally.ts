import {
  type Address,
  beginCell,
  Cell,
  type Contract,
  type ContractProvider,
  contractAddress,
  type Sender,
  type StateInit,
} from "@ton/core";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { tallySource } from "../../helpers/abi/tally-contract.js";
import { compile } from "../../helpers/contracts/tolk.js";

/** A user's wrapper of the tally. */
export class Tally implements Contract {
  readonly address: Address;
  readonly init: StateInit;

  constructor(code: Cell, owner: Address) {
    const data = beginCell().storeUint(5, 32).storeAddress(owner).endCell();
    this.init = { code, data };
    this.address = contractAddress(0, this.init);
  }

  static async compiled(owner: Address): Promise<Tally> {
    return new Tally(Cell.fromBase64(bytesToBase64(serializeBoc(await compile(tallySource)))), owner);
  }

  static body(by: number): Cell {
    return beginCell().storeUint(0x7e8764ef, 32).storeUint(by, 32).endCell();
  }

  async sendIncrease(provider: ContractProvider, via: Sender, by: number): Promise<string> {
    await provider.internal(via, { value: "0.1", body: Tally.body(by) });
    return `by ${by}`;
  }

  async sendNothing(_provider: ContractProvider): Promise<void> {}

  async sendOutside(provider: ContractProvider): Promise<void> {
    await provider.external(beginCell().endCell());
  }

  async getTotal(provider: ContractProvider): Promise<number> {
    return (await provider.get("total", [])).stack.readNumber();
  }
}
