/*
 * Compresses the files in dist with Brotli at the highest level, for which the server has no time
 * during a request. It sends the `.br` file to clients that accept it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const text = /\.(?:js|css|html|json|svg|webmanifest)$/;
/** Less fits into one packet anyway. */
const least = 1024;
const dist = join(import.meta.dirname, '../dist');

async function compress(file) {
  const whole = readFileSync(file);
  if (whole.length < least) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: whole.length,
  };
  const small = await promisify(brotliCompress)(whole, { params });
  if (small.length < whole.length) writeFileSync(`${file}.br`, small);
}

const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
const served = files.filter((name) => text.test(name) && !name.startsWith('.'));
await Promise.all(served.map((name) => compress(join(dist, name))));
