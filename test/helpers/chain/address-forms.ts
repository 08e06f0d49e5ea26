import type { Builder } from "../../../shared/ton/cells/builder.js";
import { Address } from "../../../shared/values/address.js";

type Form = {
  store: (builder: Builder) => Builder;
  /** The account that it names; `other` is a form that no account has. */
  account: Address | "none" | "other";
};

/** The forms of `MsgAddress`; account addresses are derived from one address. */
export function addressForms(address: Address): Record<string, Form> {
  const { workchain, hash } = address;
  const rewritten = Uint8Array.from(hash);
  rewritten[0] = 0xff;
  return {
    addr_std: { store: (builder) => builder.storeAddress(address), account: address },
    addr_none: { store: (builder) => builder.storeAddress(undefined), account: "none" },
    // addr_std$10 anycast:(Maybe ^[depth:(#<= 30) rewrite_pfx:(bits depth)]) workchain_id:int8 address:bits256
    "addr_std with anycast": {
      store: (builder) =>
        builder
          .storeUint(0b101, 3)
          .storeUint(8, 5)
          .storeUint(0xff, 8)
          .storeInt(workchain, 8)
          .storeBytes(hash),
      account: new Address(workchain, rewritten),
    },
    // addr_var$11 anycast:(Maybe Anycast) addr_len:(## 9) workchain_id:int32 address:(bits addr_len)
    addr_var: {
      store: (builder) =>
        builder.storeUint(0b110, 3).storeUint(256, 9).storeInt(workchain, 32).storeBytes(hash),
      account: "other",
    },
    // addr_extern$01 len:(## 9) external_address:(bits len)
    addr_extern: {
      store: (builder) => builder.storeUint(0b01, 2).storeUint(16, 9).storeUint(7, 16),
      account: "other",
    },
  };
}
