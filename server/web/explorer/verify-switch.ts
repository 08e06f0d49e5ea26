import { keepText, keptText } from "./parts/kept-text.js";
import type { ProvenDebugger, startVerifying, VerifyingOptions } from "./verify/verifying.js";

const stored = "tonwire-verify";

type SwitchOptions = VerifyingOptions & {
  /** Called when a user has turned it. */
  onTurn(): void;
};

/** The switch that has the browser prove what pages show. Its script is loaded when it is first turned on. */
export class VerifySwitch {
  readonly #button: HTMLElement;
  readonly #options: SwitchOptions;
  #verifying: Promise<ReturnType<typeof startVerifying>> | undefined;

  constructor(button: HTMLElement, options: SwitchOptions) {
    this.#button = button;
    this.#options = options;
    button.addEventListener("click", () => {
      const isOn = !this.isOn;
      this.#turn(isOn);
      keepText(stored, isOn ? "on" : "off");
      options.onTurn();
    });
    if (keptText(stored) === "on") this.#turn(true);
  }

  get isOn(): boolean {
    return this.#button.ariaChecked === "true";
  }

  /** Runs transactions in the page; undefined while it is off. */
  async debugger(): Promise<ProvenDebugger | undefined> {
    return this.isOn ? this.#verifying : undefined;
  }

  #turn(isOn: boolean): void {
    const button = this.#button;
    button.ariaChecked = `${isOn}`;
    if (isOn)
      this.#verifying ??= import("./verify/verifying.js").then((loaded) =>
        loaded.startVerifying(this.#options),
      );
    this.#verifying?.then(
      (loaded) => loaded.turn(this.isOn),
      () => {
        // Another click loads it again.
        this.#verifying = undefined;
        button.ariaChecked = "false";
        button.title = "The script could not be loaded. Reload the page.";
      },
    );
  }
}
