// Connects the page with one that holds it in a frame: `element.js` is on the other side.
//
// Messages to this page: { ask: 'parts of an address' }, { open: [{ path, bytes }] },
// { picture: id }. Messages from it: { progress }, { ready }, { state }, { opened }, { again },
// { problem, isOver }, { picture: id, blob }. A problem that `isOver` has ended the program.

import { soon } from './jobs.js';

// `true` if the page is in a frame and is asked to serve what is around it.
export const isHeld = window.parent !== window && new URLSearchParams(location.search).has('held');

// Tells the page around this one.
export function tell(message) {
  if (isHeld) window.parent.postMessage({ mohawk: message }, '*');
}

// Pictures that are asked for.
const wanted = [];

// Tells the page around this one what has just been drawn, and gives it pictures of that.
export function shown(canvas, state) {
  tell({ state });
  for (const picture of wanted.splice(0)) canvas.toBlob((blob) => tell({ picture, blob }));
}

// Does what the page around this one asks for. `opens` takes files.
export function serve(program, canvas, opens) {
  window.addEventListener('message', async ({ data, source }) => {
    if (source !== window.parent || !data?.mohawk) return;
    const { ask, open, picture } = data.mohawk;
    if (typeof ask === 'string') program.ask(ask);
    if (Array.isArray(open)) {
      const files = open.map(({ path, bytes }) => ({ path: String(path), file: new Blob([bytes]) }));
      // The news of them are delivered before that.
      opens(files).finally(() => soon(() => tell({ opened: true })));
    }
    if (picture !== undefined) {
      wanted.push(picture);
      program.ask('');
    }
  });
  // The wheel scrolls the page around until somebody has clicked on the head.
  window.addEventListener('wheel', (event) => {
    if (document.activeElement !== canvas) event.stopImmediatePropagation();
  }, { capture: true });
  canvas.addEventListener('pointerdown', () => canvas.focus({ preventScroll: true }));
}
