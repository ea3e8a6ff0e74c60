import { vi } from 'vitest';

export type Sent = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
};
type Answer = (sent: Sent) => unknown;

/** An envelope other than 200. */
export class Refusal {
  readonly code: number;
  readonly msg: string;
  readonly data: object;

  constructor(code: number, msg = '', data: object = {}) {
    this.code = code;
    this.msg = msg;
    this.data = data;
  }
}

const unanswered = new Set<string>();

/** Requests without an answer since the last call, checked at the end of each test. */
export function takeUnanswered(): string[] {
  const calls = [...unanswered];
  unanswered.clear();
  return calls;
}

/** Whether the server can be reached, which is asked after a lost connection. No call of the API. */
const reaching = 'HEAD /';

export function lostConnection(): never {
  throw new TypeError('Failed to fetch');
}

/**
 * Replaces the network, so that everything above `fetch` is real. A call without a given answer
 * fails the test (page.ts).
 */
export function fakeApi(answers: Record<string, Answer>) {
  const sent: Sent[] = [];
  const fetch = vi.fn(async (input: string, init: RequestInit = {}) => {
    const url = new URL(input, 'http://placard.test');
    if (`${init.method} ${url.pathname}` === reaching) {
      return answers[reaching] ? new Response() : lostConnection();
    }
    const request: Sent = {
      method: init.method ?? 'GET',
      path: url.pathname.replace('/api', ''),
      query: url.searchParams,
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body,
    };
    sent.push(request);
    const answer = answers[`${request.method} ${request.path}`];
    if (!answer) {
      unanswered.add(`${request.method} ${request.path}`);
      return Response.json({ code: 404, msg: '', data: {} }, { status: 404 });
    }
    const given = await answer(request);
    if (given instanceof Response) return given;
    if (given instanceof Refusal) {
      return Response.json({ code: given.code, msg: given.msg, data: given.data });
    }
    return Response.json({ code: 200, msg: '', data: given });
  });
  vi.stubGlobal('fetch', fetch);
  return {
    sent,
    to: (path: string) => sent.filter((request) => request.path === path),
    answer: (call: string, given: Answer) => {
      answers[call] = given;
    },
  };
}
