import '@/ui/tokens.css';
import '@/ui/base.css';
import '@/app/shell.css';
import { createRoot } from 'react-dom/client';
import { HashRouter } from 'react-router-dom';
import type { AppLanguage } from '@/i18n/languages';
import { startTexts, wantAllTexts } from '@/i18n/texts';
import { Theme } from '@/ui/Theme';
import { bendRules } from './rules';
import { SpecimenList } from './SpecimenList';
import { readSettings } from './settings';

const { search } = window.location;
const { theme, lang, text, motion } = readSettings(search);

wantAllTexts();
await startTexts(lang as AppLanguage);
const { style } = document.documentElement;
if (theme !== 'system') style.colorScheme = theme;
style.fontSize = `${text}%`;
bendRules(motion === 'reduced');
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <Theme>
      <HashRouter>
        <SpecimenList search={search} />
      </HashRouter>
    </Theme>,
  );
}
