import type { Refusal } from './contract/refusal';

export type ErrorData = {
  error?: Refusal;
  lang?: string;
  fields?: Record<string, string>;
} & Record<string, unknown>;

/** The server answered with a refusal. */
export class ApiError extends Error {
  readonly code: number;
  readonly error: Refusal;
  readonly msg: string;
  readonly fields: Record<string, string>;
  readonly data: ErrorData;

  constructor(code: number, msg: string, data: ErrorData) {
    super(msg || `code ${code}`);
    this.name = 'ApiError';
    this.code = code;
    this.error = data.error ?? '';
    this.msg = msg;
    this.fields = data.fields ?? {};
    this.data = data;
  }
}

/** Whether the server refused for one of the reasons. */
export function isRefusal(error: unknown, ...reasons: readonly Refusal[]): error is ApiError {
  return error instanceof ApiError && reasons.includes(error.error);
}

/** No envelope: the connection was lost (status 0), or the answer was only an HTTP status. */
export class NetworkError extends Error {
  readonly status: number;
  /** After how many seconds the server answers again, if it has said so. */
  readonly retryAfter: number | null;

  constructor(status: number, text: string, retryAfter: string | null = null) {
    super(text);
    this.name = 'NetworkError';
    this.status = status;
    // The header may be a date, which no server of ours sends.
    this.retryAfter = Number(retryAfter) || null;
  }

  get lost(): boolean {
    return this.status === 0;
  }
}
