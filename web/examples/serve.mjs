// Serves the examples of the npm package on this machine.
//
//   node web/examples/serve.mjs PACKAGE [PORT]     the folder that script/build-npm made

import { realpathSync } from 'node:fs';
import { cp, mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { serve } from '../serve.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));

// Makes a folder of the examples in which a package, and three.js, are installed.
export async function installed(folder) {
  const place = await mkdtemp(join(tmpdir(), 'mohawk-examples-'));
  await cp(HERE, place, { recursive: true });
  const modules = join(place, 'node_modules');
  await mkdir(join(modules, '@mohawk-hair'), { recursive: true });
  await symlink(resolve(folder), join(modules, '@mohawk-hair/mohawk'));
  await symlink(resolve(HERE, '../node_modules/three'), join(modules, 'three'));
  return place;
}

if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  const [folder, port = '8081'] = process.argv.slice(2);
  const server = await serve(await installed(folder), Number(port));
  for (const page of ['three.html', 'element.html']) {
    console.log(`http://localhost:${server.address().port}/${page}`);
  }
}
