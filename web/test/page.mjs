// Opens the page in Chromium, which draws on the CPU, and looks at its pictures.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { inflateSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { serve } from '../serve.mjs';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
// Where the pictures of the tests are put, if they are wanted.
const PICTURES = process.env.MOHAWK_PICTURES;
const PATIENCE = 120_000;
// The line of the log at the first hair.
export const LOADED = /^loaded .*strands/;

let server;
let browser;

// Starts the server of a folder, with more headers, and the browser of a file of tests.
export async function begin(folder = process.env.MOHAWK_PAGE, more = {}) {
  server = await serve(folder, 0, more);
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
      '--ignore-gpu-blocklist',
      // The rest of a page that was built with --quick has more than 8 MiB.
      '--enable-features=WebAssemblyUnlimitedSyncCompilation'],
  });
}

export async function end() {
  await browser.close();
  server.close();
}

export const home = () => `http://127.0.0.1:${server.address().port}/`;

// An open page, with all that it has said and asked for.
export class Opened {
  // Opens the page at an address, and waits for the first hair. `script` runs in the page before;
  // `html` is the page at the address in place of that of the program. `route` is a pattern of
  // addresses and what is given for them. `ready` is another line to wait for; `null` is none.
  static async at(address = '', { script, html, route, ready = LOADED, ...options } = {}) {
    const opened = new Opened();
    opened.ready = ready;
    const size = { width: 900, height: 600 };
    opened.context = await browser.newContext({ viewport: size, ...options });
    opened.page = await opened.context.newPage();
    if (script) await opened.page.addInitScript(script);
    if (html) {
      const body = { contentType: 'text/html', body: html };
      await opened.page.route(home() + address, (route) => route.fulfill(body));
    }
    if (route) await opened.page.route(route[0], (request) => request.fulfill(route[1]));
    opened.listen();
    await opened.go(address);
    return opened;
  }

  // Opens the page of the program in another tab of the same browser.
  async besides() {
    const other = new Opened();
    Object.assign(other, { ready: LOADED, context: this.context, page: await this.context.newPage() });
    other.listen();
    await other.go('');
    return other;
  }

  lines = [];
  problems = [];
  requests = [];
  seen = 0;

  listen() {
    this.page.on('console', (message) => {
      this.lines.push(message.text());
      if (message.type() === 'error') this.problems.push(message.text());
      this.check();
    });
    this.page.on('pageerror', (error) => this.problems.push(String(error.stack ?? error)));
    this.page.on('request', (request) => this.requests.push(request.url()));
  }

  check = () => {};

  async go(address) {
    this.seen = this.lines.length;
    await this.page.goto(home() + address);
    if (this.ready) await this.line(this.ready);
  }

  // Waits for a line of the log that has not been waited for, and returns it.
  async line(pattern) {
    const find = () => {
      const at = this.lines.findIndex((line, i) => i >= this.seen && pattern.test(line));
      if (at >= 0) this.seen = at + 1;
      return this.lines[at];
    };
    const found = find() ?? await new Promise((done, fail) => {
      const late = setTimeout(() => fail(new Error(
        `no ${pattern} in:\n${this.lines.join('\n')}\n${this.problems.join('\n')}`)), PATIENCE);
      this.check = () => {
        const found = find();
        if (!found) return;
        clearTimeout(late);
        this.check = () => {};
        done(found);
      };
    });
    if (pattern === LOADED) {
      // The picture follows.
      await this.page.locator('#cover').waitFor({ state: 'hidden', timeout: PATIENCE });
    }
    return found;
  }

  // Takes a picture. `name`: of the file for people.
  async picture(name) {
    const png = await this.page.screenshot({ timeout: PATIENCE });
    if (PICTURES && name) {
      await mkdir(PICTURES, { recursive: true });
      await writeFile(`${PICTURES}/${name}.png`, png);
    }
    return decode(png);
  }

  // Waits for a picture that passes a test.
  async until(passes, name) {
    const late = Date.now() + PATIENCE;
    for (;;) {
      const picture = await this.picture(name);
      if (passes(picture)) return picture;
      assert.ok(Date.now() < late, `${name}: no such picture came`);
    }
  }

  // Brushes hair, from the middle of the face on. The head swings when it is first shown, so that the
  // pointer waits there until the program says that a brush would touch it.
  async brush() {
    const { keyboard, mouse } = this.page;
    await keyboard.press('b');
    // The panel shows the brush.
    await this.line(/^layers at/);
    await mouse.move(450, 400);
    await this.page.waitForFunction(() => document.getElementById('canvas').style.cursor === 'crosshair',
      undefined, { timeout: PATIENCE });
    await mouse.down();
    await mouse.move(500, 120, { steps: 12 });
    await mouse.up();
    await this.line(/^stroke: /);
  }

  async close() {
    assert.deepEqual(this.problems, []);
    for (const url of this.requests) {
      assert.ok(url.startsWith(home()) || url.startsWith('blob:'), `a request to ${url}`);
    }
    await this.context.close();
  }
}

// Drops files on the page, as a file manager does.
export async function drop(page, files) {
  await page.evaluate(async (files) => {
    const data = new DataTransfer();
    for (const { name, base64 } of files) {
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
      data.items.add(new File([bytes], name));
    }
    for (const type of ['dragover', 'drop']) {
      window.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }
  }, files);
}

// Returns the pixels of a PNG with 8 bits for each of RGB or RGBA.
export function decode(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = png[25] === 6 ? 4 : 3;
  const parts = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const row = width * channels;
  const pixels = Buffer.alloc(row * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)];
    for (let x = 0; x < row; x++) {
      const a = x >= channels ? pixels[y * row + x - channels] : 0;
      const b = y ? pixels[(y - 1) * row + x] : 0;
      const c = y && x >= channels ? pixels[(y - 1) * row + x - channels] : 0;
      const pa = Math.abs(b - c), pb = Math.abs(a - c), pc = Math.abs(a + b - 2 * c);
      const paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
      const before = [0, a, b, (a + b) >> 1, paeth][filter];
      pixels[y * row + x] = raw[y * (row + 1) + 1 + x] + before;
    }
  }
  const at = (x, y) => [...pixels.subarray(y * row + x * channels, y * row + x * channels + 3)];
  return { width, height, at };
}

// Returns the share of pixels of a picture, left of the panel, that pass a test.
export function share(picture, passes, right = picture.width - 330) {
  let found = 0;
  let all = 0;
  for (let y = 0; y < picture.height; y += 2) {
    for (let x = 0; x < right; x += 2) {
      all++;
      if (passes(...picture.at(x, y))) found++;
    }
  }
  return found / all;
}

export const isPink = (r, g, b) => r > 120 && r > g + 70 && r > b + 30;
export const isSkin = (r, g, b) => r > 130 && g > 90 && r > g && g > b && r - b < 120;

// Returns where the middle of the pixels that pass a test is, and how many there are.
export function middle(picture, passes, right = picture.width - 330) {
  let [sumX, sumY, count] = [0, 0, 0];
  for (let y = 0; y < picture.height; y += 2) {
    for (let x = 0; x < right; x += 2) {
      if (passes(...picture.at(x, y))) {
        sumX += x;
        sumY += y;
        count++;
      }
    }
  }
  return { x: sumX / count, y: sumY / count, count };
}
