import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
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
    'chat.example.com/room',
    'http://chat.example.com/room',
    'https://chat.example.com:8443/',
    'https://chat.example.com.evil.test/',
    'https://evil.test/?https://chat.example.com/',
    'https://user:pass@chat.example.com/',
    'https://chat.example.com@evil.test/',
    'javascript:alert(1)//https://chat.example.com/',
    'data:text/html,https://chat.example.com/',
    '//chat.example.com/room',
  ])('not %s', (url) => {
    expect(allowedAddress(url, contacts)).toBeNull();
  });

  it('not our own, which a frame could act as', () => {
    const own = [{ id: 'x', type: 1, label: '', url: window.location.origin }];
    expect(allowedAddress(`${window.location.origin}/`, own)).toBeNull();
  });
});

describe('the customer page', () => {
  it('frames a known contact, shut in', async () => {
    const url = encodeURIComponent('https://chat.example.com/room');
    renderApp(`/customer?url=${url}`, aUser);
    const frame = await screen.findByTitle('Conversation with customer service');
    expect(frame).toHaveAttribute('src', 'https://chat.example.com/room');
    expect(frame.getAttribute('sandbox')).not.toMatch(/top-navigation|modals/);
    expect(screen.queryByRole('button', { name: 'Language' })).not.toBeInTheDocument();
  });

  it('refuses a stranger', async () => {
    const { container } = renderApp('/customer?url=https%3A%2F%2Fevil.test%2F', aUser);
    expect(await screen.findByText('This address is not ours')).toBeVisible();
    expect(container.querySelector('iframe')).toBeNull();
  });
});
