// The numbers of live scenes, on curves whose numbers are known.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFile } from 'node:fs/promises';
import { Runs, SCENES, fulfils, readCondition, swing } from '../docs/measures.mjs';

const near = (value, expected, share = 0.01) =>
  assert.ok(Math.abs(value - expected) <= share * Math.abs(expected), `${value} is not ${expected}`);

// A swing that begins at its peak: amplitude 1, damping ratio `zeta`, undamped frequency `w0`.
function cosine(zeta, w0, secs, { axis = [1, 0, 0], at = [0, 0, 0], from = 0 } = {}) {
  const wd = w0 * Math.sqrt(1 - zeta * zeta);
  return Array.from({ length: Math.round(secs * 60) }, (_, i) => {
    const t = i / 60;
    const s = Math.exp(-zeta * w0 * t) * (Math.cos(wd * t) + zeta * w0 / wd * Math.sin(wd * t));
    const [x, y, z] = axis.map((part, j) => at[j] + s * part);
    return { secs: from + t, lean: 30 * Math.abs(s), x, y, z, energy: s * s, stretch: 1, depth: 0 };
  });
}

test('a damped cosine has the overshoot and the period of its closed form', () => {
  for (const zeta of [0.05, 0.25, 0.5, 0.8]) {
    const w0 = 10;
    const found = swing(cosine(zeta, w0, 8));
    near(found.overshoot, 100 * Math.exp(-zeta * Math.PI / Math.sqrt(1 - zeta * zeta)), 0.02);
    if (zeta < 0.6) near(found.period, 2 * Math.PI / (w0 * Math.sqrt(1 - zeta * zeta)));
  }
});

test('hair has settled when its envelope is below a twentieth for good', () => {
  for (const [zeta, w0] of [[0.05, 10], [0.25, 10], [0.5, 6]]) {
    const { settle } = swing(cosine(zeta, w0, 12));
    const envelope = Math.log(20) / (zeta * w0);
    assert.ok(settle <= envelope * 1.08 && settle > envelope - Math.PI / w0 * 1.3, `${settle} for ${envelope}`);
  }
  assert.equal(swing(cosine(0.01, 10, 3)).settle, undefined);
});

test('the axis and the place of balance do not matter', () => {
  const plain = swing(cosine(0.2, 8, 6));
  const turned = swing(cosine(0.2, 8, 6, { axis: [0.6, 0, -0.8], at: [1, 2, 3] }), [1, 2, 3]);
  const ended = swing(cosine(0.2, 8, 6, { at: [0, -1, 0] }), 'end');
  for (const name of ['overshoot', 'settle', 'period']) {
    near(turned[name], plain[name], 1e-6);
    near(ended[name], plain[name], 0.05);
  }
});

test('critically damped hair passes its place nowhere, and hair at rest has no numbers', () => {
  const samples = cosine(0.999, 10, 4);
  assert.ok(swing(samples).overshoot < 1);
  assert.equal(swing(samples).period, undefined);
  assert.deepEqual(swing(samples.map((sample) => ({ ...sample, x: 1e-4 }))), {});
  assert.deepEqual(swing([]), {});
});

test('a run is measured when its round is over, and not if settings changed in it', () => {
  const runs = new Runs('swing', 'rest');
  const { moves, period } = SCENES.swing;
  const round = (number) => [
    ...Array.from({ length: moves * 60 }, (_, i) => ({ secs: number * period + i / 60, lean: 50, x: 1, y: 0, z: 0, energy: 1, stretch: 2, depth: 3 })),
    ...cosine(0.25, 10, period - moves, { from: number * period + moves }),
  ];
  assert.equal(runs.add(round(0)), true);
  near(runs.numbers().overshoot, 44.4, 0.03);
  assert.deepEqual([runs.numbers().peak, runs.numbers().stretch], [50, 2]);
  runs.changed();
  assert.equal(runs.add(round(1).slice(0, 10)), false);
  runs.changed();
  assert.equal(runs.add(round(1).slice(10)), false);
  assert.equal(runs.add(round(2)), true);
});

test('a run of hair that comes to rest early is measured, and late samples are none of a restart', () => {
  const runs = new Runs('drop', 'rest');
  assert.equal(runs.add(cosine(0.5, 10, 2)), false);
  // The scene begins anew by itself.
  assert.equal(runs.add(cosine(0.5, 10, 0.1)), true);
  runs.restart();
  assert.equal(runs.add(cosine(0.5, 10, 2).slice(60)), false);
  assert.equal(runs.add(cosine(0.5, 10, 0.1)), false);
});

test('conditions name numbers and sliders, and what is not known fulfils none', () => {
  const { terms } = readCondition('overshoot < 2 and sim.hold > -1.5', ['sim.hold']);
  assert.ok(fulfils(terms, { overshoot: 1, 'sim.hold': 0 }));
  assert.ok(!fulfils(terms, { overshoot: 3, 'sim.hold': 0 }));
  assert.ok(!fulfils(terms, { overshoot: undefined, 'sim.hold': 0 }));
  assert.match(readCondition('swagger < 2').problem, /swagger/);
  assert.match(readCondition('settle 2').problem, /settle 2/);
});

test('scenes have the rhythm of the program', async () => {
  const source = await readFile(new URL('../../src/sim/scene.rs', import.meta.url), 'utf8');
  const rhythm = source.slice(source.indexOf('fn rhythm'));
  for (const [name, { moves, period }] of Object.entries(SCENES)) {
    if (name === 'still') continue;
    const variant = `Scene::${name[0].toUpperCase()}${name.slice(1)}`;
    const at = rhythm.indexOf(variant);
    const [, numbers] = /=> \(([^)]*)\)/.exec(rhythm.slice(at));
    const [, active, whole] = numbers.split(', ').map((part) => Number(part.replace(/ \/ .*/, '')));
    assert.deepEqual([moves, period], [active, whole], name);
  }
});
