import { statfs } from "node:fs/promises";
import { Gauge, type Registry } from "prom-client";

/** Adds the size of the disk that has the folder, and what is free there. */
export function watchDisk(registers: Registry[], folder: string): void {
  const gauge = (
    name: string,
    help: string,
    blocksOf: (disk: { blocks: number; bavail: number }) => number,
  ) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.remove();
        // The folder is not there before the first start has made it.
        const disk = await statfs(folder).catch(() => undefined);
        if (disk) this.set(blocksOf(disk) * disk.bsize);
      },
    });
  gauge("tonwire_data_disk_bytes", "Size of the disk of the data folder", ({ blocks }) => blocks);
  gauge("tonwire_data_disk_free_bytes", "Free space on the disk of the data folder", ({ bavail }) => bavail);
}
