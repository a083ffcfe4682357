// The program of the page in two parts: what the first picture needs, and the rest.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LOADED, Opened, begin, end } from './page.mjs';

before(() => begin());
after(end);

const REST = /mohawk_rest\.wasm$/;
const viewport = { width: 1280, height: 800 };

// Keeps the page from fetching the rest beside what it does.
const hold = () => {
  const real = window.fetch;
  window.fetch = (address, ...more) => String(address).endsWith('_rest.wasm') ?
    new Promise(() => {}) : real(address, ...more);
};

test('the first picture needs nothing of the rest, which comes after it', async () => {
  const opened = await Opened.at('', { ready: null });
  const rest = await opened.page.waitForRequest(REST, { timeout: 120_000 });
  assert.equal(rest.resourceType(), 'fetch', 'the picture had to wait for the rest');
  assert.ok(opened.lines.some((line) => /^first picture/.test(line)), opened.lines.join('\n'));
  await opened.close();
});

test('who is faster than the rest waits for it', async () => {
  const opened = await Opened.at('', { script: hold, viewport });
  const [rest] = await Promise.all([opened.page.waitForRequest(REST), opened.brush()]);
  assert.equal(rest.resourceType(), 'xhr');
  await opened.close();
});

test('without a network the rest comes from what was kept', async () => {
  const opened = await Opened.at('', { viewport });
  await opened.page.evaluate(async () => {
    while (!await caches.match('mohawk_rest.wasm')) await new Promise((later) => setTimeout(later, 50));
  });
  await opened.context.setOffline(true);
  opened.seen = opened.lines.length;
  await opened.page.reload();
  await opened.line(LOADED);
  // What the panel shows of brushes is in the rest.
  await opened.page.keyboard.press('b');
  await opened.line(/^layers at/);
  await opened.close();
});

test('a rest that does not come is told, and asked for again', async () => {
  const opened = await Opened.at('', { script: hold, viewport });
  let refused = 0;
  await opened.page.route(REST, (route) => {
    refused++;
    return refused > 1 ? route.continue() : route.abort();
  });
  const told = new Promise((done) => opened.page.once('dialog', async (dialog) => {
    await dialog.accept();
    done(dialog.message());
  }));
  await Promise.all([told, opened.brush()]);
  assert.match(await told, /could not be fetched[^]*Try again/);
  assert.equal(refused, 2);
  opened.problems = opened.problems.filter((text) => !/ERR_FAILED/.test(text));
  await opened.close();
});

test('without the rest the page says what to do', async () => {
  const opened = await Opened.at('', { script: hold, viewport });
  await opened.page.route(REST, (route) => route.abort());
  opened.page.once('dialog', (dialog) => dialog.dismiss());
  await opened.page.keyboard.press('b');
  const text = opened.page.locator('#text');
  await opened.page.locator('#cover').waitFor();
  assert.match(await text.textContent(), /could not be fetched[^]*Load the page again: what was not saved/);
  opened.problems = [];
  await opened.close();
});

test('a page in another one keeps nothing, and offers nothing', async () => {
  const body = "import { ended } from './host.js'; ended('The end.');";
  const opened = await Opened.at('around.html', { ready: null, html: '<iframe src="index.html?held"></iframe>',
    route: [/page\.js$/, { contentType: 'text/javascript', body }] });
  const text = opened.page.frameLocator('iframe').getByText('The end.');
  assert.equal(await text.textContent(), 'The end.\nLoad the page again.');
  opened.problems = [];
  await opened.close();
});
