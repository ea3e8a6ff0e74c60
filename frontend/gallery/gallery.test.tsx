import { act, render } from '@testing-library/react';
import { HashRouter } from 'react-router-dom';
import { describe, expect, it, vi } from 'vitest';
import { families } from './families';
import { readSettings, writeSettings } from './settings';

const modules = import.meta.glob<Record<string, unknown>>(
  // Theme wraps all the others.
  ['../src/ui/**/*.tsx', '!../src/ui/**/*.test.tsx', '!../src/ui/Theme.tsx'],
  { eager: true },
);

/** A component's name is capitalized, but not in capitals as a constant's is. */
const isComponent = (name: string) => /^[A-Z]\w*[a-z]/.test(name);

const components = Object.values(modules).flatMap((module) =>
  Object.keys(module).filter(isComponent),
);
const entries = families.flatMap((family) => family.entries);
describe('the gallery', () => {
  it('has every component of src/ui', () => {
    const shown = entries.flatMap(({ component, and = [] }) => [component.split(' ')[0], ...and]);
    expect(components.length).toBeGreaterThan(40);
    expect(components.filter((name) => !shown.includes(name))).toEqual([]);
    expect(shown.filter((name) => !components.includes(name ?? ''))).toEqual([]);
  });

  it.each(entries)('draws $component in each state without a complaint', async ({ states }) => {
    const complaints = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')];
    for (const [state, State] of Object.entries(states)) {
      const { unmount } = render(
        <HashRouter>
          <State />
        </HashRouter>,
      );
      // Pickers load when opened.
      await act(async () => {});
      expect(
        complaints.flatMap((one) => one.mock.calls),
        state,
      ).toEqual([]);
      unmount();
    }
  });
});

describe('its settings', () => {
  it('come back from the address', () => {
    const settings = { theme: 'dark', lang: 'th', width: '320', text: '200', motion: 'reduced' };
    expect(readSettings(writeSettings(settings))).toEqual(settings);
  });

  it('take nothing that cannot be chosen', () => {
    const first = readSettings('');
    expect(readSettings('?theme=pink&lang=xx&width=1&text=9000&motion=fast')).toEqual(first);
  });
});
