import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { clockAhead } from './steps/clock.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const binaries = join(
  process.env.CARGO_TARGET_DIR ?? join(root, 'target'),
  process.env.PLACARD_PROFILE ?? 'debug',
);

export type Operator = { operator: string; key: string };

/** A real server with its own database, and the staff's command line on the same database. */
export class Installation {
  private clock: Record<string, string> = {};

  private constructor(
    private readonly folder: string,
    readonly port: number,
    private server: ChildProcess | null = null,
  ) {}

  static async create() {
    const folder = await mkdtemp(join(tmpdir(), 'placard-e2e-'));
    return new Installation(folder, await freePort());
  }

  get base() {
    return `http://127.0.0.1:${this.port}`;
  }

  private get env() {
    return {
      PATH: process.env.PATH ?? '',
      PLACARD_DATA_DIR: this.folder,
      PLACARD_DATABASE_URL: `sqlite://${join(this.folder, 'placard.db')}`,
      PLACARD_REALM: 'simulated',
      PLACARD_BIND: `127.0.0.1:${this.port}`,
      PLACARD_LOG: 'text',
      ...this.clock,
    };
  }

  /** Starts the server, with additional settings if a test needs them. */
  async start(settings: Record<string, string> = {}) {
    const env = { ...this.env, ...settings };
    this.server = spawn(join(binaries, 'placard-server'), { env, stdio: 'inherit' });
    for (let tries = 0; tries < 600; tries += 1) {
      const ready = await fetch(`${this.base}/readyz`).catch(() => null);
      if (ready?.ok) return;
      await new Promise((wait) => setTimeout(wait, 100));
    }
    throw new Error('the server does not answer');
  }

  /** Simulated visitors on the running server: `rate` per second, for `seconds`. */
  async traffic(rate: string, seconds: string) {
    const args = ['traffic', 'run', '--rate', rate, '--seconds', seconds, '--base', this.base];
    await run(join(binaries, 'placard'), args, { env: this.env });
  }

  /** Commands run this many days from now; the server does after its next start. */
  async moveClock(days: number) {
    this.clock = await clockAhead(days, this.folder);
  }

  /** A server that runs already learns only within a second of what a command added. */
  async restart() {
    await this.end('SIGTERM');
    await this.start();
  }

  /** Kills the server without a shutdown, as a power cut would. */
  async kill() {
    await this.end('SIGKILL');
  }

  async remove() {
    await this.end('SIGTERM');
    await rm(this.folder, { recursive: true, force: true });
  }

  private async end(signal: NodeJS.Signals) {
    const server = this.server;
    this.server = null;
    if (!server || server.exitCode !== null) return;
    const exited = new Promise((done) => server.once('exit', done));
    server.kill(signal);
    await exited;
  }

  /** Makes a change as an operator. Checks, and creating the first operator, need none. */
  staff<T = Record<string, unknown>>(by: Operator | null, ...args: string[]) {
    return this.placard<T>(by, by ? [...args, '--reason', 'end-to-end test'] : args);
  }

  /** Reads a list as an operator. */
  list<T>(by: Operator, ...args: string[]) {
    return this.placard<T[]>(by, args);
  }

  /** Reads one thing as an operator. */
  show<T = Record<string, unknown>>(by: Operator, ...args: string[]) {
    return this.placard<T>(by, args);
  }

  private async placard<T>(by: Operator | null, args: string[]): Promise<T> {
    const signIn = by && { PLACARD_OPERATOR: by.operator, PLACARD_OPERATOR_KEY: by.key };
    const { stdout } = await run(join(binaries, 'placard'), ['--json', ...args], {
      env: { ...this.env, ...signIn },
    });
    return JSON.parse(stdout) as T;
  }

  async file(name: string, text: string) {
    const path = join(this.folder, name);
    await writeFile(path, text);
    return path;
  }
}

export async function freePort() {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening));
  const address = probe.address();
  await new Promise((closed) => probe.close(closed));
  if (typeof address !== 'object' || !address) throw new Error('no free port');
  return address.port;
}
