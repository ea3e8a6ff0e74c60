import { act, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { currentToast } from '@/ui/feedback/toast-store';
import { noteMissingStyles } from './missing-files';
import { OnDemand } from './OnDemand';

const Hello = ({ name }: { name: string }) => <p>Hello {name}</p>;

afterEach(() => vi.restoreAllMocks());

describe('a part on demand', () => {
  it('comes with its properties, and something stands in for it until then', async () => {
    const load = async () => Hello;
    const given = { load, onMissing: () => {}, fallback: <p>Wait</p> };
    const { rerender } = render(<OnDemand {...given} props={{ name: 'Lena' }} />);
    expect(screen.getByText('Wait')).toBeVisible();
    expect(await screen.findByText('Hello Lena')).toBeVisible();
    rerender(<OnDemand {...given} props={{ name: 'Mia' }} />);
    expect(screen.getByText('Hello Mia')).toBeVisible();
  });

  it('leaves the page as it is when its code cannot be had, and tries again the next time', async () => {
    const load = vi.fn().mockRejectedValueOnce(new TypeError('gone')).mockResolvedValue(Hello);
    const onMissing = vi.fn();
    const asked = (
      <>
        <input aria-label="typed" defaultValue="kept" />
        <OnDemand load={load} onMissing={onMissing} props={{ name: 'Lena' }} />
      </>
    );
    const { unmount } = render(asked);
    await act(async () => {});
    expect(onMissing).toHaveBeenCalledOnce();
    expect(currentToast()?.text).toMatch(/Nothing you typed is lost/);
    expect(screen.getByLabelText('typed')).toHaveValue('kept');
    unmount();
    render(asked);
    expect(await screen.findByText('Hello Lena')).toBeVisible();
  });

  it('is not drawn without the styles that were missing the last time', async () => {
    noteMissingStyles();
    const failed = document.createElement('link');
    failed.rel = 'stylesheet';
    failed.href = '/assets/part.css';
    document.head.append(failed);
    failed.dispatchEvent(new Event('error'));
    const onMissing = vi.fn();
    const part = (
      <OnDemand load={async () => Hello} onMissing={onMissing} props={{ name: 'Lena' }} />
    );
    const answer = (kind: string) =>
      act(async () => {
        document.head.querySelector('[href$="/part.css"]')?.dispatchEvent(new Event(kind));
      });
    const { unmount } = render(part);
    await answer('error');
    await waitFor(() => expect(onMissing).toHaveBeenCalledOnce());
    unmount();
    render(part);
    await act(async () => {});
    expect(screen.queryByText('Hello Lena')).toBeNull();
    await answer('load');
    expect(await screen.findByText('Hello Lena')).toBeVisible();
  });
});
