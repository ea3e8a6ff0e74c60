import type { Refusal } from './contract/refusal';

export type ErrorData = {
  error?: Refusal;
  lang?: string;
  fields?: Record<string, string>;
} & Record<string, unknown>;

/** The server answered with a refusal. */
export class ApiError extends Error {
  readonly error: Refusal;
  readonly fields: Record<string, string>;

  constructor(
    readonly code: number,
    readonly msg: string,
    readonly data: ErrorData,
  ) {
    super(msg || `code ${code}`);
    this.name = 'ApiError';
    this.error = data.error ?? '';
    this.fields = data.fields ?? {};
  }
}

/** Whether the server refused for one of the reasons. */
export function isRefusal(error: unknown, ...reasons: readonly Refusal[]): error is ApiError {
  return error instanceof ApiError && reasons.includes(error.error);
}

/** No envelope: the connection was lost (status 0), or the answer was only an HTTP status. */
export class NetworkError extends Error {
  /** After how many seconds the server answers again, if it has said so. */
  readonly retryAfter: number | null;

  constructor(
    readonly status: number,
    text: string,
    retryAfter: string | null = null,
    /** Whether the device held the request back, while the server can be reached: reachable.ts. */
    readonly heldBack = false,
  ) {
    super(text);
    this.name = 'NetworkError';
    // The header may be a date, which no server of ours sends.
    this.retryAfter = Number(retryAfter) || null;
  }

  get lost(): boolean {
    return this.status === 0;
  }
}

/** It may be asked again, but not yet: {@link NetworkError.retryAfter}. */
export function isTooOften(error: unknown): error is NetworkError {
  return error instanceof NetworkError && error.status === 429;
}

export function isHeldBack(error: unknown): boolean {
  return error instanceof NetworkError && error.heldBack;
}
