/**
 * The notification that the worker shows for a message in the declarative form (`web_push: 8030`).
 */
type Pushed = {
  title: string;
  options: { body: string; lang: string; tag: string; icon: string; data: { page: string } };
  /** The number on the app's icon. */
  unread: number;
};

/** A browser wants something to be shown for every message, so one that cannot be read is too. */
export function readPushed(text: string): Pushed {
  const { notification = {}, app_badge: unread } = parsed(text);
  const { title, body, lang, tag, navigate } = notification;
  return {
    title: word(title) || 'Placard',
    options: {
      body: word(body),
      lang: word(lang),
      tag: word(tag),
      icon: '/icon-192.png',
      data: { page: pageOf(word(navigate)) },
    },
    unread: typeof unread === 'number' ? unread : 0,
  };
}

type Read = { notification?: Record<string, unknown>; app_badge?: unknown };

function parsed(text: string): Read {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read ? (read as Read) : {};
  } catch {
    return {};
  }
}

function word(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Whether a window shows the app: the public log and landing pages, which are served here too, are left alone. */
export function isApp({ url }: { url: string }): boolean {
  return new URL(url).pathname === '/';
}

/** The page within the app. Whatever origin the address has, only the app itself is opened. */
function pageOf(address: string): string {
  const from = address.indexOf('#/');
  return from < 0 ? '/' : `/${address.slice(from)}`;
}
