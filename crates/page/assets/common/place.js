// Where pages are found: at addresses of their own on a server (`/t/ID`), or behind the one document of a host that knows only files (`…/#/t/ID`), since
// nobody there answers for an address without a file.

/** Whether this is a host of plain files. */
export const onFiles = () => document.documentElement.dataset.host === 'files';

/** The address of the page that is shown, as a server has it. */
export const here = () => new URL(onFiles() ? location.hash.slice(1) || '/' : location.href, location.origin);

/** How a link to a page is written. @param {string} address */
export const link = (address) => (onFiles() ? `#${address}` : address);

/** A link for somebody elsewhere. @param {string} address @param {string} origin */
export const whole = (address, origin) => (onFiles() ? location.href.split('#')[0] + link(address) : origin + address);
