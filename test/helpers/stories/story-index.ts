import { classifier } from "../index/classifier.js";
import { startDetection } from "../index/detection.js";
import { indexAll } from "../index/index-chain.js";
import type { Content } from "../store/databases.js";
import { startStoryDevnet } from "./story-devnet.js";

/** An index of the story up to its end, with contracts and actions. */
export const storyIndex: Content = {
  name: "story",
  async fill(database) {
    const devnet = await startStoryDevnet((error) => {
      throw error;
    });
    const { detection, close } = await startDetection(devnet);
    await indexAll(database, devnet.api, { events: devnet.events, detection, classifier });
    await close();
    await devnet.close();
  },
};
