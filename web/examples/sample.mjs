// Spreads roots over a torus, and measures how far each is from the nearest other one.
//
//   node sample.mjs [COUNT]

import { load } from '@mohawk-hair/mohawk';

const count = Number(process.argv[2] ?? 1000);
const mohawk = await load();
const roots = mohawk.sample(torus(1, 0.4, 96, 48), { count });
const distances = nearest(roots.positions).sort();
const mean = distances.reduce((sum, distance) => sum + distance) / roots.count;
const row = (name, value) => console.log(name.padEnd(22), value);
row('roots', roots.count);
row('spacing', roots.spacing.toFixed(4));
row('nearest, least', distances[0].toFixed(4));
row('nearest, mean', mean.toFixed(4));
row('nearest, most', distances.at(-1).toFixed(4));

// Returns the mesh of a torus: the circle of its middle, and that of its tube.
function torus(radius, tube, around, across) {
  const [vertices, faces] = [[], []];
  for (let i = 0; i < around; i++) {
    for (let j = 0; j < across; j++) {
      const [a, b] = [2 * Math.PI * i / around, 2 * Math.PI * j / across];
      const away = radius + tube * Math.cos(b);
      vertices.push(away * Math.cos(a), tube * Math.sin(b), -away * Math.sin(a));
      const at = (i, j) => (i % around) * across + j % across;
      faces.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  return { vertices, faces };
}

// Returns the distance of each point from the nearest other one. All pairs: good for thousands.
function nearest(positions) {
  const found = new Float64Array(positions.length / 3).fill(Infinity);
  for (let a = 0; a < found.length; a++) {
    for (let b = 0; b < a; b++) {
      const distance = Math.hypot(...[0, 1, 2].map((axis) => positions[3 * a + axis] - positions[3 * b + axis]));
      found[a] = Math.min(found[a], distance);
      found[b] = Math.min(found[b], distance);
    }
  }
  return found;
}
