import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test as base } from '../e2e/test.ts';
import { Watch } from './watch.ts';
import type { Browser } from './webdriver/commands.ts';
import { startGecko } from './webdriver/gecko.ts';
import { type Launch, Program } from './webdriver/program.ts';
import { Tab } from './webdriver/tab.ts';
import { startWebKit } from './webdriver/webkit.ts';

const engines: Record<string, (folder: string, launch: Launch) => Promise<Browser>> = {
  WebKit: startWebKit,
  Gecko: startGecko,
};

type Given = { folder: string; programs: Program[]; engine: Browser; watch: Watch; tab: Tab };

/** Gives each test a browser of the project's engine, as wide as a phone, and what its pages fail at. */
export const test = base.extend<Given>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from it.
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'placard-engine-'));
    await use(folder);
    await rm(folder, { recursive: true, force: true });
  },
  // They write into the folder until they end.
  programs: async ({ folder: _ }, use) => {
    const programs: Program[] = [];
    await use(programs);
    for (const program of programs.reverse()) await program.end();
  },
  engine: async ({ folder, programs }, use, { project }) => {
    const start = engines[project.name];
    if (!start) throw new Error(`no engine is called ${project.name}`);
    const launch: Launch = (...how) => {
      const program = Program.start(...how);
      programs.push(program);
      return program;
    };
    await use(await start(folder, launch));
  },
  watch: async ({ installation }, use) => {
    const watch = await Watch.before(installation.base);
    await use(watch);
    await watch.close();
  },
  tab: async ({ programs, engine, watch }, use, info) => {
    const tab = new Tab(engine, watch.base);
    await tab.fit(375, 812);
    await use(tab);
    if (info.status === info.expectedStatus) return;
    await writeFile(info.outputPath('screen.png'), await tab.picture());
    await writeFile(
      info.outputPath('output.txt'),
      programs.flatMap(({ output }) => output).join('\n'),
    );
  },
});

export { expect };
