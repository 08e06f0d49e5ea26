import type { Cell } from "../../shared/ton/cells/cell.js";
import type { LiteApi, LiteCall } from "../../shared/ton/lite/lite-api.js";
import type { LiteMethod } from "../../shared/ton/lite/lite-methods.js";
import { noWorkchainText } from "../../shared/ton/present/errors.js";
import { type AccountSnapshot, readAccount } from "../../shared/ton/proofs/read/account.js";
import { type BlockHeader, readHeader } from "../../shared/ton/proofs/read/header.js";
import { shownState } from "../../shared/ton/proofs/read/proofs.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../shared/ton/tlb/block-id.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { SuspendedAddressList } from "../../shared/ton/tlb/config/contract-lists.js";
import type { Address } from "../../shared/values/address.js";
import { RecentMap } from "../../shared/values/recent-map.js";
import { sharedRead } from "../../shared/values/shared-reads.js";
import { RpcError } from "../errors.js";
import { type Checks, commonChecks } from "./checks.js";
import type { ProvenHead, Sources } from "./sources.js";

type HeadOptions = {
  sources: Sources;
  now(): number;
  headMs: number;
  maxHeadAgeSec: number | false;
};

/** An account of a workchain that exists. */
type PlacedAccount = AccountSnapshot & { shardBlock: BlockIdExt };

function isPlaced(account: AccountSnapshot): account is PlacedAccount {
  return account.shardBlock !== undefined;
}

const blocksKept = 32;
const suspendedParam = 44;

/** Reads at proven blocks. Blocks never change, so what was proven of one is kept for the next calls. */
export class ProvenReads {
  readonly lite: Pick<LiteApi, keyof typeof commonChecks>;
  readonly #options: HeadOptions;
  #head: { asked: Promise<ProvenHead>; at: number } | undefined;
  #bySeqno = new RecentMap<number, BlockIdExt>(blocksKept);
  #suspended = new RecentMap<number, Promise<SuspendedAddressList | undefined>>(blocksKept);

  constructor(options: HeadOptions) {
    this.#options = options;
    this.lite = options.sources.lite(commonChecks);
  }

  /** Further functions of the services. */
  liteOf<Name extends LiteMethod>(checks: Checks<Name>): Pick<LiteApi, Name> {
    return this.#options.sources.lite(checks);
  }

  /** The newest block. Concurrent calls share its proof; a failed one is repeated by the next call. */
  head(call: LiteCall): Promise<ProvenHead> {
    const { now, headMs } = this.#options;
    if (this.#head && now() - this.#head.at < headMs) return this.#head.asked;
    // Callers share the proof, so no signal of one may abort it.
    const asked = this.#freshHead({ heard: call.heard });
    const head = { asked, at: now() };
    this.#head = head;
    asked.catch(() => {
      // The caller gets the error; the next one asks again.
      if (this.#head === head) this.#head = undefined;
    });
    return asked;
  }

  async #freshHead(call: LiteCall): Promise<ProvenHead> {
    const { sources, now, maxHeadAgeSec } = this.#options;
    const head = await sources.head(call);
    if (head.isReverted) {
      this.#bySeqno = new RecentMap(blocksKept);
      this.#suspended = new RecentMap(blocksKept);
    }
    const ageSec = Math.floor(now() / 1000) - head.genUtime;
    if (maxHeadAgeSec !== false && ageSec > maxHeadAgeSec)
      throw new RpcError(
        "unavailable",
        `the newest proven block is ${ageSec} seconds old: the service lags, or hides newer blocks`,
        { retryable: true },
      );
    return head;
  }

  /** The masterchain block with this seqno; the newest one if undefined. */
  async blockAt(seqno: number | undefined, call: LiteCall): Promise<BlockIdExt> {
    const { last } = (await this.head(call)).info;
    if (seqno === undefined || seqno === last.seqno) return last;
    const known = this.#bySeqno.get(seqno);
    if (known) return known;
    const id = { workchain: masterchain, shard: wholeShard, seqno };
    const found = (await this.lite.lookupBlock({ id, bySeqno: true }, call)).id;
    this.#bySeqno.set(seqno, found);
    return found;
  }

  async account(address: Address, seqno: number | undefined, call: LiteCall): Promise<PlacedAccount> {
    const account = await readAccount(this.lite, await this.blockAt(seqno, call), address, call);
    if (!isPlaced(account)) throw new RpcError("liteserver-error", noWorkchainText);
    return account;
  }

  header(id: BlockIdExt, call: LiteCall): Promise<BlockHeader> {
    return readHeader(this.lite, id, call);
  }

  /** The accounts that the configuration suspends; undefined if there is no such list. */
  suspended(block: BlockIdExt, call: LiteCall): Promise<SuspendedAddressList | undefined> {
    return sharedRead(this.#suspended, block.seqno, () => this.#readSuspended(block, { heard: call.heard }));
  }

  async #readSuspended(block: BlockIdExt, call: LiteCall): Promise<SuspendedAddressList | undefined> {
    const cell = await this.configParam(block, suspendedParam, call);
    return cell && decode(SuspendedAddressList, cell);
  }

  /** A parameter of the configuration after a masterchain block. */
  async configParam(block: BlockIdExt, number: number, call: LiteCall): Promise<Cell | undefined> {
    const { configProof } = await this.lite.getConfigParams({ id: block, paramList: [number] }, call);
    return shownState(configProof).custom?.value.config.config.value.get(number);
  }
}
