import { configParam } from "../../../shared/ton/tlb/config/config-param.js";
import type { ElectorData } from "../../../shared/ton/tlb/elector-data.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import type { ChainSide } from "../collate/chain-side.js";
import { electorData } from "./elector.js";

/** `closed`: the election has ended and the configuration has no next set yet. `installed`: it has one. */
export type ElectionPhase = "idle" | "open" | "closed" | "installed";

/** State of elections, and the next event. */
export type Schedule = {
  phase: ElectionPhase;
  /** Start time of the next set, elected or being elected. */
  electAt: number | undefined;
  electClose: number | undefined;
  /** End of the phase; undefined if time does not end it, for example without participants. */
  phaseEnd: number | undefined;
  /** When the elector or the configuration contract has its next task; at most now if it is due. */
  due: number | undefined;
};

/** A task is due immediately. */
const now = 0;

/** The schedule after a masterchain state. Undefined without an elector that holds elections. */
export function scheduleOf(masterchain: ChainSide): Schedule | undefined {
  const elector = electorData(masterchain);
  if (!elector) return undefined;
  const { config } = masterchain.master.config;
  const [current, next, times] = [
    configParam(config.value, 34),
    configParam(config.value, 36),
    configParam(config.value, 15),
  ];
  if (!current || !times) return undefined;
  const { electAt, electClose } = elector.election?.value ?? {};
  const phase = next ? "installed" : phaseOf(elector, masterchain.state.genUtime);
  const announcement = current.utimeUntil - times.electionsStartBefore;
  const end = next?.utimeSince ?? (elector.election ? closing(elector, masterchain) : announcement);
  const due = [end, forgetting(elector, masterchain), activation(elector, masterchain), unfreezing(elector)];
  return { phase, electAt, electClose, phaseEnd: end, due: earliest(due) };
}

function phaseOf({ election }: ElectorData, at: number): ElectionPhase {
  if (!election) return "idle";
  return election.value.finished || at >= election.value.electClose ? "closed" : "open";
}

/** When the set is chosen. After closing, only if the stakes suffice and no earlier attempt failed. */
function closing({ election }: ElectorData, { master, state }: ChainSide): number | undefined {
  const { electClose, totalStake, failed, finished } = election!.value;
  if (state.genUtime < electClose) return electClose;
  const least = configParam(master.config.config.value, 17)?.minTotalStake;
  const canBeHeld = least !== undefined && totalStake >= least && !failed && !finished;
  return canBeHeld ? electClose : undefined;
}

/** The elector forgets an election once its set is in the configuration. */
function forgetting({ election, pastElections }: ElectorData, side: ChainSide): number | undefined {
  if (!election?.value.finished) return undefined;
  const elected = pastElections.get(election.value.electAt)?.setHash;
  return elected && [34, 36].some((number) => isSet(side, number, elected)) ? now : undefined;
}

/** The elector detects a new current set. */
function activation({ activeHash }: ElectorData, side: ChainSide): number | undefined {
  return isSet(side, 34, activeHash) ? undefined : now;
}

/** Stakes of past elections are returned. */
function unfreezing({ pastElections, activeId }: ElectorData): number | undefined {
  return earliest(
    Array.from(pastElections.entries(), ([id, { unfreezeAt }]) => (id === activeId ? undefined : unfreezeAt)),
  );
}

function isSet({ master }: ChainSide, number: number, hash: Uint8Array): boolean {
  const set = master.config.config.value.get(number);
  return set !== undefined && bytesEqual(set.hash(), hash);
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}
