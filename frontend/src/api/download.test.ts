import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { onCallError } from './call';
import { downloadFile, fetchProof } from './download';
import { ApiError, NetworkError } from './errors';
import { session } from './session';
import type { User } from './types';

const disposition = { 'Content-Disposition': 'attachment; filename="mine.json"' };
const reported = vi.fn();
let saved: { name: string; size: number }[] = [];
const blobs = new Map<string, Blob>();

beforeEach(() => {
  saved = [];
  reported.mockReset();
  onCallError(reported);
  URL.createObjectURL = (blob) => {
    blobs.set('blob:1', blob as Blob);
    return 'blob:1';
  };
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    const blob = blobs.get(this.href);
    if (blob) saved.push({ name: this.download, size: blob.size });
  });
});
afterEach(() => onCallError(() => {}));

describe('a download', () => {
  it('shows the session and keeps the file under the name it is given', async () => {
    const api = fakeApi({
      'GET /transaction_flow/export': () => new Response('{"a":1}', { headers: disposition }),
    });
    session.signIn({ token: 'mine', user: {} as User });
    const onProgress = vi.fn();
    const query = { month: '2026-11', format: 'csv' } as const;
    await downloadFile('/transaction_flow/export', { query, onProgress });
    expect(api.sent[0]?.headers.get('X-CT')).toBe('mine');
    expect(api.sent[0]?.query.get('month')).toBe('2026-11');
    expect(onProgress).toHaveBeenLastCalledWith(7);
    expect(saved).toEqual([{ name: 'mine.json', size: 7 }]);
  });

  it('says what the server says instead of keeping it for a file', async () => {
    fakeApi({ 'GET /user/export': () => new Refusal(405, 'Wait', { error: 'too_many' }) });
    await expect(downloadFile('/user/export')).rejects.toThrow(ApiError);
    expect(saved).toEqual([]);
    expect(reported).toHaveBeenCalledOnce();
  });

  it('tells everybody that the session has ended, where the page shows all else', async () => {
    const api = fakeApi({ 'GET /transaction_flow/proof': () => new Refusal(405, 'Wait') });
    await expect(fetchProof('2026-11', {})).rejects.toThrow(ApiError);
    expect(reported).not.toHaveBeenCalled();
    api.answer('GET /transaction_flow/proof', () => new Refusal(503));
    await expect(fetchProof('2026-11', {})).rejects.toThrow(ApiError);
    expect(reported).toHaveBeenCalledOnce();
  });

  it('leaves a lost connection to who shows it', async () => {
    fakeApi({ 'GET /user/export': lostConnection });
    await expect(downloadFile('/user/export')).rejects.toThrow(NetworkError);
    expect(reported).not.toHaveBeenCalled();
  });

  it('keeps nothing of a file that breaks off', async () => {
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"a'));
        controller.error(new TypeError('broken off'));
      },
    });
    fakeApi({ 'GET /user/export': () => new Response(broken, { headers: disposition }) });
    await expect(downloadFile('/user/export')).rejects.toThrow(NetworkError);
    expect(saved).toEqual([]);
  });
});
