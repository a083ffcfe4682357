/**
 * Hair on 3D heads: roots on any mesh, styles, and motion. The types and their meanings are in
 * `index.d.ts`.
 *
 * Lengths are decimetres of a standard head, which is 2.74 high; +Y is up and the face looks along +Z.
 */

import init, * as core from './core.js';

const WASM = new URL('./core_bg.wasm', import.meta.url);
const MODELS = new URL('./models/', import.meta.url);
/** The settings that the options of sampling stand for. */
const SAMPLING = {
  count: 'roots.strands', radius: 'roots.spacing', method: 'roots.method', seed: 'roots.seed',
};

let loading;

/**
 * Loads the module, once. Where a bundler moves files, `wasm` and `models` say where they are.
 * @returns {Promise<Mohawk>}
 */
export function load(options = {}) {
  loading ??= begin(options).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function begin({ wasm = WASM, models = MODELS }) {
  const source = typeof wasm === 'string' || wasm instanceof URL ? await bytesOrFetch(whole(wasm)) : wasm;
  const { memory } = await init({ module_or_path: source });
  const folder = whole(models);
  if (!folder.pathname.endsWith('/')) folder.pathname += '/';
  return new Mohawk(memory, folder);
}

/** What the module can do. `load` makes the only one. */
class Mohawk {
  #memory;
  #models;

  constructor(memory, models) {
    this.#memory = memory;
    this.#models = models;
    this.version = core.version();
    this.presets = core.presets();
    this.solvers = core.solvers();
    this.neck = core.neck();
  }

  /** Spreads roots over a mesh: maximal Poisson-disk sampling, or another method. */
  sample({ vertices, faces, normals, density }, options) {
    return lists(core.sample(
      floats('vertices', vertices), integers('faces', faces),
      normals && floats('normals', normals), density && floats('density', density),
      sampling(options),
    ));
  }

  /** Reads a head from the bytes of its file, and of the files that it names. */
  openHead(name, bytes, { files = {}, settings } = {}) {
    const paths = Object.keys(files);
    const contents = paths.map((path) => content(path, files[path]));
    return new Head(
      core.Head.open(String(name), content(name, bytes), paths, contents, written(settings)),
      (preset) => this.#fetch(() => core.missing_of_preset(preset)), this.#memory,
    );
  }

  /** Fetches and reads a head that ships with the package. */
  async shippedHead({ model = 'head.glb', settings } = {}) {
    await this.#fetch(() => core.missing_of_model(model));
    return new Head(
      core.Head.shipped(model, written(settings)),
      (preset) => this.#fetch(() => core.missing_of_preset(preset)), this.#memory,
    );
  }

  /** Returns the model that a preset is made for. */
  modelOf(preset) {
    return core.model_of_preset(preset);
  }

  async #fetch(missing) {
    await Promise.all(missing().map(async (path) => {
      core.provide(path, await read(new URL(path, this.#models)));
    }));
  }
}

/** A head. */
class Head {
  #head;
  #fetch;
  #memory;

  constructor(head, fetch, memory) {
    this.#head = head;
    this.#fetch = fetch;
    this.#memory = memory;
    this.name = head.name();
    this.licence = head.licence();
    this.warnings = head.warnings();
    const [scale, x, y, z, ...matrix] = head.units();
    this.units = { scale, centre: [x, y, z], matrix };
  }

  /** Returns the surfaces of the head, to draw it. */
  parts() {
    return this.#head.parts().map((part) => taken(part, ['name', 'positions', 'normals', 'faces', 'color']));
  }

  /** Returns the painted skin; `undefined` if nothing is painted. */
  scalp() {
    const scalp = this.#head.scalp();
    return scalp && taken(scalp, ['positions', 'faces']);
  }

  /** Spreads roots over the painted skin. */
  roots(options) {
    return lists(this.#head.roots(sampling(options)));
  }

  /** Grows hair: a preset or the style in a `.mohawk` file, with some settings changed. */
  async grow({ preset, style, settings } = {}) {
    if (preset !== undefined && style !== undefined) throw new TypeError('give preset or style, not both');
    if (preset !== undefined) await this.#fetch(preset);
    const file = style && content('style', style);
    return new Hair(this.#head.grow(preset, file, written(settings)), this.#memory);
  }

  /** Frees its memory. Hair that has grown on it stays. */
  free() {
    this.#head.free();
  }
}

/** Hair at rest. */
class Hair {
  #hair;
  #memory;

  constructor(hair, memory) {
    this.#hair = hair;
    this.#memory = memory;
    this.strands = hair.count();
    this.roots = hair.roots();
    this.normals = hair.normals();
    this.lengths = hair.lengths();
    const colors = hair.colors();
    this.rootColor = colors.subarray(0, 3);
    this.tipColor = colors.subarray(3, 6);
    this.leftOut = hair.left_out();
  }

  /** Begins a simulation of the hair, at rest, with some settings of `sim` changed. */
  simulate({ solver, settings } = {}) {
    const motion = this.#hair.simulate(written({ ...solver && { 'sim.solver': solver }, ...settings }));
    return new Simulation(motion, this.#memory);
  }

  /** Frees its memory. Simulations of it go on. */
  free() {
    this.#hair.free();
  }
}

/** Hair in motion. */
class Simulation {
  #motion;
  #memory;

  constructor(motion, memory) {
    this.#motion = motion;
    this.#memory = memory;
    this.strands = motion.strands();
  }

  /** The number of points of each strand, the root first. */
  get pointsPerStrand() {
    return this.#motion.points();
  }

  /**
   * The points, three numbers each, strand by strand: a view into the memory of the module. It is
   * valid until anything else of the module is called; `slice()` makes a copy that stays.
   */
  get positions() {
    const address = this.#motion.positions();
    return new Float32Array(this.#memory.buffer, address, 3 * this.strands * this.pointsPerStrand);
  }

  /** The pose of the head that belongs to `positions`, column by column. */
  get pose() {
    return this.#motion.pose();
  }

  /** The simulated time, in seconds. */
  get time() {
    return this.#motion.time();
  }

  /** The name of the solver. */
  get solver() {
    return this.#motion.solver();
  }

  /** `true` if nothing moves, so that no step is needed until the head does. */
  get isSettled() {
    return this.#motion.is_settled();
  }

  /** Advances by a time in seconds, in which the head moves evenly to a pose. */
  step(seconds, pose) {
    this.#motion.step(Number(seconds), pose && doubles('pose', pose));
  }

  /** Puts the hair to rest under a pose, at time 0. */
  reset(pose) {
    this.#motion.reset(pose && doubles('pose', pose));
  }

  /** Changes settings of `sim`, for instance the solver, while the hair moves. */
  set(settings) {
    this.#motion.set(written(settings));
  }

  /** Returns energies, stretch and depth. */
  measures() {
    const [kinetic, gravity, elastic, maxStretch, meanStretch, maxPenetration, resets] =
      this.#motion.measures();
    return { kinetic, gravity, elastic, maxStretch, meanStretch, maxPenetration, resets };
  }

  /** Frees its memory. */
  free() {
    this.#motion.free();
  }
}

/** Takes fields out of an object of the module, and frees it. */
function taken(object, names) {
  const fields = Object.fromEntries(names.map((name) => [name, object[name]]));
  object.free();
  return fields;
}

/** Takes the lists of roots out of the module. */
function lists(roots) {
  const taken = {
    spacing: roots.spacing(),
    positions: roots.positions(),
    normals: roots.normals(),
    triangles: roots.triangles(),
    barycentric: roots.barycentric(),
  };
  roots.free();
  return { count: taken.triangles.length, ...taken };
}

/** Returns the settings that the options of sampling stand for. */
function sampling(options = {}) {
  const unknown = Object.keys(options).find((name) => !(name in SAMPLING));
  if (unknown) {
    throw new TypeError(`there is no option ${unknown}; there are ${Object.keys(SAMPLING).join(', ')}`);
  }
  if (options.count !== undefined && options.radius !== undefined) {
    throw new TypeError('give count or radius, not both');
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return written(Object.fromEntries(given.map(([name, value]) => [SAMPLING[name], value])));
}

/** Returns keys and values by turns, the values as in a settings file. */
function written(settings = {}) {
  return Object.entries(settings).flatMap(([key, value]) => (
    [key, typeof value === 'string' ? value : toml(key, value)]));
}

function toml(key, value) {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    return `[${Array.from(value, (item) => toml(key, item)).join(', ')}]`;
  }
  switch (typeof value) {
    case 'string': return JSON.stringify(value);
    case 'number':
      if (Number.isFinite(value)) return String(value);
      return Number.isNaN(value) ? 'nan' : value < 0 ? '-inf' : 'inf';
    case 'bigint':
    case 'boolean': return String(value);
    case 'object':
      if (value) {
        const items = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)} = ${toml(key, item)}`);
        return `{ ${items.join(', ')} }`;
      }
  }
  throw new TypeError(`${key}: ${value} is no value of a setting`);
}

const floats = (name, values) => typed(name, values, Float32Array);
const doubles = (name, values) => typed(name, values, Float64Array);

/** Returns indices. Whole numbers that are no index become one that is out of range. */
function integers(name, values) {
  if (Array.isArray(values) || values instanceof Float32Array || values instanceof Float64Array) {
    const wrong = values.findIndex((value) => !Number.isInteger(value) || value < 0 || value > 0xffffffff);
    if (wrong >= 0) throw new TypeError(`${name}: ${values[wrong]}, at ${wrong}, is no index`);
  }
  return typed(name, values, Uint32Array);
}

function typed(name, values, Type) {
  if (values instanceof Type) return values;
  if (Array.isArray(values) || ArrayBuffer.isView(values) && !(values instanceof DataView)) {
    return Type.from(values);
  }
  throw new TypeError(`${name}: expected an array of numbers`);
}

/** Returns the content of a file. */
function content(name, bytes) {
  if (bytes instanceof Uint8Array) return bytes;
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
  throw new TypeError(`${name}: expected the bytes of a file, as Uint8Array or ArrayBuffer`);
}

const whole = (url) => new URL(url, globalThis.location?.href ?? import.meta.url);

/** Node reads files, and browsers fetch: with a fetch, the module is compiled while it arrives. */
const bytesOrFetch = (url) => (url.protocol === 'file:' ? read(url) : fetched(url));

async function read(url) {
  if (url.protocol === 'file:') {
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs/promises');
    return readFile(url);
  }
  return new Uint8Array(await (await fetched(url)).arrayBuffer());
}

async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} cannot be fetched: ${response.status} ${response.statusText}`);
  return response;
}
