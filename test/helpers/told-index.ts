import { classifier } from "./classifier.js";
import type { Content } from "./databases.js";
import { startDetection } from "./detection.js";
import { indexAll } from "./index-chain.js";
import { startToldDevnet } from "./told-story.js";

/** An index of the story up to its end, with contracts and actions. */
export const toldIndex: Content = {
  name: "story",
  async fill(database) {
    const devnet = await startToldDevnet((error) => {
      throw error;
    });
    const { detection, close } = await startDetection(devnet);
    await indexAll(database, devnet.api, { events: devnet.events, detection, classifier });
    await close();
    await devnet.close();
  },
};
