// Loads the rest of the program, which its first picture does without: `web/later.txt` says what that
// is, and `web/tool/src/split.rs` how it comes into the program.

const ADDRESS = 'mohawk_rest.wasm';

// The exports of the first part, and what says why the program has ended.
let first;
let ended;
let fetching;
// `true` if the program has ended without the rest.
let isOver = false;

// Takes the exports of the program, once it is loaded, and what to call if it has to end.
export function attachRest(exports, end) {
  first = exports;
  ended = end;
}

// `true` if nothing is missing. A program that is not split has all.
const isHere = () => !first.rest_is_here || first.rest_is_here.value === 1;

// Fetches the rest beside what the page does, once. What fails is fetched when it is needed.
export function fetchRest() {
  fetching ??= (async () => {
    if (isHere()) return;
    try {
      await WebAssembly.instantiateStreaming(fetch(ADDRESS), { first });
      first.rest_is_here.value = 1;
    } catch (error) {
      console.warn('the rest of the program is fetched again when it is needed:', error);
      fetching = undefined;
    }
  })();
  return fetching;
}

// Fetches bytes while everything waits.
function fetchNow(address) {
  const request = new XMLHttpRequest();
  request.open('GET', address, false);
  // Each byte becomes a sign: a request that waits gives text alone.
  request.overrideMimeType('text/plain; charset=x-user-defined');
  request.send();
  if (request.status !== 200) throw new Error(`${address}: ${request.status} ${request.statusText}`);
  return Uint8Array.from(request.responseText, (sign) => sign.charCodeAt(0));
}

// Loads the rest now: the program calls a function of it. A program that does not get it ends.
export function loadRest() {
  while (!isHere()) {
    if (isOver) throw new Error('The rest of the program is missing.');
    try {
      const module = new WebAssembly.Module(fetchNow(ADDRESS));
      // The functions go into the table of the program.
      new WebAssembly.Instance(module, { first });
      first.rest_is_here.value = 1;
    } catch (error) {
      const text = `A part of the program could not be fetched.\n${error.message}`;
      if (window.confirm(`${text}\n\nTry again?`)) continue;
      isOver = true;
      ended(text);
      throw error;
    }
  }
}
