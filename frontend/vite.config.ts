import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { VitePWA } from 'vite-plugin-pwa';
import { defineConfig } from 'vitest/config';
import { aliases } from './build/aliases.ts';
import { appTexts } from './build/app-texts.ts';
import { oldestBrowsers } from './build/browsers.ts';
import { chunkGroups } from './build/chunks.ts';
import { flakyTests } from './build/flaky-tests.ts';
import { inLanguages } from './build/in-languages.ts';
import { oldBrowserNotice } from './build/old-browser.ts';
import { stylesAfterOpening } from './build/opening.ts';
import { leanReactRouter } from './build/react-router.ts';
import { reactVant } from './build/react-vant.ts';

const server = process.env.PLACARD_DEV_SERVER ?? 'http://127.0.0.1:8080';
const served = ['/api', '/t', '/l', '/log', '/ads', '/files', '/media'];

/** Figures stored on a device are useless if the answers have another shape. */
const api = createHash('sha256').update(readFileSync(new URL('openapi.json', import.meta.url)));

/**
 * The worker precaches only the shell; pages and languages are added as they are used:
 * docs/FRONTEND.md.
 */
function installed() {
  return VitePWA({
    strategies: 'injectManifest',
    srcDir: 'src/installed',
    filename: 'sw.ts',
    injectRegister: null,
    manifest: false,
    injectManifest: {
      globPatterns: ['index.html', 'favicon.svg', 'assets/{first,react,rolldown-runtime}-*'],
      manifestTransforms: [
        async (entries) => ({
          manifest: entries.map((entry) => ({
            ...entry,
            url: entry.url === 'index.html' ? '/' : entry.url,
          })),
        }),
      ],
    },
  });
}

export default defineConfig({
  plugins: [
    appTexts(),
    leanReactRouter(),
    reactVant(),
    react(),
    stylesAfterOpening(),
    oldBrowserNotice(),
    inLanguages(),
    installed(),
  ],
  // Every address is a hash route below "/", where the server's binary serves this build.
  base: '/',
  resolve: { alias: aliases },
  optimizeDeps: { rolldownOptions: { plugins: reactVant() } },
  server: {
    fs: { allow: ['..'] },
    // As patterns with the closing slash, because "/t" alone would also match "/tokens.css".
    proxy: Object.fromEntries(served.map((path) => [`^${path}/`, { target: server }])),
  },
  define: { __API__: JSON.stringify(api.digest('hex').slice(0, 12)) },
  build: {
    outDir: 'dist',
    target: oldestBrowsers,
    // The oldest of them fetch what a page needs as they meet it.
    modulePreload: { polyfill: false },
    // `npm run size` reads what each page loads from it.
    manifest: true,
    chunkSizeWarningLimit: 300,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunkGroups() },
        // The login loads the names of all files. Fewer characters tell releases apart as well.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:6][extname]',
      },
    },
  },
  test: {
    environment: 'jsdom',
    reporters: ['default', flakyTests()],
    testTimeout: 60_000,
    // A third of a test's time is waiting, as for a pause in typing. By default, one core is left idle.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    setupFiles: ['src/testing/setup.ts'],
    include: ['{src,tag,gallery}/**/*.test.{ts,tsx}'],
    css: false,
    // Its files import each other in ways that a bundler resolves, but Node does not.
    server: { deps: { inline: [/react-vant/] } },
  },
});
