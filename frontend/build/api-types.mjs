/*
 * The types of what the page may ask for, from the server's own description: the calls below /api,
 * what they are sent and what they answer. Advertisers, exchanges and the pages of publishers ask
 * for the rest, and how a call is turned away before anything answers it is no type of the page's.
 *
 * `node build/api-types.mjs` writes them; with `--check` it only says whether they are up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';

const file = new URL('../src/api/openapi.d.ts', import.meta.url);
const described = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));

for (const [path, calls] of Object.entries(described.paths)) {
  if (!path.startsWith('/api/')) delete described.paths[path];
  for (const call of Object.values(calls)) call.responses = { 200: call.responses[200] };
}
delete described.components.responses;

const options = { defaultNonNullable: false, rootTypes: true, rootTypesNoSchemaPrefix: true };
const types = COMMENT_HEADER + astToString(await openapiTS(described, options));
if (!process.argv.includes('--check')) writeFileSync(file, types);
else if (readFileSync(file, 'utf8') !== types) {
  console.error('src/api/openapi.d.ts is not of this openapi.json: run `npm run api:types`.');
  process.exit(1);
}
