import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Bootstrap } from "../../../server/indexer/bootstrap/bootstrap.js";
import { proveState, type StatePlace } from "../../../server/indexer/bootstrap/place-state.js";
import { StateFile } from "../../../server/indexer/bootstrap/state-file.js";
import { StatePages } from "../../../server/indexer/bootstrap/state-pages.js";
import type { AccountPage } from "../../../server/indexer/bootstrap/store-accounts.js";
import { WorkFolder } from "../../../server/indexer/bootstrap/work-folder.js";
import type { Detection } from "../../../server/indexer/recognition/detection.js";
import type { Database } from "../../../server/store/database.js";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { type BlockIdExt, masterchain } from "../../../shared/ton/tlb/block-id.js";
import { nodeBag } from "../chain/node-bag.js";

const unstopped = new AbortController().signal;

/** The newest blocks of all shards as of a masterchain block, the masterchain's last. */
export async function topBlocks(lite: LiteApi, block?: BlockIdExt): Promise<BlockIdExt[]> {
  const { last } = await lite.getMasterchainInfo();
  const reader = new ChainReader({ lite, head: new ChainHead(await lite.getMasterchainInfo(), Date.now) });
  return [...(await reader.shards(block ?? last)), block ?? last];
}

/** The state after a block. */
export async function stateAfter(lite: LiteApi, id: BlockIdExt): Promise<Cell> {
  return parseBocRoot((await lite.getState({ id })).data);
}

type Recogniser = Pick<Detection, "recognise" | "resolveLibraries">;
type RunOptions = {
  /** Or what makes one for an open file. */
  detection: Recogniser | ((file: StateFile) => Promise<Recogniser>);
  accountsPerPage?: number;
  /** Place of the state; by default the chain proves it. */
  place?: StatePlace;
  /** Called before a page is stored. */
  onPage?: (page: AccountPage) => Promise<void>;
  signal?: AbortSignal;
};

/** Stores the accounts of a state in a file. */
export async function bootstrapFile(
  database: Database,
  lite: LiteApi,
  path: string,
  { detection, accountsPerPage, place, onPage = async () => {}, signal = unstopped }: RunOptions,
): Promise<StatePlace> {
  const folder = await WorkFolder.open(`${path}.tonwire`);
  const file = await StateFile.open(path, folder, { signal });
  try {
    const proven = place ?? (await proveState(lite, file));
    const pages = new StatePages({ database: database.sql(), lite, file, place: proven, accountsPerPage });
    const noticed = {
      progress: undefined,
      async *pages() {
        for await (const page of pages.pages()) {
          await onPage(page);
          yield page;
        }
      },
    };
    const onError = (error: Error) => {
      throw error;
    };
    const recogniser = typeof detection === "function" ? await detection(file) : detection;
    const setting = { database, detection: recogniser, accounts: noticed, now: Date.now, onError };
    await new Bootstrap(setting).run(signal);
    return proven;
  } finally {
    file.close();
    await folder.close({ remove: false });
  }
}

/** Stores the accounts of the states of all shards as of a masterchain block, by default the newest. */
export async function bootstrapAll(
  database: Database,
  lite: LiteApi,
  { block, ...options }: RunOptions & { block?: BlockIdExt },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tonwire-states-"));
  try {
    for (const id of await topBlocks(lite, block)) {
      const path = join(
        folder,
        `state_${id.workchain === masterchain ? "masterchain" : id.shard.toString(16)}`,
      );
      writeFileSync(path, nodeBag(await stateAfter(lite, id)));
      await bootstrapFile(database, lite, path, options);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
