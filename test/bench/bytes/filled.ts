import { ClassifierThread } from "../../../server/indexer/classify/classifier-thread.js";
import { TraceClassifier } from "../../../server/indexer/classify/trace-classifier.js";
import type { Database } from "../../../server/store/database.js";
import { hotSlots } from "../../../server/store/queries/slots/slot-merges.js";
import { mergeOldSlots } from "../../../server/store/slots/cold-slots.js";
import { storyIndex } from "../../helpers/stories/story-index.js";
import { openRecordedDetection, RecordedIngest, recordedBlocks } from "../v3/recorded-ingest.js";
import { slots } from "./many-copies.js";
import type { SizeCounts } from "./sizes.js";

const since = Date.UTC(2025, 0, 1) / 1000;

/** Recorded blocks of mainnet with recognition and classification, or without these a devnet's story. */
export async function fillSource(database: Database, closers: (() => Promise<void>)[]): Promise<string> {
  const blocks = recordedBlocks({ since });
  if (blocks.length === 0) {
    return fillStory(database);
  }
  const thread = new ClassifierThread();
  closers.push(() => thread.close());
  const detection = await openRecordedDetection(closers);
  const ingest = await RecordedIngest.open(database, blocks);
  await ingest.fill({ detection, classifier: new TraceClassifier({ thread }) });
  return `copies of ${blocks.length} blocks of mainnet since 2025`;
}

/** Name of an index that was filled with the story. */
export const ofStory = "copies of a devnet's story";

/** A devnet's story, which has tokens and contracts of every kind. */
export async function fillStory(database: Database): Promise<string> {
  await RecordedIngest.open(database, []);
  await storyIndex.fill(database);
  return ofStory;
}

/** Merges what is old, where the database can do so beside its readers. */
export async function mergeOld(database: Database, perSlot: number): Promise<SizeCounts> {
  if (!database.isConcurrent) return { hot: slots * perSlot, cold: 0, hotFrom: 0n };
  const sql = database.sql({ connections: 2 });
  if (!(await mergeOldSlots(sql, { pauseMs: 5 }))) throw new Error("old slots could not be merged");
  const [row] = await sql.query<{ from_lt: bigint }>({
    text: "select min(from_lt) as from_lt from slots where not merged",
    values: [],
  });
  return { hot: hotSlots * perSlot, cold: (slots - hotSlots) * perSlot, hotFrom: row!.from_lt };
}
