import { statfs } from "node:fs/promises";
import { Gauge, type Registry } from "prom-client";
import type { Fallback } from "./fallback.js";

/** Adds the size of the disk that has the folder, and what is free there. */
export function watchDisk(registers: Registry[], folder: string, fallback: Fallback): void {
  const read = () =>
    statfs(folder).catch((error: NodeJS.ErrnoException) => {
      // The first start makes the folder.
      if (error.code !== "ENOENT") fallback("disk-size", error);
      return undefined;
    });
  const gauge = (
    name: string,
    help: string,
    blocksOf: (disk: { blocks: number; bavail: number }) => number,
  ) =>
    new Gauge({
      name,
      help,
      registers,
      aggregator: "max",
      async collect() {
        this.remove();
        const disk = await read();
        if (disk) this.set(blocksOf(disk) * disk.bsize);
      },
    });
  gauge("tonwire_data_disk_bytes", "Size of the disk of the data folder", ({ blocks }) => blocks);
  gauge("tonwire_data_disk_free_bytes", "Free space on the disk of the data folder", ({ bavail }) => bavail);
}
