import { itemAt } from "../../shared/values/lookups.js";

/** Lines of a table: columns as wide as their widest cell. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = itemAt(rows, 0).map((_, column) =>
    Math.max(...rows.map((cells) => itemAt(cells, column).length)),
  );
  return rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(itemAt(widths, column)))
      .join("  ")
      .trimEnd(),
  );
}
