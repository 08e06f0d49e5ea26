import type { Executor } from "../../../server/chain/executor/executor.js";
import { type Complaint, readElections } from "../../../server/contracts/elector.js";
import { contractCode } from "../../../server/devnet/contracts/codes.js";
import { electorAddress } from "../../../server/devnet/genesis/initial-config.js";
import { type FinalAccountState, finalAccountState } from "../../../server/indexer/decode/account.js";
import type { DecodedTransaction } from "../../../server/indexer/decode/decode-block.js";
import type { MasterchainUnit } from "../../../server/indexer/units/chain-units.js";
import { addressToBytes } from "../../../server/store/address-bytes.js";
import { codeOf, transactionKinds } from "../../../server/store/codes.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { ConfigDictionary } from "../../../shared/ton/tlb/config-params.js";
import { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { activeAccount } from "../chain/sample-chain.js";
import type { Runs } from "../contracts/side-by-side.js";
import { blockRow, hashOf, transactionRow } from "../store/rows.js";
import { ElectionWorld } from "./election-world.js";
import { ownConfigContract, ownElector } from "./electors.js";

type State = { data: Cell; config: Cell };

/** Masterchain blocks in which nothing but an elector's data and the configuration change. */
export class ElectorChain {
  readonly #states: readonly State[];
  readonly #code: Cell;

  constructor(states: readonly State[], code = contractCode("elections-elector")) {
    this.#states = states;
    this.#code = code;
  }

  /** Random elections, with complaints and fines. */
  static ofElections(executor: Executor, elections: number, seed: number): ElectorChain {
    let elector: Runs;
    const world = new ElectionWorld(
      (config) => {
        elector = ownElector({ executor, config });
        return elector;
      },
      (config) => ownConfigContract({ executor, config }),
      seed,
    );
    const states: State[] = [{ data: elector!.data, config: elector!.config }];
    world.hold(elections, () => states.push({ data: elector.data, config: elector.config }));
    return new ElectorChain(states);
  }

  get length(): number {
    return this.#states.length;
  }

  id(seqno: number): BlockIdExt {
    const rootHash = hashOf(`block ${seqno}`);
    return { workchain: masterchain, shard: wholeShard, seqno, rootHash, fileHash: rootHash };
  }

  /** A key block if the configuration differs from the block before. The elector has a tick, then gets complaints. */
  unit(seqno: number): MasterchainUnit {
    const state = this.#states[seqno - 1]!;
    const before = this.#states[seqno - 2];
    const isKeyBlock = !before?.config.equals(state.config);
    const elector = this.#elector(seqno);
    const transactionOf = (kind: (typeof transactionKinds)[number], inBody?: Cell): DecodedTransaction => ({
      row: transactionRow({
        account: addressToBytes(electorAddress),
        lt: BigInt(seqno),
        descr: codeOf(transactionKinds, kind),
        mc_block_seqno: seqno,
      }),
      ...{ inMessage: undefined, inCell: undefined, inBody, outMessages: [], outBodies: [] },
    });
    const transactions = [
      transactionOf("tick_tock"),
      ...electionsComplainedOf(before?.data, state.data).map((election) =>
        transactionOf(
          "ord",
          beginCell().storeUint(0x52674370, 32).storeUint(1, 64).storeUint(election, 32).endCell(),
        ),
      ),
    ];
    return {
      ...{ seqno, genUtime: seqno },
      id: this.id(seqno),
      previousRootHash: hashOf(`block ${seqno - 1}`),
      blocks: [{ row: blockRow({ seqno }), transactions, contents: [], accounts: { read: [], unread: [] } }],
      heads: [this.id(seqno)],
      // As in a block, which prunes the code.
      accounts: [{ ...elector, code: elector.code && { ...elector.code, cell: undefined } }],
      config: isKeyBlock ? decode(ConfigDictionary, state.config) : undefined,
    };
  }

  async account({ seqno }: BlockIdExt): Promise<FinalAccountState> {
    return this.#elector(seqno);
  }

  async config({ seqno }: BlockIdExt): Promise<ConfigDictionary> {
    return decode(ConfigDictionary, this.#states[seqno - 1]!.config);
  }

  #elector(seqno: number): FinalAccountState {
    const { data } = this.#states[seqno - 1]!;
    const cell = activeAccount({ address: electorAddress, code: this.#code, data });
    const account = decode(ShardAccount, cell).account.value;
    return finalAccountState(account, {
      address: electorAddress,
      hash: cell.hash(),
      timestamp: seqno,
      lastTransaction: { hash: hashOf(`transaction ${seqno}`), lt: BigInt(seqno) },
    });
  }
}

/** Past elections whose complaints or votes differ. */
function electionsComplainedOf(before: Cell | undefined, after: Cell): number[] {
  const known = before && pastElections(before);
  const textOf = (complaints: readonly Complaint[] = []) =>
    complaints
      .map(({ hash, voters, setHash, weightRemaining }) => [
        ...[bytesToHex(hash), ...voters, bytesToHex(setHash), weightRemaining],
      ])
      .join();
  return [...(pastElections(after)?.values() ?? [])]
    .filter(({ id, complaints }) => textOf(complaints) !== textOf(known?.get(id)?.complaints))
    .map(({ id }) => id);
}

/** `undefined` if the data have another layout. */
function pastElections(data: Cell) {
  try {
    return readElections(data).pastElections;
  } catch {
    return undefined;
  }
}
