// The site of docs/: its preprocessor, its links, and its pages in a browser. MOHAWK_DOCS is the
// built site, with the page of the program in viewer/.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { page } from '../docs/book.mjs';
import { deadLinks } from '../docs/links.mjs';
import { readPlay } from '../docs/play_block.mjs';
import { LOADED, Opened, begin, end } from './page.mjs';

const SITE = process.env.MOHAWK_DOCS;
const DOCS = new URL('../../docs/', import.meta.url);

before(() => begin(SITE));
after(end);

test('equations become HTML at build time, in blocks, lines and tables', () => {
  const html = page('a $`x_i^2`$ b\n\n```math\n\\sqrt{x}\n```\n\n| $`\\sqrt a`$ |\n|---|\n| $`\\lvert z \\rvert`$ |');
  assert.equal(html.match(/class="katex"/g).length, 4);
  assert.equal(html.match(/class="equation"/g).length, 1);
  assert.match(html, /href="katex.css"/);
  // Rows of tables stay rows.
  assert.equal(html.split('\n').filter((line) => line.startsWith('|')).length, 3);
  // Nothing between tags means anything to Markdown.
  const text = html.split('\n')[3].replace(/<[^>]*>/g, '').replace(/&#?\w+;/g, '');
  assert.doesNotMatch(text, /[_*^\\`$]/);
});

test('an equation that is wrong fails with its page and line', () => {
  assert.throws(() => page('one\n\n```math\n\\frac{1\n```', 'spring.md'), /spring\.md:3: .*\\frac\{1/);
  assert.throws(() => page('$`\\nothing`$', 'rod.md'), /rod\.md: .*nothing/);
});

test('code is left alone', () => {
  const text = 'a `b $x$` ``c`d`` and `$`\n\n```sh\n$`x`$ and [a](../b)\n```\n\n~~~\n```math\n~~~';
  assert.equal(page(text), text);
});

test('links to files above docs/ become their names', () => {
  assert.equal(page('see [`src/lib.rs`](../src/lib.rs) and [the example](../examples/a.rs), [x](y.md)'),
    'see `src/lib.rs` and the example (`examples/a.rs`), [x](y.md)');
});

const BLOCK = `show: scene=swing&solver=spring
poster: pictures/a.png
alt: Hair & "more"
slider: sim.spring.stiffness | Spring constant k, 1/s² | 4 to 900 log | 100
choice: sim.solver | Solver | spring, ftl
try: Lower k. | It is slow.
exercise: Find it. | overshoot < 2 and sim.spring.stiffness > 5 | sim.spring.stiffness=9&sim.solver=ftl`;

test('a block `play` becomes a scene with controls', () => {
  const html = page(`text\n\n\`\`\`play\n${BLOCK}\n\`\`\`\n`);
  assert.match(html, /<mohawk-head viewer="viewer\/" poster="pictures\/a.png" alt="Hair &#38; &#34;more&#34;" reveal="interaction" settings="scene=swing&#38;solver=spring">/);
  for (const part of ['type="range"', '<select', '<canvas', 'data-do="step"', '<details>', 'Not solved yet', 'play.js']) {
    assert.ok(html.includes(part), part);
  }
  // An empty line would end the HTML.
  assert.doesNotMatch(html.slice(html.indexOf('<section'), html.indexOf('</section')), /\n\s*\n/);
});

test('what is wrong in a block `play` is told with its place', () => {
  const wrong = {
    'colour: red': /"colour"/,
    'slider: sim.hold | Hold | 0 to 1': /"slider" wants 4 parts/,
    'slider: sim.hold | Hold | 0 to 1 | 2': /2 is not in "0 to 1"/,
    'slider: sim.hold | Hold | 0 to 1 log | 0.5': /logarithm/,
    'slider: hold | Hold | 0 to 1 | 0.5': /"hold" is no part/,
    'graph: swagger': /swagger/,
    'zero: 1 2': /three numbers/,
    'exercise: Find. | sim.hold < 1 | sim.solver=ftl': /sim\.hold/,
    'exercise: Find. | settle < 1': /"exercise" wants 3 parts/,
    'exercise: Find. | settle < 1 | sim.solver=rod': /no control takes sim\.solver=rod/,
  };
  for (const [line, message] of Object.entries(wrong)) {
    assert.throws(() => readPlay([...BLOCK.split('\n'), line], 'rod.md:7'), (error) =>
      error.message.startsWith('rod.md:7: ') && message.test(error.message), line);
  }
  assert.throws(() => readPlay(BLOCK.split('\n').slice(1), 'a.md:1'), /"show" is missing/);
  assert.throws(() => readPlay([BLOCK.split('\n').slice(1).join('\n'), 'show: scene=dance'], 'a.md:1'));
});

test('all links of the site lead somewhere', () => {
  assert.deepEqual(deadLinks(SITE), []);
});

test('dead links are found, and links in listings are none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'links-'));
  await writeFile(join(folder, 'a.html'), '<p id="here"><a href="a.html#here">1</a><a href="#there">2</a><img src="b.png">' +
    '<a href="../c">3</a><a href="https://example.org">4</a><a href="viewer/index.html">5</a><code>&lt;img src="d.png"&gt;</code>');
  assert.deepEqual(deadLinks(folder), ['a.html: #there: there is no such place', 'a.html: b.png: there is no such file',
    'a.html: ../c: lies outside of the book']);
  // The program works by another name too.
  const name = join(folder, 'links.mjs');
  await symlink(new URL('../docs/links.mjs', import.meta.url), name);
  await assert.rejects(promisify(execFile)(process.execPath, [name, folder]), /has 3 dead links/);
  await rm(folder, { recursive: true });
});

// All scenes of the pages.
async function plays() {
  const found = [];
  for (const name of (await readdir(DOCS)).filter((name) => name.endsWith('.md'))) {
    const text = await readFile(new URL(name, DOCS), 'utf8');
    for (const [, block] of text.matchAll(/^```play\n([\s\S]*?)^```/gm)) found.push({ name, ...readPlay(block.split('\n'), name) });
  }
  return found;
}

test('the program takes both ends of all sliders and all choices', async () => {
  const all = await plays();
  assert.ok(all.length >= 7);
  for (const side of ['low', 'high']) {
    const parts = all.flatMap(({ show, sliders, choices }) => [
      ...show.split('&').filter((part) => !part.startsWith('scene=')),
      ...sliders.map((slider) => `${slider.key}=${slider[side]}`),
      ...choices.map(({ key, values }) => `${key}=${values.at(side === 'low' ? 0 : -1)}`),
    ]);
    const opened = await Opened.at(`viewer/#${parts.join('&')}&strands=300&groom.length=0.5`);
    const told = opened.lines.filter((line) => /expected|unknown|is no |is none of|there is none/.test(line));
    assert.deepEqual(told, []);
    await opened.close();
  }
  const wrong = await Opened.at('viewer/#sim.spring.stiffness=0.001&strands=300');
  assert.ok(wrong.lines.some((line) => /expected 0\.01 to/.test(line)), wrong.lines.join('\n'));
  await wrong.close();
});

// Opens a page of the site with the element of the tests.
async function withStub(name, options) {
  const stub = await readFile(new URL('../docs/element_stub.js', import.meta.url), 'utf8');
  return Opened.at(name, { ...options, ready: null, route: ['**/element.js', { contentType: 'text/javascript', body: stub }] });
}

test('the page of the spring shows equations, and numbers after a click', async () => {
  const opened = await withStub('spring.html');
  const { page } = opened;
  assert.ok(await page.locator('.equation .katex-display').first().isVisible());
  assert.ok(await page.locator('mohawk-head').evaluate((head) => head.clientHeight > 200));
  const font = () => page.evaluate(() => document.fonts.ready.then(() => document.fonts.check('16px KaTeX_Main')));
  assert.ok(await font());
  const number = page.locator('[data-measure="period"]');
  assert.equal(await number.textContent(), '–');
  await page.locator('mohawk-head button').click();
  await page.waitForFunction(() => /^0\.6\d* s$/.test(document.querySelector('[data-measure="period"]').textContent));
  await page.locator('[data-measure="settle"]').waitFor();
  assert.match(await page.locator('[data-measure="overshoot"]').textContent(), /^4\d(\.\d)? %$/);
  // The graph has a line.
  assert.ok(await page.locator('.play canvas').evaluate((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.some((value, i) => i % 4 === 0 && data[i + 3] > 200 && value > data[i + 1] + 60);
  }));
  await page.locator('[data-do="run"]').click();
  await page.waitForFunction(() => document.querySelector('[data-do="run"]').textContent === 'Run');
  await opened.close();
});

test('an exercise is solved by the keyboard, and says so', async () => {
  const opened = await withStub('spring.html');
  const { page } = opened;
  await page.locator('[data-do="run"]').focus();
  await page.keyboard.press('Enter');
  const damping = page.getByLabel('Damping c, 1/s');
  await damping.focus();
  const value = async () => Number(await page.locator('output').nth(1).textContent());
  while (await value() < 19) await page.keyboard.press('ArrowRight');
  assert.match(await damping.getAttribute('aria-valuetext'), /^\d+(\.\d+)? 1\/s$/);
  await page.locator('.exercises li.solved').waitFor();
  assert.match(await page.locator('.exercises li').first().textContent(), /✓[\s\S]*Solved/);
  assert.match(await page.locator('.exercises li').last().textContent(), /Not solved yet/);
  const asked = await page.locator('mohawk-head').evaluate((head) => head.asked.join('&'));
  assert.match(asked, /sim\.spring\.damping=1\d/);
  await page.locator('[data-do="reset"]').click();
  assert.equal(await value(), 5);
  await opened.close();
});

test('roots grow on a square, and stopping them half-way solves an exercise', async () => {
  const opened = await withStub('roots.html');
  const { page } = opened;
  const square = page.locator('.grow');
  await square.getByRole('button', { name: 'Run' }).click();
  const shown = square.locator('[data-measure="shown"]');
  await page.waitForFunction((cell) => Number(cell.textContent) > 100, await shown.elementHandle());
  await square.getByLabel('Shown').fill('40');
  await square.getByText('Solved', { exact: true }).waitFor();
  assert.equal(await square.locator('.solved').count(), 1);
  const [count, relative] = await Promise.all([shown, square.locator('[data-measure="relative"]')]
    .map(async (cell) => Number(await cell.textContent())));
  assert.ok(count > 500 && count < 700 && relative > 0.7 && relative < 1, `${count} roots, ${relative}`);
  await square.getByLabel('Method').selectOption('uniform');
  await square.getByRole('button', { name: 'Pause' }).waitFor();
  await opened.picture('docs-roots');
  await opened.close();
});

test('all pages fit on a phone and ask nobody else', async () => {
  const opened = await withStub('index.html', { viewport: { width: 390, height: 800 } });
  const { page } = opened;
  for (const name of (await readdir(SITE)).filter((name) => name.endsWith('.html') && name !== 'toc.html')) {
    await page.goto(new URL(name, page.url()).href);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 390), name);
  }
  await opened.close();
});

test('the search finds words of a page', async () => {
  const opened = await withStub('index.html');
  const { page } = opened;
  await page.keyboard.press('/');
  await page.keyboard.type('heavy elastica');
  await page.locator('#mdbook-searchresults a[href*="rod.html"]').first().waitFor();
  await opened.close();
});

// Moves a control of a scene to a value, as far as its steps allow.
function set(page, play, key, value) {
  const at = (list) => list.findIndex((one) => one.key === key);
  const choice = at(play.choices);
  if (choice >= 0) return page.locator(`#play-1-choice-${choice}`).selectOption(value);
  const slider = at(play.sliders);
  const { low, high, log } = play.sliders[slider];
  const share = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return page.locator(`#play-1-slider-${slider}`).evaluate((input, share) => {
    input.value = share;
    input.dispatchEvent(new Event('input'));
  }, share);
}

test('the spring of the program has the numbers of its equation, and all exercises can be solved', async () => {
  for (const play of await plays()) {
    const name = play.name.replace('.md', '');
    const opened = await Opened.at(`${name}.html`, { ready: null });
    const { page } = opened;
    page.setDefaultTimeout(120_000);
    await page.locator('mohawk-head').click();
    if (name === 'spring') {
      await page.waitForFunction(() => /^0\.6[3-7]\d* s$/.test(document.querySelector('[data-measure="period"]').textContent));
    }
    await page.locator('[data-do="restart"]:enabled').waitFor();
    for (const [i, { solution }] of play.exercises.entries()) {
      await page.locator('[data-do="reset"]').click();
      for (const [key, value] of new URLSearchParams(solution)) await set(page, play, key, value);
      await page.locator('[data-do="restart"]').click();
      await page.locator('.exercises > li').nth(i).and(page.locator('.solved')).waitFor();
    }
    await opened.picture(`docs-${name}`);
    await opened.close();
  }
});
