// Carrying a piece with mouse or finger from one place to another.

/**
 * @param {HTMLElement} source where carrying may begin
 * @param {{ from: string, onto: string }} places selectors of what can be lifted and of where it can be put down
 * @param {(from: Element) => Element | null} lift the picture to carry, or null if nothing may be lifted there
 * @param {(from: Element, onto: Element) => unknown} drop
 * @param {(from: Element) => void} [begin] hears that something is really being carried
 */
export function carry(source, places, lift, drop, begin = () => {}) {
  /** @param {PointerEvent} event */
  const under = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest(places.onto) ?? null;
  source.addEventListener('pointerdown', (down) => {
    const from = down.target instanceof Element ? down.target.closest(places.from) : null;
    const picture = from && down.button === 0 ? lift(from) : null;
    if (!from || !picture) return;
    const box = picture.getBoundingClientRect();
    /** @type {HTMLElement | null} */
    let carried = null;
    const move = (/** @type {PointerEvent} */ event) => {
      const far = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY);
      if (!carried && far < 7) return;
      if (!carried) {
        carried = document.createElement('div');
        carried.className = 'carried';
        carried.append(picture.cloneNode(true));
        carried.style.width = `${box.width}px`;
        carried.style.height = `${box.height}px`;
        document.body.append(carried);
        begin(from);
        from.classList.add('lifted');
      }
      carried.style.transform = `translate(${event.clientX - box.width / 2}px, ${event.clientY - box.height * 0.8}px)`;
      for (const element of document.querySelectorAll('.under')) element.classList.remove('under');
      under(event)?.classList.add('under');
    };
    const end = (/** @type {PointerEvent} */ event) => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      const onto = carried && event.type === 'pointerup' ? under(event) : null;
      carried?.remove();
      from.classList.remove('lifted');
      for (const element of document.querySelectorAll('.under')) element.classList.remove('under');
      // A finished carry must not also count as a click on what it began on.
      if (carried) {
        addEventListener('click', swallow, true);
        setTimeout(() => removeEventListener('click', swallow, true));
      }
      if (onto) drop(from, onto);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  });
}

/** @param {Event} click */
const swallow = (click) => click.stopPropagation();
