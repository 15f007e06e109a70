// The workers that think. Who waits for a program comes before who waits for the truth.

/** How many think at once: a core is left to the page. */
export const SIZE = Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1));

export class Pool {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.module = module;
    /** @type {Worker[]} */
    this.idle = [];
    this.count = 0;
    /** @type {{ question: string, game: string, op: string, urgent: boolean, begin?: () => boolean, done: (answer: any) => void }[]} */
    this.waiting = [];
  }

  /**
   * The answer to a question, by whoever is free first. `begin` is called when it is its turn, and may say that nobody needs it any more: then the answer is null.
   * @param {any} question @param {{ urgent?: boolean, begin?: () => boolean }} [how] @returns {Promise<any>}
   */
  ask(question, { urgent = false, begin } = {}) {
    const written = typeof question === 'string' ? question : JSON.stringify(question);
    const { game = '', op } = typeof question === 'string' ? JSON.parse(question) : question;
    return new Promise((done) => {
      this.waiting.push({ question: written, game, op, urgent, begin, done });
      this.drive();
    });
  }

  drive() {
    while (this.waiting.length > 0) {
      const worker = this.idle.pop() ?? this.hire();
      if (!worker) return;
      const first = this.waiting.findIndex((job) => job.urgent);
      const [job] = this.waiting.splice(Math.max(first, 0), 1);
      if (job.begin && !job.begin()) {
        this.idle.push(worker);
        job.done(null);
        continue;
      }
      worker.onmessage = ({ data }) => {
        if (data.broken) this.dismiss(worker);
        else this.idle.push(worker);
        job.done(data.broken ? { status: 503, error: { error: { code: 'unavailable', message: `the player failed: ${data.broken}` } } } : data);
        this.drive();
      };
      worker.postMessage({ question: job.question, game: job.game, op: job.op });
    }
  }

  hire() {
    if (this.count >= SIZE) return null;
    this.count += 1;
    const worker = new Worker(new URL('thinker.js', import.meta.url), { type: 'module' });
    worker.postMessage({ module: this.module });
    return worker;
  }

  /** An instance that has failed is not asked again. @param {Worker} worker */
  dismiss(worker) {
    worker.terminate();
    this.count -= 1;
  }
}
