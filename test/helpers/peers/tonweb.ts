import { createRequire } from "node:module";

// tonweb has no types of its own for what is used here, and its bundle expects a browser's name of the global object.

type Record_ = Record<string, unknown>;

export type TonWebProvider = {
  send(method: string, params: Record_): Promise<unknown>;
  getBalance(address: string): Promise<string>;
  getAddressInfo(address: string): Promise<Record_>;
  getExtendedAddressInfo(address: string): Promise<Record_>;
  getWalletInfo(address: string): Promise<Record_>;
  getTransactions(
    address: string,
    limit?: number,
    lt?: number | string,
    hash?: string,
    toLt?: number | string,
    archival?: boolean,
  ): Promise<Record_[]>;
  call2(address: string, method: string | number, params?: unknown[]): Promise<unknown>;
  getConfigParam(id: number): Promise<unknown>;
  getBlockShards(seqno: number): Promise<{ shards: Record_[] }>;
  getBlockTransactions(workchain: number, shard: string, seqno: number, count?: number): Promise<Record_>;
  getBlockHeader(workchain: number, shard: string, seqno: number): Promise<Record_>;
  getMasterchainInfo(): Promise<{ last: { seqno: number } }>;
};

type TonWebTransfer = {
  send(): Promise<Record_>;
  estimateFee(): Promise<Record_>;
  getQuery(): Promise<{ toBoc(index: boolean): Promise<Uint8Array> }>;
};

type TonWebWallet = {
  getAddress(): Promise<{ toString(friendly: boolean, url: boolean, bounceable: boolean): string }>;
  deploy(secretKey: Uint8Array): TonWebTransfer;
  methods: {
    seqno(): { call(): Promise<number | null> };
    transfer(order: Record_): TonWebTransfer;
  };
};

type BlockHeader = { id: { workchain: number; shard: string; seqno: number } };

type TonWebLibrary = {
  version: string;
  HttpProvider: new (host: string, options: { apiKey: string }) => TonWebProvider;
  /** Resolves names from the root that the configuration names. */
  Dns: new (
    provider: TonWebProvider,
  ) => {
    getWalletAddress(name: string): Promise<{ toString(friendly: boolean): string } | null>;
    getSiteAddress(name: string): Promise<{ toHex(): string } | null>;
  };
  Wallets: { all: Record<string, new (provider: TonWebProvider, options: Record_) => TonWebWallet> };
  InMemoryBlockStorage: new (log: (text: string) => void) => object;
  BlockSubscription: new (
    provider: TonWebProvider,
    storage: object,
    onBlock: (header: BlockHeader) => Promise<void>,
    options: { startMcBlockNumber?: number; mcInterval: number; shardsInterval: number },
  ) => { start(): Promise<void>; stop(): void };
  utils: {
    keyPairFromSeed(seed: Uint8Array): { publicKey: Uint8Array; secretKey: Uint8Array };
    BN: new (text: string | number, base?: number) => unknown;
  };
};

/** The published bundle, as a page would load it. */
export function loadTonWeb(): TonWebLibrary {
  (globalThis as { self?: unknown }).self ??= globalThis;
  const { utils, dns: Dns, ...library } = createRequire(import.meta.url)("tonweb/dist/tonweb.js");
  return { ...library, utils, Dns };
}
