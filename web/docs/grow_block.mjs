// A block `grow` of a page: roots that appear one by one on a square, with their spectrum beside.
//
//   methods: progressive, maximal, uniform     the first is that of the start
//   count: 1500
//   try: WHAT TO DO | WHAT IS SEEN
//   exercise: WHAT TO REACH | MEASURE < NUMBER and …
//
// What is not known is an error that names the line.

import { readCondition } from './measures.mjs';
import { NUMBERS } from './spectrum.mjs';
import { escaped, lists } from './play_block.mjs';

// Returns what the lines of a block ask for.
export function readGrow(lines, place) {
  const grow = { methods: [], count: 1500, tries: [], exercises: [] };
  const fail = (text) => {
    throw new Error(`${place}: ${text}`);
  };
  for (const line of lines.filter((line) => line.trim())) {
    const [, key, value] = /^([a-z]+):\s*(.*?)\s*$/.exec(line) ?? fail(`"${line}" is no "key: value"`);
    const parts = value.split('|').map((part) => part.trim());
    if (['try', 'exercise'].includes(key) && parts.length !== 2) fail(`"${key}" wants 2 parts with | between them: "${line}"`);
    if (key === 'methods') {
      grow.methods = value.split(/\s*,\s*/);
    } else if (key === 'count') {
      grow.count = Number(value);
      if (!(grow.count >= 100 && grow.count <= 4000)) fail(`"count" is 100 to 4000, not ${value}`);
    } else if (key === 'try') {
      grow.tries.push({ what: parts[0], see: parts[1] });
    } else if (key === 'exercise') {
      const { problem } = readCondition(parts[1], Object.keys(NUMBERS));
      if (problem) fail(problem);
      grow.exercises.push({ what: parts[0], condition: parts[1] });
    } else {
      fail(`there is no "${key}"`);
    }
  }
  if (!grow.methods.length) fail('"methods" is missing');
  return grow;
}

// Returns the HTML of a square. It has no empty line, which would end it in Markdown.
export function square(grow, number) {
  const id = `grow-${number}`;
  const numbers = Object.entries(NUMBERS)
    .map(([name, { label }]) => `<div><dt>${label}</dt><dd data-measure="${name}">–</dd></div>`);
  return `<section class="play grow" id="${id}" aria-label="Roots that appear one by one" data-grow="${escaped(JSON.stringify(grow))}">
<div class="squares">
<figure><canvas data-canvas="roots" role="img" aria-label="Roots on a square, in the order in which they were made"></canvas><figcaption>Roots</figcaption></figure>
<figure><canvas data-canvas="spectrum" role="img" aria-label="Power of the roots at each frequency"></canvas><figcaption>Spectrum</figcaption></figure>
</div>
<p class="problem" role="alert" hidden></p>
<div class="sliders" role="group" aria-label="Settings">
<div class="choice">
<label for="${id}-method">Method</label>
<select id="${id}-method">${grow.methods.map((method) => `<option>${escaped(method)}</option>`).join('')}</select>
</div>
<div class="slider">
<label for="${id}-count">Roots</label><output for="${id}-count">${grow.count}</output>
<input type="range" id="${id}-count" min="100" max="4000" step="50" value="${grow.count}">
</div>
<div class="slider">
<label for="${id}-share">Shown</label><output for="${id}-share">0 %</output>
<input type="range" id="${id}-share" min="0" max="100" step="0.5" value="0">
</div>
</div>
<div class="buttons">
<button type="button" data-do="run">Run</button>
<button type="button" data-do="step">Step</button>
<button type="button" data-do="restart">Restart</button>
</div>
<dl class="numbers">
${numbers.join('\n')}
</dl>
${lists(grow, id)}
</section>
`.replace(/\n\n+/g, '\n');
}
