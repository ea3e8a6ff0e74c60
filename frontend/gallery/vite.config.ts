import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { aliases } from '../build/aliases.ts';
import { appTexts } from '../build/app-texts.ts';
import { reactVant } from '../build/react-vant.ts';

const at = (path: string) => new URL(path, import.meta.url).pathname;

// A tool for developers, not part of the product: `npm run gallery`.
export default defineConfig({
  root: at('.'),
  publicDir: at('../public'),
  cacheDir: at('../node_modules/.vite/gallery'),
  plugins: [appTexts(), reactVant(), react()],
  resolve: { alias: aliases },
  optimizeDeps: { rolldownOptions: { plugins: reactVant() } },
  server: { port: 5174, fs: { allow: ['../..'] } },
  build: {
    target: 'es2022',
    // For older browsers, light-dark() is compiled to follow the device only, and the switch would
    // not work.
    cssTarget: 'chrome123',
    chunkSizeWarningLimit: 1000,
    rolldownOptions: { input: [at('index.html'), at('specimens.html')] },
  },
});
