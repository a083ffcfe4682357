/** A measure of the hair; docs/web.md says what each number is. */
export interface Sample {
  secs: number;
  lean: number;
  x: number;
  y: number;
  z: number;
  energy: number;
  stretch: number;
  depth: number;
}

/** The events of `<mohawk-head>`. */
export interface MohawkHeadEvents {
  progress: CustomEvent<{ totalProgress: number }>;
  load: CustomEvent<{ name: string; strands: number }>;
  error: CustomEvent<{ text: string }>;
  samples: CustomEvent<{ samples: Sample[]; secs: number; paused: boolean; strands: number }>;
}

/** A file to open: its name, and its content. */
export interface NamedBytes {
  path: string;
  bytes: ArrayBuffer | Uint8Array;
}

/** A head with moving hair. */
export class MohawkHead extends HTMLElement {
  /** `true` once hair is shown. */
  readonly loaded: boolean;
  /** The name of the head. */
  readonly name: string;
  /** The number of strands. */
  readonly strands: number;
  /** Simulated time, seconds. */
  readonly currentTime: number;
  /** Loads the program and shows the head, if that has not begun or has failed. */
  start(): void;
  /** Ends the program; the poster is shown again. */
  stop(): void;
  /** Shows what the parts of an address say. */
  ask(parts: string | Record<string, string | number | boolean>): void;
  play(): void;
  pause(): void;
  /** Simulates one step of 1/240 s, after which time stands still. */
  step(): void;
  /** Starts the scene anew; without one, hair and head are put to rest. */
  restart(): void;
  /** Opens files as if they were dropped on the head. */
  open(files: Blob | NamedBytes | (Blob | NamedBytes)[]): Promise<void>;
  /** Gives a picture of what is shown, as a PNG. */
  toBlob(): Promise<Blob>;
  addEventListener<K extends keyof MohawkHeadEvents>(
    type: K, listener: (event: MohawkHeadEvents[K]) => void, options?: boolean | AddEventListenerOptions): void;
  addEventListener(
    type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'mohawk-head': MohawkHead;
  }
}
