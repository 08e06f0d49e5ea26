import type { Cell } from "../../shared/ton/cells/cell.js";
import type { GetMethods } from "../../shared/ton/contracts/get-method.js";
import type { DnsZone } from "../../shared/ton/contracts/nft-domain.js";
import type { ChainReader } from "../../shared/ton/proofs/read/reader.js";
import type { ContractState } from "../../shared/ton/run/run-get-method.js";
import type { ExistingAccount } from "../../shared/ton/tlb/account.js";
import type { BlockIdExt } from "../../shared/ton/tlb/block-id.js";
import { noCurrencies } from "../../shared/ton/tlb/currency-collection.js";
import { methodId } from "../../shared/ton/tvm/method-id.js";
import type { StackValue } from "../../shared/ton/tvm/stack.js";
import type { Address } from "../../shared/values/address.js";
import type { MethodRunner, RunCall } from "../chain/run/method-runner.js";
import type { DnsZones } from "./dns-zones.js";
import { readByLayout } from "./standard-layouts.js";

export type ContractDeps = {
  reader: Pick<ChainReader, "blockAt" | "account">;
  runner: Pick<MethodRunner, "run">;
};

/** Runs get-methods of any account as of a masterchain block, with the configuration of the last block. */
export function getMethodsAt(block: BlockIdExt, { reader, runner }: ContractDeps, call: RunCall): GetMethods {
  return {
    async run(address, method, stack) {
      const account = await reader.account(block, address, call);
      return runner.run(account, { methodId: methodId(method), stack }, call);
    },
  };
}

/** Contracts as of one block. */
export interface ContractAccounts extends GetMethods {
  /** The hash of an account's code; `undefined` without code. */
  codeHash(account: Address): Promise<Uint8Array | undefined>;
  /** The data of an account; `undefined` without data. */
  data(account: Address): Promise<Cell | undefined>;
  /** The zone whose domains a collection's items are; `undefined` if they are no domains. */
  zoneOf(collection: Address): Promise<DnsZone | undefined>;
}

/** The index's calls. The runs of a batch wait for each other, so their deadline is long; the pool limits each run. */
export const indexCall: RunCall = { deadlineMs: 600_000, lane: "index" };

/** The state of a contract, as far as get-methods see it. */
export type KnownContract = Omit<ContractState, "syncUtime">;

/** An account as a contract, without code if it does not exist. */
export function contractOf(address: Address, account: ExistingAccount | undefined): KnownContract {
  const state = account?.storage.state;
  const init = state?.kind === "active" ? state.init : undefined;
  const { coins, extra } = account?.storage.balance ?? noCurrencies;
  return {
    address,
    balance: coins,
    extraCurrencies: extra,
    code: init?.code,
    data: init?.data,
    libraries: init?.library,
  };
}

type IndexedContracts = {
  reader: Pick<ChainReader, "account" | "header">;
  runner: Pick<MethodRunner, "run">;
  zones: Pick<DnsZones, "zoneOf">;
};

/**
 * Like `getMethodsAt`, for the index: with the configuration and time of that block, and strict types. Contracts in
 * `known` are not read from the chain.
 */
export function contractsAt(
  block: BlockIdExt,
  { reader, runner, zones }: IndexedContracts,
  known: (address: Address) => KnownContract | undefined,
  call: RunCall = indexCall,
): ContractAccounts {
  const find = async (address: Address) => known(address) ?? reader.account(block, address, call);
  const methods: GetMethods = {
    asIndexer: true,
    async run(address, method, stack) {
      const [account, { info }] = await Promise.all([find(address), reader.header(block)]);
      const known = stack && stack.length > 0 ? undefined : readContract(account, method);
      if (known) return { exitCode: 0, gasUsed: 0, stack: known };
      return runner.run(
        { ...account, syncUtime: info.genUtime },
        { methodId: methodId(method), stack, at: block },
        call,
      );
    },
  };
  return {
    ...methods,
    async codeHash(address) {
      return (await find(address)).code?.hash();
    },
    async data(address) {
      return (await find(address)).data;
    },
    zoneOf: (collection) => zones.zoneOf(collection, block, methods),
  };
}

function readContract(
  { code, data }: Pick<KnownContract, "code" | "data">,
  method: string,
): StackValue[] | undefined {
  return code && data && readByLayout(method, code, data);
}
