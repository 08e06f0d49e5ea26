// Loaded into a child process before its program: counts the bytes that outlive collections of the young generation, on request.
import { GCProfiler } from "node:v8";

const space = ({ heapSpaceStatistics }, name) =>
  heapSpaceStatistics.find(({ spaceName }) => spaceName === name)?.spaceUsedSize ?? 0;

/** What a scavenge copied: within the young generation, or into the old one. */
function copied({ beforeGC, afterGC }) {
  const promoted = space(afterGC, "old_space") - space(beforeGC, "old_space");
  return space(afterGC, "new_space") + Math.max(0, promoted);
}

const isScavenge = ({ gcType }) => gcType === "Scavenge" || gcType.startsWith("Minor");

let profiler;

process.on("message", (message) => {
  if (message === "watch scavenges") {
    profiler = new GCProfiler();
    profiler.start();
    process.send({ scavenges: 0, survived: 0 });
  } else if (message === "survivors") {
    const scavenges = profiler.stop().statistics.filter(isScavenge);
    const survived = scavenges.reduce((sum, each) => sum + copied(each), 0);
    process.send({ scavenges: scavenges.length, survived });
  }
});
