import { keepText, keptText } from "./parts/kept-text.js";
import type { VerifyingOptions } from "./verify/verifying.js";

const stored = "tonwire-verify";

/** The switch that has the browser prove what pages show. Its script is loaded when it is first turned on. */
export function startVerifySwitch(button: HTMLElement, options: VerifyingOptions): void {
  let verifying: Promise<{ turn(isOn: boolean): void }> | undefined;
  const turn = (isOn: boolean) => {
    button.ariaChecked = `${isOn}`;
    if (isOn) verifying ??= import("./verify/verifying.js").then((loaded) => loaded.startVerifying(options));
    verifying?.then(
      (loaded) => loaded.turn(button.ariaChecked === "true"),
      () => {
        // Another click loads it again.
        verifying = undefined;
        button.ariaChecked = "false";
        button.title = "The script could not be loaded. Reload the page.";
      },
    );
  };
  button.addEventListener("click", () => {
    const isOn = button.ariaChecked !== "true";
    turn(isOn);
    keepText(stored, isOn ? "on" : "off");
  });
  if (keptText(stored) === "on") turn(true);
}
