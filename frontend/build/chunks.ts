import { readdirSync } from 'node:fs';

type Graph = { getModuleInfo(id: string): { importedIds?: readonly string[] } | null };

/** What is loaded before the login can be used: the shell and its first page. */
const first = ['src/main.tsx', 'src/features/people/auth/LoginPage.tsx'];

/** What every page behind the login stands in. */
const frame = ['src/app/signed-in/SignedIn.tsx', 'src/app/frame/TabBar.tsx'];

/** Where somebody who signs in, or comes back, begins. */
const tabs = /\/(AdCenter|PlanList|Wallet|Me)Page\.tsx$/;

/** Parts that some pages open on demand, and which no other page should pay for. */
const onDemand = /locales|react-vant|Transaction|PinField|PinPad|pin-hash|js-md5/;

/**
 * Left to itself the bundler makes a file of each small part that two pages share: a hundred
 * requests, each a round trip. So there are three for the first page and two for what the pages
 * behind the login share: libraries, which outlive our releases, and what is our own.
 */
export function chunkGroups() {
  let parts: ReturnType<typeof partsOf> | null = null;
  const partOf = (id: string, graph: Graph) => {
    parts ??= partsOf(graph);
    if (parts.first.has(id)) return 'first';
    return parts.shared.has(id) ? 'shared' : null;
  };
  const library = (id: string, graph: Graph) => {
    if (!id.includes('/node_modules/')) return null;
    const part = partOf(id, graph);
    return part && `${part}-libraries`;
  };
  const own = (id: string, graph: Graph) =>
    id.endsWith('/src/main.tsx') ? null : partOf(id, graph);
  return [
    { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
    { name: library, priority: 2 },
    { name: own, priority: 1 },
  ];
}

function partsOf(graph: Graph) {
  const firstParts = reachable(first, graph);
  const shared = reachable(frame, graph);
  const counts = new Map<string, number>();
  for (const page of pages()) {
    // Shared is what two tabs have in common, or a tab and another page, or three pages.
    const weight = tabs.test(page) ? 2 : 1;
    for (const id of reachable([page], graph)) counts.set(id, (counts.get(id) ?? 0) + weight);
  }
  for (const [id, count] of counts) if (count >= 3 && !onDemand.test(id)) shared.add(id);
  return { first: firstParts, shared };
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
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
