// What the program asks of the browser.

import { isHeld, shown, tell } from './around.js';
import { soon, startJob } from './jobs.js';
import { fetchRest } from './rest.js';

// The functions of the program, once it is loaded.
let program;

export function connect(exports) {
  program = exports;
}

export { startJob };

// Delivers news to the window when nothing else runs.
let delivers = false;
export function deliverSoon() {
  if (delivers) return;
  delivers = true;
  soon(() => {
    delivers = false;
    program.deliver();
  });
}

export function canvas() {
  return document.getElementById('canvas');
}

// A promise of the first picture with what is to be seen.
let stands;
export const firstPicture = new Promise((done) => {
  stands = done;
});
export function pictureStands() {
  stands();
}

// `true` if nothing can be drawn until the graphics driver is back.
export function isLost() {
  return canvas().getContext('webgl2').isContextLost();
}

// The field that has the keyboard of a screen while text is typed there. Its text is only looked at for
// what changes; the program shows its own.
const keyboard = document.getElementById('keyboard');
// The text of the field when there is nothing to delete but in the program.
const BLANK = ' '.repeat(64);
let had = BLANK;
// `true` if a finger was used last.
let isTouched = false;
window.addEventListener('pointerdown', ({ pointerType }) => {
  isTouched = pointerType === 'touch';
}, { capture: true });

// Gives the program a key, as if it was pressed on the canvas.
function press(key) {
  const init = { key, code: key, bubbles: true, cancelable: true };
  for (const kind of ['keydown', 'keyup']) canvas().dispatchEvent(new KeyboardEvent(kind, init));
}

// Gives the program text, as if it was typed on the canvas.
function enter(text) {
  for (const key of [...text.slice(0, 20_000).replace(/\p{Cc}/gu, ' ')].slice(0, 10_000)) {
    canvas().dispatchEvent(new KeyboardEvent('keypress', { key, bubbles: true, cancelable: true }));
  }
}

// Takes the text that people type, or does no longer.
export function typeText(wanted) {
  if (wanted && isTouched) keyboard.focus({ preventScroll: true });
  else if (document.activeElement === keyboard) canvas().focus({ preventScroll: true });
}

keyboard.addEventListener('focus', () => {
  keyboard.value = had = BLANK;
});
keyboard.addEventListener('input', ({ isComposing }) => {
  // A sign may have two units, which one press deletes.
  const [before, now] = [[...had], [...keyboard.value]];
  let same = 0;
  while (same < before.length && before[same] === now[same]) same++;
  for (let gone = before.length - same; gone > 0; gone--) press('Backspace');
  enter(now.slice(same).join(''));
  had = keyboard.value;
  // The field must not run out of signs to delete.
  if (!isComposing && now.length < 16) keyboard.value = had = BLANK;
});
keyboard.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' && event.key !== 'Tab' && event.key !== 'Escape') return;
  event.preventDefault();
  press(event.key);
});

// The window would keep the browser from pasting, and has no use for this key.
let holds;
window.addEventListener('keydown', (event) => {
  if (event.code !== 'KeyV' || !event.ctrlKey && !event.metaKey) return;
  event.stopImmediatePropagation();
  holds = event.ctrlKey ? 'ControlLeft' : 'MetaLeft';
}, { capture: true });
window.addEventListener('paste', (event) => {
  if (event.target === keyboard) return;
  event.preventDefault();
  // With Ctrl the signs would be commands.
  const hold = (kind) => holds && canvas().dispatchEvent(new KeyboardEvent(kind, { code: holds }));
  hold('keyup');
  enter(event.clipboardData.getData('text/plain'));
  hold('keydown');
  holds = undefined;
});

export function setTitle(title) {
  document.title = title;
}

// Tells the page around this one what is shown.
export function report(state) {
  shown(canvas(), JSON.parse(state));
}

// Tells the page around this one what went wrong.
export function problem(text) {
  tell({ problem: text });
}

// Shows why there is no picture.
export function failed(why) {
  tell({ problem: why, isOver: true });
  const cover = document.getElementById('cover');
  document.getElementById('text').textContent = why;
  document.getElementById('progress').hidden = true;
  cover.hidden = false;
  console.error(why);
}

// Shows what has ended the program, and what to do. A page in another one keeps nothing.
export function ended(why) {
  failed(`${why}\nLoad the page again${isHeld ? '.' : ': what was not saved is offered there.'}`);
}

// Files.

export function pickFiles(extensions) {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.accept = extensions;
  input.onchange = () => give([...input.files].map((file) => ({ file, path: file.name })));
  input.oncancel = () => program.open_file(undefined);
  input.click();
}

// Gives files to the program, and opens the first that it can open.
export async function give(files) {
  await fetchRest();
  const opens = /\.(glb|gltf|vrm|fbx|obj|ply|stl|dae|usd|usda|usdc|usdz|mohawk|toml|doll|json|png|jpe?g|zip|hair|tfx|data|abc|npz)$/i;
  const first = files.find(({ path }) => /\.(glb|gltf|vrm|mohawk|fbx|dae|usd[acz]?)$/i.test(path)) ??
    files.find(({ path }) => /\.(obj|ply|stl)$/i.test(path)) ??
    files.find(({ path }) => opens.test(path)) ?? files[0];
  for (const { file, path } of files) {
    // The program reads no larger ones, and memory that was taken does not come back. Of the one that
    // is opened it says so.
    if (file.size > 2 ** 30 && path !== first.path) continue;
    try {
      program.add_file(path, new Uint8Array(await file.arrayBuffer()));
    } catch (error) {
      console.warn(`${path} cannot be read:`, error);
    }
  }
  program.open_file(first?.path);
}

export function download(path, bytes) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = path.split('/').pop();
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// Puts a link to this page with what it shows into the clipboard, and into the address.
export function copyLink(address) {
  history.replaceState(null, '', address);
  navigator.clipboard?.writeText(location.href).catch(() => {});
}

// Fetches the models and presets that the page does not begin with.
let fetching;
export function fetchShipped() {
  fetching ??= (async () => {
    try {
      const response = await fetch('models.zip');
      if (!response.ok) throw new Error(`models.zip: ${response.status}`);
      program.provide(new Uint8Array(await response.arrayBuffer()));
    } catch (error) {
      console.error(error);
      fetching = undefined;
      program.provide(undefined);
    }
  })();
  return fetching;
}

// What is kept between visits: files by their paths, in the database of the browser, each with the
// name of the tab that wrote it. A tab that is open holds a lock of its name.

const STORE = 'files';
const TAB = `mohawk-${Date.now()}-${Math.random()}`;
// Files of a session belong to its tab as long as that is open.
const OF_SESSION = /\/\d+-\d+\//;
let database;

// Returns the names of the tabs that are open, this one among them from now on.
async function openTabs() {
  // Pages that are not from a safe origin have no locks.
  if (!navigator.locks) return new Set();
  await new Promise((held) => {
    // It is held for as long as this promise is not kept: until the tab is closed.
    navigator.locks.request(TAB, () => new Promise(() => held()));
  });
  const { held } = await navigator.locks.query();
  return new Set(held.map(({ name }) => name));
}

function request(made) {
  return new Promise((done, fail) => {
    made.onsuccess = () => done(made.result);
    made.onerror = () => fail(made.error);
  });
}

async function openDatabase() {
  const opening = indexedDB.open('mohawk', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  database = await request(opening);
}

// Gives the program the files that were kept; returns how many. A browser may refuse to keep any.
export async function restore() {
  try {
    await openDatabase();
    const others = await openTabs();
    const store = database.transaction(STORE).objectStore(STORE);
    const [paths, files] = await Promise.all([request(store.getAllKeys()), request(store.getAll())]);
    paths.forEach((path, i) => {
      const { bytes, tab } = files[i];
      if (!OF_SESSION.test(path) || !others.has(tab)) program.add_file(path, bytes);
    });
    return paths.length;
  } catch (error) {
    console.warn('nothing is kept between visits:', error);
    return 0;
  }
}

let opening;

export function keep(path, bytes) {
  // What is kept later must not be overtaken.
  if (opening) return void opening.then(() => keep(path, bytes));
  try {
    const store = database?.transaction(STORE, 'readwrite').objectStore(STORE);
    if (bytes) store?.put({ bytes, tab: TAB }, path);
    else store?.delete(path);
  } catch (error) {
    // The program, which calls this, would not outlive an exception. The browser closes a database
    // when its data are cleared.
    console.warn(`${path} is not kept yet:`, error);
    if (error.name !== 'InvalidStateError') return;
    database = undefined;
    opening = openDatabase().catch((why) => console.warn('nothing is kept:', why));
    opening.then(() => {
      opening = undefined;
      keep(path, bytes);
    });
  }
}
