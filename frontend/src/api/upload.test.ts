import { expect, it, vi } from 'vitest';
import { aPicture, fakeUploads } from '@/testing/uploads';
import { NetworkError } from './errors';
import { uploadImage } from './upload';

it('takes a connection that has said nothing for a minute for lost', async () => {
  vi.useFakeTimers();
  const begun = fakeUploads();
  const sending = uploadImage(aPicture()).catch((error: unknown) => error);
  const [upload] = begun;
  vi.advanceTimersByTime(50_000);
  upload?.progress(1, 4);
  vi.advanceTimersByTime(50_000);
  expect(upload?.aborted).toBe(false);
  vi.advanceTimersByTime(10_000);
  expect(upload?.aborted).toBe(true);
  expect(await sending).toEqual(new NetworkError(0, 'network'));
});

it('says when the next one is taken', async () => {
  const begun = fakeUploads();
  const sending = uploadImage(aPicture()).catch((error: unknown) => error);
  begun[0]?.answer({ status: 429, retryAfter: '900' });
  expect(await sending).toMatchObject({ status: 429, retryAfter: 900 });
});
