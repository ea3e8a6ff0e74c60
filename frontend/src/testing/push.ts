import { vi } from 'vitest';

/** A browser that can be sent notices: its permission, and what the user answers when asked. */
export function fakePush(
  permission: NotificationPermission,
  answer: NotificationPermission = permission,
) {
  const registration = { endpoint: 'https://push.example.net/1', p256dh: 'p', auth: 'a' };
  const keys: string[] = [];
  let asked = 0;
  let refused = false;
  let subscription: object | null = null;
  const { endpoint, ...given } = registration;
  const made = {
    toJSON: () => ({ endpoint, keys: given }),
    unsubscribe: async () => {
      subscription = null;
    },
  };
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      if (refused) {
        refused = false;
        throw new DOMException('another key', 'InvalidStateError');
      }
      keys.push(applicationServerKey);
      subscription = made;
      return made;
    },
  };
  const notification = {
    permission,
    requestPermission: async () => {
      asked += 1;
      notification.permission = answer;
      return answer;
    },
  };
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', notification);
  const serviceWorker = { getRegistration: async () => ({ pushManager }) };
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker });
  return {
    registration,
    asked: () => asked,
    keys: () => keys,
    /** The browser has another registration already. */
    refuseOnce() {
      refused = true;
      subscription = made;
    },
    subscribed() {
      subscription = made;
    },
  };
}
