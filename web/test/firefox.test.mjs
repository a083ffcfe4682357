// The page in Firefox, which draws on the CPU in a window of its own screen. Skipped where Firefox is
// not installed.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { serve } from '../serve.mjs';
import { decode, isPink, isSkin, middle, share } from './page.mjs';

const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
const PICTURES = process.env.MOHAWK_PICTURES;
const PATIENCE = 120_000;
const ends = [];

after(async () => {
  for (const end of ends.reverse()) await end();
});

// Starts a screen; gives its name.
async function screen() {
  const server = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x900x24'],
    { stdio: ['ignore', 'pipe', 'ignore'] });
  ends.push(() => server.kill());
  const number = await new Promise((done, fail) => {
    server.stdout.once('data', done);
    server.once('error', fail);
  });
  return `:${String(number).trim()}`;
}

test('Firefox shows the head, and a drag moves it', { skip: !existsSync(FIREFOX) && `no ${FIREFOX}` }, async () => {
  const server = await serve(process.env.MOHAWK_PAGE);
  ends.push(() => server.close());
  const browser = await puppeteer.launch({
    browser: 'firefox', executablePath: FIREFOX, headless: false,
    extraPrefsFirefox: { 'webgl.force-enabled': true },
    env: { ...process.env, DISPLAY: await screen(), LIBGL_ALWAYS_SOFTWARE: '1', MOZ_ENABLE_WAYLAND: '0' },
  });
  ends.push(() => browser.close());
  const page = await browser.newPage();
  await page.setViewport({ width: 900, height: 600 });
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  const until = async (passes, name) => {
    for (const late = Date.now() + PATIENCE; ;) {
      const png = Buffer.from(await page.screenshot());
      if (PICTURES) {
        await mkdir(PICTURES, { recursive: true });
        await writeFile(`${PICTURES}/${name}.png`, png);
      }
      const picture = decode(png);
      if (passes(picture)) return picture;
      assert.ok(Date.now() < late, `${name}: no such picture came; ${problems.join('\n')}`);
    }
  };
  await page.goto(`http://127.0.0.1:${server.address().port}/#strands=2000`);
  const first = await until(
    (picture) => share(picture, isPink) > 0.02 && share(picture, isSkin) > 0.05, 'firefox');
  await page.mouse.move(285, 330);
  await page.mouse.down();
  await page.mouse.move(415, 330, { steps: 8 });
  const was = middle(first, isPink);
  await until((picture) => {
    const is = middle(picture, isPink);
    return Math.hypot(is.x - was.x, is.y - was.y) > 10;
  }, 'firefox-dragged');
  await page.mouse.up();
  assert.deepEqual(problems, []);
});
