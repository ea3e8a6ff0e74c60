import { defineConfig } from 'vite';
import { oldestBrowsers } from '../build/browsers.ts';

/** What runs in publishers' pages and in creatives' frames: one file each, under a lasting name. */
const entries = ['tag', 'frame'];

export default defineConfig(({ mode }) => {
  if (!entries.includes(mode)) throw new Error(`--mode is one of ${entries.join(', ')}`);
  return {
    publicDir: false,
    build: {
      outDir: new URL('../dist', import.meta.url).pathname,
      emptyOutDir: false,
      target: oldestBrowsers,
      lib: {
        entry: new URL(`${mode}.ts`, import.meta.url).pathname,
        formats: ['iife'],
        name: 'placard',
        fileName: () => `${mode}.js`,
      },
    },
  };
});
