import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cacheConfig } from '@/api/queries/cached-config';
import { session } from '@/api/session';
import { aConfig, aUser } from '@/testing/data';
import { fakePush } from '@/testing/push';
import { PushCard } from './PushCard';

function draw() {
  return render(
    <MemoryRouter>
      <PushCard />
    </MemoryRouter>,
  );
}

const shown = () => screen.queryByText('Know when money moves') !== null;

describe('PushCard', () => {
  beforeEach(() => {
    session.signIn({ token: 'token-1', user: aUser });
    cacheConfig(aConfig);
  });
  afterEach(() => vi.unstubAllGlobals());

  it('leads to the page where it is turned on, and asks the browser nothing', async () => {
    const push = fakePush('default', 'granted');
    draw();
    const link = screen.getByRole('link', { name: 'Choose notifications' });
    expect(link.getAttribute('href')).toContain('/me/push');
    expect(push.asked()).toBe(0);
  });

  it('is put away for good', async () => {
    fakePush('default');
    const { unmount } = draw();
    await userEvent.click(screen.getByRole('button', { name: 'Not now' }));
    expect(shown()).toBe(false);
    unmount();
    draw();
    expect(shown()).toBe(false);
  });

  it.each(['granted', 'denied'] as const)('does not come where the answer was %s', (answer) => {
    fakePush(answer);
    draw();
    expect(shown()).toBe(false);
  });

  it('does not come where nothing is offered, or the browser cannot', () => {
    const { unmount } = draw();
    expect(shown()).toBe(false);
    unmount();
    fakePush('default');
    cacheConfig({ ...aConfig, push_key: null });
    draw();
    expect(shown()).toBe(false);
  });
});
