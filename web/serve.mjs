// Serves a folder on this machine, compressed as a static host would.
//
//   node web/serve.mjs FOLDER [PORT]

import { createReadStream, realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { constants, createBrotliCompress } from 'node:zlib';

const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css',
  '.wasm': 'application/wasm', '.png': 'image/png', '.zip': 'application/zip', '.mjs': 'text/javascript', '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml', '.gif': 'image/gif', '.jpg': 'image/jpeg',
};
const COMPRESSED = ['.html', '.js', '.mjs', '.css', '.wasm'];

async function find(folder, address) {
  const path = decodeURIComponent(new URL(address, 'http://localhost').pathname);
  const file = join(folder, normalize(path.endsWith('/') ? `${path}index.html` : path));
  return { file, found: await stat(file) };
}

// Serves a folder; 0: on any free port. `more` are headers of all answers. Gives the server once it
// listens.
export async function serve(folder, port = 0, more = {}) {
  const server = createServer(async (request, response) => {
    const { file, found } = await find(folder, request.url).catch(() => ({}));
    if (!found?.isFile()) {
      response.writeHead(404).end('There is no such file.');
      return;
    }
    const end = extname(file);
    const headers = { 'content-type': TYPES[end] ?? 'application/octet-stream', 'cache-control': 'no-cache', ...more };
    const packs = COMPRESSED.includes(end) && /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
    if (packs) headers['content-encoding'] = 'br';
    response.writeHead(200, headers);
    const bytes = createReadStream(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
    (packs ? bytes.pipe(createBrotliCompress({ params })) : bytes).pipe(response);
  });
  await new Promise((ready, fail) => server.once('error', fail).listen(port, '127.0.0.1', ready));
  return server;
}

if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  const [folder, port = '8080'] = process.argv.slice(2);
  const server = await serve(folder, Number(port));
  console.log(`http://localhost:${server.address().port}/`);
}
