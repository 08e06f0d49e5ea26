/** Services that files of a worker share, by kind. In a file of its own, as `test/each-file.ts` loads no service for files without one. */
const kept = new Map<string, Promise<{ close(): Promise<void> }>>();

/** The service of a kind; the first caller starts it, and the next one again if that failed. */
export async function keptService<Service extends { close(): Promise<void> }>(
  kind: string,
  start: () => Promise<Service>,
): Promise<Service> {
  const service = (kept.get(kind) as Promise<Service> | undefined) ?? start();
  kept.set(kind, service);
  try {
    return await service;
  } catch (error) {
    kept.delete(kind);
    throw error;
  }
}

/** For files with fake timers, which would stop the services. */
export async function endKeptServices(): Promise<void> {
  const ended = [...kept.values()];
  kept.clear();
  for (const service of ended) await (await service).close();
}
