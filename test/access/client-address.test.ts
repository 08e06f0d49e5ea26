import { describe, expect, it } from "vitest";
import { addressBucket, createClientAddress } from "../../server/access/client-address.js";

describe("the address of a caller", () => {
  it("is the socket's address if no proxy is trusted, whatever the header contains", () => {
    const find = createClientAddress({ hops: 0 });
    expect(find("9.9.9.9", undefined)).toBe("9.9.9.9");
    expect(find("9.9.9.9", "1.2.3.4")).toBe("9.9.9.9");
  });

  it("is the address that the outermost trusted proxy added, not one that the client sent", () => {
    expect(createClientAddress({ hops: 1 })("10.0.0.1", "6.6.6.6, 1.2.3.4")).toBe("1.2.3.4");
    expect(createClientAddress({ hops: 2 })("10.0.0.1", "6.6.6.6,1.2.3.4 , 10.0.0.2")).toBe("1.2.3.4");
  });

  it("is the left-most entry if there are fewer entries than trusted hops", () => {
    expect(createClientAddress({ hops: 3 })("10.0.0.1", "1.2.3.4")).toBe("1.2.3.4");
    expect(createClientAddress({ hops: 3 })("10.0.0.1", undefined)).toBe("10.0.0.1");
  });

  it("is the right-most entry outside the trusted networks", () => {
    const find = createClientAddress({ networks: ["10.0.0.0/8", "fd00::/8", "192.0.2.7"] });
    expect(find("10.0.0.1", "6.6.6.6, 1.2.3.4, fd00::5, 192.0.2.7")).toBe("1.2.3.4");
    expect(find("11.0.0.1", "1.2.3.4")).toBe("11.0.0.1");
    expect(find("10.0.0.1", "10.0.0.2, 10.0.0.3")).toBe("10.0.0.2");
  });

  it("is the last valid address if an entry is not an address", () => {
    const find = createClientAddress({ hops: 2 });
    expect(find("10.0.0.1", "1.2.3.4, unknown")).toBe("10.0.0.1");
    expect(find("10.0.0.1", "")).toBe("10.0.0.1");
    expect(find("10.0.0.1", "1.2.3.4, , 5.6.7.8")).toBe("5.6.7.8");
  });

  it("is parsed without its port", () => {
    const find = createClientAddress({ hops: 1 });
    expect(find("10.0.0.1", "1.2.3.4:5678")).toBe("1.2.3.4");
    expect(find("10.0.0.1", "[2001:db8::1]:443")).toBe("2001:db8::1");
    expect(find("10.0.0.1", "[2001:db8::1]")).toBe("2001:db8::1");
  });

  it("is the IPv4 address of an IPv4-mapped IPv6 address", () => {
    const find = createClientAddress({ networks: ["10.0.0.0/8"] });
    expect(find("::ffff:10.0.0.1", "::ffff:102:304")).toBe("1.2.3.4");
    expect(find("::FFFF:9.9.9.9", undefined)).toBe("9.9.9.9");
    expect(find("0:0:0:0:0:ffff:9.9.9.9", undefined)).toBe("9.9.9.9");
  });
});

describe("the bucket of an address", () => {
  it.each([
    ["1.2.3.4", "1.2.3.4"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::ff", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["64:ff9b::1.2.3.4", "64:ff9b:0:0::/64"],
    ["1:2:3:4:5:6:1.2.3.4", "1:2:3:4::/64"],
  ])("of %s is %s", (address, bucket) => {
    expect(addressBucket(address)).toBe(bucket);
  });
});
