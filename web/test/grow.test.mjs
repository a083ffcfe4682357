// The squares of roots in the docs: their numbers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGrow } from '../docs/grow_block.mjs';
import { Nearest, Spectrum } from '../docs/spectrum.mjs';

// Points that look random, the same in each run.
function points(count) {
  let state = 1;
  // Mulberry32.
  const next = () => {
    state = state + 0x6D2B79F5 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
  return Array.from({ length: count }, () => [next(), next()]);
}

test('a row of points has its wave, and random ones have none', () => {
  const lattice = new Spectrum(20);
  for (let i = 0; i < 256; i++) lattice.add((i % 16 + 0.5) / 16, (Math.floor(i / 16) + 0.5) / 16);
  assert.ok(lattice.power(16, 0) > 50 && lattice.power(0, -16) > 50);
  assert.ok(lattice.power(8, 0) < 1e-6 && lattice.power(5, 7) < 1e-6);
  const random = new Spectrum(20);
  for (const [x, y] of points(2000)) random.add(x, y);
  let [sum, count] = [0, 0];
  for (let v = -20; v <= 20; v++) {
    for (let u = -20; u <= 20; u++) {
      if (Math.hypot(u, v) < 3) continue;
      sum += random.power(u, v);
      count++;
    }
  }
  assert.ok(Math.abs(sum / count - 1) < 0.1, `mean power ${sum / count}`);
});

test('the smallest distance is that of all pairs', () => {
  const all = points(700);
  const nearest = new Nearest(all.length);
  let least = Infinity;
  all.forEach(([x, y], i) => {
    for (const [a, b] of all.slice(0, i)) least = Math.min(least, Math.hypot(a - x, b - y));
    nearest.add(x, y);
    assert.equal(nearest.least, least);
  });
  // A square lattice: its radius is that of its cells over that of hexagons of the same area.
  const lattice = new Nearest(100);
  for (let i = 0; i < 100; i++) lattice.add((i % 10) / 10, Math.floor(i / 10) / 10);
  assert.ok(Math.abs(lattice.relative - Math.sqrt(Math.sqrt(3) / 2)) < 1e-9, lattice.relative);
});

test('a block that is wrong is told with its place', () => {
  const read = (...lines) => () => readGrow(lines, 'roots.md:3');
  assert.equal(readGrow(['methods: tight, uniform'], '').methods.length, 2);
  assert.throws(read('count: 500'), /roots\.md:3: "methods" is missing/);
  assert.throws(read('methods: tight', 'count: 9'), /100 to 4000/);
  assert.throws(read('methods: tight', 'exercise: Try | magic < 3'), /"magic"/);
  assert.throws(read('methods: tight', 'wish: more'), /no "wish"/);
});
