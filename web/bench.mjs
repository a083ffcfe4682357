// Prints figures of `mohawk bench` of this machine on one thread beside those of WebAssembly, whose
// vectors have four lanes: as wide as those of SSE2, and a half or a quarter of AVX2 and AVX-512.
//
//   node web/bench.mjs PROGRAM PROGRAM.wasm [ARGUMENTS]

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [program, wasm, ...rest] = process.argv.slice(2);
const runner = fileURLToPath(new URL('wasi.mjs', import.meta.url));

function measured(command, args, env = {}) {
  const text = execFileSync(command, [...args, 'bench', '--json', ...rest],
    { encoding: 'utf8', env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(text).filter(({ threads }) => threads === 1);
}

const columns = [
  measured(program, []),
  measured(program, [], { MOHAWK_SIMD: 'sse2' }),
  measured(process.execPath, ['--no-warnings', runner, wasm]),
];
const print = (kernel, what, ...numbers) =>
  console.log(kernel.padEnd(14), what.slice(0, 52).padEnd(52), ...numbers.map((number) => number.padStart(9)));
print('kernel', 'element', 'strands', 'best, ns', 'SSE2, ns', 'wasm, ns', 'of best', 'of SSE2');
for (const row of columns[0]) {
  const { kernel, measures, strands, particles } = row;
  const same = columns.map((rows) => rows.find((other) => other.kernel === kernel
    && other.measures === measures && other.strands === strands && other.particles === particles));
  if (same.includes(undefined)) continue;
  const [best, sse2, there] = same.map(({ ns_per_element: ns }) => ns);
  print(kernel, measures, String(strands), best.toFixed(2), sse2.toFixed(2), there.toFixed(2),
    (best / there).toFixed(2), (sse2 / there).toFixed(2));
}
