import { createServer } from 'node:http';
import { extname } from 'node:path';
import { freePort } from '../installation.ts';

const types: Record<string, string> = { '.js': 'text/javascript', '.mp4': 'video/mp4' };

/** A publisher's own site of pages, scripts and films, on an origin of its own. */
export async function site(pages: Record<string, string | Buffer>) {
  const port = await freePort();
  const server = createServer((request, response) => {
    const page = request.url === '/favicon.ico' ? '' : pages[request.url ?? ''];
    const type = types[extname(request.url ?? '')] ?? 'text/html';
    response.writeHead(page === undefined ? 404 : 200, { 'Content-Type': type });
    response.end(page ?? '');
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return { base: `http://localhost:${port}`, close: () => server.close() };
}

export const article = '<p style="height:2000px">An article</p>';

export function page(...parts: string[]) {
  const head = '<meta name="viewport" content="width=device-width"><title>News</title>';
  return `<!doctype html><html lang="en"><head>${head}</head><body>${parts.join('')}</body></html>`;
}
