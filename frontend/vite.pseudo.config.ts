import { mergeConfig } from 'vite';
import { pseudoTexts } from './build/pseudo-texts.ts';
import base from './vite.config.ts';

// For looking at layouts, never for users: `npx vite --config vite.pseudo.config.ts`.
export default mergeConfig(base, { plugins: [pseudoTexts()] });
