type Point = { readonly x: number; readonly y: number };

type Zoomed = {
  /** Multiplies the scale; the point of the window stays where it is. */
  zoomBy(factor: number, point: Point): void;
};

/** A mouse that moves less than this, in pixels, clicks. */
const leastDrag = 4;
/** A wheel may report long ways at once. */
const mostPerWheel = 1.4;

/** Zooms a scrolled element by Ctrl and wheel or by two fingers, and moves it by dragging. Fingers scroll by themselves. */
export function startGestures(place: HTMLElement, { zoomBy }: Zoomed): void {
  place.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const factor = Math.exp(-event.deltaY * lines * 0.005);
      zoomBy(Math.min(mostPerWheel, Math.max(1 / mostPerWheel, factor)), {
        x: event.clientX,
        y: event.clientY,
      });
    },
    { passive: false },
  );
  startPinch(place, zoomBy);
  startDrag(place);
}

function startPinch(place: HTMLElement, zoomBy: Zoomed["zoomBy"]): void {
  let distance = 0;
  const measured = ({ touches: [one, two] }: TouchEvent) =>
    one && two
      ? {
          apart: Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY),
          middle: { x: (one.clientX + two.clientX) / 2, y: (one.clientY + two.clientY) / 2 },
        }
      : undefined;
  place.addEventListener(
    "touchstart",
    (event) => {
      const now = measured(event);
      distance = now?.apart ?? 0;
      if (now) event.preventDefault();
    },
    { passive: false },
  );
  place.addEventListener(
    "touchmove",
    (event) => {
      const now = measured(event);
      if (!now) return;
      event.preventDefault();
      if (distance > 0 && now.apart > 0) zoomBy(now.apart / distance, now.middle);
      distance = now.apart;
    },
    { passive: false },
  );
}

function startDrag(place: HTMLElement): void {
  let from: (Point & { readonly left: number; readonly top: number }) | undefined;
  let isDragged = false;
  place.addEventListener("pointerdown", ({ pointerType, button, clientX: x, clientY: y }) => {
    if (pointerType !== "mouse" || button !== 0) return;
    from = { x, y, left: place.scrollLeft, top: place.scrollTop };
    isDragged = false;
  });
  place.addEventListener("pointermove", ({ clientX, clientY, pointerId }) => {
    if (!from) return;
    const [across, down] = [clientX - from.x, clientY - from.y];
    if (!isDragged && Math.hypot(across, down) < leastDrag) return;
    if (!isDragged) place.setPointerCapture(pointerId);
    isDragged = true;
    place.classList.add("dragged");
    place.scrollTo({ left: from.left - across, top: from.top - down, behavior: "instant" });
  });
  const end = () => {
    from = undefined;
    place.classList.remove("dragged");
  };
  for (const event of ["pointerup", "pointercancel", "lostpointercapture"] as const)
    place.addEventListener(event, end);
  // The click at the end of a drag chooses nothing.
  place.addEventListener(
    "click",
    (event) => {
      if (isDragged) event.stopImmediatePropagation();
      isDragged = false;
    },
    true,
  );
}
