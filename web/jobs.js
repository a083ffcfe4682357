// Runs long jobs in turns with the picture.
//
// A job has a stack of its own. When it has run for some milliseconds it calls `pause`, which
// suspends it (JavaScript Promise Integration); the page draws, and then the job goes on. A browser
// without that runs each job in one go.

// The program calls it.
export { loadRest } from './rest.js';

const suspends = typeof WebAssembly.Suspending === 'function' &&
  typeof WebAssembly.promising === 'function';

// The exports of the program, and the context that it draws with.
let wasm;
let gl;
let run;
const freeStacks = [];
// Functions that wait for a turn.
const turns = [];
const channel = new MessageChannel();
// Nothing goes on without the graphics driver: the page begins again when that is back.
channel.port1.onmessage = () => {
  const turn = turns.shift();
  if (!gl?.isContextLost()) turn?.();
};

// Calls a function soon, after what the browser has to do.
export function soon(turn) {
  turns.push(turn);
  channel.port2.postMessage(null);
}

// Takes the exports of the program, once it is loaded, and its context.
export function attach(exports, context) {
  [wasm, gl] = [exports, context];
  run = suspends ? WebAssembly.promising(exports.run_job) : exports.run_job;
}

// Runs the next job.
export function startJob() {
  soon(() => {
    if (!suspends) return run();
    const top = freeStacks.pop() ?? wasm.new_stack();
    onStack(top, run).then(back).then(() => freeStacks.push(top));
  });
}

// Calls a function of the program on another stack. It comes back when the job ends or pauses.
function onStack(top, call) {
  const own = wasm.__stack_pointer.value;
  wasm.__stack_pointer.value = top;
  try {
    return call();
  } finally {
    wasm.__stack_pointer.value = own;
  }
}

// Where the stack of the page is, while a job runs that was suspended before.
let main = 0;

// Goes back to the stack of the page.
function back() {
  if (main) wasm.__stack_pointer.value = main;
  main = 0;
}

// Suspends the job that runs until its next turn, which `later` calls.
function suspend(later) {
  const top = wasm.__stack_pointer.value;
  back();
  return new Promise((goOn) => later(() => {
    main = wasm.__stack_pointer.value;
    wasm.__stack_pointer.value = top;
    goOn();
  }));
}

export const pause = suspends ? new WebAssembly.Suspending(() => suspend(soon)) : () => {};

// Calls a function soon after the graphics driver has done what it was given.
async function settled(turn) {
  // There is none once the driver is lost.
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  while (fence && gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.UNSIGNALED) {
    await new Promise((later) => setTimeout(later, 4));
  }
  gl.deleteSync(fence);
  soon(turn);
}

// Suspends the job that runs until the graphics driver has done what it was given.
export const settle = suspends ? new WebAssembly.Suspending(() => suspend(settled)) : () => {};
