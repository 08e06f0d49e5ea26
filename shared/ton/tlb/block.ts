// block#11ef55aa global_id:int32 info:^BlockInfo value_flow:^ValueFlow
//   state_update:^(MERKLE_UPDATE ShardState) extra:^BlockExtra = Block;
import { BlockExtra } from "./block-extra.js";
import { BlockInfo } from "./block-info.js";
import { cellOf } from "./cell-of.js";
import type { Decoded } from "./codec.js";
import { cellRef, int32 } from "./primitives.js";
import { record } from "./record.js";
import { ValueFlow } from "./value-flow.js";

export type Block = Decoded<typeof Block>;
export const Block = record("block#11ef55aa", {
  globalId: int32,
  info: cellOf(BlockInfo),
  valueFlow: cellOf(ValueFlow),
  /** A Merkle update of the ShardState. */
  stateUpdate: cellRef,
  extra: cellOf(BlockExtra),
});
