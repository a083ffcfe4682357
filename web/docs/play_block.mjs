// A block `play` of a page: a live scene with sliders, numbers, things to try and exercises.
//
//   show: scene=swing&solver=spring      an address, as docs/web.md describes
//   poster: pictures/solver-spring.png   the picture before the start
//   alt: The mohawk bends as one arc     its description
//   slider: KEY | LABEL, UNIT | LOW to HIGH [log] [whole] | START
//   choice: KEY | LABEL | ONE, TWO, …    the first is that of the start
//   graph: lean                          the measure that is drawn over time
//   zero: rest                           where tips are in balance: `rest`, `end`, or X Y Z in dm from rest
//   try: WHAT TO DO | WHAT IS SEEN
//   exercise: WHAT TO REACH | MEASURE < NUMBER and … | SETTINGS THAT REACH IT
//
// What is not known is an error that names the line.

import { MEASURES, readCondition, SCENES } from './measures.mjs';

const NUMBER = '[-+]?[0-9]*\\.?[0-9]+(?:e[-+]?[0-9]+)?';
const RANGE = new RegExp(`^(${NUMBER}) to (${NUMBER})((?: log| whole)*)$`);
const PARTS = /^(?:preset|scene|solver|strands|split|overlays|view|speed|graphs|(?:sim|groom|roots|look|view|head)\.[a-z_.]+)$/;

// Returns what the lines of a block ask for.
export function readPlay(lines, place) {
  const play = { sliders: [], choices: [], tries: [], exercises: [], graph: 'lean', zero: 'rest' };
  const fail = (text) => {
    throw new Error(`${place}: ${text}`);
  };
  for (const line of lines.filter((line) => line.trim())) {
    const split = /^([a-z]+):\s*(.*?)\s*$/.exec(line);
    if (!split) fail(`"${line}" is no "key: value"`);
    const [, key, value] = split;
    const parts = value.split('|').map((part) => part.trim());
    const need = (count) => parts.length === count && parts.every(Boolean)
      || fail(`"${key}" wants ${count} parts with | between them: "${line}"`);
    if (['show', 'poster', 'alt'].includes(key)) {
      play[key] = value;
    } else if (key === 'slider') {
      need(4);
      play.sliders.push(slider(parts, fail));
    } else if (key === 'choice') {
      need(3);
      play.choices.push({ key: parts[0], label: parts[1], values: parts[2].split(/\s*,\s*/) });
    } else if (key === 'graph') {
      if (!MEASURES[value]?.live) fail(`"${value}" is no measure that changes with time`);
      play.graph = value;
    } else if (key === 'zero') {
      const place = value.split(/\s+/).map(Number);
      const fits = ['rest', 'end'].includes(value) || place.length === 3 && place.every(Number.isFinite);
      if (!fits) fail(`"zero" is rest, end or three numbers, not "${value}"`);
      play.zero = place.length === 3 ? place : value;
    } else if (key === 'try') {
      need(2);
      play.tries.push({ what: parts[0], see: parts[1] });
    } else if (key === 'exercise') {
      need(3);
      play.exercises.push({ what: parts[0], condition: parts[1], solution: parts[2] });
    } else {
      fail(`there is no "${key}"`);
    }
  }
  for (const key of ['show', 'poster', 'alt']) if (!play[key]) fail(`"${key}" is missing`);
  const shown = new URLSearchParams(play.show);
  for (const key of [...shown.keys(), ...[...play.sliders, ...play.choices].map(({ key }) => key)]) {
    if (!PARTS.test(key)) fail(`"${key}" is no part of an address`);
  }
  play.scene = shown.get('scene') ?? 'still';
  if (!SCENES[play.scene]) fail(`there is no scene "${play.scene}"`);
  const keys = play.sliders.map(({ key }) => key);
  const takes = (key, value) => play.sliders.some((one) => one.key === key && value >= one.low && value <= one.high)
    || play.choices.some((one) => one.key === key && one.values.includes(value));
  for (const { condition, solution } of play.exercises) {
    const problem = readCondition(condition, keys).problem;
    if (problem) fail(problem);
    for (const [key, value] of new URLSearchParams(solution)) if (!takes(key, value)) fail(`no control takes ${key}=${value}`);
  }
  return play;
}

function slider([key, label, range, start], fail) {
  const found = RANGE.exec(range);
  if (!found) fail(`"${range}" is no range, such as "1 to 100 log"`);
  const [low, high] = [Number(found[1]), Number(found[2])];
  const one = { key, label, low, high, start: Number(start), log: / log/.test(found[3]), whole: / whole/.test(found[3]) };
  if (!(low < high) || !(one.start >= low && one.start <= high)) fail(`${key}: ${start} is not in "${range}"`);
  if (one.log && low <= 0) fail(`${key}: a logarithm wants a range above 0`);
  return one;
}

export const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
// Text of a label or sentence: spans of code stay code.
export const prose = (text) => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');

// Returns the lists of what to try and of exercises.
export function lists({ tries, exercises }, id) {
  const list = (name, heading, items) => items.length
    ? `<h4 id="${id}-${name}">${heading}</h4>\n<ul class="${name}">\n${items.join('\n')}\n</ul>` : '';
  return [
    list('tries', 'What to try', tries.map(({ what, see }) =>
      `<li><details><summary>${prose(what)}</summary><p>${prose(see)}</p></details></li>`)),
    list('exercises', 'Exercises', exercises.map(({ what }) => `<li><span class="mark" aria-hidden="true"></span>
<span class="task">${prose(what)} <span class="state" role="status">Not solved yet</span></span></li>`)),
  ].join('\n');
}

// Returns the HTML of a scene. It has no empty line, which would end it in Markdown.
export function figure(play, number) {
  const id = `play-${number}`;
  const sliders = play.sliders.map(({ label }, i) => `<div class="slider">
<label for="${id}-slider-${i}">${prose(label)}</label><output for="${id}-slider-${i}"></output>
<input type="range" id="${id}-slider-${i}" min="0" max="1" step="any">
</div>`);
  const choices = play.choices.map(({ label, values }, i) => `<div class="choice">
<label for="${id}-choice-${i}">${prose(label)}</label>
<select id="${id}-choice-${i}">${values.map((value) => `<option>${escaped(value)}</option>`).join('')}</select>
</div>`);
  const numbers = Object.entries(MEASURES).filter(([, { shown }]) => shown)
    .map(([name, { label }]) => `<div><dt>${label}</dt><dd data-measure="${name}">–</dd></div>`);
  const meanings = Object.values(MEASURES).filter(({ shown }) => shown)
    .map(({ label, about }) => `<li><b>${label}:</b> ${escaped(about)}.</li>`);
  const graph = MEASURES[play.graph];
  // What solves an exercise is for tests.
  const data = JSON.stringify(play, (key, value) => key === 'solution' ? undefined : value);
  return `<section class="play" id="${id}" aria-label="Live scene" data-play="${escaped(data)}">
<div class="board">
<div class="stage">
<mohawk-head viewer="viewer/" poster="${escaped(play.poster)}" alt="${escaped(play.alt)}" reveal="interaction" settings="${escaped(play.show)}"><img src="${escaped(play.poster)}" alt="${escaped(play.alt)}"></mohawk-head>
<p class="problem" role="alert" hidden></p>
<div class="buttons">
<button type="button" data-do="run">Run</button>
<button type="button" data-do="step" disabled>Step</button>
<button type="button" data-do="restart" disabled>Restart</button>
<span class="clock" data-clock></span>
</div>
</div>
<div class="panel">
<div class="sliders" role="group" aria-label="Settings">
${[...choices, ...sliders].join('\n')}
<button type="button" data-do="reset">Reset settings</button>
</div>
<div class="graph">
<canvas role="img" aria-label="${escaped(`${graph.label}, ${graph.unit}, over the last seconds`)}"></canvas>
</div>
</div>
</div>
<dl class="numbers">
${numbers.join('\n')}
</dl>
<details class="meanings"><summary>What the numbers mean</summary>
<p>Peak, stretch and depth are those of the last whole round of the scene; so are overshoot, settling and period, which are measured from when the head stands still. A dash stands for what did not happen in that time.</p>
<ul>
${meanings.join('\n')}
</ul>
</details>
${lists(play, id)}
</section>
`.replace(/\n\n+/g, '\n');
}
