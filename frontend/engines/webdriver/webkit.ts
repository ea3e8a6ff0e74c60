import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../e2e/installation.ts';
import { type Browser, commands, patience } from './commands.ts';
import type { Launch } from './program.ts';

/** WebKitGTK's MiniBrowser on a display that nobody sees, driven by Debian's `webkit2gtk-driver`. */
export async function startWebKit(folder: string, launch: Launch): Promise<Browser> {
  await letWindowBeNarrow(folder);
  const screen = ['-screen', '0', '1280x1024x24', '-nolisten', 'tcp'];
  const display = launch('Xvfb', ['-displayfd', '3', ...screen], {});
  const env = {
    DISPLAY: `:${await display.firstAnswer()}`,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    NO_AT_BRIDGE: '1',
    // Here navigator.languages is ['C'], which is no language: the app must start all the same.
    LANG: 'C.UTF-8',
  };
  const port = await freePort();
  const driver = launch('WebKitWebDriver', [`--port=${port}`], env);
  const base = `http://127.0.0.1:${port}`;
  await driver.until(async () => ((await fetch(`${base}/status`)).ok ? true : null));
  // Without further wishes it is Debian's MiniBrowser.
  const wishes = { capabilities: {} };
  const { sessionId } = await call<{ sessionId: string }>('POST', `${base}/session`, wishes);
  return {
    ask(command, { id, ...parameters } = {}) {
      const [method = '', path = ''] = commands[command].request.split(' ');
      const address = `${base}/session/${sessionId}/${path.replace('{id}', String(id))}`;
      return call(method, address, parameters);
    },
  };
}

async function call<T>(method: string, address: string, body: object): Promise<T> {
  const answer = await fetch(address, {
    method,
    body: method === 'POST' ? JSON.stringify(body) : null,
    signal: AbortSignal.timeout(patience),
  });
  const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
  if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

/** The tool bar would not let the window become as narrow as a phone. */
async function letWindowBeNarrow(folder: string) {
  const style = '* { min-width: 0; padding-left: 0; padding-right: 0; margin: 0; }';
  await mkdir(join(folder, 'gtk-3.0'));
  await writeFile(join(folder, 'gtk-3.0/gtk.css'), style);
}
