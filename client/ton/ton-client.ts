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
import type { ExtraCurrency, RawFullAccountState } from "../api.js";
import { type Client, createClient } from "../client.js";
import { nodeClock } from "../node-clock.js";
import { http } from "../transports/http.js";
import { contractProvider } from "./contract-provider.js";
import { toBase64, toLegacyStack, toTupleItems } from "./tuple-items.js";

/** Target of a `TonClient`'s calls: an endpoint, or an existing client. */
export type TonClientParameters =
  | {
      /** JSON-RPC URL of the service. */
      readonly endpoint: string;
      /** Sent as the header `X-API-Key`. */
      readonly apiKey?: string | undefined;
      /** Deadline of a call in ms. */
      readonly timeout?: number | undefined;
    }
  /** An existing client made by `createClient`. */
  | { readonly client: Client };

/** Drop-in replacement for `TonClient` of @ton/ton, with the batches, retries and rate limits of this package. */
export class TonClient {
  /** The client that sends the calls. */
  readonly client: Client;

  constructor(parameters: TonClientParameters) {
    if ("client" in parameters) {
      this.client = parameters.client;
      return;
    }
    const { endpoint, apiKey, timeout } = parameters;
    this.client = createClient({ transport: http(endpoint), apiKey, timeoutMs: timeout, clock: nodeClock });
  }

  /** Rejects calls in flight and releases connections. */
  close(): void {
    this.client.close();
  }

  /** A contract wrapper whose methods send and read through this client. */
  open<T extends Contract>(contract: T): OpenedContract<T> {
    return openContract(contract, ({ address, init }) => this.provider(address, init));
  }

  /** The provider that `open` gives to a wrapper. */
  provider(address: Address, init?: StateInit | null): ContractProvider {
    return contractProvider(this.client, address, init);
  }

  /** Balance of an account in nanotons. */
  async getBalance(address: Address): Promise<bigint> {
    return (await this.getContractState(address)).balance;
  }

  /** Whether the account has code. */
  async isContractDeployed(address: Address): Promise<boolean> {
    return (await this.getContractState(address)).state === "active";
  }

  /** State of the account with its last transaction, as `getContractState` of @ton/ton has it. */
  async getContractState(address: Address): Promise<AccountDetails> {
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

  /** Runs a get-method; throws if its exit code is not 0. */
  async runMethod(address: Address, name: string, stack: TupleItem[] = []) {
    const { exit_code: exitCode, ...result } = await this.runMethodWithError(address, name, stack);
    if (exitCode !== 0) throw new Error(`Unable to execute get method. Got exit_code: ${exitCode}`);
    return result;
  }

  /** Runs a get-method; the result has its exit code. */
  async runMethodWithError(address: Address, name: string, stack: TupleItem[] = []) {
    const params = { address: address.toString(), method: name, stack: toLegacyStack(stack) };
    const { gas_used, exit_code, stack: items } = await this.client.runGetMethod(params);
    return { gas_used, exit_code, stack: new TupleReader(toTupleItems(items)) };
  }

  /** Alias of `runMethod`. */
  callGetMethod(address: Address, name: string, stack?: TupleItem[]) {
    return this.runMethod(address, name, stack);
  }

  /** Alias of `runMethodWithError`. */
  callGetMethodWithError(address: Address, name: string, stack?: TupleItem[]) {
    return this.runMethodWithError(address, name, stack);
  }

  /** Transactions of an account, newest first. */
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

  /** One transaction of an account by logical time and base64 hash; `null` if it is not found. */
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

  /** The transaction that received a message. */
  async tryLocateResultTx(source: Address, destination: Address, created_lt: string): Promise<Transaction> {
    return transactionOf(await this.client.tryLocateResultTx(located(source, destination, created_lt)));
  }

  /** The transaction that sent a message. */
  async tryLocateSourceTx(source: Address, destination: Address, created_lt: string): Promise<Transaction> {
    return transactionOf(await this.client.tryLocateSourceTx(located(source, destination, created_lt)));
  }

  /** The last masterchain block. */
  async getMasterchainInfo() {
    const { init, last } = await this.client.getMasterchainInfo();
    return { workchain: init.workchain, shard: last.shard, initSeqno: init.seqno, latestSeqno: last.seqno };
  }

  /** The newest block of each shard as of a masterchain block. */
  async getWorkchainShards(seqno: number) {
    const { shards } = await this.client.getShards({ seqno });
    return shards.map(({ workchain, shard, seqno: number }) => ({ workchain, shard, seqno: number }));
  }

  /** The transactions of a block. */
  async getShardTransactions(workchain: number, seqno: number, shard: string) {
    const { transactions, incomplete } = await this.client.getBlockTransactions({ workchain, seqno, shard });
    if (incomplete) throw new Error("the block has more transactions than one answer can hold");
    return transactions.map(({ account, lt, hash }) => ({ account: Address.parseRaw(account), lt, hash }));
  }

  /** Sends an external message. */
  async sendMessage(message: Message): Promise<void> {
    await this.sendFile(beginCell().store(storeMessage(message)).endCell().toBoc());
  }

  /** Sends an external message as a bag of cells. */
  async sendFile(boc: Buffer): Promise<void> {
    await this.client.sendBoc({ boc: boc.toString("base64") });
  }

  /** Sends an external message to a contract, with its StateInit while it is not deployed. */
  async sendExternalMessage(contract: Contract, body: Cell): Promise<void> {
    const { address, init } = contract;
    const needed = init && !(await this.isContractDeployed(address)) ? { init } : {};
    await this.sendMessage(external({ to: address, ...needed, body }));
  }

  /** Estimates the fees of an external message. */
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

/** Result of `getContractState`, as in @ton/ton. */
type AccountDetails = {
  /** Balance in nanotons. */
  balance: bigint;
  /** Amounts of extra currencies. */
  extra_currencies: ExtraCurrency[];
  /** Status of the account. */
  state: RawFullAccountState["state"];
  /** The code as a bag of cells; `null` if there is none. */
  code: Buffer | null;
  /** The data as a bag of cells; `null` if there is none. */
  data: Buffer | null;
  /** Logical time and base64 hash of the last transaction; `null` if there is none. */
  lastTransaction: { lt: string; hash: string } | null;
  /** The masterchain block at which the account was read. */
  blockId: BlockOfShard;
  /** Unix time of the state; spelt as in @ton/ton. */
  timestampt: number;
};

/** A block by its shard and seqno. */
type BlockOfShard = {
  /** -1 for the masterchain, 0 for the basechain. */
  workchain: number;
  /** Shard as a signed decimal. */
  shard: string;
  /** Seqno of the block. */
  seqno: number;
};

/** Options of `getTransactions`, as in @ton/ton. */
type TransactionsOptions = {
  /** Maximum number of transactions. */
  limit: number;
  /** Logical time of the transaction to start from; together with `hash`. */
  lt?: string;
  /** Its hash in base64. */
  hash?: string;
  /** Only transactions after this logical time. */
  to_lt?: string;
  /** Whether to include the transaction of `lt` and `hash`. */
  inclusive?: boolean;
  /** Prefer liteservers with the longest history. */
  archival?: boolean;
};

function located(source: Address, destination: Address, created_lt: string) {
  return { source: source.toString(), destination: destination.toString(), created_lt };
}

function transactionOf({ data }: { readonly data: string }): Transaction {
  return loadTransaction(Cell.fromBase64(data).beginParse());
}
