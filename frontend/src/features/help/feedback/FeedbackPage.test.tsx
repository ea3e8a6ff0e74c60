import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { session } from '@/api/session';
import { forgetDrafts } from '@/shared/forms/draft';
import { fakeApi, lostConnection, Refusal } from '@/testing/api';
import { aUser } from '@/testing/data';
import { fillIn } from '@/testing/fill-in';
import { renderApp } from '@/testing/render-app';
import { aPicture, type FakeUpload, fakeUploads } from '@/testing/uploads';

const send = 'POST /feedback';
let begun: FakeUpload[];

beforeEach(() => {
  begun = fakeUploads();
});
afterEach(() => forgetDrafts());

function api(answer: () => unknown = () => ({ id: '42' })) {
  return fakeApi({
    'POST /user/notifications/unread_count': () => ({ unread_total: 0 }),
    [send]: answer,
  });
}

async function fill(topic = 'Withdrawal', content = 'It takes long.') {
  await fillIn(await screen.findByLabelText('Topic'), topic);
  await fillIn(screen.getByLabelText('Your message'), content);
}

async function press() {
  await userEvent.click(screen.getByRole('button', { name: 'Send feedback' }));
}

describe('the feedback page', () => {
  it('sends topic and content, and says under which number', async () => {
    const { to } = api();
    renderApp('/ad-center/feedback', aUser);
    await fill(' Withdrawal ', 'It takes long.');
    await press();
    const title = await screen.findByRole('heading', { name: 'Thank you, we have received it' });
    expect(title).toHaveFocus();
    expect(screen.getByText(/Reference 42/)).toBeVisible();
    const body = { topic: 'Withdrawal', content: 'It takes long.', images: [] };
    expect(to('/feedback').map((sent) => sent.body)).toEqual([body]);
    await userEvent.click(screen.getByRole('button', { name: 'Send more feedback' }));
    expect(screen.getByLabelText('Topic')).toHaveValue('');
  });

  it('needs both, and says so at the fields', async () => {
    const { to } = api();
    renderApp('/ad-center/feedback', aUser);
    await screen.findByLabelText('Topic');
    await press();
    const topic = screen.getByLabelText('Topic');
    expect(topic).toHaveAccessibleDescription(/^Cannot be empty/);
    expect(topic).toHaveFocus();
    expect(screen.getByLabelText('Your message')).toHaveAccessibleDescription('Cannot be empty');
    await userEvent.type(topic, ' ');
    await press();
    expect(topic).toBeInvalid();
    expect(to('/feedback')).toEqual([]);
  });

  it('says that a text is too long, and cuts nothing of it', async () => {
    const { to } = api();
    renderApp('/ad-center/feedback', aUser);
    const texts = { Topic: 'x'.repeat(101), 'Your message': 'x'.repeat(2001) };
    for (const [label, text] of Object.entries(texts)) {
      await userEvent.click(await screen.findByLabelText(label));
      await userEvent.paste(text);
    }
    await press();
    for (const [label, text] of Object.entries(texts)) {
      expect(screen.getByLabelText(label)).toHaveValue(text);
      expect(screen.getByLabelText(label)).toHaveAccessibleDescription(/^Too long/);
    }
    expect(to('/feedback')).toEqual([]);
  });

  it('sends images with it', async () => {
    const { to } = api();
    renderApp('/ad-center/feedback', aUser);
    await fill();
    await userEvent.upload(screen.getByLabelText('Add image'), aPicture());
    await press();
    expect(screen.getByText(/still being uploaded/)).toBeVisible();
    expect(to('/feedback')).toEqual([]);
    await act(async () => begun[0]?.done('f1'));
    await press();
    await screen.findByText(/Reference 42/);
    expect(to('/feedback')[0]?.body).toMatchObject({ images: ['f1'] });
  });

  it('never leaves an image out silently', async () => {
    const { to } = api();
    renderApp('/ad-center/feedback', aUser);
    await fill();
    await userEvent.upload(screen.getByLabelText('Add image'), aPicture());
    await act(async () => begun[0]?.lose());
    await press();
    expect(screen.getByText(/An image has not been uploaded/)).toBeVisible();
    expect(to('/feedback')).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Remove shot.png' }));
    await press();
    await screen.findByText(/Reference 42/);
  });

  it('keeps everything through a lost connection and a reload, and is sent the second time', async () => {
    const fake = api(lostConnection);
    const { unmount } = renderApp('/ad-center/feedback', aUser);
    await fill();
    await userEvent.upload(screen.getByLabelText('Add image'), aPicture());
    await act(async () => begun[0]?.done('f1'));
    await press();
    expect(await screen.findByText(/is not confirmed/)).toBeVisible();
    expect(JSON.parse(sessionStorage.getItem('placard_draft_feedback_u1') ?? '')).toMatchObject({
      topic: 'Withdrawal',
      content: 'It takes long.',
      images: [{ sent: { id: 'f1' }, preview: '/api/files/f1' }],
    });
    unmount();
    renderApp('/ad-center/feedback', aUser);
    expect(await screen.findByLabelText('Topic')).toHaveValue('Withdrawal');
    expect(screen.getByText('shot.png: uploaded')).toBeInTheDocument();
    fake.answer(send, () => ({ id: '7' }));
    await press();
    await screen.findByText(/Reference 7/);
    expect(sessionStorage.getItem('placard_draft_feedback_u1')).toBeNull();
  });

  it('keeps what is changed while it is under way', async () => {
    let arrive = () => {};
    const arrival = new Promise<void>((done) => {
      arrive = done;
    });
    api(() => arrival.then(() => ({ id: '42' })));
    renderApp('/ad-center/feedback', aUser);
    await fill();
    await press();
    await userEvent.clear(screen.getByLabelText('Your message'));
    await userEvent.type(screen.getByLabelText('Your message'), 'Something else.');
    await act(async () => arrive());
    await screen.findByText(/Reference 42/);
    await userEvent.click(screen.getByRole('button', { name: 'Send more feedback' }));
    expect(screen.getByLabelText('Topic')).toHaveValue('');
    expect(screen.getByLabelText('Your message')).toHaveValue('Something else.');
  });

  it('shows what the server finds wrong at its field', async () => {
    api(() => new Refusal(400, 'Please check', { error: 'params', fields: { topic: 'too_long' } }));
    renderApp('/ad-center/feedback', aUser);
    await fill();
    await press();
    await waitFor(() =>
      expect(screen.getByLabelText('Topic')).toHaveAccessibleDescription(/Too long/),
    );
    expect(screen.getByLabelText('Your message')).toHaveValue('It takes long.');
  });

  it('keeps a draft through the end of a session, and from another user', async () => {
    api(() => new Refusal(503, 'expired', { error: 'token_expired' }));
    renderApp('/ad-center/feedback', aUser);
    await fill();
    await press();
    await screen.findByRole('heading', { name: 'Welcome back' });
    act(() => session.signIn({ token: 'other', user: { ...aUser, id: 'u2' } }));
    act(() => {
      window.location.hash = '#/ad-center/feedback';
    });
    expect(await screen.findByLabelText('Topic')).toHaveValue('');
    act(() => session.signIn({ token: 'again', user: aUser }));
    await waitFor(() => expect(screen.getByLabelText('Topic')).toHaveValue('Withdrawal'));
  });
});
