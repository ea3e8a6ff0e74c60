import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const grace = 5000;

export type Launch = (name: string, args: string[], env: Record<string, string>) => Program;

/** A program with the ones that it starts, which end with it. */
export class Program {
  readonly output: string[] = [];
  private readonly ended: Promise<unknown>;

  private constructor(
    private readonly name: string,
    private readonly child: ChildProcess,
  ) {
    this.ended = new Promise((done) => {
      child.once('exit', done);
      child.once('error', (error) => {
        this.output.push(error.message);
        done(error);
      });
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface(stream).on('line', (line) => this.output.push(line));
    }
  }

  static start(name: string, args: string[], env: Record<string, string>) {
    const child = spawn(name, args, {
      env: { PATH: process.env.PATH ?? '', TZ: process.env.TZ ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      // A group of its own, so that its helpers can be ended with it.
      detached: true,
    });
    return new Program(name, child);
  }

  /** The first line on the fourth channel, where Xvfb writes which display it is. */
  async firstAnswer() {
    const channel = this.child.stdio[3];
    if (!channel || !('read' in channel)) throw new Error(`${this.name} has no fourth channel`);
    const line = new Promise<string>((done) => createInterface(channel).once('line', done));
    return await Promise.race([line, this.failed()]);
  }

  /** Waits until it can be used. */
  async until<T>(ready: () => Promise<T | null>): Promise<T> {
    const late = Date.now() + 30_000;
    while (Date.now() < late && this.runs()) {
      const answer = await ready().catch(() => null);
      if (answer !== null) return answer;
      await new Promise((wait) => setTimeout(wait, 50));
    }
    throw new Error(`${this.name} does not start:\n${this.output.slice(-20).join('\n')}`);
  }

  async end() {
    this.kill('SIGTERM');
    const late = setTimeout(() => this.kill('SIGKILL'), grace);
    await this.ended;
    clearTimeout(late);
    this.kill('SIGKILL');
  }

  private runs() {
    return this.child.pid !== undefined && this.child.exitCode === null;
  }

  private async failed(): Promise<never> {
    await this.ended;
    throw new Error(`${this.name} has ended:\n${this.output.slice(-20).join('\n')}`);
  }

  private kill(signal: NodeJS.Signals) {
    if (this.child.pid === undefined) return;
    try {
      process.kill(-this.child.pid, signal);
    } catch {
      // The whole group has ended.
    }
  }
}
