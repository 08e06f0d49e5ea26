// Opens blocks and states for proofs. A proof contains the cells that were opened. Typed values open only what is read;
// these functions also open the separate cells that other implementations expect in a proof.
import type { Cell } from "../../cells/cell.js";
import { openAll } from "../../cells/merkle/proof.js";
import { Block } from "../../tlb/block.js";
import type { BlockInfo } from "../../tlb/block-info.js";
import { decode } from "../../tlb/codec.js";
import type { McBlockExtra } from "../../tlb/mc-block-extra.js";
import type { McStateExtra } from "../../tlb/mc-state-extra.js";
import { ShardStateUnsplit } from "../../tlb/shard-state.js";
import { failure } from "./load.js";

export function openBlock(root: Cell): Block {
  return decode(Block, root);
}

/** The header with its references to earlier blocks. */
export function openHeader(block: Block): BlockInfo {
  openAll(block.info.cell);
  return block.info.value;
}

export function openMcBlockExtra(block: Block): McBlockExtra {
  const { custom } = block.extra.value;
  if (!custom) throw failure("cannot unpack McBlockExtra in block");
  custom.value.details.cell.parse();
  return custom.value;
}

export function openState(root: Cell): ShardStateUnsplit {
  const state = decode(ShardStateUnsplit, root);
  state.totals.cell.parse();
  return state;
}

export function openMcState(root: Cell): McStateExtra {
  const { custom } = openState(root);
  if (!custom) throw failure("cannot extract configuration from masterchain state extra information");
  custom.value.history.cell.parse();
  return custom.value;
}
