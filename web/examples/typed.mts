// Uses all of the types; `tsc --noEmit` checks it.

import { MohawkHead } from '@mohawk-hair/mohawk/element';
import { load, type GrowOptions, type Measures, type Mohawk, type Roots } from '@mohawk-hair/mohawk';

const mohawk: Mohawk = await load({ models: new URL('models/', import.meta.url) });
const roots: Roots = mohawk.sample(
  { vertices: new Float32Array(9), faces: [0, 1, 2], normals: undefined },
  { radius: 0.1, method: 'maximal', seed: 7n },
);
const head = mohawk.openHead('head.gltf', new ArrayBuffer(0), {
  files: { 'head.bin': new Uint8Array() },
  settings: { 'head.up': 'z' },
});
const options: GrowOptions = {
  preset: mohawk.presets[0],
  settings: {
    'groom.length': 1.2,
    'groom.stack': [{ curl: { angle_deg: 50 } }],
    'sim.forces.gravity': [0, -98.1, 0],
  },
};
const hair = await head.grow(options);
const simulation = hair.simulate({ solver: 'rod' });
simulation.step(1 / 60, new Float64Array(16));
const measures: Measures = simulation.measures();
const x: number | undefined = simulation.positions[0];
console.log(roots.count, hair.leftOut?.length, measures.maxStretch, x);

// @ts-expect-error: there is no such method.
mohawk.sample({ vertices: [], faces: [] }, { method: 'magic' });
// @ts-expect-error: a simulation has no setter.
simulation.time = 3;
// @ts-expect-error: a file is no text.
mohawk.openHead('head.glb', 'text');

const element: MohawkHead = document.createElement('mohawk-head');
element.ask({ scene: 'swing', 'groom.length': 1.2 });
element.addEventListener('samples', ({ detail }) => console.log(detail.samples[0]?.lean));
// @ts-expect-error: it is not for people to load it.
element.loaded = true;
