// A plain file server, as anybody has it.

import { spawn } from 'node:child_process';

/** As long as something may take beside many busy processes; whoever waits for nothing does not wait for long. */
export const PATIENCE = 90_000;

export class Host {
  static async serve(folder) {
    const host = new Host();
    host.server = spawn('python3', ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', folder], { stdio: ['ignore', 'pipe', 'ignore'] });
    const port = await new Promise((found, failed) => {
      host.server.stdout.on('data', (data) => {
        const said = String(data).match(/port (\d+)/);
        if (said) found(said[1]);
      });
      host.server.on('exit', () => failed(new Error('no file server')));
      setTimeout(() => failed(new Error('the file server prints no port')), PATIENCE).unref();
    });
    // A test that failed before it stopped its server must not keep all others from ending.
    host.server.unref();
    host.server.stdout.unref();
    process.once('exit', () => host.server.kill());
    host.address = `http://127.0.0.1:${port}`;
    return host;
  }

  async stop() {
    this.server.ref();
    const ended = new Promise((done) => this.server.once('exit', done));
    this.server.kill();
    await ended;
  }
}
