// <mohawk-head> in a page.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Opened, begin, end, home, isPink, share } from './page.mjs';

before(() => begin());
after(end);

// Opens a page that has elements, which come from the folder of the page.
const opened = (element, more) => Opened.at('around.html', {
  ...more,
  ready: /^ready/,
  script: () => {
    window.heard = [];
    for (const kind of ['load', 'error', 'progress', 'samples']) {
      document.addEventListener(kind, (event) => {
        if (event.target.localName === 'mohawk-head') window.heard.push([kind, event.detail]);
      }, { capture: true });
    }
  },
  html: `<!doctype html><title>around</title><link rel="icon" href="poster.png">
    <script type="module" src="element.js"></script><script>console.info('ready')</script>${element}`,
});

// Waits for an event of an element, and returns its detail.
const heard = (page, kind, passes = () => true) => page.page.waitForFunction(
  ([kind, passes]) => window.heard.find(([own, detail]) => own === kind && eval(passes)(detail))?.[1],
  [kind, String(passes)], { timeout: 120_000 }).then((found) => found.jsonValue());

// A program in place of the true one: it is ready, and runs code for a message.
const program = (code) => [/page\.js$/, { contentType: 'text/javascript', body: `
  const tell = (mohawk) => parent.postMessage({ mohawk }, '*');
  window.addEventListener('message', ({ data: { mohawk } }) => { ${code} });
  tell({ ready: true });` }];

test('an element shows hair, moves it, and is driven', async () => {
  const page = await opened(`<mohawk-head loading="eager" strands="900" solver="ftl" scene="swing"
    style="width: 600px; height: 500px"></mohawk-head>`);
  const { strands } = await heard(page, 'load');
  assert.ok(Math.abs(strands - 900) < 20, `${strands} strands`);
  await page.until((picture) => share(picture, isPink, 600) > 0.01, 'element');
  const { samples } = await heard(page, 'samples', ({ samples }) => samples.some(({ lean }) => lean > 3));
  assert.ok(samples.every(({ secs, energy, stretch }) => secs > 0 && Number.isFinite(energy) && stretch < 1));
  const element = (run) => page.page.evaluate(run);
  await element(() => document.querySelector('mohawk-head').pause());
  const { secs } = await heard(page, 'samples', ({ paused }) => paused);
  await element(() => { window.heard = []; document.querySelector('mohawk-head').step(); });
  const next = await heard(page, 'samples', `({ secs }) => secs > ${secs}`);
  assert.ok(Math.abs(next.secs - secs - 1 / 240) < 1e-9, `${secs} to ${next.secs}`);
  const size = await element(async () => (await document.querySelector('mohawk-head').toBlob()).size);
  assert.ok(size > 10_000, `${size} bytes`);
  await element(() => document.querySelector('mohawk-head').setAttribute('strands', '300'));
  await heard(page, 'load', ({ strands }) => strands < 400);
  await page.close();
});

test('an element tells what is wrong', async () => {
  const page = await opened(`<mohawk-head loading="eager" src="nothing.glb" settings="sim.magic=1"
    style="width: 400px; height: 400px"></mohawk-head>`);
  const { text } = await heard(page, 'error');
  assert.match(text, /nothing\.glb|sim\.magic/);
  await heard(page, 'error', ({ text }) => /nothing\.glb: 404/.test(text));
  await heard(page, 'error', ({ text }) => /magic/.test(text));
  // Once the program stands, a head that cannot be fetched is told too.
  await heard(page, 'load');
  await page.page.evaluate(() => document.querySelector('mohawk-head').setAttribute('src', 'none.glb'));
  await page.page.waitForFunction(() => {
    const problem = document.querySelector('mohawk-head').shadowRoot.querySelector('p');
    return !problem.hidden && /none\.glb: 404/.test(problem.textContent);
  });
  page.problems = page.problems.filter((text) => !/404/.test(text));
  await page.close();
});

test('the attributes of an element still count with another preset', async () => {
  const page = await opened(`<mohawk-head loading="eager" strands="900"
    style="width: 400px; height: 400px"></mohawk-head>`);
  await heard(page, 'load');
  await page.page.evaluate(() => {
    window.heard = [];
    document.querySelector('mohawk-head').setAttribute('preset', 'fan');
  });
  await heard(page, 'load', ({ strands }) => strands > 1000);
  await heard(page, 'load', ({ strands }) => strands < 1000);
  await page.close();
});

test('an element that waits for a click loads nothing before', async () => {
  const page = await opened(`<mohawk-head reveal="interaction" poster="poster.png" alt="Hair"
    style="width: 400px; height: 400px"></mohawk-head>`);
  const start = page.page.getByRole('button', { name: 'Start: Hair' });
  await start.waitFor();
  await page.picture('poster');
  assert.ok(!page.requests.some((url) => url.endsWith('.wasm')), 'the program was fetched');
  await start.click();
  await heard(page, 'load');
  assert.ok(page.requests.some((url) => url.startsWith(`${home()}mohawk_bg.wasm`)));
  await page.close();
});

test('an element whose program did not come is started again', async () => {
  const page = await opened(`<mohawk-head reveal="interaction" alt="Hair"
    style="width: 400px; height: 400px"></mohawk-head>`);
  await page.page.route(/mohawk_bg\.wasm$/, (route) => route.abort(), { times: 1 });
  const start = page.page.getByRole('button', { name: 'Start: Hair' });
  await start.click();
  await heard(page, 'error');
  await start.click();
  await heard(page, 'load');
  page.problems = page.problems.filter((text) => !/Failed to fetch|ERR_FAILED/.test(text));
  await page.close();
});

test('the head of src is the first that is shown', async () => {
  const path = fileURLToPath(new URL('../../models/waist.glb', import.meta.url));
  // It comes when the shipped one stands.
  const page = await opened(`<script>
      const real = window.fetch;
      const stands = new Promise((done) => window.addEventListener('message', ({ data }) => {
        if (data.mohawk?.state?.loaded) done();
      }));
      window.fetch = (address) => stands.then(() => real(address));
    </script><mohawk-head loading="eager" src="mine.glb"
    style="width: 400px; height: 400px"></mohawk-head>`, { route: [/mine\.glb$/, { path }] });
  assert.equal((await heard(page, 'load')).name, 'mine');
  await page.close();
});

test('a head that is opened before the program is there counts more than src', async () => {
  const page = await opened('<mohawk-head reveal="interaction" src="mine.glb"></mohawk-head>',
    { route: program("if (mohawk.open) console.info('opened', mohawk.open[0].path);") });
  await page.page.evaluate(async () => {
    const head = document.querySelector('mohawk-head');
    await head.open({ path: 'other.glb', bytes: new Uint8Array(1) });
    head.start();
  });
  await page.line(/^opened other\.glb/);
  assert.ok(!page.requests.some((url) => url.endsWith('mine.glb')), 'the head of src was fetched');
  await page.close();
});

test('a program that has ended gives no picture', async () => {
  const page = await opened('<mohawk-head loading="eager"></mohawk-head>',
    { route: program("if ('picture' in mohawk) tell({ problem: 'over', isOver: true });") });
  // The program ends while the first is waited for.
  for (let time = 0; time < 2; time++) {
    await page.page.evaluate(() => {
      document.querySelector('mohawk-head').toBlob().catch(({ message }) => console.info('refused:', message));
    });
    await page.line(/^refused: The program has ended/);
  }
  await page.close();
});
