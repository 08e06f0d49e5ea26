import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import { type AccountSnapshot, readAccount } from "../../../shared/ton/proofs/read/account.js";
import { type MethodOutcome, type MethodRun, runGetMethod } from "../../../shared/ton/run/run-get-method.js";
import { type BlockIdExt, masterchain } from "../../../shared/ton/tlb/block-id.js";
import { methodId } from "../../../shared/ton/tvm/method-id.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import { Address } from "../../../shared/values/address.js";
import { RpcError } from "../../errors.js";
import type { ProvenReads } from "../proven-reads.js";
import type { ProvenSurroundings } from "./proven-surroundings.js";
import type { RunPool } from "./run-pool.js";

/** `_ dns_root_addr:bits256 = ConfigParam 4;` Read without the types of all parameters, which take 5 kB. */
const dnsRootParam = 4;

type Parts = { reads: ProvenReads; surroundings: ProvenSurroundings; pool: RunPool };
type Newest = Awaited<ReturnType<ProvenSurroundings["newest"]>>;

/**
 * The runs of one call, on accounts at one block. As at a service, they see the configuration of the newest block, whichever
 * block the accounts are read at.
 */
export class ProvenRuns {
  readonly block: BlockIdExt;
  readonly #newest: Newest;
  readonly #parts: Parts;
  readonly #call: LiteCall;
  readonly #accounts = new Map<string, Promise<AccountSnapshot>>();

  private constructor(block: BlockIdExt, newest: Newest, parts: Parts, call: LiteCall) {
    this.block = block;
    this.#newest = newest;
    this.#parts = parts;
    this.#call = call;
  }

  static async at(seqno: number | undefined, parts: Parts, call: LiteCall): Promise<ProvenRuns> {
    const newest = await parts.surroundings.newest(call);
    const block = seqno === undefined ? newest.last : await parts.reads.blockAt(seqno, call);
    return new ProvenRuns(block, newest, parts, call);
  }

  account(address: Address): Promise<AccountSnapshot> {
    const key = address.toRaw();
    const reading =
      this.#accounts.get(key) ?? readAccount(this.#parts.reads.lite, this.block, address, this.#call);
    this.#accounts.set(key, reading);
    return reading;
  }

  /** The account that a call names: its workchain must exist. */
  async named(address: Address): Promise<AccountSnapshot> {
    const account = await this.account(address);
    if (!account.shardBlock)
      throw new RpcError("liteserver-error", `there is no workchain ${address.workchain}`);
    return account;
  }

  runOn(account: AccountSnapshot, run: MethodRun): Promise<MethodOutcome> {
    const { pool, surroundings } = this.#parts;
    const parts = { reader: this.#newest, executor: pool, libraries: surroundings.libraries };
    return runGetMethod(parts, account, run, this.#call);
  }

  async run(address: Address, method: string, stack?: readonly StackValue[]): Promise<MethodOutcome> {
    return this.runOn(await this.account(address), { methodId: methodId(method), stack });
  }

  /** The root of domain names by the configuration. */
  async dnsRoot(): Promise<Address> {
    const { params } = await this.#newest.config(this.#newest.last);
    const param = params.get(dnsRootParam);
    if (!param) throw new RpcError("absent", "the network has no root of domain names");
    return new Address(masterchain, param.parse().loadBytes(32));
  }
}
