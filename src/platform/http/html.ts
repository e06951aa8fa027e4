import { escapeHtml } from '../text.ts';
import { attributeKind, type Hole, planOf } from './html-plan.ts';

/** Markup that is safe in a page. Created by {@link html}, so that text is never treated as markup. */
export class Html {
  readonly markup: string;
  private constructor(markup: string) {
    this.markup = markup;
  }
  /** Wraps markup without escaping it. Only for constant markup in the code, never for input. */
  static trusted(markup: string): Html {
    return new Html(markup);
  }
}

type AttributeValue = string | number | boolean | null | undefined;

/** Optional attributes of an element: see {@link attributes}. */
class Attributes {
  readonly values: Readonly<Record<string, AttributeValue>>;
  constructor(values: Readonly<Record<string, AttributeValue>>) {
    this.values = values;
  }
}

/** Creates attributes for a placeholder in a tag. `true` gives an attribute without a value; false, null and undefined are omitted. */
export function attributes(values: Readonly<Record<string, AttributeValue>>): Attributes {
  return new Attributes(values);
}

/** Content between tags: text, which is escaped, markup, or a list of both. False, null and undefined are empty. */
export type Content = string | number | Html | false | null | undefined | readonly Content[];
type Value = Content | Attributes;

/**
 * Creates markup from a template. The position of each placeholder is known: text and attribute values are escaped, URLs are
 * checked. A placeholder in an unsafe position (an attribute without quotes, `on…`, `style`, a script, a tag
 * name) throws at the first use of the template.
 */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  const holes = planOf(strings);
  let markup = strings[0] ?? '';
  let address = '';
  for (const [place, hole] of holes.entries()) {
    const value = values[place];
    if (hole.kind === 'address') {
      address += hole.before + plain(value);
      if (hole.after !== undefined) {
        checkAddress(address + hole.after, hole.loads);
        address = '';
      }
    }
    markup += filled(hole, value) + (strings[place + 1] ?? '');
  }
  return Html.trusted(markup);
}

function filled(hole: Hole, value: Value): string {
  switch (hole.kind) {
    case 'content':
      return content(value);
    case 'text': {
      const text = plain(value);
      return (hole.leads && /^[\r\n]/.test(text) ? '\n' : '') + escapeHtml(text);
    }
    case 'attributes':
      return attributeList(hole.element, value);
    default:
      return escapeHtml(plain(value));
  }
}

function content(value: Value): string {
  if (value instanceof Html) return value.markup;
  if (Array.isArray(value)) return (value as readonly Content[]).map(content).join('');
  return escapeHtml(plain(value));
}

/** Returns a value as text. Throws for markup. */
function plain(value: Value): string {
  if (value === false || value === null || value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new Error('template: only text is allowed here');
}

function attributeList(element: string, value: Value): string {
  if (!(value instanceof Attributes)) throw new Error(`template: the attributes of <${element}> must come from attributes()`);
  return Object.entries(value.values)
    .filter(([, one]) => one !== false && one !== null && one !== undefined)
    .map(([name, one]) => attribute(element, name, one === true ? '' : String(one)))
    .join(' ');
}

function attribute(element: string, name: string, value: string): string {
  const kind = attributeKind(element, name);
  if (kind === 'never' || !/^[a-z][a-z\d-]*$/.test(name)) throw new Error(`template: <${element}> does not accept the attribute ${name}`);
  if (kind !== 'value') checkAddress(value, kind === 'loaded');
  return value === '' ? name : `${name}="${escapeHtml(value)}"`;
}

const followed = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/** Returns whether a link is safe: a relative URL, or a scheme that runs no script. */
export function isSafeLink(address: string): boolean {
  const scheme = /^[a-z][a-z\d+.-]*:/i.exec(asBrowsersRead(address))?.[0];
  return scheme === undefined || followed.has(scheme.toLowerCase());
}

/** Normalizes a URL as browsers do: without spaces around it, and without tabs and line feeds inside it (WHATWG URL 4.4). */
const asBrowsersRead = (address: string) =>
  address
    // eslint-disable-next-line no-control-regex
    .replaceAll(/^[\u0000-\u0020]+|[\t\n\r]/g, '')
    .replaceAll('\\', '/');

/** Returns whether a URL is relative. A page loads from and sends to this service only. */
const isOwn = (address: string) => !/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(asBrowsersRead(address));

function checkAddress(address: string, loads: boolean): void {
  if (loads ? !isOwn(address) : !isSafeLink(address)) throw new Error('template: this URL is not allowed in a page');
}

/** Returns data for the script of a page, as JSON that cannot end its element. `id` must be a constant. */
export function jsonBlock(id: string, value: unknown): Html {
  return verbatim('script', ` type="application/json" id="${id}"`, JSON.stringify(value).replaceAll('<', String.raw`\u003c`));
}

/**
 * Returns an element with exactly this text, because a hash must match it. It is not a template, because a formatter could change the white space of
 * a template.
 */
export function verbatim(element: 'script' | 'style', attributesText: string, text: string): Html {
  return Html.trusted(`<${element}${attributesText}>${text}</${element}>`);
}

/** Returns an image of this service for a mail. Mails have no base URL, so the URL is absolute. `height` in pixels. */
export function mailedPicture(address: string, alt: string, height: number): Html {
  if (!/^https?:\/\/[^\s"<>]+$/.test(address)) throw new Error('template: this URL is not allowed in a mail');
  return Html.trusted(
    `<img src="${escapeHtml(address)}" alt="${escapeHtml(alt)}" height="${height}" style="height:${height}px;max-width:100%;object-fit:contain">`,
  );
}

/** Converts web addresses in a text to links. Punctuation at the end of a sentence is not part of an address. */
export function linked(text: string): Html {
  const pieces = text.split(/(https?:\/\/[^\s<>"“”„«»]+)/);
  return html`${pieces.map((piece, place) => {
    if (place % 2 === 0) return piece;
    const address = withoutPunctuation(piece);
    return html`<a href="${address}">${address}</a>${piece.slice(address.length)}`;
  })}`;
}

/** Returns an address without trailing punctuation. A closing bracket stays if the address contains its opening bracket. */
function withoutPunctuation(address: string): string {
  const end = /[.,;:!?'’…。、\])}]$/.exec(address)?.[0];
  const opening = { ')': '(', ']': '[', '}': '{' }[end ?? ''];
  const isClosing = opening !== undefined && address.split(opening).length > address.slice(0, -1).split(end ?? '').length;
  return end === undefined || isClosing ? address : withoutPunctuation(address.slice(0, -1));
}
