// What the program asks of the browser.

import { shown, tell } from './around.js';
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
  problem(why);
  const cover = document.getElementById('cover');
  document.getElementById('text').textContent = why;
  document.getElementById('progress').hidden = true;
  cover.hidden = false;
  console.error(why);
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
  const opens = /\.(glb|gltf|vrm|fbx|obj|ply|stl|dae|usd|usda|usdc|usdz|mohawk|toml|doll|json|png|jpe?g|zip|hair|abc|data|npz|csv)$/i;
  const first = files.find(({ path }) => /\.(glb|gltf|vrm|mohawk|fbx|dae|usd[acz]?)$/i.test(path)) ??
    files.find(({ path }) => opens.test(path)) ?? files[0];
  for (const { file, path } of files) {
    program.add_file(path, new Uint8Array(await file.arrayBuffer()));
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

// Gives the program the files that were kept; returns how many. A browser may refuse to keep any.
export async function restore() {
  try {
    const opening = indexedDB.open('mohawk', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    database = await request(opening);
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

export function keep(path, bytes) {
  const store = database?.transaction(STORE, 'readwrite').objectStore(STORE);
  if (bytes) store?.put({ bytes, tab: TAB }, path);
  else store?.delete(path);
}
