/*
 * Whether the phone's verifier takes and refuses the same files as the others: `npm run proofs:agree -- DIR`, where
 * `cargo run -p proof --example histories -- DIR COUNT SEED` has written them. Prints where it does not, and fails.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { proofCode } from './proof-code.mjs';

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: npm run proofs:agree -- DIR');
  process.exit(2);
}
const { parseKeys, proofReader, verifyFile } = await proofCode('note', 'verify');

function holds(name) {
  const keys = parseKeys(readFileSync(join(folder, `${name}.key`), 'utf8'));
  if (!keys) return 'the key file is none';
  try {
    const reader = proofReader();
    reader.push(new Uint8Array(readFileSync(join(folder, `${name}.proof`))));
    verifyFile(reader.finish(), keys);
    return null;
  } catch (error) {
    // Anything but a refusal is a fault of the verifier.
    if (error.fault === undefined) throw error;
    return error.message;
  }
}

const list = readFileSync(join(folder, 'list.txt'), 'utf8').trim().split('\n');
const wrong = [];
for (const [name, verdict, ...about] of list.map((line) => line.split(/\s+/))) {
  const refusal = holds(name);
  if ((refusal === null) !== (verdict === 'holds')) wrong.push([name, verdict, ...about, refusal]);
}
for (const one of wrong) console.error(one.join(' '));
console.log(`${list.length - wrong.length} of ${list.length} files as they should be`);
if (wrong.length > 0 || list.length === 0) process.exit(1);
