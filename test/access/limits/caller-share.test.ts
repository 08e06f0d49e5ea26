import { describe, expect, it } from "vitest";
import { addressBucket } from "../../../server/access/client-address.js";
import { callerShare, patienceOf, serviceItself } from "../../../server/access/limits/caller-share.js";

describe("the share of a caller", () => {
  it("is its own for a key", () => {
    expect(callerShare("k_0123456789ab")).toEqual(["key k_0123456789ab"]);
    expect(callerShare("devnet")).toEqual(["key devnet"]);
  });

  it("is its own for the service, whose runs alone may take long", () => {
    expect(callerShare(serviceItself)).toEqual([serviceItself]);
    expect(callerShare(serviceItself)).not.toEqual(callerShare(`key ${serviceItself}`));
    expect(patienceOf(serviceItself)).toBeGreaterThan(60_000);
    for (const other of ["devnet", "203.0.113.7", undefined]) expect(patienceOf(other)).toBeUndefined();
  });

  it("is below that of all callers without a key, and of their network, for an address", () => {
    expect(callerShare("203.0.113.7")).toEqual(["without a key", "203.0.113.0/24", "203.0.113.7"]);
    expect(callerShare(addressBucket("2001:db8:1:2::7"))).toEqual([
      "without a key",
      "2001:db8::/32",
      "2001:db8:1::/48",
      "2001:db8:1:2::/64",
    ]);
  });
});
