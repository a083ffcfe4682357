// Equations: TeX becomes HTML when the book is built, so that pages need no script for it.

import katex from 'katex';

// Markdown is read after this; in text between tags no sign may mean anything to it.
function literal(html) {
  return html.replace(/<[^>]*>|[^<]+/g, (part) => part.startsWith('<') ? part
    : part.replace(/&[a-z#0-9]+;|[!-%'-/:;=?@[-`{-~]/g,
      (sign) => sign.length > 1 ? sign : `&#${sign.charCodeAt(0)};`));
}

function render(tex, place, displayMode) {
  try {
    return literal(katex.renderToString(tex, { displayMode, throwOnError: true, strict: 'error' })
      // The source would be in searches, and signs of it in their excerpts.
      .replace(/<annotation [\s\S]*?<\/annotation>/g, '')
      // A row of a table is one line.
      .replaceAll('\n', ' '));
  } catch (error) {
    throw new Error(`${place}: ${error.message} in: ${tex}`);
  }
}

// Returns an equation of its own lines. It scrolls where the page is narrower.
export function display(tex, place) {
  return `<div class="equation" tabindex="0">${render(tex, place, true)}</div>\n`;
}

// Returns an equation in a line of text.
export function inline(tex, place) {
  return render(tex, place, false);
}
