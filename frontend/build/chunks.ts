/** What is loaded before the login can be used: the shell and its first page. */
const roots = ['src/main.tsx', 'src/features/auth/LoginPage.tsx'];

/** Parts that some pages open on demand, and which no other page should pay for. */
const onDemand = /locales|react-vant|Transaction|PinField|PinPad|pin-hash|js-md5|libphonenumber/;

type Graph = { getModuleInfo(id: string): { importedIds?: readonly string[] } | null };

/**
 * Left to itself the bundler makes a file of each small part that two pages share: a hundred
 * requests, whose names alone weigh 2 KB in the first file. So the first page is two files, of
 * which React's outlives many releases, and what three pages or more share is a third.
 */
export function chunkGroups() {
  let first: Set<string> | null = null;
  const isFirst = (id: string, graph: Graph) => {
    first ??= reachable(graph);
    return first.has(id) && !id.endsWith('/src/main.tsx');
  };
  return [
    { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
    { name: (id: string, graph: Graph) => (isFirst(id, graph) ? 'first' : null), priority: 2 },
    {
      name: 'shared',
      test: (id: string) => !onDemand.test(id),
      minShareCount: 3,
      priority: 1,
    },
  ];
}

function reachable(graph: Graph): Set<string> {
  const found = new Set<string>();
  const waiting = roots.map((root) => new URL(`../${root}`, import.meta.url).pathname);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
