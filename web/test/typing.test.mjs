// Typing in the page: the clipboard, and the keyboard of a screen.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Opened, begin, end } from './page.mjs';

before(() => begin());
after(end);

const permissions = ['clipboard-read', 'clipboard-write'];

// Returns the name of the style that a question saves when its field has been filled.
async function saved(opened, fill) {
  const { page } = opened;
  await page.keyboard.press('Control+Shift+s');
  // The field is darker than the panel.
  await opened.until((picture) => picture.at(740, 85).every((part) => part < 18), 'question');
  await fill();
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  return download.suggestedFilename();
}

test('a link is copied', async () => {
  const opened = await Opened.at('#preset=mohawk&strands=1500', { permissions });
  await opened.page.mouse.click(783, 18);
  // The menu covers the sky. Its last way is the link.
  await opened.until((picture) => picture.at(560, 100).every((part) => part < 40), 'menu');
  await opened.page.mouse.click(564, 177);
  const copied = await opened.page.evaluate(async () => {
    for (;;) {
      const text = await navigator.clipboard.readText();
      if (text) return text;
      await new Promise((later) => setTimeout(later, 50));
    }
  });
  assert.match(copied, /#.*strands=1500/);
  assert.equal(copied, opened.page.url());
  await opened.close();
});

test('a field takes what is pasted', async () => {
  const opened = await Opened.at('', { permissions });
  await opened.page.evaluate(() => navigator.clipboard.writeText('from elsewhere'));
  const name = await saved(opened, () => opened.page.keyboard.press('Control+v'));
  assert.match(name, /^from elsewhere\./);
  await opened.close();
});

test('on a screen that is touched a field has the keyboard of the screen', async () => {
  const opened = await Opened.at('', { hasTouch: true });
  const { page } = opened;
  const has = (id) => page.waitForFunction((id) => document.activeElement.id === id, id);
  // The field to search in.
  await page.touchscreen.tap(790, 43);
  await has('keyboard');
  await page.keyboard.insertText('gravity');
  await opened.picture('searched');
  await page.touchscreen.tap(40, 40);
  await has('canvas');
  const name = await saved(opened, async () => {
    await has('keyboard');
    // The name that the field has is deleted sign by sign.
    for (let sign = 0; sign < 12; sign++) await page.keyboard.press('Backspace');
    await page.keyboard.insertText('on a phone');
  });
  assert.match(name, /^on a phone\./);
  await opened.close();
});

test('a sign of two units is one key', async () => {
  // The page with the keys that it gives, in place of the program.
  const body = `import './host.js';
    window.keys = [];
    for (const kind of ['keydown', 'keypress']) canvas.addEventListener(kind, ({ key }) => keys.push(key));
    document.getElementById('cover').hidden = true;`;
  const route = [/page\.js$/, { contentType: 'text/javascript', body }];
  const opened = await Opened.at('', { ready: null, route });
  await opened.page.waitForFunction(() => window.keys);
  const keyboard = opened.page.locator('#keyboard');
  await keyboard.focus();
  await opened.page.keyboard.insertText('😀');
  // Both begin with the same unit.
  await keyboard.fill(`${' '.repeat(64)}😁`);
  await opened.page.keyboard.press('Backspace');
  const keys = ['😀', 'Backspace', '😁', 'Backspace'];
  assert.deepEqual(await opened.page.evaluate(() => window.keys), keys);
  await opened.close();
});
