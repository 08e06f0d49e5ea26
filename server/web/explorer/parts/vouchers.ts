import type { ContractAbi } from "../../../../client/api.js";

/** Who vouches for an ABI or for sources. */
export const vouchers: Readonly<Record<ContractAbi["trust"], string>> = {
  own: "this service's operator, or of your key",
  claimed: "a verifier or another caller",
  curated: "this service's catalogue",
  "built in": "this service",
};
