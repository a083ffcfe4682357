// Prints what the files of a page, or those of the npm package beside its models, take, and what of
// them is transferred, compressed with Brotli.
//
//   node web/size.mjs FOLDER

import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

// Fetched when the first picture stands, and when somebody asks for it.
const AFTER = ['mohawk_rest.wasm'];
// The most bytes that Chromium compiles while everything waits.
const MOST_AFTER = 8 << 20;
const LATER = ['models.zip'];

const [folder] = process.argv.slice(2);
const row = (name, ...bytes) =>
  console.log(name.padEnd(16), ...bytes.map((bytes) => `${(bytes / 1e6).toFixed(2)} MB`.padStart(9)));
const sums = { 'first picture': [0, 0], 'first visit': [0, 0] };
console.log('file'.padEnd(16), 'on disk'.padStart(9), 'Brotli'.padStart(9));
const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
for (const { name } of files.sort((a, b) => a.name.localeCompare(b.name))) {
  const bytes = await readFile(join(folder, name));
  const sizes = [bytes.length, brotliCompressSync(bytes).length];
  row(name, ...sizes);
  if (AFTER.includes(name) && bytes.length > MOST_AFTER) throw new Error(`${name} has more than 8 MiB`);
  for (const [what, sum] of Object.entries(sums)) {
    const isLater = LATER.includes(name) || what === 'first picture' && AFTER.includes(name);
    if (!isLater) sizes.forEach((size, i) => { sum[i] += size; });
  }
}
for (const [what, sum] of Object.entries(sums)) row(what, ...sum);
