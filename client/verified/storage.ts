/** Keeps short texts between starts of a program. Rejections are reported, and the proof begins anew at the next start. */
export interface TrustStorage {
  /** Its name in messages. */
  readonly name: string;
  get(key: string): Promise<string | undefined>;
  set(key: string, text: string): Promise<void>;
}

/** Lasts as long as the program. */
export function memoryStorage(): TrustStorage {
  const texts = new Map<string, string>();
  return {
    name: "the memory",
    get: async (key) => texts.get(key),
    set: async (key, text) => void texts.set(key, text),
  };
}

type WebStorage = Pick<Storage, "getItem" | "setItem">;

/** `localStorage` of the page, or another storage with its interface. */
export function webStorage(storage?: WebStorage): TrustStorage {
  const own = () => storage ?? localStorage;
  return {
    name: "localStorage",
    get: async (key) => own().getItem(key) ?? undefined,
    set: async (key, text) => own().setItem(key, text),
  };
}

const store = "trust";

/** A database of the page's IndexedDB, which workers have too. */
export function indexedDbStorage(name = "tonwire"): TrustStorage {
  const run = async <T>(mode: IDBTransactionMode, ask: (trust: IDBObjectStore) => IDBRequest<T>) => {
    const database = await opened(name);
    try {
      return await done(ask(database.transaction(store, mode).objectStore(store)));
    } finally {
      database.close();
    }
  };
  return {
    name: `IndexedDB ${name}`,
    get: async (key) => {
      const text: unknown = await run("readonly", (trust) => trust.get(key));
      return text === undefined ? undefined : String(text);
    },
    set: async (key, text) => void (await run("readwrite", (trust) => trust.put(text, key))),
  };
}

function opened(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(store);
  return done(request);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    if ("onblocked" in request)
      request.onblocked = () => reject(new Error("another page blocks the database"));
  });
}

/** The part of node:fs/promises that a file needs. */
type Files = {
  readFile(path: string, encoding: "utf8"): Promise<string>;
  writeFile(path: string, text: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
};

/** A file per network beside `path`. `files`: the module node:fs/promises. */
export function fileStorage(files: Files, path: string): TrustStorage {
  const of = (key: string) => `${path}-${key}.json`;
  return {
    name: path,
    get: (key) =>
      files.readFile(of(key), "utf8").catch((error: { code?: string }) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      }),
    async set(key, text) {
      await files.writeFile(`${of(key)}.new`, text);
      await files.rename(`${of(key)}.new`, of(key));
    },
  };
}

/** IndexedDB where there is one. */
export function defaultStorage(): TrustStorage {
  return typeof indexedDB === "undefined" ? memoryStorage() : indexedDbStorage();
}
