import type { ExecutorThreads } from "../../../server/chain/executor/threads/executor-threads.js";
import { MethodRunner } from "../../../server/chain/run/method-runner.js";
import { contractOf, contractsAt, type KnownContract } from "../../../server/contracts/methods-at.js";
import type { ContractChain } from "../../../server/indexer/recognition/detection.js";
import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import {
  anySlice,
  bytesKey,
  cellRef,
  Dictionary,
} from "../../../shared/ton/cells/dictionaries/dictionary.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import type { Library } from "../../../shared/ton/proofs/read/libraries.js";
import { CodeLibraries } from "../../../shared/ton/run/code-libraries.js";
import { Account } from "../../../shared/ton/tlb/account.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { noCurrencies } from "../../../shared/ton/tlb/currency-collection.js";
import { methodId } from "../../../shared/ton/tvm/method-id.js";
import { Address } from "../../../shared/values/address.js";
import type { ChainData } from "../test-data.js";

type Fixture = {
  master_seqno: number;
  previous_accounts: { account: string; shard_account_boc_base64: string }[];
  config: { config_root_boc_base64: string; libraries_boc_base64: string[] };
  transaction_configs: { now: number }[];
};

const cellOf = (base64: string): Cell => parseBocRoot(Buffer.from(base64, "base64"));
const absent = { balance: 0n, extraCurrencies: noCurrencies.extra, libraries: undefined } as const;

/** The accounts of a recorded block before it, as a chain with nothing else in it. */
export class RecordedContracts implements ContractChain {
  readonly accounts: readonly Address[];
  readonly block: BlockIdExt;
  readonly #known = new Map<string, KnownContract>();
  readonly #libraries: readonly Library[];
  readonly #runner: MethodRunner;
  readonly #now: number;

  constructor(chain: ChainData, executor: Pick<ExecutorThreads, "runMethod">) {
    const fixture = JSON.parse(
      Buffer.from(chain.one({ kind: "replay_fixture" }).read()).toString(),
    ) as Fixture;
    for (const { account, shard_account_boc_base64 } of fixture.previous_accounts)
      this.#known.set(
        account,
        contractOf(Address.read(account)!.address, accountIn(cellOf(shard_account_boc_base64))),
      );
    this.accounts = [...this.#known.keys()].map((raw) => Address.read(raw)!.address);
    this.#now = fixture.transaction_configs[0]!.now;
    const hash = new Uint8Array(32);
    const shard = 1n << 63n;
    this.block = { workchain: -1, shard, seqno: fixture.master_seqno, rootHash: hash, fileHash: hash };
    const set = Dictionary.loadDirect(cellOf(fixture.config.libraries_boc_base64[0]!), bytesKey(32), cellRef);
    this.#libraries = [...set.entries()].map(([hash, cell]) => ({ hash, cell, boc: serializeBoc(cell) }));
    const root = cellOf(fixture.config.config_root_boc_base64);
    const reader = {
      last: this.block,
      config: async () => ({ root, params: Dictionary.empty(bytesKey(4), anySlice) as never }),
      previousBlocks: async () => ({ type: "null" }) as const,
    };
    this.#runner = new MethodRunner({ reader, executor, libraries: new CodeLibraries(this) });
  }

  get last() {
    return this.block;
  }

  contract(address: Address): KnownContract {
    return this.#known.get(address.toRaw()) ?? { ...absent, address, code: undefined, data: undefined };
  }

  at(block: BlockIdExt, known: (address: Address) => KnownContract | undefined) {
    const reader = {
      account: async (_: BlockIdExt, address: Address) =>
        // Only what get-methods see is read of it.
        ({ ...this.contract(address), syncUtime: this.#now }) as unknown as AccountSnapshot,
      header: async () => ({ info: { genUtime: this.#now } }) as never,
    };
    // The recorded accounts are no domains.
    const zones = { zoneOf: async () => undefined };
    return contractsAt(block, { reader, runner: this.#runner, zones }, known);
  }

  /** Runs a get-method on a state in any case, also if its layout is known. */
  run(state: Pick<KnownContract, "address" | "code" | "data">, method: string) {
    const contract = { ...absent, ...state, syncUtime: this.#now };
    return this.#runner.run(contract, { methodId: methodId(method), at: this.block });
  }

  async libraries(hashes: readonly Uint8Array[]): Promise<Library[]> {
    const wanted = new Set(hashes.map((hash) => Buffer.from(hash).toString("hex")));
    return this.#libraries.filter(({ hash }) => wanted.has(Buffer.from(hash).toString("hex")));
  }
}

/** `account_descr$_ account:^Account last_trans_hash:bits256 last_trans_lt:uint64 = ShardAccount;` */
const accountIn = (shardAccount: Cell) => decode(Account, shardAccount.refs[0]!);
