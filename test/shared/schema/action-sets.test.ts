import { describe, expect, it } from "vitest";
import { supportedTypes } from "../../../shared/schema/action-sets.js";

describe("Sets of action types", () => {
  it("have the types of gasless requests and changed keys from v5 on, as latest has", () => {
    const v4 = new Set(supportedTypes(["v4"]));
    expect(
      supportedTypes(["v5"])
        .filter((type) => !v4.has(type))
        .sort(),
    ).toEqual(["change_wallet_key", "dedust_v2_claim_fees", "dedust_v2_claim_reward", "gasless_request"]);
    expect(supportedTypes(["latest"])).toEqual(supportedTypes(["v5"]));
    expect(supportedTypes([])).toEqual(supportedTypes(["v5"]));
  });
});
