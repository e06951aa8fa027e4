/** Elements of word processor files with invisible text: deleted text, field instructions, tracked changes. */
const unseen = new Set(['w:delText', 'w:instrText', 'w:delInstrText', 'text:tracked-changes', 'office:annotation', 'office:scripts']);
/** Elements after which a line or a cell ends. */
const ends = new Set(['w:p', 'w:tr', 'text:p', 'text:h', 'table:table-row']);
const breaks: Readonly<Record<string, string>> = {
  'w:tab': '\t',
  'w:br': '\n',
  'w:cr': '\n',
  'w:tc': '\t',
  'text:tab': '\t',
  'text:line-break': '\n',
  'text:s': ' ',
  'table:table-cell': '\t',
};
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Returns the visible text of an XML document, up to the requested length. It scans the tags once.
 * Entities of a document type are not expanded.
 */
export function xmlText(xml: string, most: number): string {
  const text: string[] = [];
  let length = 0;
  const add = (piece: string) => {
    text.push(piece);
    length += piece.length;
  };
  let hidden: string | undefined;
  for (let at = 0; at < xml.length && length < most;) {
    const opens = xml.indexOf('<', at);
    const end = opens === -1 ? xml.length : opens;
    if (end > at && hidden === undefined) add(unescaped(xml.slice(at, end)));
    if (opens === -1) break;
    const cdata = xml.startsWith('<![CDATA[', opens);
    const [close, after] = cdata
      ? [xml.indexOf(']]>', opens), 3]
      : xml.startsWith('<!--', opens)
        ? [xml.indexOf('-->', opens), 3]
        : [xml.indexOf('>', opens), 1];
    if (close === -1) break;
    if (cdata && hidden === undefined) add(xml.slice(opens + 9, close));
    const tag = cdata ? undefined : /^<(\/?)([\w:.-]{1,100})/.exec(xml.slice(opens, opens + 110));
    const name = tag?.[2] ?? '';
    const closes = tag?.[1] === '/';
    const alone = xml[close - 1] === '/';
    if (hidden === undefined && !closes && !alone && unseen.has(name)) hidden = name;
    else if (hidden === name && closes) hidden = undefined;
    else if (hidden === undefined && (closes || alone)) add(ends.has(name) ? '\n' : (breaks[name] ?? ''));
    at = close + after;
  }
  return text.join('').slice(0, most);
}

/** Replaces character references; unknown ones stay. */
function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:(\w{1,6})|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g, (all, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return named[name] ?? all;
    const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '';
  });
}
