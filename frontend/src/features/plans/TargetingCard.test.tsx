import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { showLanguage, wantAllTexts } from '@/i18n/texts';
import { TargetingCard } from './TargetingCard';

const targeting = {
  regions: ['DE', 'Coast'],
  languages: ['th'],
  devices: ['mobile', 'desktop'],
  interests: ['food', 'kites'],
};

describe('the audience', () => {
  it('is named in words, and in those of the provider where there are no others', () => {
    render(<TargetingCard targeting={targeting} />);
    expect(screen.getByText('Germany · Coast')).toBeVisible();
    expect(screen.getByText('Thai')).toBeVisible();
    expect(screen.getByText('Mobile phones · Computers')).toBeVisible();
    expect(screen.getByText('Food · kites')).toBeVisible();
  });

  it("is named in the reader's language", async () => {
    wantAllTexts();
    await showLanguage('cht');
    render(<TargetingCard targeting={targeting} />);
    expect(screen.getByText('德國 · Coast')).toBeVisible();
    expect(screen.getByText('手機 · 電腦')).toBeVisible();
    expect(screen.getByText('美食 · kites')).toBeVisible();
  });

  it('is everyone where nothing is named', () => {
    render(
      <TargetingCard targeting={{ regions: [], languages: [], devices: [], interests: [] }} />,
    );
    for (const all of ['All regions', 'All languages', 'All devices', 'All interests']) {
      expect(screen.getByText(all)).toBeVisible();
    }
  });
});
