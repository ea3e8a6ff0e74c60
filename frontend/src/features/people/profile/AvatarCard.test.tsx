import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { session } from '@/api/session';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { renderApp } from '@/testing/render-app';
import { aPicture, fakeUploads } from '@/testing/uploads';

const area = { x: 10, y: 20, width: 300, height: 300 };
const cut = new Blob(['cut'], { type: 'image/jpeg' });
const cropImage = vi.hoisted(() => vi.fn());

// jsdom neither decodes pictures nor does layout. A browser test covers the real cropper.
vi.mock('./crop-image', () => ({ cropImage }));
vi.mock('@/ui/images/ImageCropper', () => ({
  ImageCropper: ({
    onArea,
    onUnreadable,
  }: {
    onArea(given: object): void;
    onUnreadable(): void;
  }) => (
    <>
      <button type="button" onClick={() => onArea(area)}>
        place
      </button>
      <button type="button" onClick={onUnreadable}>
        break
      </button>
    </>
  ),
}));

function open(avatar: string | null = null) {
  cropImage.mockReset().mockResolvedValue(cut);
  const uploads = fakeUploads();
  let user = { ...aUser, avatar };
  const api = fakeApi({
    'GET /user/info': () => user,
    'POST /user/info/edit': ({ body }) => {
      const { avatar: id } = body as { avatar: string };
      user = { ...user, avatar: id ? `/files/${id}` : null };
      return user;
    },
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
  });
  renderApp('/me/profile', user);
  return { api, uploads };
}

const choose = async (file: File) =>
  userEvent.upload(await screen.findByLabelText('Choose a picture'), file, { applyAccept: false });
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

describe('the picture', () => {
  it('is cut out, sent and saved', async () => {
    const { api, uploads } = open();
    await choose(aPicture());
    expect(await screen.findByRole('button', { name: 'Use this picture' })).toBeDisabled();
    await press('place');
    await press('Use this picture');
    await waitFor(() => expect(uploads).toHaveLength(1));
    expect(cropImage).toHaveBeenCalledWith(expect.any(File), area);
    expect(uploads[0]?.file?.type).toBe('image/jpeg');
    uploads[0]?.done('f7');
    expect(await screen.findByText('Picture saved')).toBeVisible();
    expect(api.to('/user/info/edit')[0]?.body).toEqual({ avatar: 'f7' });
    expect(session.get().user?.avatar).toBe('/files/f7');
    expect(await screen.findByLabelText('Choose a picture')).toHaveFocus();
  });

  it.each([
    [aPicture('notes.txt', 10, 'text/plain'), 'Please select an image file'],
    [aPicture('huge.png', 5 * 1024 * 1024 + 1), 'Image size cannot exceed 5MB'],
  ])('is refused before anything is sent: %#', async (file, expected) => {
    const { uploads } = open();
    await choose(file);
    expect(await screen.findByText(expected)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Use this picture' })).toBeNull();
    expect(uploads).toEqual([]);
  });

  it.each([
    [
      aPicture('a.heic', 10, 'image/heic'),
      /cannot be read. Please choose a JPEG, PNG, WebP or GIF/,
    ],
    [aPicture('notes', 10, ''), 'Please select an image file'],
  ])('is refused when the browser cannot show it: %#', async (file, expected) => {
    open();
    await choose(file);
    await press('break');
    expect(await screen.findByText(expected)).toBeVisible();
  });

  it('stays as it is when the server refuses it', async () => {
    const { uploads } = open();
    await choose(aPicture());
    await press('place');
    await press('Use this picture');
    await waitFor(() => expect(uploads).toHaveLength(1));
    uploads[0]?.refuse(405, 'This image is too large to process', 'image_too_complex');
    expect(await screen.findByText('This image is too large to process')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Use this picture' })).toBeEnabled();
  });

  it('is not saved once it was given up', async () => {
    const { api, uploads } = open();
    await choose(aPicture());
    await press('place');
    await press('Use this picture');
    await waitFor(() => expect(uploads).toHaveLength(1));
    await press('Cancel');
    expect(await screen.findByLabelText('Choose a picture')).toBeVisible();
    expect(uploads[0]?.aborted).toBe(true);
    uploads[0]?.done('f7');
    await new Promise((resolve) => setTimeout(resolve));
    expect(api.to('/user/info/edit')).toEqual([]);
    expect(session.get().user?.avatar).toBeNull();
  });

  it('is not sent where it was given up while it was cut out', async () => {
    const { api, uploads } = open();
    let cutOut = () => {};
    cropImage.mockReturnValue(
      new Promise((done) => {
        cutOut = () => done(cut);
      }),
    );
    await choose(aPicture());
    await press('place');
    await press('Use this picture');
    await waitFor(() => expect(cropImage).toHaveBeenCalled());
    await press('Cancel');
    expect(await screen.findByLabelText('Choose a picture')).toBeVisible();
    cutOut();
    await waitFor(() => expect(uploads).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve));
    expect(uploads[0]?.file).toBeNull();
    expect(api.to('/user/info/edit')).toEqual([]);
  });

  it('is sent once when only the saving was lost', async () => {
    const { api, uploads } = open();
    api.answer('POST /user/info/edit', lostConnection);
    await choose(aPicture());
    await press('place');
    await press('Use this picture');
    await waitFor(() => expect(uploads).toHaveLength(1));
    uploads[0]?.done('f7');
    expect(await screen.findByText(/The connection was lost. The image is kept/)).toBeVisible();
    api.answer('POST /user/info/edit', () => ({ ...aUser, avatar: '/files/f7' }));
    await press('Use this picture');
    expect(await screen.findByText('Picture saved')).toBeVisible();
    expect(uploads).toHaveLength(1);
  });

  it('can be taken away, and a failure says so', async () => {
    const { api } = open('/files/f1');
    api.answer('POST /user/info/edit', () => new Refusal(500, 'Server error'));
    await press('Remove');
    expect(await screen.findByText('Server error')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Remove' })).toBeEnabled();
    api.answer('POST /user/info/edit', () => aUser);
    await press('Remove');
    expect(await screen.findByText('Picture removed')).toBeVisible();
    expect(api.to('/user/info/edit').at(-1)?.body).toEqual({ avatar: '' });
    expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull();
  });
});
