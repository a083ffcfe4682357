// <mohawk-head>: a head with moving hair as an element of any page.
//
//   <mohawk-head preset="fan" solver="rod" scene="swing"></mohawk-head>
//
// The program runs in a frame of the element, apart from the page around it. docs/web.md lists
// attributes, methods and events.

// Attributes that are parts of an address, and their names there.
const PARTS = ['preset', 'solver', 'strands', 'scene', 'split', 'overlays', 'view', 'speed'];
// What an attribute asks for that is there no longer.
const WITHOUT = { preset: 'preset=mohawk', scene: 'scene=off&do=rest', split: 'split=off',
  overlays: 'overlays=off', speed: 'speed=1', view: 'view=three-quarter' };

const HEADS = /\.(glb|gltf|vrm|fbx|dae|usd[acz]?|obj|ply|stl)$/i;
const hasHead = (files) => files?.some(({ path }) => HEADS.test(path));
const NOTHING = { name: '', strands: 0, paused: false, secs: 0, samples: [] };

const STYLE = `
:host { display: block; position: relative; width: 300px; height: 300px; overflow: hidden;
  background: #1b1b1b; color: #d8d8d8; font: 16px/1.5 system-ui, sans-serif; }
:host([hidden]) { display: none; }
iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; }
button { position: absolute; inset: 0; width: 100%; height: 100%; padding: 0; border: 0;
  background: none; color: inherit; font: inherit; cursor: pointer; }
button[hidden], progress[hidden], p[hidden] { display: none; }
button:focus-visible { outline: 3px solid #6cf; outline-offset: -3px; }
button img { width: 100%; height: 100%; object-fit: cover; display: block; }
button span { position: absolute; left: 50%; top: 50%; transform: translate(-50%, -50%);
  padding: 10px 18px 10px 16px; border-radius: 24px; background: #000a; color: #fff; }
progress { position: absolute; left: 20%; bottom: 12%; width: 60%; }
p { position: absolute; inset: auto 0 0 0; margin: 0; padding: 8px 12px; background: #400d;
  color: #fff; font-size: 14px; white-space: pre-line; }
`;

const encode = (value) => encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%2F', '/');

export class MohawkHead extends HTMLElement {
  static observedAttributes = [...PARTS, 'settings', 'panel', 'paused', 'src', 'poster', 'alt'];

  #frame;
  #cover;
  #progress;
  #problem;
  // What is asked for before the program is there.
  #waiting = [];
  #isReady = false;
  #isLoaded = false;
  // `true` while other hair is on its way.
  #isLoading = true;
  #isInView = true;
  // `true` if somebody ended the program.
  #isStopped = false;
  #state = NOTHING;
  #pictures = new Map();
  #seen;
  // The number of heads that were asked for: only the last one is shown.
  #heads = 0;
  #stops = 0;
  // `true` if the program did not come or has ended.
  #hasFailed = false;
  // `true` until the program takes the head of `src`: the shipped one, which stands there before, is
  // not shown.
  #awaitsHead = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    this.#cover = document.createElement('button');
    this.#cover.type = 'button';
    this.#cover.addEventListener('click', () => this.start());
    this.#progress = document.createElement('progress');
    this.#progress.hidden = true;
    this.#problem = document.createElement('p');
    this.#problem.setAttribute('role', 'alert');
    this.#problem.hidden = true;
    root.append(this.#cover, this.#progress, this.#problem);
  }

  connectedCallback() {
    this.#showCover();
    window.addEventListener('message', this.#listen);
    this.#seen = new IntersectionObserver((entries) => this.#isSeen(entries.at(-1).isIntersecting));
    this.#seen.observe(this);
    if (this.getAttribute('loading') === 'eager' && this.#starts) this.start();
  }

  disconnectedCallback() {
    window.removeEventListener('message', this.#listen);
    this.#seen.disconnect();
    this.stop();
    this.#isStopped = false;
  }

  attributeChangedCallback(name, before, value) {
    if (name === 'poster' || name === 'alt') return this.#showCover();
    if (!this.#frame || before === value) return;
    if (name === 'src') return this.#changeHead(value);
    if (name === 'paused') return value === null ? this.play() : this.pause();
    if (name === 'panel') return this.ask(value === null ? 'panel=off' : 'panel');
    if (name === 'settings') return this.ask(value ?? '');
    const text = value === null ? WITHOUT[name] : `${name}=${encode(value)}`;
    // A preset comes with settings and a scene of its own, which count less than other attributes.
    const more = name === 'preset' ? this.#parts(['solver', 'strands', 'scene', 'view']) : [];
    if (text) this.ask([text, ...more].join('&'));
  }

  // `true` once hair is shown.
  get loaded() {
    return this.#isLoaded;
  }

  // The name of the head.
  get name() {
    return this.#state.name;
  }

  // The number of strands.
  get strands() {
    return this.#state.strands;
  }

  // Simulated time, seconds.
  get currentTime() {
    return this.#state.secs;
  }

  // Loads the program and shows the head, if that has not begun or has failed.
  start() {
    if (this.#hasFailed) this.stop();
    if (this.#frame) return;
    this.#isStopped = false;
    const viewer = this.getAttribute('viewer');
    const base = viewer ? new URL(viewer, document.baseURI) : new URL(import.meta.url);
    // A folder may be named without a slash at its end.
    if (!/\/$|\.html$|\.js$/.test(base.pathname)) base.pathname += '/';
    const parts = this.#parts(PARTS);
    if (!this.hasAttribute('panel')) parts.push('panel=off');
    if (this.hasAttribute('paused')) parts.push('do=pause');
    this.#frame = document.createElement('iframe');
    this.#frame.title = this.#alt;
    this.#frame.allow = 'clipboard-write; fullscreen';
    this.#frame.src = new URL(`index.html?held#${parts.join('&')}`, base).href;
    this.shadowRoot.prepend(this.#frame);
    this.#progress.hidden = false;
    this.#awaitsHead = this.hasAttribute('src');
    // A head that waits to be opened takes the place of that of `src`.
    if (this.#awaitsHead && !this.#waiting.some(({ open }) => hasHead(open))) this.#fetchHead();
  }

  // Ends the program; the poster is shown again.
  stop() {
    this.#frame?.remove();
    this.#frame = undefined;
    this.#isReady = this.#isLoaded = false;
    this.#isLoading = this.#isStopped = true;
    this.#state = NOTHING;
    this.#progress.removeAttribute('value');
    this.#waiting = [];
    this.#heads += 1;
    this.#stops += 1;
    this.#hasFailed = false;
    this.#refusePictures('The head was removed.');
    this.#progress.hidden = this.#problem.hidden = true;
    this.#cover.hidden = false;
  }

  // Asks for something by the parts of an address: 'sim.spring.stiffness=30&scene=turn', or an object
  // of names and values.
  ask(parts) {
    const text = typeof parts === 'string' ? parts :
      Object.entries(parts).map(([name, value]) => `${name}=${encode(value)}`).join('&');
    this.#send({ ask: text });
  }

  // Time goes on.
  play() {
    this.ask('do=play');
  }

  // Time stands still.
  pause() {
    this.ask('do=pause');
  }

  // Simulates one step of 1/240 s, after which time stands still.
  step() {
    this.ask('do=step');
  }

  // Starts the scene anew; without one, hair and head are put to rest.
  restart() {
    this.ask('do=restart');
  }

  // Opens files as if they were dropped on the head: a File, or { path, bytes }, or a list of them.
  async open(files) {
    const stops = this.#stops;
    const list = files instanceof FileList ? [...files] : [files].flat();
    const all = await Promise.all(list.map(async (file) => file instanceof Blob ?
      { path: file.webkitRelativePath || file.name || 'head.glb', bytes: await file.arrayBuffer() } :
      file));
    if (stops !== this.#stops) return;
    // It takes the place of a head that is still being fetched.
    if (hasHead(all)) this.#heads += 1;
    this.#send({ open: all });
  }

  // Gives a picture of what is shown, as a PNG; of a head that is out of view, when it is seen again.
  toBlob() {
    const id = Math.random();
    return new Promise((done, fail) => {
      if (this.#hasFailed) throw new Error('The program has ended.');
      this.#pictures.set(id, { done, fail });
      this.#send({ picture: id });
    });
  }

  #refusePictures(why) {
    for (const { fail } of this.#pictures.values()) fail(new Error(why));
    this.#pictures.clear();
  }

  // Returns those of the attributes that are there as parts of an address, and the settings.
  #parts(names) {
    const parts = names.filter((name) => this.hasAttribute(name))
      .map((name) => `${name}=${encode(this.getAttribute(name))}`);
    const settings = this.getAttribute('settings');
    return settings ? [...parts, settings] : parts;
  }

  get #alt() {
    return this.getAttribute('alt') ?? 'A head with hair. Drag it, and the hair follows.';
  }

  // `true` if nobody has to ask for the program.
  get #starts() {
    return this.getAttribute('reveal') !== 'interaction';
  }

  #showCover() {
    const poster = this.getAttribute('poster');
    const label = document.createElement('span');
    label.textContent = '▶ Start';
    label.hidden = this.#starts;
    this.#cover.replaceChildren(label);
    this.#cover.setAttribute('aria-label', `Start: ${this.#alt}`);
    if (poster) {
      const image = document.createElement('img');
      image.src = poster;
      image.alt = '';
      this.#cover.prepend(image);
    }
    if (this.#frame) this.#frame.title = this.#alt;
  }

  // A head that nobody sees needs no time of the machine.
  #isSeen(isSeen) {
    this.#isInView = isSeen;
    if (isSeen && !this.#frame && this.#starts && !this.#isStopped) this.start();
    if (this.#isLoaded) this.ask(isSeen ? 'do=wake' : 'do=sleep');
  }

  // Without an address the head is the shipped one again.
  #changeHead(address) {
    if (address !== null) return void this.#fetchHead();
    this.stop();
    this.start();
  }

  async #fetchHead() {
    const nth = ++this.#heads;
    const source = this.getAttribute('src');
    try {
      const address = new URL(source, document.baseURI);
      const response = await fetch(address);
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
      const path = decodeURIComponent(address.pathname.split('/').pop());
      const bytes = await response.arrayBuffer();
      if (nth !== this.#heads) return;
      this.#problem.hidden = true;
      this.#send({ open: [{ path, bytes }] });
    } catch (error) {
      if (nth !== this.#heads) return;
      const isShown = this.#fail(`${source}: ${error.message}`);
      // Who was told may have asked for another one.
      if (nth !== this.#heads) return;
      this.#problem.hidden = !isShown;
      this.#showShipped();
    }
  }

  // Waits no longer for another head.
  #showShipped() {
    if (!this.#awaitsHead) return;
    this.#awaitsHead = false;
    this.#take(this.#state);
  }

  #send(message) {
    if (this.#isReady) this.#frame.contentWindow.postMessage({ mohawk: message }, '*');
    else this.#waiting.push(message);
  }

  // Gives `true` if the text is to be shown: nobody prevented it.
  #fail(text, isOver = true) {
    if (isOver) this.#progress.hidden = true;
    this.#problem.textContent = text;
    return this.dispatchEvent(new CustomEvent('error', { detail: { text }, cancelable: true }));
  }

  #listen = ({ source, data }) => {
    if (!this.#frame || source !== this.#frame.contentWindow || !data?.mohawk) return;
    const { progress, ready, state, opened, again, problem, isOver, picture, blob } = data.mohawk;
    if (again) {
      this.stop();
      return this.start();
    }
    if (progress !== undefined) {
      this.#progress.value = progress;
      this.dispatchEvent(new CustomEvent('progress', { detail: { totalProgress: progress } }));
    }
    if (ready) {
      // The program began anew, with its first address.
      if (this.#isReady) {
        this.stop();
        return this.start();
      }
      this.#isReady = true;
      for (const message of this.#waiting.splice(0)) this.#send(message);
    }
    if (problem) {
      if (isOver) {
        this.#hasFailed = true;
        this.#refusePictures('The program has ended.');
      }
      const isShown = this.#fail(problem, Boolean(isOver));
      if (!this.#frame) return;
      // A program that goes on shows what is wrong itself, as does the page of one that has been ready.
      if (isOver) this.#problem.hidden = this.#isReady || !isShown;
      else if (!isShown) this.ask('do=dismiss');
    }
    if (picture !== undefined) {
      this.#pictures.get(picture)?.done(blob);
      this.#pictures.delete(picture);
    }
    if (opened) this.#awaitsHead = false;
    if (state) this.#take(state);
  };

  #take(state) {
    const before = this.#state;
    this.#state = state;
    const { name, strands, loaded, samples, secs, paused } = state;
    if (!loaded || this.#awaitsHead) {
      this.#isLoading = true;
      return;
    }
    const isNew = this.#isLoading || name !== before.name || strands !== before.strands;
    if (!this.#isLoaded && !this.#isInView) this.ask('do=sleep');
    this.#isLoaded = true;
    this.#isLoading = false;
    if (isNew) {
      this.#cover.hidden = this.#progress.hidden = true;
      this.dispatchEvent(new CustomEvent('load', { detail: { name, strands } }));
    }
    const detail = { samples, secs, paused, strands };
    this.dispatchEvent(new CustomEvent('samples', { detail }));
  }
}

customElements.define('mohawk-head', MohawkHead);
