import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { appTexts } from './build/app-texts.ts';
import { chunkGroups } from './build/chunks.ts';
import { reactRouterUnused } from './build/react-router-unused.ts';
import { reactVantCss } from './build/react-vant-css.ts';

const server = process.env.PLACARD_DEV_SERVER ?? 'http://127.0.0.1:8080';
const served = ['/api', '/t', '/l', '/ads', '/files', '/media'];

export default defineConfig({
  plugins: [appTexts(), reactVantCss(), reactRouterUnused(), react()],
  // Every address is a hash route below "/", where the server's own binary serves this build.
  base: '/',
  resolve: { alias: { '@': new URL('./src', import.meta.url).pathname } },
  optimizeDeps: { rolldownOptions: { plugins: [reactVantCss()] } },
  server: {
    fs: { allow: ['..'] },
    // As patterns with the closing slash: "/t" alone would also catch "/tokens.css".
    proxy: Object.fromEntries(served.map((path) => [`^${path}/`, { target: server }])),
  },
  build: {
    outDir: 'dist',
    target: 'es2022',
    // Whoever knows light-dark() knows module preloading too.
    modulePreload: { polyfill: false },
    // `npm run size` reads from it what each page loads.
    manifest: true,
    chunkSizeWarningLimit: 300,
    rolldownOptions: {
      output: { codeSplitting: { groups: chunkGroups() } },
    },
  },
  test: {
    environment: 'jsdom',
    testTimeout: 20_000,
    setupFiles: ['src/testing/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    css: false,
  },
});
