import { describe, expect, it, vi } from 'vitest';
import { actOn, type Effects } from './error-actions';
import { ApiError, NetworkError } from './errors';

function world(onEntryRoute = false) {
  const done: string[] = [];
  const effects: Effects = {
    toast: (text) => void done.push(`toast ${text}`),
    text: (key) => `<${key}>`,
    switchLanguage: async (lang) => void done.push(`language ${lang}`),
    openCustomerService: (message) => void done.push(`service ${message}`),
    onEntryRoute: () => onEntryRoute,
    goToWelcomeKeepingQuery: () => void done.push('welcome'),
    endSession: () => void done.push('end session'),
  };
  return { done, effects: vi.mocked(effects) };
}

async function act(error: ApiError | NetworkError, onEntryRoute = false) {
  const { done, effects } = world(onEntryRoute);
  await actOn(error, effects);
  return done;
}

const german = { lang: 'de' };

describe('what each code does', () => {
  it.each([
    [400, 'Wrong amount', ['toast Wrong amount']],
    [400, '', ['toast <system>']],
    [405, 'Insufficient balance', ['toast Insufficient balance']],
    [405, '', ['toast <error>']],
    [500, '', ['toast <server>']],
    [500, 'Sorry', ['toast Sorry']],
    [503, 'whatever', ['toast <expired>', 'end session']],
    [4001, 'taken', ['toast <userExists>']],
    [999, 'Strange', ['toast Strange']],
    [999, '', ['toast <error>']],
  ])('%i with "%s"', async (code, msg, expected) => {
    expect(await act(new ApiError(code, msg, german))).toEqual(expected);
  });

  it.each([
    [402, 'notActivated'],
    [403, 'disabled'],
    [404, 'cancelled'],
  ])('%i switches the language, then opens customer service', async (code, key) => {
    expect(await act(new ApiError(code, '', german))).toEqual(['language de', `service <${key}>`]);
    expect(await act(new ApiError(code, 'Gesperrt', german))).toEqual([
      'language de',
      'service Gesperrt',
    ]);
  });

  it('401 leads to the welcome page on an entry route, else it says so', async () => {
    const error = new ApiError(401, 'User not authorized', german);
    expect(await act(error, true)).toEqual(['language de', 'welcome']);
    expect(await act(error)).toEqual(['toast User not authorized']);
  });

  it('a lost connection says that nothing typed is lost', async () => {
    expect(await act(new NetworkError(0, 'x'))).toEqual(['toast <offline>']);
  });

  it('and what may hold a request back, where the server can be reached', async () => {
    expect(await act(new NetworkError(0, 'x', null, true))).toEqual([
      'toast <offline> <adBlocker>',
    ]);
  });

  it.each([
    [502, 'Bad Gateway', '<unavailable>'],
    [503, '', '<unavailable>'],
    [504, 'Gateway Timeout', '<unavailable>'],
    [404, 'Not Found', '<error>'],
    [429, 'Too Many Requests', '<tooMany>'],
    [200, '', '<error>'],
  ])(
    'HTTP %i with "%s" says "%s", in the reader’s words, since somebody answered',
    async (status, words, text) => {
      expect(await act(new NetworkError(status, words))).toEqual([`toast ${text}`]);
    },
  );
});
