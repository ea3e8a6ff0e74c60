import { act, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { currentToast } from '@/ui/feedback/toast-store';
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
});
