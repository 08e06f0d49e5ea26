import { openReplay } from "./replay/replay.js";

/** A recorded chain where nothing is run. */
export function replayOf(...folders: string[]) {
  return openReplay(folders, {
    methods: {
      runMethod: () => Promise.reject(new Error("nothing is run here")),
      randomBytes: (count) => new Uint8Array(count),
    },
    now: () => 1_573_822_385,
  });
}
