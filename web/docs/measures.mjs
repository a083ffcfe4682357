// The numbers of a live scene, from samples of its hair.
//
// A sample has the simulated time `secs`; `lean`, the mean angle of strands from where they rest,
// degrees; `x`, `y`, `z`, the mean offset of tips from there in head space, dm; `energy`, dm²/s²;
// `stretch`, %; `depth`, mm.

// When the head of a scene stands still again, and when the scene begins anew; seconds. The same
// numbers are in `src/sim/scene.rs`.
export const SCENES = {
  still: { moves: 0, period: 4 },
  swing: { moves: 2.4, period: 4 },
  nod: { moves: 2.4, period: 4 },
  turn: { moves: 2.7, period: 4.5 },
  shake: { moves: 2.4, period: 4 },
  walk: { moves: 4, period: 5.5 },
  run: { moves: 4, period: 5.5 },
  drop: { moves: 0, period: 4 },
  gust: { moves: 0, period: 4 },
  pendulum: { moves: 0, period: 4 },
  cantilever: { moves: 0, period: 4 },
};

// `live`: changes with time and can be drawn. `shown`: stands in the list of numbers.
export const MEASURES = {
  lean: { label: 'Lean', unit: '°', live: true, shown: true,
    about: 'Mean angle of the strands from where they rest, now' },
  peak: { label: 'Peak', unit: '°', shown: true, about: 'Largest lean in the last whole round' },
  overshoot: { label: 'Overshoot', unit: '%', shown: true,
    about: 'How far the tips go past their place, as a share of the peak before' },
  settle: { label: 'Settles in', unit: 's', shown: true,
    about: 'Time from the peak until the tips stay nearer to their place than 5 % of it' },
  period: { label: 'Period', unit: 's', shown: true,
    about: 'Twice the mean time between two passes of the place of rest' },
  energy: { label: 'Energy', unit: 'dm²/s²', live: true, shown: true,
    about: 'Mean energy of a particle of mass 1, now' },
  stretch: { label: 'Stretch', unit: '%', live: true, shown: true,
    about: 'Largest change of the length of a segment in the last whole round' },
  depth: { label: 'Depth', unit: 'mm', live: true, shown: true,
    about: 'Depth of the deepest particle in the head in the last whole round' },
  x: { label: 'Tips to the side', unit: 'dm', live: true },
  y: { label: 'Tips upwards', unit: 'dm', live: true },
  z: { label: 'Tips forwards', unit: 'dm', live: true },
};

// Hair counts as settled within this share of its peak, and swings above `TREMBLE` of it.
const SETTLED = 0.05;
const TREMBLE = 0.01;
// Hair has to stay settled for this time, seconds.
const STAY_SECS = 0.15;
// Below this peak nothing can be told, dm.
const LEAST_PEAK = 0.002;
const END_SECS = 0.25;
// A round of which less was seen is not measured, seconds.
const LEAST_SECS = 0.7;
// After a restart a scene begins below this time, seconds; so many samples may come before.
const LATE_SECS = 0.1;
const LATE_SAMPLES = 300;

// Measures the swing of tips in samples of hair that nothing drives. `zero` is the offset at which
// they are in balance: 'rest', 'end' (the mean of the last quarter second) or [x, y, z]. What cannot
// be told is missing in the result.
//
// The swing s is the offset from there along the axis with the largest sum of squares. Its peak is
// the largest |s|; `overshoot` the largest |s| on the other side after it, in % of it; `settle` the
// time from it until |s| stays below 5 % of it; `period` twice the mean time between zeros of s.
export function swing(samples, zero = 'rest') {
  if (samples.length < 3) return {};
  const end = samples.at(-1).secs;
  const middle = Array.isArray(zero) ? zero : zero === 'end' ? mean(samples.filter(({ secs }) => secs > end - END_SECS)) : [0, 0, 0];
  const offsets = samples.map(({ x, y, z }) => [x - middle[0], y - middle[1], z - middle[2]]);
  const axis = mainAxis(offsets);
  const s = offsets.map((offset) => dot(offset, axis));
  const at = s.reduce((best, value, i) => Math.abs(value) > Math.abs(s[best]) ? i : best, 0);
  const peak = Math.abs(s[at]);
  if (peak < LEAST_PEAK) return {};
  const sign = Math.sign(s[at]);
  const after = s.slice(at).map((value) => value * sign / peak);
  const secs = samples.slice(at).map((sample) => sample.secs);
  const result = { overshoot: 100 * Math.max(0, ...after.map((value) => -value)) };
  const last = after.findLastIndex((value) => Math.abs(value) >= SETTLED);
  const settledAt = secs[last + 1];
  if (settledAt !== undefined && end - settledAt >= STAY_SECS) result.settle = settledAt - secs[0];
  const zeros = crossings(secs, after);
  if (zeros.length > 1) result.period = 2 * (zeros.at(-1) - zeros[0]) / (zeros.length - 1);
  return result;
}

// Times at which a curve passes 0, as far as it is above a tremble on both sides.
function crossings(secs, values) {
  const found = [];
  let side = 0;
  let candidate;
  for (let i = 0; i < values.length; i++) {
    if (i > 0 && values[i - 1] * values[i] <= 0 && values[i - 1] !== values[i]) {
      const share = values[i - 1] / (values[i - 1] - values[i]);
      candidate = secs[i - 1] + share * (secs[i] - secs[i - 1]);
    }
    if (Math.abs(values[i]) < TREMBLE || Math.sign(values[i]) === side) continue;
    if (side !== 0) found.push(candidate);
    side = Math.sign(values[i]);
  }
  return found;
}

function mean(samples) {
  const sums = samples.reduce(([x, y, z], sample) => [x + sample.x, y + sample.y, z + sample.z], [0, 0, 0]);
  return sums.map((sum) => sum / samples.length);
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

// The axis with the largest sum of squares, by power iteration from the farthest offset.
function mainAxis(offsets) {
  let axis = offsets.reduce((best, offset) => dot(offset, offset) > dot(best, best) ? offset : best);
  for (let round = 0; round < 30; round++) {
    const sum = [0, 0, 0];
    for (const offset of offsets) {
      const along = dot(offset, axis);
      for (let i = 0; i < 3; i++) sum[i] += along * offset[i];
    }
    const length = Math.sqrt(dot(sum, sum));
    if (length === 0) return [1, 0, 0];
    axis = sum.map((value) => value / length);
  }
  return axis;
}

// Cuts samples into runs, the rounds of a scene, and measures each.
export class Runs {
  constructor(scene, zero) {
    this.rhythm = SCENES[scene];
    this.zero = zero;
    // The numbers of the last run that was measured to its end.
    this.last = {};
    this.restart();
  }

  // Begins anew, with the first sample of a scene that has just been restarted.
  restart() {
    this.begin(0);
    this.late = LATE_SAMPLES;
  }

  begin(round) {
    this.round = round;
    // Whether its settings have not changed since it began.
    this.clean = true;
    this.complete = false;
    this.quiet = [];
    this.most = {};
    this.now = { secs: -Infinity };
  }

  // Settings have changed: the numbers of this run are those of none.
  changed() {
    this.clean = false;
  }

  // Adds samples. Returns true if a run has been measured to its end with settings that did not change.
  add(samples) {
    let finished = false;
    for (const sample of samples) {
      // Samples from before a restart may still be on their way.
      if (this.late > 0 && sample.secs > LATE_SECS) {
        this.late--;
        continue;
      }
      this.late = 0;
      const round = Math.floor(sample.secs / this.rhythm.period);
      if (round !== this.round || sample.secs < this.now.secs) {
        // Hair at rest gives no samples, so a run may end before its time.
        finished = this.measure() || finished;
        this.begin(round);
      }
      this.now = sample;
      for (const name of ['lean', 'stretch', 'depth']) {
        this.most[name] = Math.max(this.most[name] ?? 0, sample[name]);
      }
      const since = sample.secs - round * this.rhythm.period;
      if (since >= this.rhythm.moves) this.quiet.push(sample);
      if (since >= this.rhythm.period - 0.05) finished = this.measure() || finished;
    }
    return finished;
  }

  measure() {
    if (this.complete || !this.quiet.length) return false;
    if (this.quiet.at(-1).secs - this.quiet[0].secs < LEAST_SECS) return false;
    this.complete = true;
    if (!this.clean) return false;
    const { lean: peak, stretch, depth } = this.most;
    this.last = { ...swing(this.quiet, this.zero), peak, stretch, depth };
    return true;
  }

  // The numbers to show: those of now, and of the last run.
  numbers() {
    const { lean, energy } = this.now;
    return { ...this.last, lean, energy };
  }
}

const TERM = /^([a-z_.]+) *(<|>) *([-+]?[0-9.]+)$/;

// Reads a condition such as `overshoot < 2 and settle < 2`. Its names are measures of a run, and
// keys of settings. Returns its terms, or what is wrong with it.
export function readCondition(text, keys = []) {
  const terms = [];
  for (const part of text.split(/ and /)) {
    const found = TERM.exec(part.trim());
    if (!found) return { terms, problem: `"${part}" is no condition, such as "settle < 2"` };
    const [, name, sign, number] = found;
    const known = MEASURES[name]?.shown || keys.includes(name);
    if (!known) return { terms, problem: `"${name}" is no number of the scene and no slider` };
    if (!Number.isFinite(Number(number))) return { terms, problem: `"${number}" is no number` };
    terms.push({ name, sign, number: Number(number) });
  }
  return { terms };
}

// Whether numbers fulfil all terms. Those that are not known fulfil none.
export function fulfils(terms, numbers) {
  return terms.every(({ name, sign, number }) => {
    const value = numbers[name];
    return Number.isFinite(value) && (sign === '<' ? value < number : value > number);
  });
}
