// All matches of error texts of liteservers. They answer most failures with the codes -400, 0 and 651, so only the texts
// distinguish a missing block from a refused message. The texts are those of the node's source of July 2026
// (`validator/impl/liteserver.cpp`, `ext-message-pool.cpp`, `archive-slice.cpp`) and of releases since 2024.

const missing =
  /not in db|already gc'd|block not found|is unknown|cannot (compute|find|locate) (a )?(block|transaction)/;
const coming = /not applied|not synced|not ready/;
const outOfSync = /out of sync: shard_client_seqno=(\d{1,10}) ls_seqno=(\d{1,10})/;
const exit = /exitcode=(-?\d+)(?:, steps=(\d+))?/;
const beforeLog = "VM Log (truncated):\n...";

/** Whether the node does not have the data. */
export function saysMissing(text: string): boolean {
  return missing.test(text);
}

/** Whether the node does not have the data yet. */
export function saysComing(text: string): boolean {
  return coming.test(text);
}

/**
 * Whether the node has masterchain blocks whose shards it does not have yet. It appends both seqnos to the error for every
 * missing shard block, even if they are equal.
 */
export function saysOutOfSync(text: string): boolean {
  const [, shards, masterchain] = outOfSync.exec(text) ?? [];
  return Number(shards) < Number(masterchain);
}

const rejections = [
  ["duplicate message", "duplicate"],
  ["too many external messages to address", "too-many-pending"],
  ["failed to parse external message", "malformed"],
  ["Failed to unpack account state", "no-account"],
  ["External message was not accepted", "not-accepted"],
] as const;

type Rejection = (typeof rejections)[number][1];

/** Why a message was rejected; `undefined` for other errors. */
export function rejectionIn(text: string): Rejection | undefined {
  return rejections.find(([words]) => text.includes(words))?.[1];
}

/** A run of a contract that did not accept a message. */
export type FailedRun = {
  exitCode: number;
  lacksLibrary: boolean;
  log: string | undefined;
};

/** The run of a contract that did not accept a message; `undefined` if nothing ran. */
export function failedRunIn(text: string): FailedRun | undefined {
  const [, exitCode, steps] = exit.exec(text) ?? [];
  if (exitCode === undefined || steps === "0") return undefined;
  return {
    exitCode: Number(exitCode),
    lacksLibrary: text.includes("failed to load library cell"),
    log: text.split(beforeLog)[1],
  };
}
