import type { Cell } from "../../../shared/ton/cells/cell.js";
import { CellError } from "../../../shared/ton/cells/cell-error.js";
import { viewOf } from "../../../shared/ton/cells/cell-view.js";
import type { ExistingAccount } from "../../../shared/ton/tlb/account.js";
import { accountPrefix, prefixEnd, shardContainsPrefix } from "../../../shared/ton/tlb/block-id.js";
import { decode, TlbError } from "../../../shared/ton/tlb/codec.js";
import { accountOf } from "../../../shared/ton/tlb/msg-address.js";
import { type ShardAccount, ShardAccounts } from "../../../shared/ton/tlb/shard-account.js";
import { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import { Address } from "../../../shared/values/address.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { SetupError } from "../../errors.js";
import { CellFile, type OpenOptions } from "./cell-file.js";
import { isPart, partsBeside, type StatePart, verifyParts } from "./split-state.js";
import type { WorkFolder } from "./work-folder.js";

/** Cells of one account. The network allows 65,536. */
const maxAccountCells = 1 << 18;

/** An account of a state, and the number of its cells. */
export type StateAccount = { address: Address; entry: ShardAccount; account: ExistingAccount; cells: number };

/** Accounts of the shard, or of a part of it. */
type Part = { shard: bigint; file: CellFile; accounts: ShardAccounts };

/** The state of a shard in a node's file, or in its files. Cells are read on demand. */
export class StateFile {
  readonly rootHash: Uint8Array;
  readonly state: ShardStateUnsplit;
  readonly #path: string;
  readonly #files: readonly CellFile[];
  readonly #parts: readonly Part[];

  private constructor(path: string, { root, state, parts }: Opened, files: readonly CellFile[]) {
    this.#path = path;
    this.rootHash = root.hash(0);
    this.state = state;
    this.#parts = parts;
    this.#files = files;
  }

  /** Validates the file. Throws a SetupError that says what is wrong with it. */
  static async open(path: string, folder: WorkFolder, options: OpenOptions): Promise<StateFile> {
    const files: CellFile[] = [];
    const openFile = async (each: string, count: number) => {
      const file = await CellFile.open(each, folder.pathFor(each), options, count);
      files.push(file);
      return file;
    };
    try {
      if (isPart(path))
        throw new SetupError(`${path} is a part of a state: name the file statesplit_… beside it`);
      return new StateFile(path, await within(path, () => openState(path, openFile)), files);
    } catch (error) {
      for (const file of files) file.close();
      throw error;
    }
  }

  /** The accounts behind a key, in key order. Throws a SetupError if the dictionary or an account is invalid. */
  *accountsBehind(key: Uint8Array | undefined): Generator<StateAccount> {
    try {
      yield* this.#accountsBehind(key);
    } catch (error) {
      throw ofFile(this.#path, error);
    }
  }

  *#accountsBehind(key: Uint8Array | undefined): Generator<StateAccount> {
    const { workchain, shard } = this.state.shardId;
    for (const part of this.#parts) {
      if (key && accountPrefix(key) > lastPrefix(part.shard)) continue;
      for (const [id, entry] of part.accounts.entries(key)) {
        if (key && bytesEqual(id, key)) continue;
        const address = new Address(workchain, id);
        if (!shardContainsPrefix(shard, accountPrefix(id)))
          throw this.#invalid(`${address} is not an account of the shard`);
        yield this.#checked(part, address, entry);
      }
    }
  }

  /** The share of the shard's keys up to one, above 0. */
  shareUpTo(key: Uint8Array): number {
    const { shard } = this.state.shardId;
    const first = shard - prefixEnd(shard);
    return Number(accountPrefix(key) - first + 1n) / Number(2n * prefixEnd(shard));
  }

  /** An account of the shard; undefined if it does not exist. */
  find({ hash }: Address): ShardAccount | undefined {
    const part = this.#parts.find(({ shard }) => shardContainsPrefix(shard, accountPrefix(hash)));
    return part?.accounts.get(hash);
  }

  /** Whether the shard has an account if it exists. */
  covers({ workchain, hash }: Address): boolean {
    const own = this.state.shardId;
    return workchain === own.workchain && shardContainsPrefix(own.shard, accountPrefix(hash));
  }

  close(): void {
    for (const file of this.#files) file.close();
  }

  /** A tree with shared branches may have any number of entries, but an account names its own key. */
  #checked({ file }: Part, address: Address, entry: ShardAccount): StateAccount {
    const { value, cell } = entry.account;
    if (!value || !accountOf(value.addr)?.equals(address))
      throw this.#invalid(`the entry of ${address} is of another account, or of none`);
    const cells = file.countCells(cell, maxAccountCells);
    if (cells > maxAccountCells)
      throw this.#invalid(`account ${address} has more than ${maxAccountCells} cells`);
    return { address, entry, account: value, cells };
  }

  #invalid(text: string): SetupError {
    return new SetupError(`${this.#path}: ${text}`);
  }
}

/** The largest account prefix of a shard. */
function lastPrefix(shard: bigint): bigint {
  return shard | (prefixEnd(shard) - 1n);
}

type Opened = { root: Cell; state: ShardStateUnsplit; parts: readonly Part[] };
type OpenFile = (path: string, count: number) => Promise<CellFile>;

async function openState(path: string, openFile: OpenFile): Promise<Opened> {
  const file = await openFile(path, 1);
  const { root } = file;
  if (root.type === "merkleProof") return openParts(path, viewOf(root.ref(0), 0), openFile);
  if (root.levelMask !== 0) throw new SetupError(`${path} is not a whole state: cells are pruned`);
  const state = decode(ShardStateUnsplit, root);
  return { root, state, parts: [{ shard: state.shardId.shard, file, accounts: state.accounts.value }] };
}

async function openParts(path: string, root: Cell, openFile: OpenFile): Promise<Opened> {
  const state = decode(ShardStateUnsplit, root);
  const found = partsBeside(path);
  const parts: (StatePart & Part & { root: Cell })[] = [];
  for (const part of found)
    parts.push(
      await within(part.path, async () => {
        const file = await openFile(part.path, found.length);
        return { ...part, file, root: file.root, accounts: decode(ShardAccounts, file.root) };
      }),
    );
  verifyParts(state.accounts.cell, parts);
  return { root, state, parts };
}

/** Says of which file an error is. */
async function within<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw ofFile(path, error);
  }
}

function ofFile(path: string, error: unknown): unknown {
  if (!(error instanceof CellError || error instanceof TlbError)) return error;
  return new SetupError(`${path}: ${error.message}`);
}
