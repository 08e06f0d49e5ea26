import {
  type Address,
  beginCell,
  type Cell,
  type Contract,
  type ContractGetMethodResult,
  type ContractProvider,
  type ContractState,
  comment,
  external,
  loadTransaction,
  openContract,
  type Sender,
  type StateInit,
  storeMessage,
  Cell as TonCell,
  type TupleItem,
  TupleReader,
  toNano,
} from "@ton/core";
import type { Caller } from "../caller.js";
import { succeeded } from "../chain/run-method.js";
import { toBase64, toLegacyStack, toTupleItems } from "./tuple-items.js";

/**
 * A `ContractProvider` for contract wrappers written for @ton/core: `openContract(wrapper, ({ address, init }) =>
 * contractProvider(client, address, init))`. `TonClient.open` does the same.
 */
export function contractProvider(
  client: Pick<Caller, "call">,
  address: Address,
  init?: StateInit | null,
): ContractProvider {
  return new Provider(client, address, init ?? undefined);
}

class Provider implements ContractProvider {
  readonly #client: Pick<Caller, "call">;
  readonly #address: Address;
  readonly #init: StateInit | undefined;

  constructor(client: Pick<Caller, "call">, address: Address, init: StateInit | undefined) {
    this.#client = client;
    this.#address = address;
    this.#init = init;
  }

  async getState(): Promise<ContractState> {
    const account = await this.#account();
    const { lt, hash } = account.last_transaction_id;
    // Older services omit extra currencies.
    const currencies = (account.extra_currencies ?? []).map(
      ({ id, amount }) => [id, BigInt(amount)] as const,
    );
    return {
      balance: BigInt(account.balance),
      extracurrency: currencies.length > 0 ? Object.fromEntries(currencies) : null,
      last: lt === "0" ? null : { lt: BigInt(lt), hash: Buffer.from(hash, "base64") },
      state: storageOf(account),
    };
  }

  async get(name: string | number, args: TupleItem[]): Promise<ContractGetMethodResult> {
    const params = { address: this.#address.toString(), method: name };
    const run = { ...params, stack: toLegacyStack(args) };
    const answer = succeeded(await this.#client.call("runGetMethod", run), params);
    return { stack: new TupleReader(toTupleItems(answer.stack)), gasUsed: BigInt(answer.gas_used) };
  }

  async external(message: Cell): Promise<void> {
    const init = await this.#neededInit();
    const packed = beginCell().store(storeMessage(external({ to: this.#address, init, body: message })));
    await this.#client.call("sendBoc", { boc: toBase64(packed.endCell()) });
  }

  async internal(via: Sender, args: Parameters<ContractProvider["internal"]>[1]): Promise<void> {
    const { value, bounce, body, ...rest } = args;
    await via.send({
      ...rest,
      to: this.#address,
      value: typeof value === "string" ? toNano(value) : value,
      bounce: bounce ?? true,
      init: await this.#neededInit(),
      body: typeof body === "string" ? comment(body) : body,
    });
  }

  open<T extends Contract>(contract: T) {
    return openContract(contract, ({ address, init }) => contractProvider(this.#client, address, init));
  }

  async getTransactions(address: Address, lt: bigint, hash: Buffer, limit = 100) {
    const params = { address: address.toString(), lt: lt.toString(), hash: hash.toString("hex"), limit };
    const transactions = await this.#client.call("getTransactions", params);
    return transactions.map(({ data }) => loadTransaction(TonCell.fromBase64(data).beginParse()));
  }

  /** The state init is sent only while the contract is not deployed. */
  async #neededInit(): Promise<StateInit | undefined> {
    if (!this.#init) return undefined;
    return (await this.#account()).state === "active" ? undefined : this.#init;
  }

  #account() {
    return this.#client.call("getAddressInformation", { address: this.#address.toString() });
  }
}

type Account = {
  readonly state: string;
  readonly code: string;
  readonly data: string;
  readonly frozen_hash: string;
};

function storageOf({ state, code, data, frozen_hash: frozenHash }: Account): ContractState["state"] {
  const bytes = (text: string) => (text === "" ? null : Buffer.from(text, "base64"));
  if (state === "active") return { type: "active", code: bytes(code), data: bytes(data) };
  if (state === "frozen") return { type: "frozen", stateHash: Buffer.from(frozenHash, "base64") };
  return { type: "uninit" };
}
