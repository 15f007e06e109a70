// Groups of buttons that take one stop of the Tab key and are walked with the arrow keys.

/**
 * @param {HTMLElement} group
 * @param {HTMLElement[]} members row by row
 * @param {number | (() => number)} width how many make a row
 * @param {() => boolean} [idle] true while there is nothing to choose here: then left and right are left to the page,
 *   which walks through the game with them
 */
export function arrows(group, members, width, idle = () => false) {
  const stop = (/** @type {HTMLElement} */ member) => members.forEach((other) => (other.tabIndex = other === member ? 0 : -1));
  stop(members[0]);
  group.addEventListener('focusin', (event) => {
    if (members.includes(/** @type {HTMLElement} */ (event.target))) stop(/** @type {HTMLElement} */ (event.target));
  });
  group.addEventListener('keydown', (event) => {
    const at = members.indexOf(/** @type {HTMLElement} */ (event.target));
    if (at < 0) return;
    const columns = typeof width === 'number' ? width : width();
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    if (!step || (Math.abs(step) === 1 && idle())) return;
    event.preventDefault();
    event.stopPropagation();
    // Buttons that are away for now (a piece that is placed) are stepped over.
    for (let to = at + step; to >= 0 && to < members.length; to += step) {
      const member = members[to];
      if (member.hidden || (member instanceof HTMLButtonElement && member.disabled)) continue;
      member.focus();
      break;
    }
  });
}
