// The npm package in Node, and its examples in a browser.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installed } from '../examples/serve.mjs';
import { Opened, begin, end, middle, share } from './page.mjs';

const run = promisify(execFile);
const repository = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

let place;
let mohawk;
let head;

before(async () => {
  place = await installed(process.env.MOHAWK_PACKAGE);
  const { load } = await import(join(place, 'node_modules/@mohawk-hair/mohawk/index.js'));
  mohawk = await load();
  head = await mohawk.shippedHead();
  await begin(place);
});

after(async () => {
  await end();
  await rm(place, { recursive: true });
});

// A square of `n` times `n` cells in the plane z = 0, its sides 1.
function square(n) {
  const [vertices, faces] = [[], []];
  for (let y = 0; y <= n; y++) {
    for (let x = 0; x <= n; x++) vertices.push(x / n, y / n, 0);
  }
  for (let y = 0; y < n; y++) {
    for (let x = 0; x < n; x++) {
      const at = y * (n + 1) + x;
      faces.push(at, at + 1, at + n + 2, at, at + n + 2, at + n + 1);
    }
  }
  return { vertices, faces };
}

function point(list, i) {
  return list.subarray(3 * i, 3 * i + 3);
}

const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

test('the version is that of the crate', async () => {
  const [, version] = /^version = "(.*)"/m.exec(await readFile(repository('Cargo.toml'), 'utf8'));
  const written = JSON.parse(await readFile(join(process.env.MOHAWK_PACKAGE, 'package.json'), 'utf8'));
  assert.deepEqual([written.version, mohawk.version], [version, version]);
});

test('roots keep their distance, lie where they say, and leave no gap', () => {
  const mesh = square(4);
  // A triangle without an area is no scalp, and the others keep their numbers.
  mesh.faces = [0, 0, 1, ...mesh.faces];
  const radius = 0.05;
  const roots = mohawk.sample(mesh, { radius, seed: 3 });
  assert.equal(roots.positions.length, 3 * roots.count);
  assert.ok(roots.count > 0.6 / radius ** 2, `${roots.count} roots`);
  for (let a = 0; a < roots.count; a++) {
    const at = point(roots.positions, a);
    for (let b = 0; b < a; b++) {
      assert.ok(apart(at, point(roots.positions, b)) >= radius, `${a} and ${b}`);
    }
    const corners = mesh.faces.slice(3 * roots.triangles[a], 3 * roots.triangles[a] + 3);
    const weights = point(roots.barycentric, a);
    const there = [0, 1, 2].map((axis) => corners.reduce(
      (sum, corner, i) => sum + weights[i] * mesh.vertices[3 * corner + axis], 0));
    assert.ok(apart(there, at) < 1e-6, `${there}, not ${at}`);
    assert.deepEqual([...point(roots.normals, a)], [0, 0, 1]);
  }
  for (let i = 0; i < 1000; i++) {
    const at = [(i * 0.618034) % 1, (i * 0.754878) % 1, 0];
    const distances = Array.from({ length: roots.count }, (_, a) => apart(at, point(roots.positions, a)));
    assert.ok(Math.min(...distances) <= radius * 1.002, `a gap at ${at}`);
  }
});

test('a count, a density and a method are kept', () => {
  const near = (roots, count) => assert.ok(Math.abs(roots.count - count) < 0.05 * count, `${roots.count}`);
  near(mohawk.sample(square(2), { count: 2000 }), 2000);
  const density = new Float32Array(9).fill(0.25);
  near(mohawk.sample({ ...square(2), density }, { count: 2000 }), 500);
  assert.equal(mohawk.sample(square(2), { count: 321, method: 'uniform' }).count, 321);
  const [a, b, c] = [1, 1, 2].map((seed) => mohawk.sample(square(2), { count: 200, seed }).positions);
  assert.deepEqual(a, b);
  assert.notDeepEqual(a, c);
});

test('the shipped head has skin, a scalp and roots on it', () => {
  assert.equal(head.name, 'head');
  assert.ok(head.parts().some((part) => part.positions.length > 10_000));
  const { matrix, scale, centre } = head.units;
  assert.equal(matrix.length, 16);
  const places = [scale, ...centre.map((part) => -part * scale)];
  places.forEach((place, i) => assert.ok(Math.abs(matrix[[0, 12, 13, 14][i]] - place) < 1e-6));
  const scalp = head.scalp();
  const roots = head.roots({ count: 400 });
  assert.ok(roots.count > 300, `${roots.count} roots`);
  for (let i = 0; i < roots.count; i++) {
    const corners = point(scalp.faces, roots.triangles[i]);
    const weights = point(roots.barycentric, i);
    const there = [0, 1, 2].map((axis) => corners.reduce(
      (sum, corner, i) => sum + weights[i] * scalp.positions[3 * corner + axis], 0));
    assert.ok(apart(there, point(roots.positions, i)) < 1e-5);
  }
});

// The hash that the tests of the solvers use: FNV-1a of the bits.
function hash(numbers) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return `0x${hash.toString(16).padStart(16, '0')}`;
}

// Turned by 37 degrees, and moved.
const TILTED = [0.8, 0.6, 0, 0, -0.6, 0.8, 0, 0, 0, 0, 1, 0, 0.125, 0, -0.25, 1];

test('every solver gives the bits that Rust gives', async () => {
  const recorded = JSON.parse(await readFile(new URL('recorded.json', import.meta.url), 'utf8'));
  const hair = await head.grow({ settings: { 'roots.strands': 200 } });
  const found = Object.fromEntries(mohawk.solvers.map((solver) => {
    const simulation = hair.simulate({ solver });
    simulation.step(0.25, TILTED);
    for (let frame = 0; frame < 45; frame++) simulation.step(1 / 60);
    assert.equal(simulation.time, 1);
    return [solver, hash(simulation.positions)];
  }));
  assert.deepEqual(found, recorded);
});

test('hair moves with the head, keeps its lengths, and comes to rest', async () => {
  const hair = await head.grow({ preset: 'fan', settings: { 'roots.strands': 300, 'groom.length': 1.2 } });
  assert.ok(Math.max(...hair.lengths) > 1);
  for (const solver of ['ftl', 'rod']) {
    const simulation = hair.simulate({ solver, settings: { 'sim.strand_particles': 9 } });
    assert.deepEqual([simulation.strands, simulation.pointsPerStrand], [hair.strands, 9]);
    const rest = simulation.positions.slice();
    assert.equal(rest.length, 3 * hair.strands * 9);
    assert.ok(apart(point(rest, 0), point(hair.roots, 0)) < 1e-6);
    simulation.step(1, TILTED);
    const moved = simulation.positions;
    assert.ok(moved.every(Number.isFinite));
    for (let i = 0; i < hair.strands * 9 - 1; i++) {
      if ((i + 1) % 9 === 0) continue;
      const [was, is] = [rest, moved].map((list) => apart(point(list, i), point(list, i + 1)));
      assert.ok(Math.abs(is / was - 1) < 1e-3, `segment ${i}: ${was}, then ${is}`);
    }
    assert.ok(simulation.measures().maxStretch < 1e-3);
    assert.ok(simulation.measures().kinetic > 0);
    simulation.step(1 / 60);
    TILTED.forEach((number, i) => assert.ok(Math.abs(simulation.pose[i] - number) < 1e-6));
    simulation.reset();
    assert.deepEqual([simulation.time, hash(simulation.positions)], [0, hash(rest)]);
    simulation.set({ 'sim.solver': 'spring', 'sim.forces.gravity': [0, -20, 0] });
    assert.equal(simulation.solver, 'spring');
    simulation.step(1 / 60);
    assert.ok(simulation.positions.every(Number.isFinite));
    simulation.free();
  }
});

test('presets grow on the models that they are made for', async () => {
  // One with maps, one without a head, and one with edits.
  for (const preset of ['bob', 'prairie-face', 'grass-skirt']) {
    const own = await mohawk.shippedHead({ model: mohawk.modelOf(preset) });
    const hair = await own.grow({ preset, settings: { 'roots.strands': 200 } });
    assert.ok(hair.strands > 10, `${preset}: ${hair.strands} strands`);
    assert.equal(hair.leftOut, undefined);
  }
  const hair = await head.grow({ preset: 'prairie', settings: { 'roots.strands': 200 } });
  assert.match(hair.leftOut, /maps .* belong to meadow\.glb/);
  const same = mohawk.openHead('mine.glb', await readFile(repository('models/meadow.glb')));
  assert.equal((await same.grow({ preset: 'prairie' })).leftOut, undefined);
});

test('a .gltf finds the files that are given with it', async () => {
  const glb = await readFile(repository('models/waist.glb'));
  const length = glb.readUInt32LE(12);
  const document = JSON.parse(glb.toString('utf8', 20, 20 + length));
  document.buffers[0].uri = 'data/waist.bin';
  const text = new TextEncoder().encode(JSON.stringify(document));
  const files = { 'data/waist.bin': glb.subarray(28 + length) };
  const waist = mohawk.openHead('some/waist.gltf', text, { files });
  assert.equal(waist.name, 'waist');
  assert.ok((await waist.grow({ settings: { 'roots.strands': 100 } })).strands > 50);
  assert.throws(() => mohawk.openHead('waist.gltf', text), /waist\.gltf: .*waist\.bin" does not exist/);
});

test('what is wrong is told by name', async () => {
  const glb = await readFile(repository('models/waist.glb'));
  const { vertices, faces } = square(1);
  const sample = (mesh, options) => () => mohawk.sample({ vertices, faces, ...mesh }, options);
  const hair = await head.grow({ settings: { 'roots.strands': 50 } });
  const simulation = hair.simulate();
  for (const [act, text] of [
    [sample({ vertices: [0, 0, NaN, ...vertices.slice(3)] }), /the mesh: vertex 0 .* not finite/],
    [sample({ vertices: [1e30, ...vertices.slice(1)] }), /vertex 0 is at a coordinate beyond/],
    [sample({ vertices: vertices.slice(1) }), /vertices: it has 11 numbers/],
    [sample({ vertices: 'abc' }), /vertices: expected an array/],
    [sample({ faces: [0, 1, 4] }), /triangle 0 names a vertex beyond/],
    [sample({ faces: [0, 1, -1] }), /faces: -1, at 2, is no index/],
    [sample({ faces: [0, 1] }), /faces: it has 2 numbers/],
    [sample({ vertices: [], faces: [] }), /the mesh: it has no faces/],
    [sample({ faces: [0, 0, 0] }), /no triangle has an area/],
    [sample({ density: [0, 0, 0, 0] }), /no triangle has a density/],
    [sample({ density: [1, 1, NaN, 1] }), /the mesh: vertex 2 .* not finite/],
    [sample({ normals: [0, 0, 1] }), /4 positions, but 1 normals/],
    [sample({ density: [1] }), /4 positions, but 4 normals and 1 densities/],
    [sample({}, { count: 1e9 }), /1000000000.*2000000/],
    [sample({}, { count: 0 }), /strands must be 1/],
    [sample({}, { count: 2.5 }), /2\.5/],
    [sample({}, { radius: 1e-9 }), /too small/],
    [sample({}, { radius: NaN }), /NaN|nan/],
    [sample({}, { method: 'magic' }), /magic/],
    [sample({}, { sead: 1 }), /there is no option sead/],
    [sample({}, { count: 10, radius: 1 }), /count or radius, not both/],
    [() => mohawk.openHead('broken.glb', glb.subarray(0, 5000)), /^broken\.glb: /],
    [() => mohawk.openHead('empty.glb', new Uint8Array()), /^empty\.glb: /],
    [() => mohawk.openHead('text.obj', new TextEncoder().encode('v 0 0 x\n')), /^text\.obj: /],
    [() => mohawk.openHead('', glb), /"" is no name/],
    [() => mohawk.openHead('waist.glb', 'no bytes'), /waist\.glb: expected the bytes/],
    [() => mohawk.openHead('waist.glb', glb, { settings: { 'head.up': 'sideways' } }), /head\.up = sideways/],
    [() => mohawk.openHead('waist.glb', glb, { settings: { 'sim.hold': 1 } }), /sim\.hold = 1: it cannot be set here/],
    [() => mohawk.shippedHead({ model: 'nobody.glb' }), /no model "nobody\.glb" ships/],
    [() => head.grow({ preset: 'nobody' }), /no preset is called "nobody"; there are mohawk,/],
    [() => head.grow({ style: new Uint8Array([1, 2, 3]) }), /style\.mohawk: is no style/],
    [() => head.grow({ settings: { 'groom.lenght': 1 } }), /groom\.lenght/],
    [() => head.grow({ settings: { 'groom.length': -1 } }), /groom\.length = -1/],
    [() => head.grow({ settings: { 'groom.length': undefined } }), /groom\.length: undefined is no value/],
    [() => hair.simulate({ solver: 'magic' }), /sim\.solver = magic/],
    [() => hair.simulate({ settings: { 'groom.length': 2 } }), /groom\.length = 2: it cannot be set here/],
    [() => simulation.step(-1), /seconds = -1: expected 0 to 60/],
    [() => simulation.step(1e9), /seconds = 1000000000/],
    [() => simulation.step(0.1, [1, 2]), /pose: it has 2 numbers, expected 16/],
    [() => simulation.step(0.1, TILTED.map((number) => 2 * number)), /pose: its upper left is not a rotation/],
    [() => simulation.set({ 'sim.hold': 7 }), /sim\.hold = 7/],
  ]) {
    await assert.rejects(async () => act(), (error) => {
      assert.ok(error instanceof Error && !(error instanceof WebAssembly.RuntimeError), `${act}: ${error}`);
      assert.match(error.message, text);
      return true;
    });
  }
  // Nothing of this has broken the module.
  simulation.step(0.1);
  assert.ok(simulation.positions.every(Number.isFinite));
});

test('the example of Node prints how far roots are apart', async () => {
  const { stdout } = await run('node', [join(place, 'sample.mjs'), '500']);
  const numbers = Object.fromEntries(stdout.trim().split('\n').map((line) => (
    [line.slice(0, 22).trim(), Number(line.slice(22))])));
  assert.ok(Math.abs(numbers.roots - 500) < 25, stdout);
  assert.ok(numbers['nearest, least'] >= numbers.spacing, stdout);
  assert.ok(numbers['nearest, most'] < 2.1 * numbers.spacing, stdout);
});

test('the examples in the pages run', async () => {
  for (const page of ['web/npm/README.md', 'docs/npm.md']) {
    const text = await readFile(repository(page), 'utf8');
    const blocks = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, block]) => block);
    assert.ok(blocks.length > 0, page);
    for (const [i, block] of blocks.entries()) {
      const file = join(place, `block${i}.mjs`);
      await writeFile(file, block);
      await run('node', [file], { cwd: repository('') });
    }
  }
});

test('the types fit an example, and refuse what is wrong', async () => {
  const tsc = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url));
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess',
    '--target', 'esnext', '--module', 'nodenext', '--lib', 'esnext,dom', '--types', ''];
  const check = (name) => run(tsc, [...options, join(place, name)], { cwd: place });
  await check('typed.mts').catch((error) => assert.fail(error.stdout));
});

test('three.js draws the strands, and a drag turns them', async () => {
  const opened = await Opened.at('three.html', { ready: null });
  const isHair = (r, g, b) => Math.max(r, g, b) - Math.min(r, g, b) > 90;
  const isSkin = (r, g, b) => r > 110 && r > g + 15 && g > b && r - b < 90;
  const { width } = await opened.picture();
  const first = await opened.until((picture) => (
    share(picture, isHair, width) > 0.01 && share(picture, isSkin, width) > 0.03), 'three');
  const was = middle(first, isHair, width);
  const { mouse } = opened.page;
  await mouse.move(450, 300);
  await mouse.down();
  await mouse.move(530, 330, { steps: 8 });
  await opened.until((picture) => {
    const is = middle(picture, isHair, width);
    return Math.hypot(is.x - was.x, is.y - was.y) > 15;
  }, 'three-dragged');
  await mouse.up();
  assert.ok(opened.requests.some((url) => url.endsWith('models/head.glb')));
  await opened.close();
});

test('the element shows hair, moves it, and follows its controls', async () => {
  const opened = await Opened.at('element.html', { ready: /^playing swing/ });
  const { page } = opened;
  const isPink = (r, g, b) => r > 120 && r > g + 70 && r > b + 30;
  const first = await opened.until((picture) => share(picture, isPink, picture.width) > 0.01, 'example-element');
  await page.getByText(/leans by [1-9]/).waitFor();
  await page.getByLabel('Solver').selectOption('rod');
  // Longer hair covers more.
  await page.getByLabel('Length').fill('1.5');
  await opened.until((picture) => (
    share(picture, isPink, picture.width) > 1.3 * share(first, isPink, first.width)), 'example-longer');
  await page.getByLabel('Your own head').setInputFiles(repository('models/waist.glb'));
  await opened.line(/^loaded waist/);
  await opened.close();
});
