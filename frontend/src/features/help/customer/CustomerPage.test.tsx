import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { barAnswers } from '@/testing/answers';
import { fakeApi } from '@/testing/api';
import { aConfig, aUser } from '@/testing/data';
import { renderApp } from '@/testing/render-app';
import { allowedAddress } from './allowed-address';

const contacts = aConfig.customer_service_url;

describe('which addresses may be framed', () => {
  it.each(['https://chat.example.com/room?visitor=1', 'https://chat.example.com:443/'])(
    '%s',
    (url) => {
      expect(allowedAddress(url, contacts)).toBe(new URL(url).href);
    },
  );

  it.each([
    null,
    '',
    ' ',
    'chat.example.com/room',
    '//chat.example.com/room',
    '/room',
    '#/room',
    'http://chat.example.com/room',
    'ws://chat.example.com/room',
    'wss://chat.example.com/room',
    'ftp://chat.example.com/room',
    'file:///etc/passwd',
    'about:blank',
    'blob:https://chat.example.com/0f5c',
    'data:text/html,https://chat.example.com/',
    'data:text/html;base64,PHNjcmlwdD4=',
    'javascript:alert(1)//https://chat.example.com/',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    '\u0000javascript:alert(1)',
    'view-source:https://chat.example.com/',
    'intent://chat.example.com/#Intent;scheme=https;end',
    'https://chat.example.com:8443/',
    'https://chat.example.com.evil.test/',
    'https://chat.example.com./room',
    'https://evil.test/?https://chat.example.com/',
    'https://evil.test/#https://chat.example.com/',
    'https://evil.test/chat.example.com',
    'https://evilchat.example.com/',
    'https://example.com/',
    'https://user:pass@chat.example.com/',
    'https://user@chat.example.com/',
    'https://chat.example.com@evil.test/',
    'https://chat.example.com%40evil.test/',
    'https://chat.example.com\\@evil.test/',
    'https://evil.test\\chat.example.com/',
    'https://chat.еxample.com/',
    'https://help.example.com/',
    'mailto:support@example.com',
    'https:///',
    'https://chat.example.com\t.evil.test/',
    'https://chat.exam\nple.com/',
    ' https://chat.example.com/',
  ])('not %j', (url) => {
    expect(allowedAddress(url, contacts)).toBeNull();
  });

  it('not our own, which a frame could act as', () => {
    const own = [{ id: 'x', type: 1, label: '', url: window.location.origin }];
    expect(allowedAddress(`${window.location.origin}/`, own)).toBeNull();
  });
});

describe('the customer page', () => {
  beforeEach(() => void fakeApi(barAnswers));

  it('frames a known contact, shut in', async () => {
    const url = encodeURIComponent('https://chat.example.com/room');
    renderApp(`/customer?url=${url}`, aUser);
    const frame = await screen.findByTitle('Conversation with customer service');
    expect(frame).toHaveAttribute('src', 'https://chat.example.com/room');
    expect(frame.getAttribute('sandbox')).not.toMatch(/top-navigation|modals/);
    expect(screen.queryByRole('button', { name: 'Language' })).not.toBeInTheDocument();
  });

  it.each([
    '?url=',
    '?url=https%3A%2F%2Fevil.test%2F',
    '?url=javascript%3Aalert(1)',
    '?url=https%253A%252F%252Fchat.example.com%252Froom',
    '?url=https%3A%2F%2Fevil.test%2F&url=https%3A%2F%2Fchat.example.com%2Froom',
  ])('opens nothing for %s', async (query) => {
    const { container } = renderApp(`/customer${query}`, aUser);
    expect(await screen.findByText('This address is not ours')).toBeVisible();
    expect(container.querySelector('iframe')).toBeNull();
  });

  it('leads from an address that is not ours to the contacts that are', async () => {
    renderApp('/customer?url=https%3A%2F%2Fevil.test%2F', aUser);
    await userEvent.click(await screen.findByRole('button', { name: 'Ask customer service' }));
    expect(await screen.findByRole('dialog', { name: 'Customer service' })).toBeVisible();
  });

  it('is for who is signed in', async () => {
    const { container } = renderApp('/customer?url=https%3A%2F%2Fchat.example.com%2Froom');
    expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeVisible();
    expect(container.querySelector('iframe')).toBeNull();
  });

  it('has the shell open what the frame cannot show', async () => {
    const postMessage = vi.fn();
    window.PlacardAndroid = { postMessage };
    renderApp('/customer?url=https%3A%2F%2Fchat.example.com%2Froom', aUser);
    await userEvent.click(await screen.findByRole('link', { name: 'Open in a new tab' }));
    expect(postMessage.mock.calls).toEqual([
      ['{"type":"open","url":"https://chat.example.com/room"}'],
    ]);
    window.PlacardAndroid = undefined;
  });
});
