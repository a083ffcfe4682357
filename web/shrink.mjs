// Makes what is compiled into the program smaller: fonts of symbols keep the signs that the program
// shows, and pictures of presets and of the head become WebP. Each takes the place of the original in
// the file, and zeros fill what is left, which take nothing in transfer.
//
//   node web/shrink.mjs PROGRAM.wasm

import { execFileSync } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import subsetFont from 'subset-font';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [program] = process.argv.slice(2);
const wasm = await readFile(program);

// Puts bytes in the place of others.
function replace(name, before, after) {
  const at = wasm.indexOf(before);
  if (at < 0) throw new Error(`${name} is not in ${program}`);
  if (after.length > before.length) return;
  after.copy(wasm, at);
  wasm.fill(0, at + after.length, at + before.length);
}

// Returns all files below a folder.
async function filesIn(folder) {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  return all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
}

const sources = (await filesIn(join(root, 'src'))).filter((file) => file.endsWith('.rs'));
const text = (await Promise.all(sources.map((file) => readFile(file, 'utf8')))).join('');
const shown = [...new Set(text)].join('');
const metadata = execFileSync('cargo', ['metadata', '--locked', '--format-version', '1',
  '--filter-platform', 'wasm32-unknown-unknown'],
  { cwd: root, maxBuffer: 1 << 28 });
const fonts = JSON.parse(metadata).packages.find(({ name }) => name === 'epaint_default_fonts');
for (const name of ['NotoEmoji-Regular.ttf', 'emoji-icon-font.ttf']) {
  const font = await readFile(join(dirname(fonts.manifest_path), 'fonts', name));
  replace(name, font, await subsetFont(font, shown, { targetFormat: 'truetype' }));
}

// The pictures in the glTF file of the head.
const head = await readFile(join(root, 'models/head.glb'));
const jsonLength = head.readUInt32LE(12);
const gltf = JSON.parse(head.toString('utf8', 20, 20 + jsonLength));
for (const { name, bufferView } of gltf.images) {
  const { byteOffset = 0, byteLength } = gltf.bufferViews[bufferView];
  const at = 20 + jsonLength + 8 + byteOffset;
  const picture = head.subarray(at, at + byteLength);
  replace(name, picture, await sharp(picture).webp({ quality: 90 }).toBuffer());
}

for (const file of await filesIn(join(root, 'models/presets'))) {
  if (!file.endsWith('thumbnail.png')) continue;
  const picture = await readFile(file);
  replace(file, picture, await sharp(picture).webp({ quality: 80 }).toBuffer());
}

await writeFile(program, wasm);
