import { defineConfig } from 'vite';
import { aliases } from '../../build/aliases.ts';
import { appTexts } from '../../build/app-texts.ts';

/** The page's own check, without the rest of the app: `npm run bench:proof`. */
export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  plugins: [appTexts()],
  resolve: { alias: aliases },
  define: { __API__: '""' },
  build: { target: 'es2022', emptyOutDir: false },
});
