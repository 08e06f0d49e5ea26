import {
  Address,
  beginCell,
  Cell,
  type Contract,
  type ContractProvider,
  external,
  loadTransaction,
  type Message,
  type OpenedContract,
  openContract,
  type StateInit,
  storeMessage,
  type Transaction,
  type TupleItem,
  TupleReader,
} from "@ton/core";
import { type Client, createClient } from "../client.js";
import { nodeClock } from "../node-clock.js";
import { http } from "../transports/http.js";
import { contractProvider } from "./contract-provider.js";
import { toBase64, toLegacyStack, toTupleItems } from "./tuple-items.js";

/** Where a `TonClient` sends its calls: an endpoint, or an existing client. */
export type TonClientParameters =
  | {
      /** JSON-RPC URL of the service. */
      readonly endpoint: string;
      readonly apiKey?: string | undefined;
      /** Deadline of a call in ms. */
      readonly timeout?: number | undefined;
    }
  /** An existing client made by `createClient`. */
  | { readonly client: Client };

/** Drop-in replacement for `TonClient` of @ton/ton, with the batches, retries and rate limits of this package. */
export class TonClient {
  readonly client: Client;

  constructor(parameters: TonClientParameters) {
    if ("client" in parameters) {
      this.client = parameters.client;
      return;
    }
    const { endpoint, apiKey, timeout } = parameters;
    this.client = createClient({ transport: http(endpoint), apiKey, timeoutMs: timeout, clock: nodeClock });
  }

  close(): void {
    this.client.close();
  }

  open<T extends Contract>(contract: T): OpenedContract<T> {
    return openContract(contract, ({ address, init }) => this.provider(address, init));
  }

  provider(address: Address, init?: StateInit | null): ContractProvider {
    return contractProvider(this.client, address, init);
  }

  async getBalance(address: Address): Promise<bigint> {
    return (await this.getContractState(address)).balance;
  }

  async isContractDeployed(address: Address): Promise<boolean> {
    return (await this.getContractState(address)).state === "active";
  }

  async getContractState(address: Address) {
    const account = await this.client.getAddressInformation({ address: address.toString() });
    const { last_transaction_id: last, block_id: block } = account;
    const bytes = (text: string) => (text === "" ? null : Buffer.from(text, "base64"));
    return {
      balance: BigInt(account.balance),
      extra_currencies: account.extra_currencies,
      state: account.state,
      code: bytes(account.code),
      data: bytes(account.data),
      lastTransaction: last.lt === "0" ? null : { lt: last.lt, hash: last.hash },
      blockId: { workchain: block.workchain, shard: block.shard, seqno: block.seqno },
      timestampt: account.sync_utime,
    };
  }

  async runMethod(address: Address, name: string, stack: TupleItem[] = []) {
    const { exit_code: exitCode, ...result } = await this.runMethodWithError(address, name, stack);
    if (exitCode !== 0) throw new Error(`Unable to execute get method. Got exit_code: ${exitCode}`);
    return result;
  }

  async runMethodWithError(address: Address, name: string, stack: TupleItem[] = []) {
    const params = { address: address.toString(), method: name, stack: toLegacyStack(stack) };
    const { gas_used, exit_code, stack: items } = await this.client.runGetMethod(params);
    return { gas_used, exit_code, stack: new TupleReader(toTupleItems(items)) };
  }

  callGetMethod(address: Address, name: string, stack?: TupleItem[]) {
    return this.runMethod(address, name, stack);
  }

  callGetMethodWithError(address: Address, name: string, stack?: TupleItem[]) {
    return this.runMethodWithError(address, name, stack);
  }

  async getTransactions(address: Address, options: TransactionsOptions): Promise<Transaction[]> {
    const { limit, hash, inclusive = false, ...rest } = options;
    // The page includes the transaction it starts from.
    const skip = options.lt !== undefined && hash !== undefined && !inclusive ? 1 : 0;
    const list = await this.client.getTransactions({
      ...rest,
      address: address.toString(),
      limit: limit + skip,
      ...(hash !== undefined && { hash: Buffer.from(hash, "base64").toString("hex") }),
    });
    return list.slice(skip).map(transactionOf);
  }

  async getTransaction(address: Address, lt: string, hash: string): Promise<Transaction | null> {
    const params = {
      address: address.toString(),
      lt,
      hash: Buffer.from(hash, "base64").toString("hex"),
      limit: 1,
    };
    const list = await this.client.getTransactions(params);
    const found = list.find(({ transaction_id: id }) => id.lt === lt && id.hash === hash);
    return found ? transactionOf(found) : null;
  }

  async tryLocateResultTx(source: Address, destination: Address, created_lt: string): Promise<Transaction> {
    return transactionOf(await this.client.tryLocateResultTx(located(source, destination, created_lt)));
  }

  async tryLocateSourceTx(source: Address, destination: Address, created_lt: string): Promise<Transaction> {
    return transactionOf(await this.client.tryLocateSourceTx(located(source, destination, created_lt)));
  }

  async getMasterchainInfo() {
    const { init, last } = await this.client.getMasterchainInfo();
    return { workchain: init.workchain, shard: last.shard, initSeqno: init.seqno, latestSeqno: last.seqno };
  }

  async getWorkchainShards(seqno: number) {
    const { shards } = await this.client.getShards({ seqno });
    return shards.map(({ workchain, shard, seqno: number }) => ({ workchain, shard, seqno: number }));
  }

  async getShardTransactions(workchain: number, seqno: number, shard: string) {
    const { transactions, incomplete } = await this.client.getBlockTransactions({ workchain, seqno, shard });
    if (incomplete) throw new Error("the block has more transactions than one answer can hold");
    return transactions.map(({ account, lt, hash }) => ({ account: Address.parseRaw(account), lt, hash }));
  }

  async sendMessage(message: Message): Promise<void> {
    await this.sendFile(beginCell().store(storeMessage(message)).endCell().toBoc());
  }

  async sendFile(boc: Buffer): Promise<void> {
    await this.client.sendBoc({ boc: boc.toString("base64") });
  }

  async sendExternalMessage(contract: Contract, body: Cell): Promise<void> {
    const { address, init } = contract;
    const needed = init && !(await this.isContractDeployed(address)) ? { init } : {};
    await this.sendMessage(external({ to: address, ...needed, body }));
  }

  async estimateExternalMessageFee(
    address: Address,
    args: { body: Cell; initCode: Cell | null; initData: Cell | null; ignoreSignature: boolean },
  ) {
    return await this.client.estimateFee({
      address: address.toString(),
      body: toBase64(args.body),
      init_code: args.initCode ? toBase64(args.initCode) : "",
      init_data: args.initData ? toBase64(args.initData) : "",
      ignore_chksig: args.ignoreSignature,
    });
  }
}

/** Options of `getTransactions`, as in @ton/ton. */
export type TransactionsOptions = {
  limit: number;
  lt?: string;
  /** Base64. */
  hash?: string;
  to_lt?: string;
  inclusive?: boolean;
  archival?: boolean;
};

function located(source: Address, destination: Address, created_lt: string) {
  return { source: source.toString(), destination: destination.toString(), created_lt };
}

function transactionOf({ data }: { readonly data: string }): Transaction {
  return loadTransaction(Cell.fromBase64(data).beginParse());
}
