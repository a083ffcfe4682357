// A preprocessor of mdBook: reads a book as JSON and writes it with equations, live scenes and links
// in place of what stands for them in a page.
//
//   mdbook build web/docs

import { posix } from 'node:path';
import { readFileSync, realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { display, inline } from './equation.mjs';
import { readGrow, square } from './grow_block.mjs';
import { figure, readPlay } from './play_block.mjs';

// An opening fence: indentation, fence, language.
const FENCE = /^([ \t]*)(`{3,}|~{3,})[ \t]*([^\s`]*)/;
// A span of code; with a dollar sign on both sides it is an equation.
const CODE = /(\$?)(?<!`)(`+)(?!`)([\s\S]*?[^`])\2(?!`)(\$?)/g;
// A link or picture whose target is a file above `docs/`.
const OUTSIDE = /!?\[([^\]]*)\]\(((?:\.\.\/)+)([^)\s]*)\)/g;
// Stands for a link to the program, which a repository does not have as a page.
const PROGRAM = '<!-- program -->';

// Returns the text of a page for the book. Errors name the page and the line.
export function page(text, path = 'page.md') {
  const out = [];
  const used = { equations: false, scenes: 0, squares: 0 };
  const lines = text.split('\n');
  let prose = [];
  const flush = () => {
    if (prose.length) out.push(words(prose.join('\n'), path, used));
    prose = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const fence = FENCE.exec(lines[at]);
    if (!fence) {
      prose.push(lines[at]);
      continue;
    }
    const [, indent, mark, kind] = fence;
    let end = at + 1;
    while (end < lines.length && !(lines[end].trim().startsWith(mark) && /^[`~]+$/.test(lines[end].trim()))) end++;
    const inner = lines.slice(at + 1, end).map((line) => line.startsWith(indent) ? line.slice(indent.length) : line);
    const place = `${path}:${at + 1}`;
    if (kind === 'math') {
      used.equations = true;
      flush();
      out.push(indent + display(inner.join('\n'), place));
    } else if (kind === 'play') {
      used.scenes++;
      flush();
      out.push(figure(readPlay(inner, place), used.scenes));
    } else if (kind === 'grow') {
      used.squares++;
      flush();
      out.push(square(readGrow(inner, place), used.squares));
    } else {
      flush();
      out.push(lines.slice(at, end + 1).join('\n'));
    }
    at = end;
  }
  flush();
  const whole = out.join('\n').replace(PROGRAM, '<p><a class="program" href="viewer/index.html">Open the program</a></p>');
  const head = [];
  if (used.equations) head.push('<link rel="stylesheet" href="katex.css">');
  if (used.scenes) head.push('<script type="module" src="play.js"></script>');
  if (used.squares) head.push('<script type="module" src="grow.js"></script>');
  return (head.length ? `${head.join('\n')}\n\n` : '') + whole;
}

// Equations and links in prose.
function words(text, path, used) {
  const linked = (part) => part.replace(OUTSIDE, (whole, label, up, target) => {
    const file = `\`${target}\``;
    return label.replaceAll('`', '') === target ? file : `${label} (${file})`;
  });
  let out = '';
  let from = 0;
  // A label of a link may have code in it, so links are replaced first.
  const clean = linked(text);
  for (const found of clean.matchAll(CODE)) {
    const [whole, before, , code, after] = found;
    out += clean.slice(from, found.index);
    from = found.index + whole.length;
    if (before && after) {
      used.equations = true;
      out += inline(code, path);
    } else {
      out += whole;
    }
  }
  return out + clean.slice(from);
}

// Changes every page of a book.
export function whole(book) {
  const visit = (items) => {
    for (const item of items) {
      const chapter = item.Chapter;
      if (!chapter) continue;
      if (chapter.path && posix.dirname(chapter.path) !== '.') throw new Error(`${chapter.path}: pages lie in docs/ itself`);
      chapter.content = page(chapter.content, chapter.source_path ?? chapter.name);
      visit(chapter.sub_items);
    }
  };
  visit(book.items);
  return book;
}

if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  if (process.argv[2] === 'supports') process.exit(process.argv[3] === 'html' ? 0 : 1);
  try {
    const [, book] = JSON.parse(readFileSync(0, 'utf8'));
    process.stdout.write(JSON.stringify(whole(book)));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
