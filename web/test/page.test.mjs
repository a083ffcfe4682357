// The page as people use it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { LOADED, Opened, begin, drop, end, isPink, isSkin, middle, share } from './page.mjs';

before(() => begin());
after(end);

const HEAD = { x: 285, y: 330 };

test('the page shows the head and its hair, and a drag moves both', async () => {
  const opened = await Opened.at();
  const first = await opened.until(
    (picture) => share(picture, isPink) > 0.02 && share(picture, isSkin) > 0.05, 'first');
  const { mouse } = opened.page;
  await mouse.move(HEAD.x, HEAD.y);
  await mouse.down();
  await mouse.move(HEAD.x + 60, HEAD.y, { steps: 4 });
  await mouse.move(HEAD.x + 130, HEAD.y, { steps: 4 });
  const [was, is] = [middle(first, isPink), {}];
  await opened.until((picture) => {
    Object.assign(is, middle(picture, isPink));
    return Math.hypot(is.x - was.x, is.y - was.y) > 10;
  }, 'dragged');
  await mouse.up();
  await opened.close();
});

// Returns what puts fingers on a page: their places, from 'touchStart' over 'touchMove' to 'touchEnd'.
async function fingers(opened) {
  const client = await opened.context.newCDPSession(opened.page);
  return (type, points) => client.send('Input.dispatchTouchEvent', {
    type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })),
  });
}

test('a finger drags the head', async () => {
  const opened = await Opened.at('', { hasTouch: true });
  const first = await opened.until((picture) => share(picture, isPink) > 0.02, 'before-touch');
  const touch = await fingers(opened);
  await touch('touchStart', [HEAD]);
  for (let step = 1; step <= 8; step++) {
    await touch('touchMove', [{ x: HEAD.x + 16 * step, y: HEAD.y }]);
  }
  const was = middle(first, isPink);
  await opened.until((picture) => {
    const is = middle(picture, isPink);
    return Math.hypot(is.x - was.x, is.y - was.y) > 10;
  }, 'touched');
  await touch('touchEnd', []);
  await opened.close();
});

test('two fingers pan and pinch', async () => {
  const opened = await Opened.at('', { hasTouch: true });
  const first = await opened.until((picture) => share(picture, isPink) > 0.02, 'before-pinch');
  const touch = await fingers(opened);
  const at = (apart, down = 0) => [-apart, apart].map((x) => ({ x: 285 + x, y: 300 + down }));
  await touch('touchStart', at(40).slice(0, 1));
  await touch('touchStart', at(40));
  for (let step = 1; step <= 8; step++) await touch('touchMove', at(40 + 8 * step));
  const near = await opened.until(
    (picture) => share(picture, isSkin) > 1.5 * share(first, isSkin), 'pinched');
  for (let step = 1; step <= 8; step++) await touch('touchMove', at(104, 16 * step));
  await touch('touchEnd', []);
  // What was above the picture comes into it.
  await opened.until((picture) => share(picture, isPink) > share(near, isPink) + 0.02, 'panned');
  await opened.close();
});

test('a finger that rests combs, and nothing else', async () => {
  const opened = await Opened.at('', { hasTouch: true });
  const first = await opened.until((picture) => share(picture, isPink) > 0.02, 'before-rest');
  const touch = await fingers(opened);
  // Skin, which stays where it is while hair comes to rest.
  await touch('touchStart', [{ x: 275, y: 195 }]);
  // The panel shows the brush as long as it is in hand.
  await opened.until((picture) => {
    let other = 0;
    for (let y = 130; y < 560; y += 2) {
      for (let x = 590; x < 880; x += 2) {
        if (Math.abs(picture.at(x, y)[0] - first.at(x, y)[0]) > 20) other++;
      }
    }
    return other > 800;
  }, 'rests');
  for (let step = 1; step <= 8; step++) await touch('touchMove', [{ x: 275, y: 195 - 10 * step }]);
  await touch('touchEnd', []);
  await opened.line(/^stroke: /);
  await opened.picture('combed');
  await opened.close();
});

test('on a phone a button shows the panel', async () => {
  const phone = { width: 390, height: 800 };
  const opened = await Opened.at('', { hasTouch: true, deviceScaleFactor: 2, viewport: phone });
  // Buttons and the ground of the panel are grey; two pixels of the picture are one of the page.
  const isGrey = ([r, g, b]) => r < 70 && r === g && g === b;
  await opened.until((picture) => isGrey(picture.at(748, 1550)), 'phone');
  await opened.page.touchscreen.tap(364, 775);
  await opened.until((picture) => isGrey(picture.at(560, 1300)), 'phone-panel');
  await opened.close();
});

test('an address says what is shown', async () => {
  const opened = await Opened.at('#preset=fan&solver=rod&strands=1500&scene=swing');
  await opened.line(/playing swing/);
  assert.ok(opened.lines.some((line) => /loaded head: .* 15\d\d strands/.test(line)), opened.lines.join('\n'));
  await opened.picture('address');
  await opened.close();
});

test('what is wrong with an address is told', async () => {
  const opened = await Opened.at('#preset=nobody&solver=magic');
  assert.ok(opened.lines.some((line) => /no preset is called "nobody"/.test(line)));
  assert.ok(opened.lines.some((line) => /magic/.test(line)));
  await opened.close();
});

test('a head is dropped, and a broken one is refused by name', async () => {
  const opened = await Opened.at();
  const bust = await readFile(new URL('../../models/waist.glb', import.meta.url));
  await drop(opened.page, [{ name: 'mine.glb', base64: bust.toString('base64') }]);
  await opened.line(/^loaded mine/);
  await opened.picture('dropped');
  await drop(opened.page, [{ name: 'broken.glb', base64: bust.subarray(0, 5000).toString('base64') }]);
  await opened.line(/broken\.glb: /);
  await opened.picture('broken');
  await opened.close();
});

test('a preset is fetched when it is chosen', async () => {
  const opened = await Opened.at();
  assert.ok(!opened.requests.some((url) => url.endsWith('models.zip')));
  await opened.page.mouse.click(740, 127);
  await opened.line(/^preset .* after \d+ ms/);
  assert.ok(opened.requests.some((url) => url.endsWith('models.zip')));
  await opened.picture('preset');
  await opened.close();
});

test('unsaved hair is offered again after a reload', async () => {
  const opened = await Opened.at('', { viewport: { width: 1280, height: 800 } });
  await opened.brush();
  await opened.line(/^autosaved/);
  await opened.picture('stroke');
  // Another tab knows that this one has its hair still.
  const other = await opened.besides();
  const lit = await other.until((picture) => share(picture, isSkin) > 0.05, 'other-tab');
  opened.seen = opened.lines.length;
  await opened.page.reload();
  await opened.line(LOADED);
  // The question darkens the picture.
  const isDark = (picture) => share(picture, isSkin) < share(lit, isSkin) / 2;
  await opened.until((picture) => isDark(picture) && share(picture, isPink) > 0.005, 'recovered');
  await opened.close();
});

test('the page opens again without a network', async () => {
  const opened = await Opened.at();
  await opened.page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    // The worker has kept the program.
    for (;;) {
      if (await caches.match('mohawk_bg.wasm')) return;
      await new Promise((later) => setTimeout(later, 50));
    }
  });
  await opened.context.setOffline(true);
  opened.seen = opened.lines.length;
  await opened.page.reload();
  await opened.line(LOADED);
  await opened.close();
});

// Takes the context from a page for a moment.
const lose = () => {
  const gl = document.getElementById('canvas').getContext('webgl2');
  const lost = gl.getExtension('WEBGL_lose_context');
  lost.loseContext();
  setTimeout(() => lost.restoreContext(), 200);
};

test('a lost context comes back', async () => {
  const opened = await Opened.at();
  await opened.page.evaluate(lose);
  await opened.line(LOADED);
  await opened.until((picture) => share(picture, isPink) > 0.02, 'restored');
  opened.problems = opened.problems.filter((text) => !/graphics driver was reset/.test(text));
  await opened.close();
});

test('a context that is lost before the first picture comes back', async () => {
  const script = `{
    const { info } = console;
    console.info = (text) => {
      info.call(console, text);
      if (!/^loaded /.test(text) || sessionStorage.lost) return;
      sessionStorage.lost = 'once';
      setTimeout(${lose});
    };
  }`;
  const opened = await Opened.at('', { script });
  await opened.line(LOADED);
  await opened.until((picture) => share(picture, isPink) > 0.02, 'lost-early');
  opened.problems = opened.problems.filter((text) => !/graphics driver was reset/.test(text));
  await opened.close();
});

test('without WebGL 2 the page says what to do', async () => {
  const opened = await Opened.at('', {
    ready: /does not offer WebGL 2/,
    script: () => {
      const real = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind === 'webgl2' ? null : real.call(this, kind, ...rest);
      };
    },
  });
  assert.match(await opened.page.locator('#text').textContent(), /Try another browser/);
  assert.ok(await opened.page.locator('#cover img').isVisible());
  await opened.picture('no-webgl');
  opened.problems = opened.problems.filter((text) => !/does not offer WebGL 2/.test(text));
  await opened.close();
});

test('another size of the page is another size of the picture', async () => {
  const opened = await Opened.at('', { deviceScaleFactor: 2, viewport: { width: 700, height: 500 } });
  const size = () => opened.page.evaluate(() => {
    const { width, height } = document.getElementById('canvas');
    return [width, height];
  });
  assert.deepEqual(await size(), [1400, 1000]);
  await opened.page.setViewportSize({ width: 640, height: 420 });
  for (const late = Date.now() + 60_000; Date.now() < late;) {
    if ((await size())[0] === 1280) break;
  }
  assert.deepEqual(await size(), [1280, 840]);
  await opened.picture('small');
  await opened.close();
});

test('a picture and settings become downloads', async () => {
  const opened = await Opened.at();
  const saved = async (act) => {
    const [download] = await Promise.all([opened.page.waitForEvent('download'), act()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  const picture = await saved(() => opened.page.mouse.click(737, 570));
  assert.equal(picture.name, 'mohawk-0001.png');
  assert.equal(picture.bytes.toString('latin1', 1, 4), 'PNG');
  await opened.page.mouse.move(HEAD.x, HEAD.y);
  const settings = await saved(() => opened.page.keyboard.press('Control+s'));
  assert.equal(settings.name, 'mohawk.toml');
  assert.match(settings.bytes.toString(), /^version = /m);
  await opened.close();
});
