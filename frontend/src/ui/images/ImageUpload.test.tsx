import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { onCallError } from '@/api/call';
import { session } from '@/api/session';
import { aUser } from '@/testing/data';
import { aPicture, type FakeUpload, fakeUploads } from '@/testing/uploads';
import { ImageUpload } from './ImageUpload';
import { createImageUploads } from './image-uploads';

const megabyte = 1024 * 1024;
const reported = vi.fn();
let begun: FakeUpload[];

beforeEach(() => {
  begun = fakeUploads();
  reported.mockReset();
  onCallError(reported);
  session.signIn({ token: 'secret', user: aUser });
});

function show(max = 3) {
  const uploads = createImageUploads(max);
  render(<ImageUpload label="Images" uploads={uploads} />);
  return uploads;
}

async function choose(...files: File[]) {
  // The `accept` attribute is a hint only: a file of another kind can be dropped or typed.
  await userEvent.setup({ applyAccept: false }).upload(screen.getByLabelText('Add image'), files);
}

function ids(uploads: ReturnType<typeof createImageUploads>) {
  return uploads.get().map(({ sent }) => sent?.id ?? null);
}

describe('the image upload', () => {
  it('sends at once, signed in, and tells how far it is', async () => {
    const uploads = show();
    await choose(aPicture('a.png'));
    expect(begun[0]?.address).toBe('POST /api/files/upload');
    expect(begun[0]?.headers.get('X-CT')).toBe('secret');
    expect(begun[0]?.headers.get('X-TZ')).toMatch(/GMT/);
    expect(begun[0]?.file?.name).toBe('a.png');
    act(() => begun[0]?.progress(32, 64));
    expect(screen.getByText('a.png: uploading, 50%')).toBeInTheDocument();
    await act(async () => begun[0]?.done('f1'));
    expect(screen.getByText('a.png: uploaded')).toBeInTheDocument();
    expect(ids(uploads)).toEqual(['f1']);
  });

  it.each([
    ['notes.pdf', 'application/pdf', 10, 'Please select an image file'],
    ['huge.png', 'image/png', 5 * megabyte + 1, 'Image size cannot exceed 5MB'],
  ])('refuses %s of kind "%s" before anything is sent', async (name, type, bytes, text) => {
    show();
    await choose(aPicture(name, bytes, type));
    expect(screen.getByRole('alert')).toHaveTextContent(text);
    expect(screen.queryByRole('button', { name: /Try again/ })).not.toBeInTheDocument();
    expect(begun).toEqual([]);
  });

  it('takes one of exactly 5 MB', async () => {
    show();
    await choose(aPicture('full.png', 5 * megabyte));
    expect(begun).toHaveLength(1);
  });

  it.each(['', 'application/octet-stream'])(
    'leaves it to the server what a file of kind "%s" is',
    async (type) => {
      show();
      await choose(aPicture('IMG-0412', 10, type));
      expect(begun).toHaveLength(1);
    },
  );

  it('says in the server’s words what it does not take', async () => {
    show();
    await choose(aPicture('a.svg', 10, 'image/svg+xml'));
    await act(async () => begun[0]?.refuse(405, 'Please select an image file', 'not_an_image'));
    expect(screen.getByRole('alert')).toHaveTextContent('a.svg Please select an image file');
    expect(reported).not.toHaveBeenCalled();
  });

  it('keeps a picture through a lost connection, and sends it the second time', async () => {
    const uploads = show();
    await choose(aPicture('a.png'));
    await act(async () => begun[0]?.lose());
    expect(screen.getByRole('alert')).toHaveTextContent('The connection was lost');
    await userEvent.click(screen.getByRole('button', { name: 'Try again: a.png' }));
    await act(async () => begun[1]?.done('f1'));
    expect(ids(uploads)).toEqual(['f1']);
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  });

  it('can be tried again after an HTTP failure', async () => {
    show();
    await choose(aPicture('a.png'));
    await act(async () => begun[0]?.answer({ status: 503 }));
    expect(screen.getByRole('button', { name: 'Try again: a.png' })).toBeVisible();
  });

  it('leaves the end of a session to the app', async () => {
    show();
    await choose(aPicture('a.png'));
    await act(async () => begun[0]?.refuse(503, 'Expired', 'token_expired'));
    expect(reported).toHaveBeenCalledOnce();
  });

  it('removes one, also while it is being sent', async () => {
    const uploads = show();
    await choose(aPicture('a.png'), aPicture('b.png'));
    await act(async () => begun[1]?.done('f2'));
    await userEvent.click(screen.getByRole('button', { name: 'Remove a.png' }));
    expect(begun[0]?.aborted).toBe(true);
    expect(ids(uploads)).toEqual(['f2']);
    expect(reported).not.toHaveBeenCalled();
  });

  it('takes no more than it may', async () => {
    const uploads = show(2);
    await choose(aPicture('a.png'), aPicture('b.png'), aPicture('c.png'));
    expect(uploads.get()).toHaveLength(2);
    expect(screen.getByRole('alert')).toHaveTextContent('Only 2 images can be added');
    expect(screen.queryByLabelText('Add image')).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Remove b.png' }));
    expect(screen.getByLabelText('Add image')).toBeInTheDocument();
  });
});
