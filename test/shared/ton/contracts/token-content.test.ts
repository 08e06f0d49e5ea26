import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import type { Builder } from "../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import {
  anySlice,
  bytesKey,
  cellRef,
  Dictionary,
  uintKey,
} from "../../../../shared/ton/cells/dictionaries/dictionary.js";
import { categoryKey } from "../../../../shared/ton/contracts/dns-record.js";
import { readTokenContent } from "../../../../shared/ton/contracts/token-content.js";
import { base64ToBytes } from "../../../../shared/values/bytes.js";
import { cellWith, fieldsWith, maybe } from "../../../helpers/made-cells.js";

const cellOf = (boc: string) => parseBocRoot(base64ToBytes(boc)!);
const attributes = (cell: Cell) => {
  const content = readTokenContent(cell);
  return content.kind === "onchain" ? content.attributes : undefined;
};
const sha256 = (text: string) => createHash("sha256").update(text).digest();

/** On-chain content with its values in the leaves of the dictionary. */
function onchain(values: Record<string, Builder>): Cell {
  const entries = Object.entries(values).map(
    ([name, value]) => [new Uint8Array(sha256(name)), value.endCell().parse()] as const,
  );
  const content = fieldsWith([0, 8]);
  Dictionary.empty(bytesKey(32), anySlice).update(entries).store(content);
  return content.endCell();
}

const inRef = (value: Builder) => fieldsWith(value.endCell());
const snake = (text: string) => fieldsWith([0, 8], Buffer.from(text));

function chunked(parts: readonly Builder[], from = 0): Builder {
  const chunks = Dictionary.empty(uintKey(32), cellRef).update(
    parts.map((part, index) => [from + index, part.endCell()] as const),
  );
  const value = fieldsWith([1, 8]);
  chunks.store(value);
  return value;
}

/** A chain of cells with this many bytes. */
function long(bytes: number): Builder {
  let tail: Cell | undefined;
  const cells = Math.ceil(bytes / 100);
  for (let i = cells - 1; i > 0; i--) {
    const part = fieldsWith(new Uint8Array(Math.min(100, bytes - i * 100)).fill(0x61));
    tail = (tail ? part.storeRef(tail) : part).endCell();
  }
  const first = fieldsWith([0, 8], new Uint8Array(Math.min(100, bytes)).fill(0x61));
  return tail ? first.storeRef(tail) : first;
}

describe("the content of a token", () => {
  it("may be off-chain", () => {
    const boc = "te6cckEBAQEAIAAAPAFodHRwczovL2V4YW1wbGUub3JnL21ldGEuanNvbl1/nC0=";
    expect(readTokenContent(cellOf(boc))).toEqual({
      kind: "offchain",
      uri: "https://example.org/meta.json",
    });
  });

  it("may be on-chain, with `image_data` in base64", () => {
    const boc =
      "te6cckEBDAEAvgABAwDAAQIBWAIHAgEgAwUBQb9FRqb/4bec/dhrrT24dDE9zeL7BeanSqfzVS2WF8edEwQACgBEZW1vAUG/btT5QqeEjOLLBmt3oRKMah/4xD9Dii3OJGErqf+riwMGAAgARE1PAgEgCAoBQb9zURmdjz3es5CWziJtRB2cmaAZVVq3iPxYQRBSKp3TyQkADgA8c3ZnLz4BQb9dAfpePAaQHEUEbGst3Opa92T+oO7XKhDUBPIxLOskfQsABAA2LU3ZUw==";
    expect(readTokenContent(cellOf(boc))).toEqual({
      kind: "onchain",
      attributes: { name: "Demo", symbol: "DMO", decimals: "6", image_data: "PHN2Zy8+" },
    });
  });

  it("may be on-chain with more off-chain, linked by the attribute `uri`", () => {
    const boc =
      "te6cckEBBgEAdQABAwDAAQIBIAIEAUO/+HLr21FNnJfCg7fwrlF5Ap4rYRnDlGJxnk9G7Y90E+ZAAwA2AGh0dHBzOi8vZXhhbXBsZS5vcmcvbS5qc29uAUO/90B+l48BpAcRQRsay3c6lr3ZP6g7tcqENQE8jEs6yR9ABQAEADn31BB5";
    expect(attributes(cellOf(boc))).toEqual({ uri: "https://example.org/m.json", decimals: "9" });
  });

  it("is keyed by the hashes of attribute names", () => {
    expect(sha256("uri").toString("hex")).toBe(
      "70e5d7b6a29b392f85076fe15ca2f2053c56c2338728c4e33c9e8ddb1ee827cc",
    );
    expect(Buffer.from(categoryKey("wallet")).toString("hex")).toBe(
      "e8d44050873dba865aa7c170ab4cce64d90839a34dcfd6cf71d14e0205443b1b",
    );
  });

  it("has snake or chunked values, in the leaves of the dictionary or in separate cells", () => {
    const values = {
      name: snake("plain"),
      symbol: inRef(snake("own cell")),
      description: inRef(chunked([snake("x").storeBytes(Buffer.from("1")), fieldsWith(Buffer.from("2"))])),
      uri: chunked([fieldsWith(Buffer.from("direct"))]),
    };
    expect(attributes(onchain(values))).toEqual({
      uri: "direct",
      name: "plain",
      description: "\0x12",
      symbol: "own cell",
    });
  });

  it("omits malformed and unknown attributes", () => {
    const values = {
      name: fieldsWith([0, 8], new Uint8Array([0xff, 0xfe])),
      symbol: fieldsWith([7, 8]),
      decimals: fieldsWith([0, 8], [1, 3]),
      description: fieldsWith([0, 5]),
      image: inRef(chunked([fieldsWith([1, 7])])),
      amount_style: chunked([snake("from 1 on")], 1),
      colour: snake("red"),
      render_type: snake("game"),
    };
    expect(attributes(onchain(values))).toEqual({ amount_style: "", render_type: "game" });
    expect(attributes(cellWith([0, 9]))).toEqual({});
  });

  it("is cut at 8 KiB", () => {
    const text = attributes(onchain({ description: inRef(long(20_000)), name: inRef(long(8_192)) }))!;
    expect([text["description"]!.length, text["name"]!.length]).toEqual([8100, 8192]);
    const parts = Array.from({ length: 100 }, () => fieldsWith(new Uint8Array(100).fill(0x62)));
    expect(attributes(onchain({ description: inRef(chunked(parts)) }))!["description"]).toHaveLength(8100);
  });

  it("is refused if it is neither on-chain nor off-chain", () => {
    for (const cell of [
      Cell.empty,
      cellWith([2, 8]),
      cellWith([1, 8], [1, 3]),
      cellWith([1, 8], new Uint8Array([0xff])),
      cellWith([0, 8], true),
      cellWith([0, 8], maybe(Cell.empty)),
    ])
      expect(() => readTokenContent(cell)).toThrow();
  });
});
