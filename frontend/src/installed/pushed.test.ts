// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { isApp, readPushed } from './pushed';

const sent = {
  web_push: 8030,
  notification: {
    title: 'Withdrawal paid',
    body: '$12.00 is on its way.',
    lang: 'en',
    tag: '41',
    navigate: 'https://app.example/#/notification?id=41',
  },
  app_badge: 3,
};

describe('readPushed', () => {
  it('shows what was sent, and opens its entry', () => {
    const { title, options, unread } = readPushed(JSON.stringify(sent));
    expect([title, options.body, options.lang, unread]).toEqual([
      'Withdrawal paid',
      '$12.00 is on its way.',
      'en',
      3,
    ]);
    expect(options.data.page).toBe('/#/notification?id=41');
  });

  it('replaces what is shown with the same tag', () => {
    const again = { ...sent, app_badge: 4 };
    const tags = [sent, again].map((message) => readPushed(JSON.stringify(message)).options.tag);
    expect(tags).toEqual(['41', '41']);
  });

  it.each(['', 'nothing', 'null', '7', '{}', '{"notification":{"title":5,"navigate":[]}}'])(
    'shows something for %s',
    (text) => {
      const { title, options, unread } = readPushed(text);
      expect([title, options.data.page, unread]).toEqual(['Placard', '/', 0]);
    },
  );

  it.each(['https://elsewhere.example/', 'javascript:alert(1)', '//elsewhere.example'])(
    'does not leave the app for %s',
    (navigate) => {
      const text = JSON.stringify({ notification: { ...sent.notification, navigate } });
      expect(readPushed(text).options.data.page).toBe('/');
    },
  );
});

describe('isApp', () => {
  it.each([
    ['https://app.example/', true],
    ['https://app.example/?from=home#/plan', true],
    ['https://app.example/log/', false],
    ['https://app.example/l/abc', false],
  ])('%s: %s', (url, expected) => {
    expect(isApp({ url })).toBe(expected);
  });
});
