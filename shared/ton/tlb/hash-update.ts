// update_hashes#72 {X:Type} old_hash:bits256 new_hash:bits256 = HASH_UPDATE X;
import type { Decoded } from "./codec.js";
import { bits256 } from "./primitives.js";
import { record } from "./record.js";

/** Hashes of an account's cell before and after a block. */
export type HashUpdate = Decoded<typeof HashUpdate>;
export const HashUpdate = record("update_hashes#72", { oldHash: bits256, newHash: bits256 });
