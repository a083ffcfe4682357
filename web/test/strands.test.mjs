// Files of strands in the page.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { Opened, begin, drop, end } from './page.mjs';

before(() => begin());
after(end);

const [STRANDS, POINTS] = [400, 6];

// Returns a file `.hair`: strands that stand on the upper half of a ball.
function hairFile() {
  const header = Buffer.alloc(128);
  header.write('HAIR');
  // Points are there; all strands have as many segments.
  [STRANDS, STRANDS * POINTS, 2, POINTS - 1].forEach((number, i) => header.writeUInt32LE(number, 4 + 4 * i));
  [0.1, 0, 0.5, 0.3, 0.1].forEach((number, i) => header.writeFloatLE(number, 20 + 4 * i));
  const points = new Float32Array(STRANDS * POINTS * 3);
  for (let strand = 0; strand < STRANDS; strand++) {
    const up = (strand + 0.5) / STRANDS;
    const around = strand * 2.39996;
    const flat = Math.sqrt(1 - up * up);
    const way = [flat * Math.cos(around), up, flat * Math.sin(around)];
    for (let point = 0; point < POINTS; point++) {
      way.forEach((part, axis) => { points[(strand * POINTS + point) * 3 + axis] = part * (10 + point); });
    }
  }
  return Buffer.concat([header, Buffer.from(points.buffer)]);
}

test('a file of strands is dropped, and its hair is exported and dropped again', async () => {
  const opened = await Opened.at();
  const { page } = opened;
  await drop(page, [{ name: 'mine.hair', base64: hairFile().toString('base64') }]);
  await opened.line(new RegExp(`^loaded .* ${STRANDS} strands`));
  await opened.picture('hair');
  await page.keyboard.press('Control+e');
  await opened.line(/^type a name/);
  await page.keyboard.type('hair.usdc');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  assert.equal(download.suggestedFilename(), 'hair.usdc');
  const curves = await readFile(await download.path());
  assert.equal(curves.toString('latin1', 0, 8), 'PXR-USDC');
  await drop(page, [{ name: 'curves.usdc', base64: curves.toString('base64') }]);
  await opened.line(new RegExp(`^loaded .* ${STRANDS} strands`));
  await opened.picture('curves');
  await drop(page, [{ name: 'broken.hair', base64: hairFile().subarray(0, 900).toString('base64') }]);
  await opened.line(/broken\.hair: /);
  await opened.close();
});
