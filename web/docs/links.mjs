// Finds dead links in a built book: files that are missing, and places that a page does not have.
//
//   node web/docs/links.mjs FOLDER

import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

// The page of the program, which is built by itself.
const PROGRAM = /^viewer\//;
const TAG = /<[a-z][^<>]*>/gi;
const IN_TAG = /\s(?:href|src|poster)="([^"]*)"/g;
const IN_STYLE = /url\(["']?([^"')]*)["']?\)/g;

// Returns the dead links of all files of a folder, each with its file.
export function deadLinks(folder) {
  const files = readdirSync(folder, { recursive: true }).map(String)
    .filter((file) => /\.(html|css)$/.test(file) && !PROGRAM.test(file));
  const texts = new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  const places = new Map([...texts].map(([file, text]) =>
    [file, new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id))]));
  const dead = [];
  for (const [file, text] of texts) {
    // Links in listings of code are text, not tags.
    const links = file.endsWith('.css') ? [...text.matchAll(IN_STYLE)]
      : text.match(TAG).flatMap((tag) => [...tag.matchAll(IN_TAG)]);
    for (const [, link] of links) {
      const problem = ofLink(folder, file, link.replaceAll('&amp;', '&'), places);
      if (problem) dead.push(`${file}: ${link}: ${problem}`);
    }
  }
  return dead;
}

function ofLink(folder, file, link, places) {
  if (/^(https?:|data:|mailto:|#?$)/.test(link)) return undefined;
  const [path, place] = link.split(/[?]/)[0].split('#');
  const target = path ? normalize(join(dirname(file), decodeURIComponent(path))) : file;
  if (PROGRAM.test(target)) return undefined;
  if (target.startsWith('..')) return 'lies outside of the book';
  if (!existsSync(join(folder, target))) return 'there is no such file';
  if (place && places.has(target) && !places.get(target).has(decodeURIComponent(place))) return 'there is no such place';
  return undefined;
}

if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  const folder = process.argv[2];
  const dead = deadLinks(folder);
  for (const line of dead) console.error(line);
  if (dead.length) {
    console.error(`${relative('.', folder)} has ${dead.length} dead links`);
    process.exit(1);
  }
}
