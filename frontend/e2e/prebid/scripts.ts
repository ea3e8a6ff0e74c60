import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { script } from '../publishers/script.ts';

/** Prebid.js as a publisher builds it of the package, in one script. */
export function prebidScript() {
  return script(join(import.meta.dirname, 'entry.ts'));
}

const built = join(import.meta.dirname, '../../node_modules/prebid-9/dist');
const core = 'prebid-core.js';
const modules = ['consentManagementTcf.js', 'nativeRendering.js', 'prebidServerBidAdapter.js'];

/**
 * The Prebid.js of two years ago, with the same modules. Its package has them built; they are put
 * together as its own builder does it: the core, what it and the modules need, and the modules.
 */
export async function oldPrebidScript() {
  const read = (file: string) => readFileSync(join(built, file), 'utf8');
  const needed = JSON.parse(read('dependencies.json')) as Record<string, string[]>;
  const parts = [core, ...modules].flatMap((file) => needed[file] ?? []);
  const files = new Set([core, ...parts, ...modules]);
  return [...files].map(read).concat('pbjs.processQueue();').join('\n;');
}
