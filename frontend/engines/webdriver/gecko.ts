import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Browser, commands, patience } from './commands.ts';
import type { Launch } from './program.ts';

const preferences = {
  // Any free port, which it then writes into its profile.
  'marionette.port': 0,
  // As on a phone, scroll bars take no room.
  'widget.gtk.overlay-scrollbars.enabled': true,
  'ui.useOverlayScrollbars': 1,
  // userChrome.css below.
  'toolkit.legacyUserProfileCustomizations.stylesheets': true,
};

/**
 * Debian's `firefox-esr`, which speaks Marionette: WebDriver's commands over a socket. geckodriver,
 * which would translate them from HTTP, is in none of the registries that this project installs from.
 */
export async function startGecko(folder: string, launch: Launch): Promise<Browser> {
  await writeProfile(folder);
  const args = ['--headless', '--marionette', '--no-remote', '--profile', folder];
  const firefox = launch('firefox-esr', args, { HOME: folder });
  const port = await firefox.until(async () => {
    const written = await readFile(join(folder, 'MarionetteActivePort'), 'utf8');
    return Number(written) || null;
  });
  const marionette = await Marionette.connect(port);
  await marionette.ask('WebDriver:NewSession', {});
  return {
    async ask(command, parameters = {}) {
      const answer = await marionette.ask(commands[command].marionette, parameters);
      return (answer as { value?: unknown } | null)?.value;
    },
  };
}

/** The window must become as narrow as a phone, which its tool bar would not let it. */
async function writeProfile(folder: string) {
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  await writeFile(join(folder, 'user.js'), lines.join(''));
  await mkdir(join(folder, 'chrome'));
  await writeFile(join(folder, 'chrome/userChrome.css'), '* { min-width: 0 !important }');
}

type Answer = [
  type: 1,
  id: number,
  error: { error: string; message: string } | null,
  value: unknown,
];

/** Messages are JSON, each preceded by its length in bytes and a colon. */
class Marionette {
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private rest = Buffer.alloc(0);
  private last = 0;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (data) => this.take(data));
  }

  static connect(port: number) {
    return new Promise<Marionette>((connected, failed) => {
      const socket = connect(port, '127.0.0.1', () => connected(new Marionette(socket)));
      socket.on('error', failed);
    });
  }

  ask(name: string, parameters: object): Promise<unknown> {
    this.last += 1;
    const id = this.last;
    const message = Buffer.from(JSON.stringify([0, id, name, parameters]));
    this.socket.write(Buffer.concat([Buffer.from(`${message.length}:`), message]));
    return new Promise((done, failed) => {
      const silent = () => failed(new Error(`${name} is not answered within ${patience} ms`));
      const late = setTimeout(silent, patience);
      this.waiting.set(id, ([, , error, value]) => {
        clearTimeout(late);
        if (error) failed(new Error(`${error.error}: ${error.message}`));
        else done(value);
      });
    });
  }

  private take(data: Buffer) {
    this.rest = Buffer.concat([this.rest, data]);
    for (;;) {
      const colon = this.rest.indexOf(':');
      if (colon < 0) return;
      const end = colon + 1 + Number(this.rest.subarray(0, colon));
      if (this.rest.length < end) return;
      const message = JSON.parse(this.rest.subarray(colon + 1, end).toString());
      this.rest = this.rest.subarray(end);
      // The greeting, the only message that is not an answer, is an object.
      if (Array.isArray(message)) this.answer(message as Answer);
    }
  }

  private answer(answer: Answer) {
    const [, id] = answer;
    this.waiting.get(id)?.(answer);
    this.waiting.delete(id);
  }
}
