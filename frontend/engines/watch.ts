import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Tab } from './webdriver/tab.ts';

const script = '/watch.js';

/** The page's errors, from its first script on. WebDriver has no way to ask for them. */
function watchPage() {
  const troubles: string[] = [];
  Object.assign(window, { troubles });
  const note = (what: string, text: unknown) => troubles.push(`${what}: ${text}`);
  // While it is captured, so that files which do not load are among it.
  addEventListener(
    'error',
    ({ message, target }) => {
      // Firefox says so of a file that it has already; one that is missing fails where it is imported.
      if (target instanceof HTMLLinkElement && target.rel === 'modulepreload') return;
      note('error', message ?? (target as Element).outerHTML);
    },
    true,
  );
  addEventListener('unhandledrejection', ({ reason }) => note('rejected', reason));
  addEventListener('securitypolicyviolation', ({ blockedURI }) => note('forbidden', blockedURI));
  const { error } = console;
  console.error = (...parts) => {
    note('console', parts.join(' '));
    error.apply(console, parts);
  };
}

const code = `(${watchPage})()`;

/**
 * Stands before the server and hands everything on. The page gets one more script, which notes its
 * errors; failed requests are noted here.
 */
export class Watch {
  private readonly failed: string[] = [];

  private constructor(private readonly server: Server) {}

  static async before(upstream: string) {
    const server = createServer();
    const watch = new Watch(server);
    server.on('request', (asked, answer) => {
      if (asked.url === script)
        return answer.setHeader('Content-Type', 'text/javascript').end(code);
      if (asked.url === '/') return void addScript(upstream, answer).catch(() => answer.destroy());
      watch.handOn(upstream, asked, answer);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return watch;
  }

  private handOn(upstream: string, asked: IncomingMessage, answer: ServerResponse) {
    const { method, url, headers } = asked;
    const onward = request(`${upstream}${url}`, { method, headers }, (given) => {
      const status = given.statusCode ?? 502;
      if (status >= 400) this.failed.push(`${status} ${url}`);
      answer.writeHead(status, given.headers);
      given.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  }

  get base() {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** What has failed since this was asked last. */
  async troubles(tab: Tab) {
    const seen = await tab.run(() =>
      (window as unknown as { troubles: string[] }).troubles.splice(0),
    );
    return [...seen, ...this.failed.splice(0)];
  }

  close() {
    this.server.closeAllConnections();
    return new Promise((closed) => this.server.close(closed));
  }
}

async function addScript(upstream: string, answer: ServerResponse) {
  const page = await fetch(upstream);
  const headers = new Headers(page.headers);
  for (const name of ['content-encoding', 'content-length', 'etag']) headers.delete(name);
  const text = (await page.text()).replace('<head>', `<head><script src="${script}"></script>`);
  answer.setHeaders(headers).end(text);
}
