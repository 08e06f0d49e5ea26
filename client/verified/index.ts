export type { Evidence } from "../../shared/ton/proofs/verify/proof-error.js";
export { ProofError } from "../../shared/ton/proofs/verify/proof-error.js";
export type { Checked, Claim } from "./claim.js";
export type { ProofProgress, Revert, TrustedBlock, VerifiedClientOptions } from "./options.js";
export { defaultHeadMs, defaultMaxHeadAgeSec } from "./options.js";
export type { ProvenMethod } from "./proven-method.js";
export { fileStorage, indexedDbStorage, memoryStorage, type TrustStorage, webStorage } from "./storage.js";
export {
  createVerifiedClient,
  type VerifiedClient,
} from "./verified-client.js";
