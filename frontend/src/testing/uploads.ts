import { vi } from 'vitest';

type Answer = { status?: number; envelope?: object; retryAfter?: string };

/** An upload as the browser sees it: a test advances it by hand. */
export class FakeUpload {
  readonly headers = new Headers();
  readonly answered = new Headers();
  readonly upload: { onprogress?: (event: object) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;
  status = 0;
  statusText = '';
  response: unknown = null;
  responseType = '';
  address = '';
  file: File | null = null;
  aborted = false;

  open(method: string, path: string) {
    this.address = `${method} ${path}`;
  }

  setRequestHeader(name: string, value: string) {
    this.headers.set(name, value);
  }

  getResponseHeader(name: string) {
    return this.answered.get(name);
  }

  send(form: FormData) {
    this.file = form.get('file') as File;
  }

  abort() {
    this.aborted = true;
    this.onabort?.();
    this.onloadend?.();
  }

  progress(loaded: number, total: number) {
    this.upload.onprogress?.({ lengthComputable: true, loaded, total });
  }

  answer({ status = 200, envelope, retryAfter }: Answer) {
    this.status = status;
    this.response = envelope ?? null;
    if (retryAfter) this.answered.set('Retry-After', retryAfter);
    this.onload?.();
    this.onloadend?.();
  }

  done(id: string) {
    const url = `/api/files/${id}`;
    const data = { id, url, mime: 'image/jpeg', width: 8, height: 8, size: 64 };
    this.answer({ envelope: { code: 200, msg: '', data } });
  }

  refuse(code: number, msg: string, error: string) {
    this.answer({ envelope: { code, msg, data: { error, lang: 'en' } } });
  }

  lose() {
    this.onerror?.();
    this.onloadend?.();
  }
}

/** Replaces the browser's side of uploads; they are in the order in which they began. */
export function fakeUploads(): FakeUpload[] {
  const begun: FakeUpload[] = [];
  vi.stubGlobal(
    'XMLHttpRequest',
    class extends FakeUpload {
      constructor() {
        super();
        begun.push(this);
      }
    },
  );
  let urls = 0;
  URL.createObjectURL = () => `blob:picture-${++urls}`;
  URL.revokeObjectURL = () => {};
  return begun;
}

export function aPicture(name = 'shot.png', bytes = 64, type = 'image/png'): File {
  return new File([new Uint8Array(bytes)], name, { type });
}
