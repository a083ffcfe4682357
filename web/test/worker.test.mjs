// The worker that keeps the page, with a page of its own.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Opened, begin, end, home } from './page.mjs';

const NAMES = ['index.html', 'a.txt', 'b.txt', 'sw.js'];
let folder;

const put = (name, text) => writeFile(join(folder, name), text);

// Puts a version of the page into the folder.
async function release(version) {
  const worker = await readFile(new URL('../sw.js', import.meta.url), 'utf8');
  await put('sw.js', worker.replace('VERSION', version).replace("FILES'", `${NAMES.join(' ')}'`));
  for (const name of ['a', 'b']) await put(`${name}.txt`, name + version);
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mohawk-worker-'));
  await put('index.html', `<!doctype html><title>worker</title><link rel="icon" href="data:,">
    <script>navigator.serviceWorker.register('sw.js')</script>`);
  await put('empty.html', '<!doctype html><title>empty</title><link rel="icon" href="data:,">');
  await release(1);
  // The browser keeps files too.
  await begin(folder, { 'cache-control': 'max-age=3600' });
});

after(async () => {
  await end();
  await rm(folder, { recursive: true });
});

// Returns the content of a file as the page gets it; `null` if it gets none.
const get = (opened, name) => opened.page.evaluate(
  (name) => fetch(name).then((response) => (response.ok ? response.text() : null), () => null), name);

// Looks for a new version, and returns its state when it has been fetched.
const update = (opened) => opened.page.evaluate(async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  await registration.update();
  const worker = registration.installing ?? registration.waiting;
  if (!worker) return 'redundant';
  while (worker.state === 'installing') await new Promise((done) => setTimeout(done, 50));
  return worker.state;
});

test('versions of the page do not mix, and one that is not whole is none', async () => {
  const opened = await Opened.at('', { ready: null });
  await opened.page.waitForFunction(() => navigator.serviceWorker.controller);
  assert.equal(await get(opened, 'a.txt'), 'a1');
  await release(2);
  await rm(join(folder, 'a.txt'));
  assert.equal(await update(opened), 'redundant');
  assert.equal(await get(opened, 'a.txt'), 'a1');
  await release(2);
  assert.equal(await update(opened), 'installed');
  // What the old version has not kept belongs to the new one.
  assert.deepEqual([await get(opened, 'a.txt'), await get(opened, 'b.txt')], ['a1', null]);
  await opened.page.goto('about:blank');
  await opened.go('');
  await opened.page.waitForFunction(async () => await (await fetch('a.txt')).text() === 'a2');
  assert.equal(await get(opened, 'b.txt'), 'b2');
  opened.problems = opened.problems.filter((text) => !/ERR_FAILED|404/.test(text));
  await opened.close();
});

test('files of the last version that the browser has are none of the new one', async () => {
  await release(1);
  const opened = await Opened.at('empty.html', { ready: null });
  assert.deepEqual([await get(opened, 'a.txt'), await get(opened, 'b.txt')], ['a1', 'b1']);
  await release(2);
  // The worker is told of one, and asked for the other.
  await opened.page.evaluate(async (address) => {
    await navigator.serviceWorker.register('sw.js');
    const { active } = await navigator.serviceWorker.ready;
    active.postMessage([address]);
    while (!await caches.match(address)) await new Promise((done) => setTimeout(done, 50));
  }, `${home()}a.txt`);
  await opened.page.waitForFunction(() => navigator.serviceWorker.controller);
  assert.deepEqual([await get(opened, 'a.txt'), await get(opened, 'b.txt')], ['a2', 'b2']);
  await opened.close();
});
