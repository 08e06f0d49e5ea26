/**
 * Runs what a button or a form is pressed for: not again before it has ended, and not by the second click of a double
 * click or by a key that is held down.
 */
export class Once {
  #isBusy = false;

  /** Call with the click or key that may have begun it; true if that is to be ignored. */
  static isRepeated(event: Event): boolean {
    return (event as UIEvent).detail > 1 || (event as KeyboardEvent).repeat === true;
  }

  async run(element: Element, action: () => Promise<void>): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    element.setAttribute("aria-busy", "true");
    try {
      await action();
    } finally {
      this.#isBusy = false;
      element.removeAttribute("aria-busy");
    }
  }
}
