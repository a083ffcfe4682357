// Prints the turns of the page over 50 ms until its first picture: when each began and how long it took,
// milliseconds. Chromium draws on the CPU, as in tests.
//
//   node web/turns.mjs FOLDER     a folder that script/build-web made

import { Opened, begin, end } from './test/page.mjs';

await begin(process.argv[2]);
const script = () => {
  window.turns = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.turns.push([startTime, duration]);
  }).observe({ type: 'longtask' });
};
const { page } = await Opened.at('', { script });
const turns = await page.evaluate(() => window.turns);
for (const turn of turns) console.log(turn.map((ms) => Math.round(ms).toString().padStart(6)).join(' '));
await end();
