import { Address } from "../../values/address.js";
import type { AccountId } from "./lite-api.js";

export function accountIdOf({ workchain, hash: id }: Address): AccountId {
  return { workchain, id };
}

export function addressOfId({ workchain, id }: AccountId): Address {
  return new Address(workchain, id);
}
