// Prints figures of `mohawk bench` of this machine on one thread beside those of WebAssembly.
//
//   node web/bench.mjs PROGRAM PROGRAM.wasm [ARGUMENTS]

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [program, wasm, ...rest] = process.argv.slice(2);
const runner = fileURLToPath(new URL('wasi.mjs', import.meta.url));

function measured(command, args) {
  const text = execFileSync(command, [...args, 'bench', '--json', ...rest],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(text).filter(({ threads }) => threads === 1);
}

const own = measured(program, []);
const others = measured(process.execPath, ['--no-warnings', runner, wasm]);
const print = (kernel, what, ...numbers) =>
  console.log(kernel.padEnd(16), what.slice(0, 60).padEnd(60), ...numbers.map((number) => number.padStart(10)));
print('kernel', 'element', 'strands', 'here, ns', 'wasm, ns', 'speed');
for (const row of own) {
  const { kernel, measures, strands, particles, ns_per_element: here } = row;
  const same = others.find((other) => other.kernel === kernel && other.measures === measures
    && other.strands === strands && other.particles === particles);
  if (!same) continue;
  const there = same.ns_per_element;
  print(kernel, measures, String(strands), here.toFixed(2), there.toFixed(2), (here / there).toFixed(2));
}
