import type { Holding, Usage } from "../../access/limits/shared-holdings.js";
import type { Charge, Lease, UnusedPoints } from "../../access/limits/windows.js";
import type { MonthTotal, UsageRange, UsageRow } from "../../access/usage/usage.js";
import type { AddedChange } from "../../artifacts/store.js";
import type { Config } from "../../config/settings.js";
import type { AskedCalls, PastCall } from "../../observe/call-history.js";
import type { ChannelMessage } from "../../os/channel/channel.js";
import type { Reach } from "../context/siblings.js";
import type { IndexMode } from "../index/index-part.js";
import type { Listening, ProcessReport } from "../service/service.js";

/** How a worker starts. */
export type WorkerStart = {
  readonly config: Config;
  readonly mode: IndexMode;
  /** From 1 on; the first one does what one process must do alone. */
  readonly number: number;
  /** How many processes answer calls. */
  readonly count: number;
  readonly userFolder: string | undefined;
  /** Whether the supervisor has the devnet. */
  readonly hasDevnet: boolean;
};

/** Why a worker could not start. */
export type StartFailure =
  | { readonly kind: "config"; readonly problems: readonly string[] }
  | { readonly kind: "setup"; readonly message: string }
  | { readonly kind: "other"; readonly message: string };

/** Questions of the supervisor to a worker. */
export type WorkerSide = {
  start(start: WorkerStart): Promise<{ listening: Listening } | { failure: StartFailure }>;
  /** Balancers shall leave the process, which goes on answering. */
  leave(argument: undefined): void;
  /** Resolves when everything is closed. */
  close(signal: NodeJS.Signals | undefined): void;
  reload(next: Config | readonly string[]): void;
  report(argument: undefined): Promise<ProcessReport>;
  /** Resolves when this process serves the block, or after the time. */
  reached(reach: Reach): void;
  calls(asked: AskedCalls): readonly PastCall[];
  /** Files of contracts that a caller of another process has added or removed. */
  artifacts(change: AddedChange): void;
  /** The mean number of connections of a process. */
  meanConnections(mean: number): void;
  devnet(messages: ChannelMessage[]): void;
};

/** Questions of a worker to the supervisor. */
export type SupervisorSide = {
  lease(charge: Charge): Lease;
  giveBack(unused: UnusedPoints): void;
  owe(debt: { bucket: string; ms: number; maxMs: number }): number;
  addUsage(added: { day: string; rows: readonly UsageRow[] }): Promise<void>;
  usageTotals(asked: { month: string; keys: readonly string[] | undefined }): Promise<readonly MonthTotal[]>;
  readUsage(asked: { range: UsageRange; limit: number }): Promise<readonly UsageRow[]>;
  exchange(report: { owner: string; own: Holding; used: Usage }): { others: Holding; used: Usage };
  /** Resolves when the other workers serve the block, or after the time. */
  reachedByOthers(reach: Reach): void;
  /** The newest calls of the other workers. */
  callsOfOthers(asked: AskedCalls): Promise<PastCall[]>;
  /** Resolves when the other workers have the change. */
  artifacts(change: AddedChange): Promise<void>;
  connections(open: number): void;
  devnet(messages: ChannelMessage[]): void;
};
