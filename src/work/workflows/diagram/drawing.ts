import type { BoxSize, Graph, Layout } from './graph.ts';

/** The size of a box in the SVG, which has no scripts and no external resources (SVG 1.1; roles of the WAI-ARIA Graphics Module). */

export const box: BoxSize = { width: 208, height: 84 };
const inset = 12;
/** Characters of average width in a line of a name, and the number of lines. */
const perLine = 22;
const maxLines = 2;

/** Colours with a text contrast of at least 4.5 : 1 (WCAG 2.2, 1.4.3), and a symbol that shows the state or kind without colour. */
export type Look = { fill: string; edge: string; text: string; mark: string; dashed?: true; bold?: true };

/** A box of a diagram. `details` is for screen readers and tooltips. The arrows from a box that `isDone` are thicker. */
export type DiagramNode = { name: string; caption: string; details: readonly string[]; look: Look; isDone?: boolean };

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes a text as content or attribute of XML 1.0. Removes characters that XML forbids, and those that change the direction of text. */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]|[\u202A-\u202E\u2066-\u2069]/gu, '')
    .replaceAll(/[&<>"']/g, (character) => named[character] ?? '');
}

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Estimates the width of a character, in characters of average width. If the estimate is too low, the text is cut at the edge of its box. */
function widthOf(character: string): number {
  if (/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Extended_Pictographic}/u.test(character)) return 2;
  if (/[MW@%]/u.test(character)) return 1.9;
  return /[\p{Lu}mw]/u.test(character) ? 1.4 : 1;
}

/** Splits a text into the part that fits into a line, and the rest. */
function cut(text: readonly string[], most: number): [fits: string[], left: string[]] {
  let width = 0;
  const end = text.findIndex((character) => (width += widthOf(character)) > most);
  return end === -1 ? [[...text], []] : [text.slice(0, Math.max(1, end)), text.slice(Math.max(1, end))];
}

/** Splits a name into lines, between words if possible. A name that is too long ends in an ellipsis. */
export function linesOf(text: string): string[] {
  // The rest of a long name is never shown.
  const words = text
    .slice(0, 500)
    .trim()
    .split(/\s+/u)
    .map((word) => [...segmenter.segment(word)].map(({ segment }) => segment));
  const lines: string[][] = [[]];
  for (const word of words) {
    const line = lines.at(-1) ?? [];
    const longer = line.length === 0 ? word : [...line, ' ', ...word];
    if (cut(longer, perLine)[1].length === 0) {
      lines[lines.length - 1] = longer;
      continue;
    }
    if (line.length === 0) lines.pop();
    for (let left = word; left.length > 0;) {
      const [fits, further] = cut(left, perLine);
      lines.push(fits);
      left = further;
    }
  }
  const shown = lines.slice(0, maxLines).map((line) => line.join(''));
  return lines.length <= maxLines
    ? shown
    : [
        ...shown.slice(0, -1),
        `${cut(lines[maxLines - 1] ?? [], perLine - 1)[0]
          .join('')
          .trimEnd()}…`,
      ];
}

/** The headers of an image. Opened directly, it is a page of the server’s origin. So they block scripts and loading, even if a name contains markup. */
export const imageHeaders = (fileName: string) => ({
  'content-type': 'image/svg+xml; charset=utf-8',
  'content-disposition': `inline; filename="${fileName}"`,
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cache-control': 'private, no-cache',
});

function boxOf({ name, caption, details, look }: DiagramNode, { x, y }: { x: number; y: number }): string {
  const [left, top] = [x - box.width / 2, y - box.height / 2];
  return `<g role="graphics-symbol" aria-label="${xmlText(details.join('; '))}"><title>${xmlText(details.join('\n'))}</title>
<rect x="${left}" y="${top}" width="${box.width}" height="${box.height}" rx="8" fill="${look.fill}" stroke="${look.edge}" stroke-width="${look.bold ? 3 : 1.5}"${look.dashed ? ' stroke-dasharray="5 4"' : ''}/>
<svg x="${left}" y="${top}" width="${box.width - inset / 2}" height="${box.height}">
${linesOf(name)
  .map((line, at) => `<text x="${inset}" y="${25 + at * 19}" font-size="14" font-weight="600" fill="#0f172a">${xmlText(line)}</text>`)
  .join('\n')}
<text x="${inset}" y="${box.height - 12}" font-size="13" fill="${look.text}">${look.mark} ${xmlText(caption)}</text>
</svg></g>`;
}

const round = (value: number) => Math.round(value * 10) / 10;

/** A curve through points that leaves and enters each point horizontally. */
function curve(points: readonly { x: number; y: number }[]): string {
  return points
    .map(({ x, y }, at) => {
      const before = points[at - 1];
      if (before === undefined) return `M${round(x)} ${round(y)}`;
      const middle = round((before.x + x) / 2);
      return `C${middle} ${round(before.y)} ${middle} ${round(y)} ${round(x)} ${round(y)}`;
    })
    .join('');
}

/** A diagram: boxes from left to right, and arrows between them. `description` is for screen readers. */
export type Diagram = { title: string; description?: string; nodes: readonly DiagramNode[]; graph: Graph; layout: Layout };

/** Draws a diagram. */
export function drawDiagram({ title, description, nodes, graph, layout }: Diagram): string {
  const [width, height] = [Math.ceil(layout.width), Math.ceil(layout.height)];
  const lines = layout.arrows.map((points, at) => {
    const done = nodes[graph.arrows[at]?.[0] ?? -1]?.isDone === true;
    const colour = done ? '#15803d' : '#64748b';
    return `<path d="${curve(points)}" fill="none" stroke="${colour}" stroke-width="${done ? 2 : 1.5}" stroke-linejoin="round" marker-end="url(#${done ? 'done' : 'open'})"/>`;
  });
  const head = (id: string, colour: string) =>
    `<marker id="${id}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="${colour}"/></marker>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="graphics-document" aria-label="${xmlText(title)}" font-family="system-ui, 'Noto Sans', 'Segoe UI', Helvetica, Arial, sans-serif">
<title>${xmlText(title)}</title>${description === undefined ? '' : `\n<desc>${xmlText(description)}</desc>`}
<defs>${head('open', '#64748b')}${head('done', '#15803d')}</defs>
<rect width="${width}" height="${height}" fill="#ffffff"/>
${lines.join('\n')}
${nodes.map((node, at) => boxOf(node, layout.boxes[at] ?? { x: 0, y: 0 })).join('\n')}
</svg>
`;
}
