// Runs before all else on a page of plain files: whatever the page's modules ask of a server is asked of a worker instead. They do not know the difference.
(() => {
  const own = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  let last = 0;
  /** @type {Map<number, (answer: { status: number, body?: string }) => void>} */
  const asked = new Map();
  /** @type {Map<number, (data: any) => void>} */
  const streams = new Map();
  /** @type {Worker | null} */
  let worker = null;
  const begin = () => {
    const begun = new Worker(new URL('server.js', own), { type: 'module', name: 'terzo' });
    begun.onmessage = ({ data }) => {
      if (data.stream !== undefined) return streams.get(data.stream)?.(data);
      asked.get(data.number)?.(data);
      return asked.delete(data.number);
    };
    return begun;
  };
  const server = () => (worker ??= begin());
  // It begins with the first question, or when the first frame is drawn: before that it would only take a core from the page.
  requestAnimationFrame(() => setTimeout(server));

  /** The address of something that a server would answer. @param {string} address */
  const served = (address) => {
    const url = new URL(address, location.href);
    return url.origin === location.origin && url.pathname.startsWith('/api/') ? url : null;
  };
  /** What is the same for everybody was written down when the page was made. @type {Record<string, string>} */
  const WRITTEN = { '/api/games': 'games.json', '/api/games/previews': 'previews.json', '/api/openapi.json': 'openapi.json' };

  const plain = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (input, init = {}) => {
    const url = served(input instanceof Request ? input.url : String(input));
    if (!url) return plain(input, init);
    const written = WRITTEN[url.pathname];
    if (written) return plain(new URL(written, own));
    const number = ++last;
    const { status, body } = await new Promise((answer) => {
      asked.set(number, answer);
      server().postMessage({ number, address: url.href, method: init.method ?? 'GET', body: init.body ? JSON.parse(String(init.body)) : undefined });
    });
    return new Response(status === 204 ? null : body, { status, headers: { 'Content-Type': /\/record$|\.(csv|jsonl)$/.test(url.pathname) ? 'text/plain' : 'application/json' } });
  };

  // A file that a server would send is made here.
  addEventListener('click', async (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    // Links are places in the one document.
    const url = link?.hasAttribute('download') ? served(link.hash.slice(1)) : null;
    if (!url) return;
    event.preventDefault();
    const file = URL.createObjectURL(await (await fetch(url)).blob());
    Object.assign(document.createElement('a'), { href: file, download: url.pathname.split('/').slice(-2).join('-') }).click();
    setTimeout(() => URL.revokeObjectURL(file), 60_000);
  }, { capture: true });

  const Plain = globalThis.EventSource;
  class Stream extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSED = 2;

    /** @param {URL} url */
    constructor(url) {
      super();
      this.readyState = Stream.CONNECTING;
      /** @type {(() => void) | null} */
      this.onerror = null;
      this.number = ++last;
      streams.set(this.number, (data) => this.hear(data));
      server().postMessage({ stream: this.number, address: url.href });
    }

    /** @param {{ event?: string, data?: string, failed?: boolean }} told */
    hear({ event, data, failed }) {
      if (failed) {
        this.close();
        this.onerror?.();
      } else if (event) {
        this.readyState = Stream.OPEN;
        this.dispatchEvent(new MessageEvent(event, { data }));
      }
    }

    close() {
      if (this.readyState === Stream.CLOSED) return;
      this.readyState = Stream.CLOSED;
      streams.delete(this.number);
      server().postMessage({ stream: this.number, close: true });
    }
  }
  globalThis.EventSource = /** @type {any} */ (new Proxy(Plain, {
    construct: (_, [address]) => {
      const url = served(String(address));
      return url ? new Stream(url) : new Plain(address);
    },
  }));

  // Installed, the page works without a network; a new version is put in place when the reader agrees. To install it takes a core and the line, so the page is drawn first.
  const DRAWN_MS = 2000;
  if ('serviceWorker' in navigator && isSecureContext) {
    addEventListener('load', () => setTimeout(async () => {
      const registration = await navigator.serviceWorker.register(new URL('../sw.js', own)).catch(() => null);
      const offer = () => registration?.waiting && navigator.serviceWorker.controller && ask(registration.waiting);
      // Opening the page also looks for a new version, which may be on its way before anybody listens.
      const hear = () => registration?.installing?.addEventListener('statechange', offer);
      registration?.addEventListener('updatefound', hear);
      hear();
      offer();
    }, DRAWN_MS));
  }

  const LATER = { en: ['A new version of this page is here.', 'Use it'], de: ['Eine neue Fassung dieser Seite ist da.', 'Verwenden'], fr: ['Une nouvelle version de cette page est là.', 'L’utiliser'], it: ['C’è una nuova versione di questa pagina.', 'Usala'], nb: ['En ny versjon av denne siden er her.', 'Bruk den'] };

  /** Offers a new version. @param {ServiceWorker} waiting */
  function ask(waiting) {
    if (document.querySelector('.update')) return;
    const language = /** @type {keyof typeof LATER} */ (document.documentElement.lang.slice(0, 2));
    const [words, yes] = LATER[language] ?? LATER.en;
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: yes });
    button.onclick = () => {
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      waiting.postMessage('take over');
    };
    const line = Object.assign(document.createElement('p'), { className: 'update', role: 'status' });
    line.append(words, ' ', button);
    document.querySelector('header')?.after(line);
  }
})();
