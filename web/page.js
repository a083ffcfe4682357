// Starts the program in the page.

import init, * as program from './mohawk.js';
import { attach } from './jobs.js';
import { isHeld, serve, tell } from './around.js';
import { canvas, connect, ended, failed, fetchShipped, firstPicture, give, restore } from './host.js';
import { attachRest, fetchRest } from './rest.js';

const cover = document.getElementById('cover');
const progress = document.getElementById('progress');

// Loads the program and shows how far it is.
async function load() {
  const response = await fetch('mohawk_bg.wasm');
  if (!response.ok) throw new Error(`mohawk_bg.wasm: ${response.status} ${response.statusText}`);
  const size = Number(document.querySelector('meta[name=size]')?.content);
  let done = 0;
  const counted = response.body.pipeThrough(new TransformStream({
    transform(chunk, out) {
      done += chunk.length;
      if (size) {
        progress.value = done / size;
        tell({ progress: progress.value });
      }
      out.enqueue(chunk);
    },
  }));
  return new Response(counted, { headers: { 'content-type': 'application/wasm' } });
}

// Reads the files and folders of a drop, with their paths.
async function dropped(items) {
  const found = [];
  const visit = async (entry, folder) => {
    const path = folder + entry.name;
    if (entry.isFile) {
      const file = await new Promise((done, fail) => entry.file(done, fail));
      found.push({ file, path });
    } else {
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((done, fail) => reader.readEntries(done, fail));
        if (!some.length) break;
        for (const inner of some) await visit(inner, `${path}/`);
      }
    }
  };
  // The list is empty as soon as something is waited for.
  const all = [...items].map((item) => item.webkitGetAsEntry() ?? item.getAsFile()).filter(Boolean);
  for (const one of all) {
    if (one instanceof File) found.push({ file: one, path: one.name });
    else await visit(one, '');
  }
  return found;
}

// Keeps the page for visits without a network, where the browser allows it.
async function workOffline() {
  if (!navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register('sw.js');
    const { active } = await navigator.serviceWorker.ready;
    const fetched = performance.getEntriesByType('resource').map((entry) => entry.name);
    active.postMessage([location.href.replace(/#.*/, ''), ...fetched]);
  } catch (error) {
    console.warn('the page needs a network:', error);
  }
}

function listen() {
  new ResizeObserver(() => program.resized()).observe(document.getElementById('room'));
  window.addEventListener('dragover', (event) => {
    event.preventDefault();
    program.hover(true);
  });
  window.addEventListener('dragleave', (event) => {
    if (!event.relatedTarget) program.hover(false);
  });
  window.addEventListener('drop', async (event) => {
    event.preventDefault();
    program.hover(false);
    give(await dropped(event.dataTransfer.items));
  });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) program.leave();
  });
  window.addEventListener('pagehide', () => program.leave());
  // Another address in the same page: all begins anew.
  window.addEventListener('hashchange', () => location.reload());
  canvas().addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    program.leave();
    failed('The graphics driver was reset. The page comes back when it is ready.');
  });
  // The page around this one begins with what its attributes say by now.
  canvas().addEventListener('webglcontextrestored', () => {
    if (isHeld) tell({ again: true });
    else location.reload();
  });
  canvas().addEventListener('contextmenu', (event) => event.preventDefault());
}

// Returns the name of what draws for this page.
function renderer(gl) {
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  return String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
}

// Makes the context that the program draws in. Anti-aliasing would slow a CPU that draws down.
function makeContext() {
  const asked = document.createElement('canvas').getContext('webgl2');
  if (!asked) {
    throw new Error('This browser does not offer WebGL 2, with which the hair is drawn.\n' +
      'Try another browser, or switch hardware acceleration on.');
  }
  const antialias = !/swiftshader|llvmpipe|softpipe|software/i.test(renderer(asked));
  asked.getExtension('WEBGL_lose_context')?.loseContext();
  renderer(canvas().getContext('webgl2', { antialias, alpha: false, depth: true }));
}

try {
  makeContext();
  const exports = await init({ module_or_path: load() });
  attach(exports, canvas().getContext('webgl2'));
  attachRest(exports, ended);
  connect(program);
  // A page in another one keeps nothing, and shows nothing of what people do elsewhere.
  const kept = isHeld ? 0 : await restore();
  // A preset that the page begins with has to be here.
  if (/[#&]preset=(?!mohawk(&|$))/.test(location.hash)) await fetchShipped();
  // What an address asks for and what was kept take more than the first picture. Where a worker keeps
  // the page all comes from there; a request that waits passes it by, and needs a network.
  if (location.hash || kept || navigator.serviceWorker?.controller) await fetchRest();
  program.start(location.hash, isHeld);
  listen();
  if (isHeld) {
    serve(program, canvas(), give);
    tell({ ready: true });
  } else {
    canvas().focus();
  }
  await firstPicture;
  cover.hidden = true;
  await fetchRest();
  if (!isHeld) await workOffline();
} catch (error) {
  failed(error.message ?? String(error));
}
