import { readdirSync } from 'node:fs';

type Graph = { getModuleInfo(id: string): { importedIds?: readonly string[] } | null };

/** Loaded before the login can be used: the shell and its first page. */
const first = ['src/main.tsx', 'src/features/people/auth/LoginPage.tsx'];

/** The frame around every page behind the login. */
const frame = ['src/app/signed-in/SignedIn.tsx', 'src/app/frame/TabBar.tsx'];

/**
 * The requests of those pages. They load in parallel with the pages' code, and start before a page
 * is drawn.
 */
const data = ['src/app/data.ts'];

/** The pages on which a signed-in user starts. */
const tabs = /\/(AdCenter|PlanList|Wallet|Me)Page\.tsx$/;

/** Parts that some pages open on demand. Other pages should not have to load them. */
const onDemand = /locales|react-vant\/es\/picker/;

/** These re-export far more than is used. What is used comes with the chunk that imports it. */
const barrel = /react-vant\/(es\/(hooks|utils|locale)|icons\/es)\/index\.js$/;

/**
 * By default, the bundler makes a file of each small part that two pages share: a hundred requests,
 * each a round trip. So there are three files for the first page, and two each for the requests, for
 * what a tab shares with other pages, and for what only the others share: libraries, which outlive
 * our releases, and our own code.
 */
export function chunkGroups() {
  let known: ReturnType<typeof partsOf> | null = null;
  const parts = (graph: Graph) => {
    known ??= partsOf(graph);
    return known;
  };
  // A group also takes the imports of its modules, so the earlier ones come first.
  const groups = (['first', 'data', 'shared', 'further'] as const).flatMap((part, at) => {
    const library = (id: string, graph: Graph) =>
      id.includes('/node_modules/') && parts(graph)[part].has(id) ? `${part}-libraries` : null;
    const own = (id: string, graph: Graph) => (parts(graph)[part].has(id) ? part : null);
    return [
      { name: library, priority: 8 - 2 * at },
      { name: own, priority: 7 - 2 * at },
    ];
  });
  return [
    { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 9 },
    ...groups,
  ];
}

function partsOf(graph: Graph) {
  const shared = reachable(frame, graph);
  const further = new Set<string>();
  const onTabs = new Set<string>();
  const counts = new Map<string, number>();
  for (const page of pages()) {
    for (const id of reachable([page], graph)) {
      counts.set(id, (counts.get(id) ?? 0) + 1);
      if (tabs.test(page)) onTabs.add(id);
    }
  }
  for (const [id, count] of counts) {
    if (onDemand.test(id)) continue;
    if (onTabs.has(id) && count >= 2) shared.add(id);
    // Of two pages it is not worth that all others load it.
    else if (!onTabs.has(id) && count >= 3) further.add(id);
  }
  return {
    first: reachable(first, graph),
    data: reachable(data, graph),
    shared,
    further,
  };
}

function pages(): string[] {
  const features = new URL('../src/features/', import.meta.url);
  const files = readdirSync(features, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('Page.tsx')).map((file) => `src/features/${file}`);
}

function reachable(roots: readonly string[], graph: Graph): Set<string> {
  const found = new Set<string>();
  const waiting = roots.map((root) => new URL(`../${root}`, import.meta.url).pathname);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    if (barrel.test(id)) continue;
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
