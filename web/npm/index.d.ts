/**
 * Hair on 3D heads: roots on any mesh, styles, and motion.
 *
 * Lengths are decimetres of a standard head, which is 2.74 high; +Y is up and the face looks along
 * +Z. In head space the head is at rest; a pose takes head space to world space. Matrices are
 * written column by column, as WebGL and three.js have them.
 *
 * What is wrong with files and settings is told by an `Error` whose message names the file or the
 * setting, and what to do.
 */

/** Numbers in any array. */
export type Numbers = ArrayLike<number> & (readonly number[] | ArrayBufferView);

/** The bytes of a file. */
export type Bytes = Uint8Array | ArrayBuffer;

/** A value of a setting. Text is read as in a settings file, where words need no quotes. */
export type Value =
  | string | number | bigint | boolean
  | readonly Value[] | Float32Array | Float64Array
  | { readonly [key: string]: Value };

/** Settings by their keys in a settings file, for instance `{ 'groom.length': 1.2 }`. */
export type Settings = { readonly [key: string]: Value };

export interface LoadOptions {
  /** The module, or where it is: `core_bg.wasm` beside this file. */
  wasm?: string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module;
  /** The folder of the heads and presets that ship with the package: `models/` beside this file. */
  models?: string | URL;
}

/** Loads the module, once: later calls return the same, whatever their options are. */
export function load(options?: LoadOptions): Promise<Mohawk>;

/** What the module can do. */
export interface Mohawk {
  /** The version of the package. */
  readonly version: string;
  /** The names of the presets. */
  readonly presets: readonly string[];
  /** The names of the solvers. */
  readonly solvers: readonly string[];
  /** The joint that heads turn about, head space. */
  readonly neck: readonly number[] | Float64Array;

  /**
   * Spreads roots over a mesh, with maximal Poisson-disk sampling unless another method is asked
   * for. Lengths are those of the mesh.
   */
  sample(mesh: Mesh, options?: SamplingOptions): Roots;

  /**
   * Reads a head from the bytes of its file: glTF, VRM, COLLADA, FBX, OBJ, PLY, STL or USD. Hair
   * grows where it is painted: see the page on head files.
   */
  openHead(name: string, bytes: Bytes, options?: HeadOptions & {
    /** The files that the file names, by their paths from its folder. */
    files?: { readonly [path: string]: Bytes };
  }): Head;

  /** Fetches and reads a head that ships with the package. */
  shippedHead(options?: HeadOptions & {
    /** `head.glb` (the default), `bust.glb`, `meadow.glb` or `waist.glb`. */
    model?: string;
  }): Promise<Head>;

  /** Returns the model that a preset is made for, for `shippedHead`. */
  modelOf(preset: string): string;
}

/** A mesh of triangles. */
export interface Mesh {
  /** Three coordinates for each vertex. */
  vertices: Numbers;
  /** Three indices of vertices for each triangle, counter-clockwise from outside. */
  faces: Numbers;
  /** Three coordinates for each vertex. Without them they are smoothed over the faces. */
  normals?: Numbers | undefined;
  /** The density of roots at each vertex, 0 to 1; 1 without it. */
  density?: Numbers | undefined;
}

export interface SamplingOptions {
  /** About this many roots at density 1, up to 2,000,000; 6,000 if there is no radius either. */
  count?: number | undefined;
  /** Instead of a count, the smallest distance between roots. */
  radius?: number | undefined;
  method?:
    | 'progressive' | 'maximal' | 'tight' | 'variable' | 'darts' | 'uniform' | 'elimination'
    | 'reference' | undefined;
  /** The same seed gives the same roots everywhere. 1 without it. */
  seed?: number | bigint | undefined;
}

/** Roots, in the same order in each list. The arrays are copies. */
export interface Roots {
  readonly count: number;
  /** The smallest distance between roots on one side of a sheet. */
  readonly spacing: number;
  /** Three coordinates for each root. */
  readonly positions: Float32Array;
  /** Three coordinates for each root: unit normals, interpolated between those of the vertices. */
  readonly normals: Float32Array;
  /** The triangle that each root lies on. */
  readonly triangles: Uint32Array;
  /** The weights of the three corners of its triangle. */
  readonly barycentric: Float32Array;
}

export interface HeadOptions {
  /** Settings of `head`: how the file is read. */
  settings?: Settings | undefined;
}

/** A head, in head space. */
export interface Head {
  /** The name of the file without its extension. */
  readonly name: string;
  readonly licence: string | undefined;
  /** What is wrong with the file and did not stop it from being read. */
  readonly warnings: readonly string[];
  readonly units: {
    /**
     * The matrix from the file to head space, 16 numbers, column by column. FBX counts as metres with
     * +Y up.
     */
    readonly matrix: readonly number[];
    /** Decimetres per unit of the file, or per metre of USD, COLLADA and FBX. */
    readonly scale: number;
    /**
     * The origin of head space in the file, turned so that +Y is up and the face looks along +Z;
     * in metres of USD, COLLADA and FBX.
     */
    readonly centre: readonly number[];
  };

  /** Returns the surfaces of the head, to draw it. The arrays are copies. */
  parts(): Part[];
  /** Returns the painted skin, to which roots refer; `undefined` if nothing is painted. */
  scalp(): { positions: Float32Array; faces: Uint32Array } | undefined;
  /** Spreads roots over the painted skin. */
  roots(options?: SamplingOptions): Roots;
  /** Grows hair. Files of a preset are fetched when it is first asked for. */
  grow(options?: GrowOptions): Promise<Hair>;
  /** Frees its memory at once, instead of when it is collected. Hair that has grown on it stays. */
  free(): void;
}

/** A surface of a head. */
export interface Part {
  readonly name: string;
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  readonly faces: Uint32Array;
  /** Linear RGBA. */
  readonly color: Float32Array;
}

export interface GrowOptions {
  /** A preset to start from, by its name. */
  preset?: string | undefined;
  /** Instead of a preset, the bytes of a `.mohawk` file. */
  style?: Bytes | undefined;
  /** Settings that are changed, for instance of `roots`, `groom` and `sim`. */
  settings?: Settings | undefined;
}

/** Hair at rest, head space. */
export interface Hair {
  /** The number of strands. */
  readonly strands: number;
  /** Three coordinates for each strand. */
  readonly roots: Float32Array;
  /** Three coordinates for each strand: the unit normals of the skin at the roots. */
  readonly normals: Float32Array;
  /** The length of each strand. */
  readonly lengths: Float32Array;
  /** sRGB colours of the look. */
  readonly rootColor: Float32Array;
  readonly tipColor: Float32Array;
  /** What belongs to the head that a style is made for, and is left out on this one. */
  readonly leftOut: string | undefined;

  /** Begins a simulation, at rest. */
  simulate(options?: {
    /** The solver, by its name: `spring`, `ftl`, `angular`, `particles` or `rod`. */
    solver?: string | undefined;
    /** Settings of `sim` that are changed. */
    settings?: Settings | undefined;
  }): Simulation;
  /** Frees its memory at once, instead of when it is collected. Simulations of it go on. */
  free(): void;
}

/** Hair in motion. It moves in steps of 1/240 s, and the same poses give the same bits everywhere. */
export interface Simulation {
  /** The number of strands. */
  readonly strands: number;
  /** The number of points of each strand, the root first. */
  readonly pointsPerStrand: number;
  /**
   * The points in world space, three numbers each, strand by strand, between the last two steps: a
   * view into the memory of the module, without a copy. It is valid until anything else of the
   * module is called; `positions.slice()` stays.
   */
  readonly positions: Float32Array;
  /** The pose of the head that belongs to `positions`: 16 numbers, column by column. */
  readonly pose: Float64Array;
  /** The simulated time, in seconds. */
  readonly time: number;
  /** The name of the solver. */
  readonly solver: string;
  /** `true` if nothing moves, so that no step is needed until the head does. */
  readonly isSettled: boolean;

  /**
   * Advances by a time, 0 to 60 seconds, in which the head moves evenly to a pose: the 16 numbers of
   * a matrix that turns and moves, column by column. Without one the head stays.
   */
  step(seconds: number, pose?: Numbers): void;
  /** Puts the hair to rest under a pose, at time 0. Without one it is that of head space. */
  reset(pose?: Numbers): void;
  /** Changes settings of `sim`, for instance `sim.solver`, while the hair moves. */
  set(settings: Settings): void;
  /** Returns energies, stretch and depth after the last step. */
  measures(): Measures;
  /** Frees its memory at once, instead of when it is collected. */
  free(): void;
}

/** Means over the points of strands, as if each had mass 1. */
export interface Measures {
  /** In dm²/s², as the next two. */
  readonly kinetic: number;
  /** Relative to the hair at rest. */
  readonly gravity: number;
  readonly elastic: number;
  /** The largest |length / rest length - 1| of a segment. */
  readonly maxStretch: number;
  readonly meanStretch: number;
  /** The depth of the deepest point in the head, decimetres. */
  readonly maxPenetration: number;
  /** The number of strands that were put to rest because their state was no number. */
  readonly resets: number;
}
