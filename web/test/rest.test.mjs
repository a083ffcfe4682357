// The program of the page in two parts: what the first picture needs, and the rest.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { LOADED, Opened, begin, end } from './page.mjs';

// A page that is built with --quick is in one part.
const skip = !existsSync(`${process.env.MOHAWK_PAGE}/mohawk_rest.wasm`) && 'the page is in one part';
before(() => skip || begin());
after(() => skip || end());

const REST = /mohawk_rest\.wasm$/;
const viewport = { width: 1280, height: 800 };

// Keeps the page from fetching the rest beside what it does.
const hold = () => {
  const real = window.fetch;
  window.fetch = (address, ...more) => String(address).endsWith('_rest.wasm') ?
    new Promise(() => {}) : real(address, ...more);
};

// Brushes hair, which the first picture does without.
async function brush(opened) {
  const { page } = opened;
  await page.keyboard.press('b');
  // The panel shows the brush.
  await opened.line(/^layers at/);
  await page.mouse.move(470, 180);
  await page.mouse.down();
  await page.mouse.move(520, 120, { steps: 12 });
  await page.mouse.up();
}

test('the first picture needs nothing of the rest, which comes after it', { skip }, async () => {
  const opened = await Opened.at('', { ready: null });
  const rest = await opened.page.waitForRequest(REST, { timeout: 120_000 });
  assert.equal(rest.resourceType(), 'fetch', 'the picture had to wait for the rest');
  assert.ok(opened.lines.some((line) => /^first picture/.test(line)), opened.lines.join('\n'));
  await opened.close();
});

test('who is faster than the rest waits for it', { skip }, async () => {
  const opened = await Opened.at('', { script: hold, viewport });
  const [rest] = await Promise.all([opened.page.waitForRequest(REST), brush(opened)]);
  assert.equal(rest.resourceType(), 'xhr');
  await opened.line(/^stroke: /);
  await opened.close();
});

test('without a network the rest comes from what was kept', { skip }, async () => {
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

test('a rest that does not come is told, and asked for again', { skip }, async () => {
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
  await Promise.all([told, brush(opened)]);
  assert.match(await told, /could not be fetched[^]*Try again/);
  await opened.line(/^stroke: /);
  assert.equal(refused, 2);
  opened.problems = opened.problems.filter((text) => !/ERR_FAILED/.test(text));
  await opened.close();
});

test('without the rest the page says what to do', { skip }, async () => {
  const opened = await Opened.at('', { script: hold, viewport });
  await opened.page.route(REST, (route) => route.abort());
  opened.page.once('dialog', (dialog) => dialog.dismiss());
  await opened.page.keyboard.press('b');
  const text = opened.page.locator('#text');
  await opened.page.locator('#cover').waitFor();
  assert.match(await text.textContent(), /could not be fetched[^]*Load the page again/);
  opened.problems = [];
  await opened.close();
});
