import '@/ui/tokens.css';
import '@/ui/base.css';
import { createRoot } from 'react-dom/client';
import { startTexts, wantAllTexts } from '@/i18n/texts';
import { Theme } from '@/ui/Theme';
import { Gallery } from './Gallery';

wantAllTexts();
await startTexts('en');
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <Theme>
      <Gallery />
    </Theme>,
  );
