/** A query to a liteserver and its answer, as the bytes of TL. `method`: that of LiteApi. */
export type Exchange = { method: string; query: Uint8Array; answer: Uint8Array };
