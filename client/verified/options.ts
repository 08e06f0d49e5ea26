import type { ProofError } from "../../shared/ton/proofs/verify/proof-error.js";
import type { TransportFactory } from "../transports/transport.js";
import type { TrustStorage } from "./storage.js";

/** A block as API v2 writes it. */
export type TrustedBlock = {
  readonly workchain: number;
  /** In decimal. */
  readonly shard: string;
  readonly seqno: number;
  /** In base64 or hex. */
  readonly root_hash: string;
  /** In base64 or hex. */
  readonly file_hash: string;
};

/** A newest block that does not follow the one that was proven before. */
export type Revert = {
  /** The newest block that was proven before. */
  readonly from: TrustedBlock;
  /** The service's newest block now: an older one, or one of a chain that parts from the other before `from`. */
  readonly to: TrustedBlock;
};

/** Progress of the proof, from the trusted block to the newest one. */
export type ProofProgress = {
  /** Seqno of the newest proven key block. */
  readonly keyBlock: number;
  /** Key blocks proven so far. */
  readonly proven: number;
  /** Estimated number of key blocks in total. */
  readonly about: number;
};

/** How long a newest block counts before the services are asked again. */
export const defaultHeadMs = 2000;
/** Oldest newest block of mainnet and testnet. */
export const defaultMaxHeadAgeSec = 120;

/** Options of `createVerifiedClient`: either `network` or `trustedBlock` is required. */
export type VerifiedClientOptions = {
  /** `http(url)`, or several transports: the freshest proven block counts. */
  readonly transport: TransportFactory | readonly TransportFactory[];
  /** Starts at the key block of this network that comes with the package. */
  readonly network?: "mainnet" | "testnet" | undefined;
  /** Starts at this key block or zero state of the masterchain. */
  readonly trustedBlock?: TrustedBlock | undefined;
  /** Keeps the newest proven key block and the newest proven block between starts. Default: IndexedDB in browsers, memory elsewhere. */
  readonly storage?: TrustStorage | undefined;
  readonly apiKey?: string | undefined;
  /** Default deadline of a call in ms, including the proof of the newest block; 0 for none. */
  readonly timeoutMs?: number | undefined;
  /** How long a newest block counts before the services are asked again, in ms. */
  readonly headMs?: number | undefined;
  /** Oldest newest block in seconds; `false` for any. Default: 120 with `network`, else any. */
  readonly maxHeadAgeSec?: number | false | undefined;
  /** Whether another transport is tried after an answer that its proof contradicts; by default the call rejects. */
  readonly fallOver?: boolean | undefined;
  /** Called with each wrong answer, also with those that another transport replaced. */
  readonly onProofError?: ((error: ProofError) => void) | undefined;
  /**
   * Called without `network` before a newest block is used that is older than the proven one or conflicts with it: a devnet was
   * reverted, or a service replays old answers. An error that it throws is that of the call, and the block is not used. With
   * `network` such calls reject as `unavailable`.
   */
  readonly onRevert?: ((revert: Revert) => void) | undefined;
  readonly onProgress?: ((progress: ProofProgress) => void) | undefined;
  /** Called with what makes later starts slower or weaker, such as a storage that is full. */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** Unix time in ms; replaceable in tests. */
  readonly now?: (() => number) | undefined;
};
