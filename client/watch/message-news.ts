import type { Caller } from "../caller.js";
import type { Follow, Followed } from "../chain/send-and-wait.js";
import { watch } from "./watch.js";

/** Follows messages over the WebSocket of a client. Without one, or without subscriptions, there is no news. */
export function followBy(client: Pick<Caller, "call">): Follow {
  return (hashNorm, isNews) => {
    const left = new AbortController();
    let ring = () => {};
    let changed: Promise<void>;
    const listen = () => {
      changed = new Promise((resolve) => {
        ring = resolve;
      });
    };
    listen();
    const followed: Followed & { isLive: boolean } = {
      isLive: false,
      next: () => changed,
      end: () => left.abort(),
    };
    const tell = () => {
      ring();
      listen();
    };
    const setLive = (isLive: boolean) => {
      const isOver = followed.isLive && !isLive;
      followed.isLive = isLive;
      if (isOver) tell();
    };
    const onStatus = (status: string) => setLive(status !== "connecting");
    const follow = async () => {
      const stream = watch(client).message(hashNorm, { signal: left.signal, onStatus });
      for await (const { message } of stream) if (isNews(message)) tell();
    };
    void follow()
      // Without news the caller polls.
      .catch(() => {})
      .finally(() => setLive(false));
    return followed;
  };
}
