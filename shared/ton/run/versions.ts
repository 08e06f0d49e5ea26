// The global versions of TON (ConfigParam 8) that matter to callers. A new version is one more row here, and one more
// configuration in the tests.

import { itemAt } from "../../values/lookups.js";
import type { SizeLimitsConfig } from "../tlb/config/size-limits.js";

/** How a build of the executor shows that it knows a version. */
type Sign =
  /** A get-method with this code, in hex, that ends with exit code 0 under the rules of the version. */
  | { readonly code: string }
  /** It accepts the version's form of ConfigParam 43, which came with the same release. */
  | "size-limits";

/** A global version, with the signs by which one tells its executors from earlier ones. */
export type VersionRow = {
  readonly version: number;
  /** The newest form of ConfigParam 43 that executors of this version read. */
  readonly sizeLimits: SizeLimitsConfig["kind"];
  /** Absent from the oldest row: executors that show no sign count as that one. */
  readonly sign?: Sign;
  /** Results that an executor of an earlier version gets wrong on a network of this one. */
  readonly differs: readonly string[];
};

/** Ascending. */
export const versions: readonly [VersionRow, ...VersionRow[]] = [
  { version: 11, sizeLimits: "earlyV2", differs: [] },
  {
    version: 12,
    sizeLimits: "earlyV2",
    // NEWC, BTOS
    sign: { code: "C8CF50" },
    differs: ["instructions on builders and standard addresses: BTOS, HASHBU, LDSTDADDR and their kin"],
  },
  {
    version: 13,
    sizeLimits: "earlyV2",
    // PUSHINT 1, PUSHNAN, QLSHIFT
    sign: { code: "7183FFB7AC" },
    differs: [
      "quiet shifts by NaN give NaN",
      "an account that a transaction leaves without state ends as uninit",
      "consecutive blocks may have the same time",
    ],
  },
  {
    version: 14,
    sizeLimits: "v2",
    sign: "size-limits",
    differs: [
      "fees that SENDMSG estimates ignore the fees written in the message",
      "RIST255_MUL takes the identity",
      "ECRECOVER takes v = 27 and 28",
      "CHKSIGN and its kin refuse the keys 2^248 and 0",
      "quiet RSHIFT and MODPOW2 give NaN",
      "SETCONTCTR and its kin do nothing where the slot is filled",
      "a bounce after a failed action phase returns the whole balance before it",
    ],
  },
  {
    version: 15,
    sizeLimits: "v3",
    sign: "size-limits",
    differs: [
      "libraries are changed by governance contracts only; private ones, and deployments with libraries, are refused",
      "the action fine is collected for successful messages, too",
      "all outgoing messages of a transaction have at most 5,242,880 bits and 20,480 cells together",
    ],
  },
];

/** The newest version of the table. */
export const newestVersion = itemAt(versions, -1).version;

/** The row of a version, of the newest one for later versions, of the oldest one for earlier ones. */
export function rowOf(version: number): VersionRow {
  return versions.findLast((row) => row.version <= version) ?? versions[0];
}

/** Differences that callers of an executor older than its network must know; empty if it is not older. */
export function differences(executor: number, network: number): string[] {
  const known = versions
    .filter(({ version }) => version > executor && version <= network)
    .flatMap(({ version, differs }) => differs.map((text) => `${version}: ${text}`));
  const unknown = network > Math.max(newestVersion, executor);
  return unknown ? [...known, `${network}: rules that this release does not know`] : known;
}
